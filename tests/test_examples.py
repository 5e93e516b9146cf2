"""The shipped examples are what their README says, and their scripts rebuild them."""

from __future__ import annotations

import csv
import json
import runpy
from collections import Counter
from pathlib import Path

import pytest
import sacrebleu

import deadheat

EXAMPLES = Path(__file__).parents[1] / "examples"


def column(path: Path, name: str) -> dict[str, str]:
    """Map item to the text of one column."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    values = {row["item"]: row[name] for row in rows}
    assert len(values) == len(rows), f"{path} names an item twice"
    return values


def contents(folder: Path) -> dict[str, bytes]:
    """Bytes of the files of a folder by their paths in it, without scripts."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.suffix in (".csv", ".txt", ".json", ".jsonl")
    }


@pytest.mark.parametrize("name", ["digits", "forecasts", "gap500", "harness"])
def test_scripts_rebuild_the_committed_files(name: str, tmp_path: Path) -> None:
    # Also for the classifiers: the least margin between two digits, 0.006 in log-odds, is far
    # above what another solver version or processor moves.
    runpy.run_path(str(EXAMPLES / name / "make.py"))["main"](tmp_path)
    assert contents(tmp_path) == contents(EXAMPLES / name)


def test_gap500_has_the_counts_of_the_article() -> None:
    path = EXAMPLES / "gap500" / "gap500.csv"
    a, b = column(path, "system_a_correct"), column(path, "system_b_correct")
    assert list(a) == [str(item) for item in range(1, 501)]
    cells = Counter(zip(a.values(), b.values(), strict=True))
    assert cells == {("1", "1"): 289, ("1", "0"): 67, ("0", "1"): 85, ("0", "0"): 59}
    # Accuracies as published, 71.2% and 74.8%.
    assert [sum(map(int, side.values())) for side in (a, b)] == [356, 374]


def test_digits_pair_by_item_and_differ_as_the_readme_says() -> None:
    folder = EXAMPLES / "digits"
    reference = column(folder / "reference.csv", "reference")
    right = []
    for name in ("discriminant_analysis", "logistic_regression"):
        outputs = column(folder / f"{name}.csv", "output")
        assert outputs.keys() == reference.keys()
        right.append({item for item, output in outputs.items() if output == reference[item]})
    baseline, candidate = right
    assert len(reference) == 899
    assert (len(baseline), len(candidate)) == (851, 864)
    assert (len(baseline - candidate), len(candidate - baseline)) == (8, 21)


def test_forecasts_differ_in_single_words_and_two_metrics_disagree() -> None:
    folder = EXAMPLES / "forecasts"
    reference, endings, choices = (
        (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for name in ("reference", "endings", "choices")
    )
    words = [text.split() for text in reference]
    assert len(words) == 200
    assert sum(map(len, words)) == 3800
    wrong = [
        sum(
            one != other
            for right, text in zip(words, outputs, strict=True)
            for one, other in zip(right, text.split(), strict=True)
        )
        for outputs in (endings, choices)
    ]
    assert wrong == [868, 706]
    gaps = [
        score(choices, [reference]).score - score(endings, [reference]).score
        for score in (sacrebleu.corpus_bleu, sacrebleu.corpus_chrf)
    ]
    assert [round(gap, 1) for gap in gaps] == [8.2, -7.1]


def test_harness_is_read_as_its_readme_says() -> None:
    folder = EXAMPLES / "harness"
    values = {}
    for name in ("strict-match", "flexible-extract"):
        for model in ("small", "large"):
            (path,) = (folder / model).glob("samples_*.jsonl")
            samples = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            scores = [one["exact_match"] for one in samples if one["filter"] == name]
            assert len(scores) == 150
            values[name, model] = sum(scores) / 150
    assert {key: round(100 * value, 1) for key, value in values.items()} == {
        ("strict-match", "small"): 74.0,
        ("strict-match", "large"): 79.3,
        ("flexible-extract", "small"): 82.0,
        ("flexible-extract", "large"): 95.3,
    }
    for name, code in (("strict-match", "unresolved"), ("flexible-extract", "resolved")):
        found = deadheat.compare(folder / "small", folder / "large", score=f"exact_match,{name}")
        assert found.baseline.value == values[name, "small"]
        assert found.candidate.value == values[name, "large"]
        assert found.reading.code == code
        assert "published_disagrees" not in {note.code for note in found.notes}
