"""Results of every kind, made of small data that say what they say."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import deadheat
from deadheat import Comparison

Data = dict[str, list[Any]]

VERSION = "0.0.0"


def steady(result: Any) -> Any:
    """Return a result under a version that never changes."""
    return dataclasses.replace(result, version=VERSION)


def outcomes(both: int, only_a: int, only_b: int, neither: int) -> Data:
    """0/1 scores of systems a and b from their four counts."""
    cells = [(1, 1)] * both + [(1, 0)] * only_a + [(0, 1)] * only_b + [(0, 0)] * neither
    return {"a": [a for a, _ in cells], "b": [b for _, b in cells]}


def words(right_a: int, right_b: int, n: int) -> tuple[Data, list[str]]:
    """Outputs and references over three labels; the first items are right."""
    references = ["cat", "dog", "owl"] * (n // 3)
    wrong = {"cat": "dog", "dog": "owl", "owl": "cat"}
    data = {
        name: [r if i < right else wrong[r] for i, r in enumerate(references)]
        for name, right in (("a", right_a), ("b", right_b))
    }
    return data, references


GRADES: Data = {
    "a": [0.1 * (i * 7 % 11) for i in range(12)],
    "b": [0.1 * (i * 5 % 11) + 0.05 for i in range(12)],
}


def resolved() -> Comparison:
    return deadheat.compare(
        outcomes(780, 30, 60, 130),
        about={"a": {"checkpoint": "v1", "temperature": "0"}, "b": {"checkpoint": "v2"}},
    )


def unresolved() -> Comparison:
    return deadheat.compare(outcomes(289, 67, 85, 59))


def borderline() -> Comparison:
    return deadheat.compare(outcomes(300, 1, 7, 92), method="percentile")


def equivalent() -> Comparison:
    return deadheat.compare(outcomes(780, 43, 47, 130), margin=0.03)


def degenerate() -> Comparison:
    return deadheat.compare(outcomes(70, 0, 0, 30))


def one_item() -> Comparison:
    return deadheat.compare({"a": [0], "b": [1]})


def one_sided() -> Comparison:
    return deadheat.compare(outcomes(780, 30, 60, 130), alternative="greater", margin=0.01)


def unpaired() -> Comparison:
    return deadheat.compare(outcomes(289, 67, 85, 59), paired=False)


def corpus() -> Comparison:
    data, references = words(30, 51, 60)
    return deadheat.compare(
        data, references=references, metric="macro_f1", n_resamples=999, threads=1
    )


def mean() -> Comparison:
    return deadheat.compare(GRADES, metric="mean", greater_is_better=False)


COMPARISONS = {
    made.__name__: made
    for made in (
        resolved,
        unresolved,
        borderline,
        equivalent,
        degenerate,
        one_item,
        one_sided,
        unpaired,
        corpus,
        mean,
    )
}


def scorecard() -> deadheat.Scorecard:
    return deadheat.score({"a": [1] * 70 + [0] * 30, "b": [1] * 100}, confidence_level=0.9)


def adjustment() -> deadheat.Adjustment:
    return deadheat.adjust(
        [0.01, 0.04, float("nan"), 0.00002], labels=["b - a", "c - a", "d - a", "e - a"]
    )


def write_table(path: Path, data: Data) -> None:
    """Write a wide table of the systems in `data`."""
    lines = [",".join(["item", *data])]
    lines += [
        ",".join(map(str, row)) for row in zip(range(1, 10_000), *data.values(), strict=False)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
