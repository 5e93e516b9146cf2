"""HANS and XSum: the check against other code, and their pages against the check."""

from __future__ import annotations

import csv
import re
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import deadheat
from benchmark.published import Floats, alpha, by_halves, page, points, ratio, severities, shown

# -- HANS ------------------------------------------------------------------------------------------

MODELS = ("bert_preds", "decomp_attn_heur_preds", "esim_heur_preds", "spinn_preds_heur")


@pytest.fixture(scope="module")
def hans(shared: Path) -> tuple[Path, list[str], Floats]:
    """The folder, the subcase of each item, and who is right on it."""
    folder = shared / "data" / "hans_nli"

    def rows(name: str) -> dict[str, dict[str, str]]:
        with (folder / name).open(encoding="utf-8", newline="") as file:
            return {row["pairID"]: row for row in csv.DictReader(file)}

    gold = rows("gold.csv")
    columns = []
    for model in MODELS:
        said = rows(f"{model}.txt")
        columns.append(
            [
                (said[item]["gold_label"] == "entailment") == (row["gold_label"] == "entailment")
                for item, row in gold.items()
            ]
        )
    return folder, [row["subcase"] for row in gold.values()], np.array(columns, float).T


def checked(folder: Path, **more: Any) -> deadheat.Benchmark:
    return deadheat.check(
        *(str(folder / f"{model}.txt") for model in MODELS),
        references=str(folder / "gold.csv"),
        item="pairID",
        output_column="gold_label",
        reference_column="gold_label",
        label_map={"neutral": "non-entailment", "contradiction": "non-entailment"},
        options=2,
        **more,
    )


def test_hans_is_at_its_floor(hans: tuple[Path, list[str], Floats]) -> None:
    folder, _, scores = hans
    result = checked(folder)
    n_right = scores.sum(axis=1)
    assert result.items.all_right == int((n_right == 4).sum())
    assert result.items.all_wrong == int((n_right == 0).sum())
    baselines = result.baselines
    assert baselines is not None
    assert [row.value for row in baselines.rows] == [0.5, 0.5]
    assert baselines.margin == pytest.approx((scores.mean(axis=0).max() - 0.5) / 0.5)
    assert set(baselines.reached_by) == set(MODELS[1:])
    assert not baselines.best_reached
    assert severities(result)["floor"] == "warning"
    assert result.spread is not None
    assert result.spread.ratio == pytest.approx(ratio(scores))
    assert result.reliability is not None
    assert result.reliability.alpha.value == pytest.approx(alpha(scores))
    assert result.resolution is not None
    shown(
        page("hans_nli"),
        [
            f"covered {baselines.margin:.0%} of the way",
            f"ok: ratio {result.spread.ratio:.1f}",
            f"ok: {result.spread.n_resolved} of 6 pairs",
            f"ok: {points(result.resolution.minimum_detectable)[0]} points",
            f"notice: {result.items.informative:,} of 30,000 tell systems apart; "
            f"{result.items.all_right:,} are solved by all, {result.items.all_wrong:,} by none",
            f"alpha {alpha(scores):.3f}, tau of halves {result.reliability.kendall.value:.3f}",
        ],
    )


def test_hans_by_templates(hans: tuple[Path, list[str], Floats]) -> None:
    folder, subcases, scores = hans
    result = checked(folder, cluster="subcase")
    names = sorted(set(subcases))
    assert len(names) == 30
    means = np.array([scores[np.array(subcases) == name].mean(axis=0) for name in names])
    assert severities(result)["floor"] == "problem"
    assert severities(result)["order"] == "warning"
    reliability, effect = result.reliability, result.design_effect
    assert reliability is not None
    assert effect is not None
    assert result.spread is not None
    assert result.resolution is not None
    # All templates have 1,000 pairs: alpha of their totals is alpha of their means.
    assert reliability.alpha.value == pytest.approx(alpha(means))
    correlation, tau = by_halves(means, 2_000)
    assert reliability.correlation == pytest.approx(correlation, abs=0.05)
    assert reliability.kendall.value == pytest.approx(tau, abs=0.05)
    # Differences of template means, against those of free pairs.
    over = [stats.sem(means[:, i] - means[:, j]) for i, j in combinations(range(4), 2)]
    free = [stats.sem(scores[:, i] - scores[:, j]) for i, j in combinations(range(4), 2)]
    assert effect.median == pytest.approx(np.median((np.array(over) / free) ** 2), rel=0.08)
    shown(
        page("hans_nli"),
        [
            f"design effect {effect.median:.0f}, 30,000 pairs are worth about "
            f"{30_000 / effect.median:.0f}",
            f"notice: ratio {result.spread.ratio:.1f}",
            f"notice: {points(result.resolution.minimum_detectable)[0]} points; the first two are "
            f"{points(result.spread.first_gap)[0]} apart",
            f"alpha {reliability.alpha.value:.3f}, tau of halves {reliability.kendall.value:.3f} |",
            f"{result.spread.n_resolved} of 6 pairs |",
        ],
    )


# -- XSum ------------------------------------------------------------------------------------------


@cache
def xsum(path: Path) -> dict[str, dict[str, dict[str, str]]]:
    """What the table says of each summary, by article and system."""
    table: dict[str, dict[str, dict[str, str]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            system, _, article = row["system_bbcid"].rpartition("_")
            table.setdefault(article, {})[system] = row
    return table


@pytest.mark.parametrize(
    "column", ["R1", "R2", "RL", "BERTScore", "Entailment", "Faithful", "Factual"]
)
def test_xsum(shared: Path, column: str) -> None:
    path = shared / "data" / "xsum_hallucination" / "eval_scores_xsum_summaries.csv"
    scores = np.array(
        [[float(own[system][column]) for system in sorted(own)] for own in xsum(path).values()]
    )
    assert scores.shape == (498, 4)
    result = deadheat.check(
        path, item=r"system_bbcid:_(\d+)$", system_column=r"system_bbcid:^(.+)_\d+$", score=column
    )
    assert result.metric == "mean"
    assert sorted(s.value for s in result.systems) == pytest.approx(sorted(scores.mean(axis=0)))
    idle = int((scores == scores[:, :1]).all(axis=1).sum())
    assert result.items.informative == 498 - idle
    assert result.spread is not None
    assert result.spread.ratio == pytest.approx(ratio(scores))
    assert result.reliability is not None
    assert result.reliability.alpha.value == pytest.approx(alpha(scores))
    correlation, tau = by_halves(scores)
    assert result.reliability.correlation == pytest.approx(correlation, abs=0.02)
    assert result.reliability.kendall.value == pytest.approx(tau, abs=0.05)
    pairs = combinations(range(4), 2)
    gaps = [
        (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * stats.sem(scores[:, i] - scores[:, j])
        for i, j in pairs
    ]
    assert result.resolution is not None
    assert result.resolution.minimum_detectable == pytest.approx(np.median(gaps))
    assert result.ceiling is not None
    assert result.ceiling.limit == 1.0
    text = page("xsum_hallucination")
    assert re.search(
        re.escape(f"| {column} | ")
        + "[^|]+"
        + re.escape(
            f" | {scores.mean(axis=0).max():.3f} | {np.median(gaps):.3f} | {ratio(scores):.1f} "
            f"| {result.spread.n_resolved} of 6 | {result.reliability.kendall.value:.3f} | {idle} |"
        ),
        text,
    )
    warned = {code for code, s in severities(result).items() if s != "ok"}
    assert {"floor", "few_systems", "reliability"} <= warned
    assert ("spread" in warned) == (column in ("Entailment", "Factual"))
    if column == "Factual":
        assert result.items.all_wrong == int((scores == 0).all(axis=1).sum())
        assert f"on {result.items.all_wrong} articles no summary" in text
        low, high = (f"{100 * v:.0f}%" for v in np.sort(scores.mean(axis=0))[[0, -1]])
        assert f"between {low} and {high} of the summaries factual" in text
