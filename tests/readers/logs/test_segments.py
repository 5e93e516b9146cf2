"""STM, CTM, SegLST, RTTM and UEM: segments and recordings."""

from __future__ import annotations

import json
from pathlib import Path

import jiwer
import pytest

import deadheat
from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from readers.logs.looking import codes, said, texts, tool

STM = """;; LABEL "o" "Overall" "All"
rec1 A s1 0.00 1.50 <o,f0,male> hello there you
rec1 A s1 1.5 3 <o,f0,male> good bye
rec2 A s2 0 2 <o,f1,female> it rains

rec2 A inter_segment_gap 2 3 <o,,unknown> ignore_time_segment_in_scoring
rec2 A s2 3 4.25 <o,f1,female> now
"""
CTM = """;; words
rec1 A 0.10 0.2 hello 0.9
rec1 A 0.30 0.2 dear 0.1
rec1 A 2.10 0.2 bye 0.9
rec1 A 1.60 0.2 good 0.9
REC2 a 0.10 0.2 it 0.9
rec2 A 0.20 0.2 rains -1.5
rec2 A 3.1 0.2 now 1
"""


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_segments_of_stm(tmp_path: Path) -> None:
    path = write(tmp_path / "r.stm", STM)
    assert tool(path) == "stm"
    evaluation = read(path)
    assert texts(evaluation) == {
        "r": {
            "rec1 a s1 0 1.5": "hello there you",
            "rec1 a s1 1.5 3": "good bye",
            "rec2 a s2 0 2": "it rains",
            "rec2 a s2 3 4.25": "now",
        }
    }
    assert "1 segments that are marked to be ignored" in said(evaluation, "segments_ignored")
    hint = said(evaluation, "cluster_hint")
    assert "4 segments are of 2 recordings" in hint
    assert "--cluster session" in hint


def test_columns_of_stm_that_are_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "r.stm", STM)
    (answers,) = read(path, cluster="session", stratum="label").answers
    assert answers.clusters is not None
    assert answers.clusters.to_list() == ["rec1 a", "rec1 a", "rec2 a", "rec2 a"]
    assert answers.strata is not None
    assert answers.strata.to_list() == ["<o,f0,male>"] * 2 + ["<o,f1,female>"] * 2
    assert "cluster_hint" not in codes(read(path, cluster="session"))
    with pytest.raises(InputError, match=r"no column 'speakers'.*speaker"):
        read(path, cluster="speakers")


def test_ctm_pairs_with_stm_by_recording(tmp_path: Path) -> None:
    """Words in order of time; jiwer on the two recordings."""
    heard, right = write(tmp_path / "h.ctm", CTM), write(tmp_path / "r.stm", STM)
    assert tool(heard) == "ctm"
    assert texts(read(heard)) == {"h": {"rec1 a": "hello dear good bye", "rec2 a": "it rains now"}}
    card = deadheat.score(heard, references=right, item="recording", metric="wer")
    expected = jiwer.wer(
        ["hello there you good bye", "it rains now"], ["hello dear good bye", "it rains now"]
    )
    assert card.systems[0].value == pytest.approx(expected)


def test_several_speakers_of_a_recording(tmp_path: Path) -> None:
    path = write(tmp_path / "r.stm", "r 1 a 0 2 one two\nr 1 b 1 3 three\nr 1 a 4 5 four\n")
    evaluation = read(path, item="recording")
    assert texts(evaluation) == {"r": {"r 1": "one two three four"}}
    assert "no cpWER" in said(evaluation, "speakers_joined")


def test_times_are_the_same_however_they_are_written(tmp_path: Path) -> None:
    a = write(tmp_path / "a.stm", "r 1 s 3017.540 3018 x\nr 1 s 12345.678 12346.0 y\n")
    b = write(tmp_path / "b.stm", "r 1 s 3017.54 3018.00 x\nr 1 s 12345.6780 12346 y\n")
    assert (
        [*texts(read(a))["a"]]
        == [*texts(read(b))["b"]]
        == [
            "r 1 s 3017.54 3018",
            "r 1 s 12345.678 12346",
        ]
    )


def test_alternations_of_ctm(tmp_path: Path) -> None:
    marked = """r A 0 1 well
r A * * <ALT_BEGIN>
r A 12.0 0.3 UM
r A * * <ALT>
r A 12.0 0.2 so
r A 12.2 0.2 what
r A * * <ALT>
r A * * <ALT_END>
r A 13 1 yes
"""
    evaluation = read(write(tmp_path / "r.ctm", marked))
    assert texts(evaluation) == {"r": {"r a": b'["well UM yes","well so what yes","well yes"]'}}
    assert "alternations" in codes(evaluation)


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ("r A 0 1 a\nr A * * <ALT>\nr A 1 1 b\n", r"line 2: <ALT> does not follow"),
        ("r A 0 1 a\nr A * * <ALT_BEGIN>\nr A * * <ALT_BEGIN>\n", r"line 3: <ALT_BEGIN>"),
        ("r A 0 1 a\nr A * * <ALT_BEGIN>\nr A 1 1 b\n", r"recording r a is not closed"),
        ("r A 0 1 a\n" * 9_000 + "r A 0\n", r"line 9001: the line is no word"),
    ],
)
def test_broken_ctm(tmp_path: Path, content: str, match: str) -> None:
    path = write(tmp_path / "r.ctm", content)
    with pytest.raises(FormatError, match=match):
        read(path)


def test_cut_off_stm(tmp_path: Path) -> None:
    path = write(tmp_path / "r.stm", "r A s 0 1 some words\n" * 9_000 + "r A s 0")
    with pytest.raises(FormatError, match=r"line 9001: the line is no segment"):
        read(path)


def test_without_the_ending_of_the_name(tmp_path: Path) -> None:
    assert tool(write(tmp_path / "ref", STM)) == "stm"
    words = "".join(f"rec A {k}.5 0.2 word\n" for k in range(20))
    assert tool(write(tmp_path / "hyp", words)) == "ctm"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("boxes.txt", "Car 0.00 0 1.58 587.01 173.33\nVan 0.00 1 1.2 50.0 17.0\n"),
        ("yolo.txt", "0 0.5 0.5 0.2 0.3\n1 0.1 0.2 0.3 0.4\n"),
        ("numbers.txt", "1 2 3 4 5\n6 7 8 9 10\n"),
        ("few.txt", "rec A 0.5 0.2 word\nrec A 0.7 0.2 word\n"),
        ("unordered.txt", "".join(f"a A {9 - k} 0.2 word\n" for k in range(10))),
        ("lines.txt", "we met 2 times 3 4 years ago\nthey met 1 time 9 8 years ago\n"),
        ("r.stm", "these are lines of text\nand not segments\n"),
        ("r.stm", "r A s 3 1 ends before it begins\n"),
        ("r.ctm", "these are lines\nof text\n"),
    ],
)
def test_other_files_are_not_taken(tmp_path: Path, name: str, content: str) -> None:
    assert tool(write(tmp_path / name, content)) not in ("stm", "ctm")


# --- SegLST ---------------------------------------------------------------------------------------


def segments(path: Path, rows: list[tuple[str, str, object, object, str]]) -> Path:
    names = ("session_id", "speaker", "start_time", "end_time", "words")
    return write(path, json.dumps([dict(zip(names, row, strict=True)) for row in rows], indent=2))


def test_segments_of_seglst(tmp_path: Path) -> None:
    a = segments(
        tmp_path / "a.json", [("s1", "A", 0, 1.5, "hello  you"), ("s2", "B", "1", "2.0", "x")]
    )
    b = segments(
        tmp_path / "b.json", [("s2", "B", 1.0, 2, "y"), ("s1", "A", "0.0", "1.50", "hello")]
    )
    assert tool(a) == "seglst"
    assert texts(read(a, b)) == {
        "a": {"s1 A 0 1.5": "hello you", "s2 B 1 2": "x"},
        "b": {"s2 B 1 2": "y", "s1 A 0 1.5": "hello"},
    }


def test_sessions_of_seglst(tmp_path: Path) -> None:
    rows = [("s1", "A", "2", "3", "c d"), ("s1", "B", "0", "1", "a b"), ("s2", "A", "0", "1", "")]
    evaluation = read(segments(tmp_path / "a.json", rows), item="recording")
    assert texts(evaluation) == {"a": {"s1": "a b c d", "s2": ""}}
    assert "1 sessions several speakers" in said(evaluation, "speakers_joined")
    (answers,) = read(tmp_path / "a.json", cluster="session").answers
    assert answers.clusters is not None
    assert answers.clusters.to_list() == ["s1", "s1", "s2"]


def test_broken_seglst(tmp_path: Path) -> None:
    path = segments(tmp_path / "a.json", [("s1", "A", 0, 1, "x")])
    text = path.read_text(encoding="utf-8")
    for content in (
        text[:-3],
        text.replace('"x"', "7"),
        text.replace('"session_id": "s1"', '"session_id": 1'),
    ):
        with pytest.raises(FormatError):
            read(write(path, content))
    assert tool(write(tmp_path / "b.json", '[{"session_id": "a", "text": "b"}]')) is None


# --- RTTM and UEM ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.rttm", "SPEAKER rec 1 0 0.5 <NA> <NA> Alice <NA> <NA>\n"),
        ("a.uem", "rec 1 1 4.5\nrec2 1 0 10"),
    ],
)
def test_turns_without_words_are_refused(tmp_path: Path, name: str, content: str) -> None:
    path = write(tmp_path / name, content)
    assert tool(path) == "rttm"
    with pytest.raises(InputError, match="holds no words"):
        read(path)


# --- Shared ---------------------------------------------------------------------------------------


def test_shared_examples(shared: Path) -> None:
    folder = shared / "formats" / "asr_meeteval"
    expected = {
        "ref.stm": 7, "hyp.stm": 6, "refA.stm": 4, "hypB.stm": 2, "hyp_siso.stm": 3,
        "hyp1.ctm": 2, "hyp2.ctm": 2, "ref.seglst.json": 6, "hyp.seglst.json": 6,
    }  # fmt: skip
    for name, n in expected.items():
        assert len(texts(read(f"x={folder / name}"))["x"]) == n
    by_hand = jiwer.wer(
        ["Effort made was a lot i know you're busy we need to make the new version clean "
         "Strategic staircase we need a paradigm shift",
         "Pipeline Bob called an all-hands this afternoon"],
        ["Effort made was a lot i know your busy we need two make the new version clean "
         "Strategic staircase we need a paradigm shift",
         "Pipeline Bob called an all-hands this afternoon"],
    )  # fmt: skip
    card = deadheat.score(
        folder / "hyp_siso.stm",
        references=folder / "ref_siso.stm",
        item="recording",
        metric="wer",
    )
    assert card.systems[0].value == pytest.approx(by_hand)


def test_shared_sctk(shared: Path) -> None:
    folder = shared / "data" / "sctk_asr"
    assert len(texts(read(folder / "lvc_ref.stm"))["lvc_ref"]) == 61
    heard = texts(read(folder / "lvc_hyp.ctm"))["lvc_hyp"]
    assert [*heard] == ["2347 a", "2347 b", "3129 a", "3129 b"]
