"""TRN and Kaldi's text: utterances by id, alternations, and what stays plain lines."""

from __future__ import annotations

from pathlib import Path

import jiwer
import pytest

import deadheat
from deadheat.errors import AlignmentError, FormatError, InputError, MetricError
from deadheat.readers import read
from deadheat.readers.speech import allowed
from readers.logs.looking import codes, said, texts, tool

SAID = {"spk_1": "the cat sat on the mat", "spk_2": "hello there", "spk_3": "no", "spk_4": ""}
HEARD = {"spk_1": "the cat sat on mat", "spk_2": "hello the air", "spk_3": "no", "spk_4": ""}


def trn(path: Path, said_: dict[str, str], end: str = "\n") -> Path:
    path.write_bytes("".join(f"{text} ({item}){end}" for item, text in said_.items()).encode())
    return path


def kaldi(path: Path, said_: dict[str, str], end: str = "\n") -> Path:
    path.write_bytes(
        "".join(f"{item} {text}".rstrip() + end for item, text in said_.items()).encode()
    )
    return path


def error_rate(references: dict[str, str], outputs: dict[str, str]) -> float:
    """The judge: jiwer, over utterances with words in the reference."""
    items = [item for item in references if references[item]]
    rate: float = jiwer.wer([references[i] for i in items], [outputs[i] for i in items])
    return rate


@pytest.mark.parametrize("write", [trn, kaldi])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_wer_against_references_in_another_order(tmp_path: Path, write: object, end: str) -> None:
    references = write(tmp_path / "ref.x", SAID, end)  # type: ignore[operator]
    heard = write(tmp_path / "hyp.x", dict(reversed(HEARD.items())), end)  # type: ignore[operator]
    assert tool(references) == tool(heard) == write.__name__  # type: ignore[attr-defined]
    card = deadheat.score(heard, references=references, metric="wer")
    assert card.systems[0].value == pytest.approx(error_rate(SAID, HEARD))
    assert card.systems[0].system == "hyp"
    found = deadheat.compare(heard, f"right={references}", references=references, metric="wer")
    assert found.candidate.value == 0.0


def test_the_two_formats_pair(tmp_path: Path) -> None:
    card = deadheat.score(
        kaldi(tmp_path / "text", HEARD), references=trn(tmp_path / "ref.trn", SAID), metric="wer"
    )
    assert card.systems[0].value == pytest.approx(error_rate(SAID, HEARD))


def test_ids_of_another_case_are_the_same_in_trn(tmp_path: Path) -> None:
    """As for sclite, and as its own csrnab files need it."""
    upper = trn(tmp_path / "a.trn", {item.upper(): text for item, text in SAID.items()})
    assert [*texts(read(upper))["a"]] == [*SAID]


def test_comments_and_utterances_without_words(tmp_path: Path) -> None:
    path = tmp_path / "a.ref"
    path.write_text(";; a comment (not_1)\n\n(spk_4)\na b (spk_5)\n  ;;; x\n", encoding="utf-8")
    assert texts(read(path)) == {"a": {"spk_4": "", "spk_5": "a b"}}


def test_parentheses_inside(tmp_path: Path) -> None:
    path = trn(tmp_path / "a.trn", {"s_1": "( ) - a (uh) b", "s_2": "c"})
    evaluation = read(path)
    assert texts(evaluation) == {"a": {"s_1": "( ) - a (uh) b", "s_2": "c"}}
    assert "1 of 2 transcripts hold words in parentheses" in said(evaluation, "optional_words")


def test_appended_files_are_duplicates(tmp_path: Path) -> None:
    twice = tmp_path / "a.trn"
    twice.write_text("a (s_1)\nb (s_2)\nc (s_3)\nd (s_1)\n", encoding="utf-8")
    references = trn(tmp_path / "r.trn", {"s_1": "a", "s_2": "b", "s_3": "c"})
    with pytest.raises(AlignmentError, match="s_1"):
        deadheat.score(twice, references=references, metric="wer")


# --- Alternations ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b { c d / c / e } e", ["a b c d e", "a b c e", "a b e e"]),
        ("i've { um / uh / @ } as", ["i've um as", "i've uh as", "i've as"]),
        ("{the/this} is", ["the is", "this is"]),
        ("{ {e / @ } {w as / i} / d is } x", ["e w as x", "e i x", "w as x", "i x", "d is x"]),
        ("{ @ / @ } x", "x"),
        ("a { b c", "a { b c"),
        ("a } b { c } d", "a } b { c } d"),
        ("and/or @ home", "and/or @ home"),
        ("", ""),
    ],
)
def test_what_alternations_allow(text: str, expected: str | list[str]) -> None:
    assert allowed(text, "") == expected


@pytest.mark.parametrize("text", ["{ a / b } " * 9, "{ a / " * 30 + "b" + " }" * 30, "{" * 5_000])
def test_alternations_are_bounded(text: str) -> None:
    with pytest.raises(FormatError, match="more than 256 texts"):
        allowed(text, "f, line 1")


def test_alternations_are_lists_and_wer_says_so(tmp_path: Path) -> None:
    references = trn(tmp_path / "r.trn", {"s_1": "a { um / @ } b", "s_2": "c"})
    heard = trn(tmp_path / "h.trn", {"s_1": "a b", "s_2": "c"})
    evaluation = read(references)
    assert texts(evaluation)["r"] == {"s_1": b'["a um b","a b"]', "s_2": b'"c"'}
    assert "1 of 2 transcripts hold alternations" in said(evaluation, "alternations")
    with pytest.raises(MetricError, match=r"line 1, item 's_1': the item has 2 references"):
        deadheat.score(heard, references=references, metric="wer")
    assert deadheat.score(heard, references=references, metric="exact_match").systems[0].value == 1


# --- What stays plain lines -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("movies.txt", "Toy Story (1995)\nHeat (1995)\nCasino (1996)\n"),
        ("labels.txt", "yes\nno\nyes\n"),
        ("sentences.txt", "A cat (black) sat.\nIt (the cat) left.\n"),
        ("same.txt", "a (x-1)\nb (x-1)\nc (x-1)\nd (x-1)\n"),
        ("one.txt", "a single line (with_1 more)\n"),
        ("one_id.txt", "a single line (spk_1)\n"),
        ("segments.txt", "In 2024-05 it rained.\nThe rest was dry.\n"),
        ("numbers.txt", "utt-1 0.5\nutt-2 0.7\n"),
        ("tab.txt", "utt-1\thello world\nutt-2\tgood bye\n"),
        ("table.csv", "id-1,hello world\nid-2,good bye\n"),
        ("pairs.txt", "utt-1 yes\nutt-2 no\n"),
        ("twice.txt", "utt-1 a b\nutt-1 c d\n"),
        ("text.txt", "The cat sat.\nA dog ran.\n"),
        ("text", "Zoe sat down.\nAdam ran off.\n"),
        ("hyp.txt", "a b c\nd e f\n"),
        ("ner.txt", "EU B-ORG\nrejects O\n\nPeter B-PER\n"),
        ("empty-lines.txt", "a b\n\nc d\n"),
    ],
)
def test_plain_lines_and_tables_stay_what_they_are(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    assert tool(path) is None


def test_kaldi_by_its_name(tmp_path: Path) -> None:
    """Single letters are ids only where the name says so and they are in order."""
    said_ = {"a": "one two", "b": "three", "c": "four"}
    assert tool(kaldi(tmp_path / "text_hyp", said_)) == "kaldi"
    assert tool(kaldi(tmp_path / "lines", said_)) is None


@pytest.mark.parametrize("name", ["wav.scp", "utt2spk", "segments"])
def test_lists_of_a_kaldi_folder_are_refused(tmp_path: Path, name: str) -> None:
    path = kaldi(tmp_path / name, {"utt-1": "/audio/1.wav", "utt-2": "/audio/2.wav"})
    with pytest.raises(InputError, match="Give the file text beside it"):
        read(path)
    kaldi(tmp_path / "text", {"utt-1": "a b", "utt-2": "c d"})
    assert texts(read(tmp_path)) == {"text": {"utt-1": "a b", "utt-2": "c d"}}


def test_folders_of_decodings_are_systems(tmp_path: Path) -> None:
    for system in ("m1", "m2"):
        (tmp_path / "exp" / system).mkdir(parents=True)
        kaldi(tmp_path / "exp" / system / "text", HEARD if system == "m1" else SAID)
    references = kaldi(tmp_path / "ref_text", SAID)
    found = deadheat.compare(tmp_path / "exp", references=references, metric="wer")
    assert (found.baseline.system, found.candidate.system) == ("m1", "m2")
    assert found.baseline.value == pytest.approx(error_rate(SAID, HEARD))


# --- Hostile --------------------------------------------------------------------------------------


def test_cut_off_and_broken_files(tmp_path: Path) -> None:
    path = tmp_path / "a.trn"
    lines = "".join(f"some words ({k}_x)\n" for k in range(3_000))
    path.write_text(lines + "some words (30", encoding="utf-8")
    with pytest.raises(FormatError, match=r"line 3001: the line does not end in an utterance id"):
        read(path)
    path.write_bytes(b"caf\xe9 (s_1)\nb (s_2)\n")
    with pytest.raises(FormatError, match=r"line 1: the line holds byte 0xe9, which is not UTF-8"):
        read(path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match="empty"):
        read(path)


def test_shared_sets(shared: Path) -> None:
    folder = shared / "data" / "sctk_asr"
    found = texts(read(folder / "csrnab.hyp"))["csrnab"]
    assert (len(found), next(iter(found))) == (51, "4t0c0201")
    references = read(folder / "csrnab.ref")
    assert {*texts(references)["csrnab"]} == {*found}
    assert "6 of 51" in said(references, "alternations")
    assert codes(read(folder / "tests.ref")) == ["alternations", "optional_words"]
    files = (folder / f"test.vietnamese.{side}.trn" for side in ("hyp", "ref"))
    heard, right = (texts(read(f"x={file}"))["x"] for file in files)
    value = (
        deadheat.score(
            folder / "test.vietnamese.hyp.trn",
            references=folder / "test.vietnamese.ref.trn",
            metric="wer",
        )
        .systems[0]
        .value
    )
    assert value == pytest.approx(error_rate(right, heard))


def test_shared_kaldi_example(shared: Path) -> None:
    folder = shared / "formats" / "asr_meeteval"
    card = deadheat.score(folder / "text_hyp", references=folder / "text_ref", metric="wer")
    heard, right = (texts(read(f"x={folder / name}"))["x"] for name in ("text_hyp", "text_ref"))
    assert card.systems[0].value == pytest.approx(error_rate(right, heard))
    assert len(right) == 6
