"""NeMo manifests, and pairs of transcripts by id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jiwer
import pytest

import deadheat
from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from readers.logs.looking import only, texts, tool

ROWS = [("/a/1.wav", "hello there", "hello"), ("/a/2.wav", "", "uh"), ("/a/3.wav", "yes", "yes")]


def manifest(path: Path, rows: list[tuple[str, str | None, str | None]], **more: Any) -> Path:
    """Write a manifest as transcribe_speech does; None leaves a field out."""
    lines = []
    for audio, text, heard in rows:
        fields = {"audio_filepath": audio, "duration": 1.5, "text": text, "pred_text": heard} | more
        lines.append(json.dumps({k: v for k, v in fields.items() if v is not None}))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_manifest_is_the_whole_command(tmp_path: Path) -> None:
    """2 errors of 3 words and of an empty reference."""
    path = manifest(tmp_path / "m1.json", ROWS)
    assert tool(path) == "nemo"
    card = deadheat.score(path, metric="wer")
    assert card.systems[0].value == pytest.approx(2 / 3)
    assert card.systems[0].system == "m1"
    assert "empty_references" in [note.code for note in card.notes]


def test_two_systems_in_other_folders(tmp_path: Path) -> None:
    a = manifest(tmp_path / "a.jsonl", ROWS)
    b = manifest(tmp_path / "b.jsonl", [(f"/b{p[2:]}", t, t) for p, t, _ in reversed(ROWS)])
    with pytest.raises(InputError, match="matched"):
        deadheat.compare(a, b, metric="wer")
    name = "audio_filepath:[^/]+$"
    found = deadheat.compare(a, b, metric="wer", item=name, method="percentile")
    assert (found.baseline.value, found.candidate.value) == (pytest.approx(2 / 3), 0.0)


def test_references_apart(tmp_path: Path) -> None:
    right = manifest(tmp_path / "ref.json", [(audio, text, None) for audio, text, _ in ROWS])
    heard = manifest(tmp_path / "m1.json", [(audio, None, said) for audio, _, said in ROWS])
    assert tool(right) == tool(heard) == "nemo"
    card = deadheat.score(heard, references=right, metric="wer")
    assert card.systems[0].value == pytest.approx(2 / 3)


def test_several_systems_in_one_manifest(tmp_path: Path) -> None:
    path = manifest(
        tmp_path / "m.json", [(a, t, None) for a, t, _ in ROWS], pred_text_x="yes", pred_text_y="no"
    )
    card = deadheat.score(path, systems=["pred_text_x", "pred_text_y"], metric="wer")
    assert [row.system for row in card.systems] == ["pred_text_x", "pred_text_y"]
    assert [row.value for row in card.systems] == [pytest.approx(3 / 3), pytest.approx(4 / 3)]


def test_other_fields_can_be_asked_for(tmp_path: Path) -> None:
    path = manifest(tmp_path / "m.json", ROWS, speaker="s1", meta={"lang": "en"})
    answers = only(read(path, cluster="speaker", stratum="meta.lang"))
    assert answers.clusters is not None
    assert answers.clusters.to_list() == ["s1"] * 3
    assert answers.strata is not None
    assert answers.strata.to_list() == ["en"] * 3


def test_nan_and_blank_lines(tmp_path: Path) -> None:
    path = manifest(tmp_path / "m.json", ROWS)
    text = path.read_text(encoding="utf-8").replace("1.5", "NaN", 1).replace("\n", "\n\n", 1)
    path.write_text(text, encoding="utf-8")
    assert len(texts(read(path))["m"]) == 3


@pytest.mark.parametrize(
    ("tail", "match"),
    [
        ('{"audio_filepath": "/a/4.wav", "pred', r"line 4.*cut off"),
        ("[]", "line 4"),
        ('{"pred_text": "x"}', r"line 4: the utterance has no audio_filepath"),
        ('{"audio_filepath": 4, "pred_text": "x"}', r"line 4: the utterance has no audio_filepath"),
        ("[" * 100_000, "line 4"),
    ],
)
def test_broken_lines(tmp_path: Path, tail: str, match: str) -> None:
    path = manifest(tmp_path / "m.json", ROWS)
    path.write_text(path.read_text(encoding="utf-8") + tail, encoding="utf-8")
    with pytest.raises(FormatError, match=match):
        read(path)


@pytest.mark.parametrize(
    "row",
    [
        {"audio_filepath": "/a/1.wav", "label": "yes"},
        {"audio": "/a/1.wav", "text": "a", "pred_text": "b"},
        {"audio_filepath": "/a/1.wav", "text": "a", "score": 1},
    ],
)
def test_tables_of_people_are_not_taken(tmp_path: Path, row: dict[str, Any]) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert tool(path) is None


# --- {id: {ground, transcript}} -------------------------------------------------------------------


def pairs(path: Path, content: Any) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_pairs(tmp_path: Path) -> None:
    said = {"u1": ("a b c", "a b"), "u2": ('say "x"', 'say "x"'), "u3": ("d", "")}
    path = pairs(
        tmp_path / "m1.json", {k: {"ground": g, "transcript": t} for k, (g, t) in said.items()}
    )
    assert tool(path) == "transcript_pairs"
    expected = jiwer.wer([g for g, _ in said.values()], [t for _, t in said.values()])
    assert deadheat.score(path, metric="wer").systems[0].value == pytest.approx(expected)
    other = pairs(tmp_path / "m2.json", {"u": {"transcript": None, "ground": "x"}})
    assert texts(read(other)) == {"m2": {"u": None}}


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (', "u": {"ground": "a", "transcript": "c"}}', "'u' stands in the file twice"),
        ("", "truncated"),
        (', "v": {"ground": "a"}}', "transcript"),
        (', "v": 3}', "int"),
    ],
)
def test_broken_pairs(tmp_path: Path, content: str, match: str) -> None:
    with pytest.raises(FormatError, match=match):
        read(pairs(tmp_path / "x.json", '{"u": {"ground": "a", "transcript": "b"}' + content))


@pytest.mark.parametrize(
    "content", [{"u": {"ground": "a"}}, {"u": {"reference": "a", "transcript": "b"}}]
)
def test_other_objects_are_not_taken(tmp_path: Path, content: Any) -> None:
    assert tool(pairs(tmp_path / "x.json", content)) is None


def test_shared_set(shared: Path) -> None:
    """Figures of the README, without naming any column."""
    folder = shared / "data" / "asr_voxpopuli"
    card = deadheat.score(folder, metric="wer", normalize="lower,punctuation")
    assert {row.system: round(row.value, 4) for row in card.systems} == {
        "whisper-small.en": 0.1288,
        "distil-small.en": 0.1350,
        "whisper-base.en": 0.1403,
        "whisper-tiny.en": 0.1471,
        "wav2vec2-base-960h": 0.2654,
    }
