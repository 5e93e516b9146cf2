"""How often tests reject a true null and intervals hold the truth, by simulation.

The slow tests run whole studies and print the tables that `docs/calibration.md` keeps; the others
run a few data sets of each, and hold the page against the studies.
"""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein
from scipy import stats
from sklearn.metrics import roc_auc_score

from calibration import designs, studies
from calibration.studies import DUAL, KNOWN, N_SETS, NULLS, SEED, Share

LEVELS = (0.01, 0.05, 0.10)
FURTHER = 10_000
"""More data sets of macro-F1, for the first ones lie high by chance."""

PAGE = (Path(__file__).parents[2] / "docs" / "calibration.md").read_text(encoding="utf-8")


def rejects_at_its_level(companion: Mapping[float, Share]) -> None:
    """Hold shares against their levels.

    There are three levels in each of a handful of studies: at 3.5 standard errors one of them
    fails by chance about once in 150 runs.
    """
    for level, share in companion.items():
        error = math.sqrt(level * (1.0 - level) / share.n)
        assert abs(share.value - level) < 3.5 * error, level


# Whole studies


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first", "n_sets"),
    [*((name, 0, N_SETS) for name in NULLS), ("macro_f1", N_SETS, FURTHER)],
)
def test_a_true_null_is_rejected_at_its_level(name: str, first: int, n_sets: int) -> None:
    began = time.process_time()
    null = NULLS[name]
    found = studies.p_values(null, n_sets, first=first)
    title = f"{name}, {n_sets:,} further" if first else name
    sys.stdout.write(f"{studies.null_table(title, null.n, found)}\n{studies.measured(began)}\n")
    rejects_at_its_level(
        {level: studies.rejections(found[null.companion], level) for level in LEVELS}
    )
    # The interval is approximate: its error may be a point beyond that of the simulation.
    low, high = studies.rejections(found[DUAL]).interval()
    assert low < 0.06
    assert high > 0.04


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_intervals_hold_the_truth_at_their_level(name: str) -> None:
    began = time.process_time()
    found = studies.coverage(KNOWN[name], N_SETS)
    sys.stdout.write(f"{studies.coverage_table(name, found)}\n{studies.measured(began)}\n")
    low, high = found.held.interval()
    assert low < 0.96
    assert high > 0.94


# A few data sets


@pytest.mark.parametrize(("name", "n_sets"), [("bleu", 30), ("macro_f1", 60), ("auroc", 40)])
def test_p_values_of_a_true_null_are_spread_evenly(name: str, n_sets: int) -> None:
    found = studies.p_values(replace(NULLS[name], judges={}), n_sets)
    for test, p in found.items():
        assert stats.kstest(p, "uniform").pvalue > 1e-3, test


@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("bleu", partial(designs.segments, rates=(1.0, 0.6))),
        ("macro_f1", partial(designs.labels, rates=(1.0, 0.1))),
        ("auroc", partial(designs.rankings, apart=(1.0, 2.0))),
    ],
)
def test_the_same_designs_with_a_false_null_are_rejected(name: str, draw: designs.Draw) -> None:
    found = studies.p_values(replace(NULLS[name], draw=draw, judges={}), 8)
    assert all((p <= 0.05).all() for p in found.values())


def test_systems_err_on_the_same_items_and_equally_often() -> None:
    drawn = designs.segments(np.random.default_rng(3), 3_000)
    wrong = [
        [
            Levenshtein.normalized_distance(reference.split(), output.split())
            for reference, output in zip(drawn.references, side, strict=True)
        ]
        for side in (drawn.baseline, drawn.candidate)
    ]
    assert 0.6 < np.corrcoef(wrong)[0, 1] < 0.8
    assert stats.ttest_rel(*wrong).pvalue > 1e-3


def test_sacrebleu_is_asked_with_the_data_and_the_seed() -> None:
    """Identical systems: its strict ">" makes the least p of paired-ar, 1 / (R + 1)."""
    same = NULLS["bleu"].data(0)
    same = replace(same, candidate=same.baseline)
    judge = partial(NULLS["bleu"].judges["sacrebleu, paired-ar"], same)
    assert judge(0) == pytest.approx(1.0 / 1_000)
    ordinary = partial(NULLS["bleu"].judges["sacrebleu, paired-bs"], NULLS["bleu"].data(0))
    assert ordinary(1) == ordinary(1) != ordinary(2)


@pytest.mark.parametrize(
    ("metric", "draw", "value"),
    [
        ("wer", studies.SPEECH, studies.wer_of),
        ("span_f1", studies.TAGGING, studies.span_f1_of),
    ],
)
def test_the_truth_of_a_population_is_its_own_value(
    metric: str, draw: designs.Draw, value: Callable[[designs.Drawn, Any], float]
) -> None:
    """jiwer, or arithmetic of sets, says what `compare` says of all items at once."""
    whole = draw(np.random.default_rng(5), 1_500)
    ours = studies.compared(whole, metric, 0, 99)
    assert value(whole, whole.baseline) == pytest.approx(ours.baseline.value, rel=1e-12)
    assert value(whole, whole.candidate) == pytest.approx(ours.candidate.value, rel=1e-12)


def test_the_true_area_is_that_of_many_items() -> None:
    drawn = designs.rankings(np.random.default_rng(4), 100_000, apart=studies.APART)
    areas = [roc_auc_score(drawn.references, side) for side in (drawn.baseline, drawn.candidate)]
    assert KNOWN["auroc"].values() == pytest.approx(areas, abs=0.006)


def test_intervals_of_a_few_data_sets_hold_the_truth() -> None:
    found = studies.coverage(KNOWN["auroc"], 20)
    assert found.held.hits >= 16
    assert found.held.hits + found.too_high.hits + found.too_low.hits == 20
    assert found.truth == pytest.approx(0.0370, abs=5e-5)


# The page


def recorded(name: str, n: int, *, second: str) -> list[str]:
    """Cells after the first three of the one row of a table that begins with these."""
    rows = re.findall(
        rf"^\| {re.escape(name)} \| {n} \| {re.escape(second)} \| (.+) \|$", PAGE, re.MULTILINE
    )
    assert len(rows) == 1, (name, second)
    return [cell.strip() for cell in rows[0].split("|")]


def percent(cell: str, n_sets: int = N_SETS) -> Share:
    """Read a share back; it has to be one of whole data sets."""
    value = float(cell.partition("%")[0]) / 100.0
    hits = round(value * n_sets)
    assert hits / n_sets == pytest.approx(value, abs=1e-9)
    return Share(hits=hits, n=n_sets)


@pytest.mark.parametrize(
    ("name", "title", "n_sets"),
    [
        *((name, name, N_SETS) for name in NULLS),
        ("macro_f1", f"macro_f1, {FURTHER:,} further", FURTHER),
    ],
)
def test_the_page_records_the_studies_of_nulls(name: str, title: str, n_sets: int) -> None:
    null = NULLS[name]
    for test in (null.companion, DUAL, *null.judges):
        at_5 = recorded(title, null.n, second=test)[1]
        assert at_5 == str(percent(at_5, n_sets)), test
    companion = recorded(title, null.n, second=null.companion)
    rejects_at_its_level(
        {level: percent(cell, n_sets) for level, cell in zip(LEVELS, companion, strict=True)}
    )


@pytest.mark.parametrize("name", KNOWN)
def test_the_page_records_the_studies_of_coverage(name: str) -> None:
    baseline, candidate = KNOWN[name].values()
    held, too_high, too_low, _ = recorded(
        name, KNOWN[name].n, second=f"{candidate - baseline:+.4f}"
    )
    assert held == str(percent(held))
    assert sum(percent(cell).hits for cell in (held, too_high, too_low)) == N_SETS


def test_the_page_says_how_it_was_made() -> None:
    assert f"{N_SETS:,} data sets" in PAGE
    assert f"seed {SEED}" in PAGE
