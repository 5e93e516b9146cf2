"""SWE-bench and MMLU-Pro: the check against other code, and their pages against the check."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deadheat
from benchmark.published import Floats, alpha, by_halves, page, points, ratio, severities, shown

# -- SWE-bench -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def swebench(shared: Path) -> tuple[Path, list[str], Floats]:
    path = shared / "data" / "swebench_bash_only" / "leaderboards.json"
    (board,) = json.loads(path.read_text(encoding="utf-8"))["leaderboards"]
    rows = [r["per_instance_details"] for r in board["results"] if r.get("per_instance_details")]
    items = sorted(rows[0])
    return path, items, np.array([[row[item]["resolved"] for row in rows] for item in items], float)


def test_swebench(swebench: tuple[Path, list[str], Floats]) -> None:
    path, items, scores = swebench
    result = deadheat.check(path, suspects=20)
    assert scores.shape == (500, 25)
    n_right = scores.sum(axis=1)
    assert result.items.informative == int(((n_right > 0) & (n_right < 25)).sum())
    assert result.items.all_wrong == int((n_right == 0).sum())
    assert result.items.all_right == int((n_right == 25).sum())
    total = scores.sum(axis=0)
    with np.errstate(invalid="ignore"):
        r = np.array([np.corrcoef(row, total - row)[0, 1] for row in scores])
    part = result.discrimination
    assert part is not None
    order = np.argsort(r)[: part.negative]
    assert (r[order] < 0).all()
    assert [row.item for row in part.suspects] == [items[at] for at in order]
    assert part.weak == int(((r >= 0) & (r < 0.1)).sum())
    assert part.mean_r_rest == pytest.approx(np.nanmean(r))
    assert result.reliability is not None
    assert result.reliability.alpha.value == pytest.approx(alpha(scores))
    correlation, tau = by_halves(scores)
    assert result.reliability.correlation == pytest.approx(correlation, abs=0.001)
    assert result.reliability.kendall.value == pytest.approx(tau, abs=0.01)
    assert result.spread is not None
    assert result.spread.ratio == pytest.approx(ratio(scores))
    assert {code: s for code, s in severities(result).items() if s != "ok"} == dict.fromkeys(
        ("floor", "resolution", "suspects", "unsolved", "upsets"), "notice"
    )

    text = page("swebench_bash_only")
    resolution, spread = result.resolution, result.spread
    assert resolution is not None
    assert result.upsets is not None
    shown(text, [f"| {items[at]} | {n_right[at]:.0f} | {r[at]:.2f} |" for at in order])
    shown(
        text,
        [
            f"best {points(scores.mean(axis=0).max())[0]}%",
            f"standard deviation {points(spread.sd)[0]} points",
            f"ratio {spread.ratio:.1f}",
            f"{spread.n_resolved} of {spread.n_pairs} pairs",
            f"Of the {spread.n_pairs - spread.n_resolved} pairs that are not put in order",
            f"{points(resolution.minimum_detectable)[0]} points "
            f"({np.ceil(resolution.items):.0f} items)",
            "from {} to {}".format(*points(resolution.low, resolution.high)),
            f"{result.items.informative} of 500 tell systems apart; 1 is solved by all, 64 by none",
            f"{part.negative} items with a negative correlation with the rest, {part.weak} more",
            f"{result.upsets.n} items that a weak system solves",
            f"of {result.upsets.n_open} that these all miss",
            f"alpha {result.reliability.alpha.value:.3f} [{result.reliability.alpha.low:.3f}, "
            f"{result.reliability.alpha.high:.3f}]",
            f"{result.reliability.kendall.value:.3f} [{result.reliability.kendall.low:.3f}, "
            f"{result.reliability.kendall.high:.3f}]",
        ],
    )
    requests = [item for item in items if item.startswith("psf__requests")]
    assert len(requests) == 8
    assert sum(row.item in requests for row in part.suspects) == 3
    assert "three of the eight issues of one repository" in text


def test_swebench_by_repository(swebench: tuple[Path, list[str], Floats]) -> None:
    path, items, scores = swebench
    result = deadheat.check(path, cluster="item:^(.+)__")
    names = [item.partition("__")[0] for item in items]
    sizes = Counter(names)
    repositories = sorted(sizes)
    totals = np.array(
        [scores[[name == repository for name in names]].sum(axis=0) for repository in repositories]
    )
    lengths = np.array([sizes[repository] for repository in repositories])
    raju = (1 - totals.var(axis=1).sum() / scores.sum(axis=0).var()) / (
        1 - ((lengths / 500) ** 2).sum()
    )
    assert result.reliability is not None
    assert result.reliability.alpha.value == pytest.approx(raju)
    effect, spread, resolution = result.design_effect, result.spread, result.resolution
    assert effect is not None
    assert spread is not None
    assert resolution is not None
    assert result.ceiling is not None
    shown(
        page("swebench_bash_only"),
        [
            f"| {spread.n_resolved} of 300 |",
            f"{points(result.ceiling.half_width)[0]} points |",
            f"{points(resolution.minimum_detectable)[0]} points, from {{}} to {{}} |".format(
                *points(resolution.low, resolution.high)
            ),
            f"| {raju:.3f} |",
            f"| {result.reliability.kendall.value:.3f} |",
            f"is {effect.median:.2f} for a typical pair",
            f"from {effect.low:.2f} to {effect.high:.2f}",
            f"one has {lengths.max()} of 500 issues",
        ],
    )


# -- MMLU-Pro --------------------------------------------------------------------------------------


@cache
def mmlu(folder: Path) -> tuple[list[dict[int, dict[str, Any]]], list[int], dict[int, str]]:
    """Answers of each model by question, the questions that all have, and the right letters."""
    models = [
        {row["question_id"]: row for row in json.loads(path.read_text(encoding="utf-8"))}
        for path in sorted(folder.glob("*.json"))
    ]
    common = sorted(set.intersection(*map(set, models)))
    (yi,) = folder.glob("*Yi-34B*")
    right = {
        row["question_id"]: row["answer"] for row in json.loads(yi.read_text(encoding="utf-8"))
    }
    return models, common, right


@pytest.mark.parametrize("policy", ["wrong", "missing"])
def test_mmlu_pro(shared: Path, policy: str) -> None:
    folder = shared / "data" / "mmlu_pro"
    models, common, right = mmlu(folder)
    if policy == "missing":
        common = [i for i in common if all(model[i]["pred"] is not None for model in models)]
    scores = np.array([[m[i]["pred"] == right[i] for m in models] for i in common], float)
    result = deadheat.check(
        folder, references=folder / "model_outputs_Yi-34B_5shots.json", reference_column="answer",
        output_column="pred", missing="drop", options=10, unparseable=policy,  # type: ignore[arg-type]
    )  # fmt: skip
    n_right = scores.sum(axis=1)
    assert result.items.n == len(common)
    assert sorted(s.value for s in result.systems) == pytest.approx(sorted(scores.mean(axis=0)))
    assert result.items.all_right == int((n_right == 8).sum())
    assert result.items.all_wrong == int((n_right == 0).sum())
    ((letter, n),) = Counter(right[i] for i in common).most_common(1)
    assert result.baselines is not None
    assert [(row.kind, row.name, row.value) for row in result.baselines.rows] == [
        ("majority", letter, pytest.approx(n / len(common))),
        ("random", "1 of 10", 0.1),
    ]
    assert result.baselines.reached_by == ()
    assert result.spread is not None
    assert result.spread.ratio == pytest.approx(ratio(scores))
    assert result.reliability is not None
    assert result.reliability.alpha.value == pytest.approx(alpha(scores))
    assert result.discrimination is None
    assert {code for code, s in severities(result).items() if s != "ok"} == {
        "unsolved", "few_systems", "reliability",
    }  # fmt: skip

    best, resolution = scores.mean(axis=0).max(), result.resolution
    assert resolution is not None
    gap, low, high, apart = points(
        resolution.minimum_detectable, resolution.low, resolution.high, result.spread.first_gap
    )
    idle = f"{result.items.all_right} are solved by all, {result.items.all_wrong} by none"
    wanted = {
        "wrong": [
            f"ok: best {points(best)[0]}%, {points(1 - best)[0]} points of headroom",
            f"always answering {letter} gives {points(n / len(common))[0]}%",
            f"ok: {gap} points ({np.ceil(resolution.items):.0f} questions), from {low} to {high}; "
            f"the first two are {apart} apart",
            f"ok: {result.items.informative:,} tell systems apart; {idle}",
            f"alpha {alpha(scores):.3f}, tau of halves {result.reliability.kendall.value:.3f}",
            f"{letter} is right on {n} of {len(common):,} questions",
        ],
        "missing": [
            f"ok: best {points(best)[0]}%, {points(1 - best)[0]} points |",
            f"ok: {letter} gives {points(n / len(common))[0]}%",
            f"ok: {gap} points ({np.ceil(resolution.items):.0f} questions); {apart} apart",
            f"ok: {result.items.informative:,}; {result.items.all_right} and "
            f"{result.items.all_wrong}",
            f"alpha {alpha(scores):.3f}, tau {result.reliability.kendall.value:.3f}",
            f"{2258 - len(common)} questions have a null from at least one system",
        ],
    }[policy]
    shown(
        page("mmlu_pro"),
        [*wanted, f"{result.spread.n_resolved} of 28 pairs", f"ratio {result.spread.ratio:.1f}"],
    )


def test_mmlu_pro_references_of_two_states(shared: Path) -> None:
    """One question has another right letter in the files of the Gemini models."""
    models, common, _ = mmlu(shared / "data" / "mmlu_pro")
    split = [i for i in common if len({model[i]["answer"] for model in models}) > 1]
    assert split == [11289]
    assert "item 11289: 'I' and 'G'" in page("mmlu_pro")
    assert Counter(model[11289]["answer"] for model in models) == {"I": 6, "G": 2}
