"""What sacrebleu prints, made by sacrebleu."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

import deadheat
from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from readers.logs.looking import codes, only, said, tool

RIGHT = ["the cat sat on the mat", "a dog ran away", "it rains a lot today", "hello"]
FIRST = ["the cat sat on mat", "a dog ran", "it rains today", "hello"]
SECOND = ["the cat sat on the mat", "a dog walked away", "it rains a lot", "hi"]

Scorer = BLEU | CHRF | TER


def lines(path: Path, texts: list[str]) -> Path:
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def sentences(path: Path, metric: Scorer, texts: list[str], *, short: bool = False) -> Path:
    """Write what --sentence-level prints, in the way in which its main does."""
    signature = metric.get_signature
    scored = [metric.sentence_score(t, [r]) for t, r in zip(texts, RIGHT, strict=True)]
    return lines(path, [s.format(2, False, signature().format(short)) for s in scored])


def printed(folder: Path, *arguments: str) -> str:
    """Run the command line of sacrebleu on the two systems."""
    for name, texts in (("ref", RIGHT), ("a", FIRST), ("b", SECOND)):
        lines(folder / name, texts)
    command = [sys.executable, "-m", "sacrebleu", "--no-color", "-q", "ref", *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    return done.stdout


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize(
    ("metric", "name"),
    [(BLEU(effective_order=True), "BLEU"), (CHRF(word_order=2), "chrF2++"), (TER(), "TER")],
)
def test_sentence_scores(tmp_path: Path, metric: Scorer, name: str, short: bool) -> None:
    path = sentences(tmp_path / "a.txt", metric, FIRST, short=short)
    assert tool(path) == "sacrebleu"
    evaluation = read(path)
    expected = [metric.sentence_score(t, [r]).score for t, r in zip(FIRST, RIGHT, strict=True)]
    found = only(evaluation).scores
    assert found is not None
    assert found.to_list() == pytest.approx(expected, abs=0.006)
    assert f"it is not the {name} of the set" in said(evaluation, "sentence_scores")
    assert only(evaluation).about["metric"].startswith(f"{name}|")


def test_two_systems_pair_by_order(tmp_path: Path) -> None:
    metric = BLEU(effective_order=True)
    a = sentences(tmp_path / "a.txt", metric, FIRST)
    b = sentences(tmp_path / "b.txt", metric, SECOND)
    found = deadheat.compare(a, b)
    assert found.items.n == 4
    assert "paired_by_order" in [note.code for note in found.notes]


@pytest.mark.parametrize(
    "arguments",
    [
        ("-i", "a"),
        ("-i", "a", "-m", "bleu", "chrf", "ter"),
        ("-i", "a", "-m", "bleu", "chrf", "-f", "text"),
        ("-i", "a", "b", "-f", "json"),
        ("-i", "a", "b", "--paired-ar", "--paired-ar-n", "10", "-f", "text"),
    ],
)
def test_scores_of_sets_are_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    text = printed(tmp_path, *arguments)
    assert len(text) > 40
    path = tmp_path / "out.json"
    path.write_text(text, encoding="utf-8")
    assert tool(path) == "sacrebleu"
    with pytest.raises(InputError, match=r"scores of sacrebleu of whole sets.*--reference"):
        read(path)


def test_outputs_stay_plain_lines(tmp_path: Path) -> None:
    """Whatever they say, also of BLEU; only line feeds end a line."""
    texts = ["BLEU = 30.1", "BLEU|is a metric = 3", "a\u2028b", "c\x85d"]
    path = lines(tmp_path / "a.txt", texts)
    assert tool(path) is None
    outputs = only(read(path, empty_texts=True)).outputs
    assert outputs is not None
    assert outputs.to_list() == texts


def test_cut_off_and_mixed(tmp_path: Path) -> None:
    path = sentences(tmp_path / "a.txt", BLEU(effective_order=True), FIRST)
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole * 200 + "BLEU|nrefs:1|case", encoding="utf-8")
    with pytest.raises(FormatError, match="line 801"):
        read(path)
    other = sentences(tmp_path / "b.txt", CHRF(), FIRST).read_text(encoding="utf-8")
    path.write_text(whole + other, encoding="utf-8")
    with pytest.raises(InputError, match="whole sets"):
        read(path)


def test_shared_examples(shared: Path) -> None:
    folder = shared / "formats" / "sacrebleu"
    found = only(read(folder / "sentence_level.txt")).scores
    assert found is not None
    assert found.to_list() == [30.4, 29.8, 14.6, 17.4, 18.4]
    for name in ("single.json", "paired_bs.txt"):
        assert tool(folder / name) == "sacrebleu"
    assert tool(folder / "NOTE.txt") is None
    for path in (shared / "data" / "compare_mt").iterdir():
        assert tool(path) is None
    assert codes(read(shared / "data" / "compare_mt" / "ted.sys1.eng")) == []
