"""Results of every kind, made of small data that say what they say."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import polars as pl

import deadheat
from deadheat import Comparison

Data = dict[str, list[Any]]

VERSION = "0.0.0"


def steady(result: Any) -> Any:
    """Return a result under a version that never changes."""
    if isinstance(result, deadheat.Leaderboards):
        steadied = tuple(map(steady, result))
        return dataclasses.replace(result, leaderboards=steadied, version=VERSION)
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


def clustered() -> Comparison:
    """Twelve documents of five questions; the first is easy for both."""
    data = {
        name: [int((i // 5 * 7 + i % 5 * k) % 12 < 5 + k) for i in range(60)]
        for name, k in (("a", 1), ("b", 3))
    }
    return deadheat.compare(
        pl.DataFrame(
            {
                "item": range(60),
                "cluster": [f"doc{i // 5}" for i in range(60)],
                **data,
            }
        )
    )


def stratified() -> Comparison:
    """Ahead on the large task, behind on the small one."""
    data = outcomes(20, 14, 2, 24)
    small = outcomes(3, 0, 5, 4)
    return deadheat.compare(
        pl.DataFrame(
            {
                "item": range(72),
                "task": ["law"] * 60 + ["maths"] * 12,
                **{name: data[name] + small[name] for name in data},
            }
        ),
        weighting="macro",
        n_resamples=999,
        threads=1,
    )


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
        clustered,
        stratified,
    )
}


def scorecard() -> deadheat.Scorecard:
    return deadheat.score({"a": [1] * 70 + [0] * 30, "b": [1] * 100}, confidence_level=0.9)


OF_FIVE: Data = {
    name: [int((i * 37 % 101) < 100 * right + 30 * (i * k % 7 < 3)) for i in range(200)]
    for name, right, k in (
        *(("owl", 0.55, 3), ("fox", 0.54, 5), ("elk", 0.4, 2)),
        *(("cat", 0.38, 6), ("ant", 0.1, 4)),
    )
}
"""0/1 scores of five systems, two pairs of them close."""


def board() -> deadheat.Leaderboard:
    return deadheat.rank(OF_FIVE, n_resamples=999, threads=1)


def board_of_few_clusters() -> deadheat.Leaderboard:
    frame = pl.DataFrame(
        {"item": range(200), "cluster": [f"doc{i % 9}" for i in range(200)], **OF_FIVE}
    )
    return deadheat.rank(frame, baseline="cat")


def board_with_more() -> deadheat.Leaderboard:
    rows = [
        {"item": i, "system": name, "score": score, "usd": (k + 1) * 0.25 + i % 4 * 0.01}
        for k, (name, scores) in enumerate(OF_FIVE.items())
        for i, score in enumerate(scores)
    ]
    return deadheat.rank(
        pl.DataFrame(rows),
        cost="usd",
        descriptive=True,
        confidence_set=True,
        arena=True,
        correction="bh",
        n_resamples=999,
        threads=1,
    )


def boards() -> deadheat.Leaderboards:
    data, references = words(30, 51, 60)
    found = deadheat.rank(
        data, references=references, metric="accuracy,macro_f1", n_resamples=999, threads=1
    )
    assert isinstance(found, deadheat.Leaderboards)
    return found


BOARDS = {made.__name__: made for made in (board, board_of_few_clusters, board_with_more, boards)}


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
