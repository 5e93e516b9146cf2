"""Each metric by its name, through every door, against who else knows its value."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import deadheat
from calls import Done, call
from cases.data import codes
from cli.doors import DOORS, asked, compared, fits, long, rows
from cli.judges import BY_METRIC, CASES, DISTINCT, NAMED, Case, N, groups
from contract import COMPARISON, misfits
from deadheat.metrics import names

Call = Callable[..., Done]

DRAWS = ("--resamples", "99")


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: call(capsys, *arguments)


@pytest.fixture
def answer(run: Call) -> Callable[..., Any]:
    def _answer(*arguments: object) -> Any:
        done = run(*arguments, "--format", "json")
        assert (done.code, done.err) == (0, "")
        return done.json

    return _answer


every_case = pytest.mark.parametrize("case", DISTINCT, ids=lambda case: case.metric)
every_group = pytest.mark.parametrize("cases", groups().values(), ids=groups())
every_door = pytest.mark.parametrize(
    ("door", "cases"),
    [
        pytest.param(door, cases, id=f"{door}-{name}")
        for door, (name, cases) in itertools.product(DOORS, groups().items())
        if fits(door, cases[0])
    ],
)


# --- values --------------------------------------------------------------------------------------


def test_no_metric_is_left_out() -> None:
    assert {NAMED.get(case.metric, case.metric) for case in CASES} == set(names())


@every_door
def test_values_through_every_door(
    answer: Callable[..., Any], tmp_path: Path, door: str, cases: list[Case]
) -> None:
    sources, options = DOORS[door](cases[0], tmp_path)
    if all(isinstance(source, str) for source in sources):
        told = answer("score", *sources, *asked(cases, **options), *DRAWS)
    else:
        metrics = [case.metric for case in cases]
        given = cases[0].options | options
        told = deadheat.score(*sources, metric=metrics, n_resamples=99, **given).to_dict()
    cards = told["scorecards"] if len(cases) > 1 else [told]
    for case, card in zip(cases, cards, strict=True):
        assert card["metric"]["name"] == case.metric
        values = {row["system"]: row["value"] for row in card["systems"]}
        assert values == pytest.approx({s: case.value(s) for s in "ab"}, rel=case.rel), case.metric


@every_group
def test_differences_and_how_many_they_are(
    answer: Callable[..., Any], tmp_path: Path, cases: list[Case]
) -> None:
    sources, options = DOORS["json lines"](cases[0], tmp_path)
    told = answer("compare", *sources, *asked(cases, **options), *DRAWS)
    several = len(cases) > 1
    if several:
        assert told["schema"] == "deadheat/comparisons/1"
        assert "several_comparisons" in codes(told)
    for case, found in zip(cases, told["comparisons"] if several else [told], strict=True):
        assert misfits(COMPARISON, found) == []
        gap = case.value("b") - case.value("a")
        assert found["difference"]["estimate"] == pytest.approx(gap, rel=1e-12, abs=1e-12)
        assert found["comparisons"] == {"n": len(cases), "correction": "none"}
        assert f"|comparisons:{len(cases)}|" in found["signature"]
        assert found["metric"]["signature"] in found["signature"]
        low, high = (found["difference"]["interval"][end] for end in ("low", "high"))
        assert low <= found["difference"]["estimate"] <= high


LOWER = {"wer", "cer", "ter", "brier", "log_loss", "ece"}


@every_case
def test_who_is_ahead(case: Case) -> None:
    """Systems differ; the better one is ahead, whether greater or lower is better."""
    found = compared(case)
    assert found.greater_is_better == (case.metric not in LOWER)
    gain = case.value("b") - case.value("a")
    better = "b" if (gain > 0) == found.greater_is_better else "a"
    if found.reading.code == "resolved":
        other = "a" if better == "b" else "b"
        assert found.reading.text.startswith(f"{better} is ahead of {other}")


@every_case
def test_a_system_against_itself(case: Case) -> None:
    """Rows 25, 36 and 51: no gap, p = 1, and nobody is called equal for that."""
    same = [row | {"system": name} for name in "ab" for row in rows(case, "b")]
    found = compared(case, same)
    assert found.difference.estimate == 0.0
    assert found.difference.p_value == 1.0
    assert {test.p_value for test in found.difference.tests} == {1.0}
    assert found.reading.code == "degenerate"
    assert "equivalent" not in found.reading.text


# --- what may not change a number ----------------------------------------------------------------


@every_case
def test_exchanged_sides_negate(case: Case) -> None:
    there, back = compared(case), compared(case, baseline="b", candidate="a")
    close = {"rel": 1e-9, "abs": 1e-12}
    assert back.difference.estimate == -there.difference.estimate
    assert (back.difference.interval.low, back.difference.interval.high) == pytest.approx(
        (-there.difference.interval.high, -there.difference.interval.low), **close
    )
    p = [[r.difference.p_value, *(t.p_value for t in r.difference.tests)] for r in (there, back)]
    assert p[0] == pytest.approx(p[1], **close)
    assert (back.baseline, back.candidate) == (there.candidate, there.baseline)
    assert back.reading.code == there.reading.code


@every_case
def test_order_of_rows_and_threads_give_the_same_bits(case: Case) -> None:
    table = long(case)
    shuffled = random.Random(7).sample(table, len(table))
    # The first row says which system is the baseline.
    shuffled.sort(key=lambda row: row["system"])
    one = compared(case, table, threads=1).to_dict()
    assert compared(case, table, threads=2).to_dict() == one
    assert compared(case, shuffled, threads=2).to_dict() == one


@every_group
def test_metrics_together_and_alone_give_the_same_exact_numbers(cases: list[Case]) -> None:
    frame = pl.DataFrame(long(cases[0]))
    metrics = [case.metric for case in cases]
    together = deadheat.compare(frame, metric=metrics, n_resamples=99, **cases[0].options)
    for case, found in zip(cases, together if len(cases) > 1 else [together], strict=True):
        alone = compared(case, n_resamples=99)
        assert found.difference.estimate == alone.difference.estimate
        assert found.difference.interval.method == alone.difference.interval.method
        if found.difference.exact:
            assert found.difference == alone.difference
            assert (found.baseline, found.candidate) == (alone.baseline, alone.candidate)


# --- options -------------------------------------------------------------------------------------

MEANS = ("rouge1", "squad_f1", "brier", "pass@2", "ndcg@3", "win_rate", "majority_vote")
OF_THE_WHOLE_SET = ("bleu", "wer", "span_f1", "auroc", "kendall", "ece", "macro_f1")
SHARED_METHODS = ("basic", "bca", "bca_t", "expanded", "normal", "percentile")


@pytest.mark.parametrize("method", SHARED_METHODS)
@pytest.mark.parametrize("metric", MEANS + OF_THE_WHOLE_SET)
def test_methods(metric: str, method: str) -> None:
    found = compared(BY_METRIC[metric], method=method).difference
    assert found.interval.method == method
    assert found.interval.low <= found.estimate <= found.interval.high or method == "percentile"
    # The p-value is dual to the interval: below 5% exactly where it leaves out zero.
    outside = found.interval.low > 0.0 or found.interval.high < 0.0
    assert outside == (found.p_value <= 0.05)


@pytest.mark.parametrize("test", ["swap", "bootstrap", "shift"])
@pytest.mark.parametrize("metric", OF_THE_WHOLE_SET)
def test_tests_of_metrics_of_the_whole_set(metric: str, test: str) -> None:
    found = compared(BY_METRIC[metric], test=test)
    assert found.difference.tests[0].name == test
    assert f"test:{test}-" in found.signature


@pytest.mark.parametrize("test", ["sign_flip", "t", "wilcoxon", "bootstrap", "shift"])
@pytest.mark.parametrize("metric", MEANS)
def test_tests_of_means(metric: str, test: str) -> None:
    assert compared(BY_METRIC[metric], test=test).difference.tests[0].name == test


@every_case
def test_one_sided(case: Case) -> None:
    both = compared(case)
    greater, less = (compared(case, alternative=side) for side in ("greater", "less"))
    assert greater.difference.interval.high == float("inf")
    assert less.difference.interval.low == float("-inf")
    assert both.difference.interval.low <= greater.difference.interval.low
    assert less.difference.interval.high <= both.difference.interval.high
    halves = greater.difference.p_value, less.difference.p_value
    assert min(halves) <= both.difference.p_value <= 2.0 * min(halves) + 0.011
    assert greater.to_dict()["difference"]["interval"]["high"] is None


@every_case
def test_a_margin_as_wide_as_the_scale_is_a_dead_heat(case: Case) -> None:
    span = max(abs(case.value(s)) for s in "ab") + 100.0
    assert compared(case, margin=span).reading.code == "equivalent"


@every_case
def test_unpaired_says_what_it_throws_away(case: Case) -> None:
    found = compared(case, paired=False)
    assert found.pairing == "unpaired"
    assert (found.items.n, found.items.matched) == (2 * N, N)
    paired = compared(case)
    assert found.difference.estimate == pytest.approx(paired.difference.estimate, rel=1e-12)
    (note,) = (note for note in found.notes if note.code == "pairing_discarded")
    assert found.scale.interval(paired.difference.interval) in note.message


@every_case
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_reports_hold_the_numbers(case: Case, form: str) -> None:
    found = compared(case)
    report = getattr(found, f"to_{form}")()
    scale = found.scale
    for part in (
        case.metric,
        scale.value(found.baseline.value),
        scale.value(found.candidate.value),
        scale.difference(found.difference.estimate),
        scale.ends(found.baseline.interval, signed=False),
        found.reading.code,
    ):
        plain = report.replace("\\", "") if form == "markdown" else report
        assert part in plain, part
    assert found.signature in report.replace("\n", "")
