"""Replays: the inference of `compare`, the same from any process, and near what is exact."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import deadheat
from deadheat.errors import UsageError
from deadheat.inference import between
from deadheat.power.copula import Cells, cells
from deadheat.replays import Replays
from deadheat.replays.inferring import inferred, scores_of
from deadheat.replays.study import Study, outcomes
from deadheat.replays.summary import summarised
from deadheat.rng import Purpose, Stream
from deadheat.settings import Settings
from deadheat.simulation import Design, Points, draw
from deadheat.simulation.marginals import Normal

SEED_TWO = {"items": 500, "baseline": 0.72, "candidate": 0.76, "correlation": 0.36}


def replayed(**options: Any) -> Replays:
    # In this process: to start others costs more than they would save.
    found = deadheat.simulate(**({"threads": 1} | options)).replays
    assert found is not None
    return found


# -- the same inference as compare -----------------------------------------------------------------

DESIGNS: dict[str, dict[str, Any]] = {
    "0/1": SEED_TWO,
    "0/1, few items": SEED_TWO | {"items": 30},
    "0/1, by name": SEED_TWO | {"method": "bca", "test": "midp"},
    "graded": SEED_TWO | {"scores": "graded", "levels": 5, "items": 80},
    "graded, few items": SEED_TWO | {"scores": "graded", "levels": 5, "items": 12},
    "normal": SEED_TWO | {"scores": "real", "sd": 0.3, "items": 60},
    "zeros": SEED_TWO | {"scores": "real", "sd": 2.0, "shape": "zeros", "items": 60},
    "few clusters": SEED_TWO | {"items": 120, "cluster_size": 8, "icc": 0.4},
    "many clusters": SEED_TWO | {"items": 200, "cluster_size": 5, "icc": 0.4, "n_resamples": 999},
    "resampled clusters": SEED_TWO
    | {"items": 200, "cluster_size": 5, "icc": 0.4, "method": "percentile", "n_resamples": 999},
    "uneven clusters": SEED_TWO
    | {"items": 101, "cluster_size": 7, "icc": 0.4, "scores": "real", "sd": 0.2},
    "runs": SEED_TWO | {"items": 90, "runs": 3, "answer_correlation": 0.6},
    "runs in clusters": SEED_TWO
    | {"items": 90, "runs": 2, "answer_correlation": 0.6, "cluster_size": 9, "icc": 0.3},
    "studentized": SEED_TWO | {"method": "studentized", "n_resamples": 999},
}

OF_INFERENCE = ("method", "test", "n_resamples", "confidence_level")


@pytest.mark.parametrize("name", DESIGNS)
def test_a_replay_is_what_compare_says_of_the_table(name: str) -> None:
    """Of the very same scores, through a data frame: interval, p-value, reading, everything."""
    given = DESIGNS[name]
    own = {name: given[name] for name in OF_INFERENCE if name in given}
    made = deadheat.simulate(**{k: v for k, v in given.items() if k not in own}, rng=4)
    seed = int(Stream(4, Purpose.SIMULATION, 0, 1).words(1)[0])
    compared = deadheat.compare(made.to_frame(), rng=seed, **own)
    assert isinstance(compared, deadheat.Comparison)
    settings = Settings(threads=1, **own)
    (found,) = outcomes(Study(design=made.design, settings=settings, seed=4), 1)
    difference = compared.difference
    assert (found.low, found.high) == pytest.approx(
        (difference.interval.low, difference.interval.high), rel=1e-9, abs=1e-12
    )
    assert found.method == difference.interval.method
    assert found.estimate == pytest.approx(difference.estimate, abs=1e-12)
    assert found.p_value == pytest.approx(difference.tests[0].p_value, rel=1e-9)
    assert found.test == f"{difference.tests[0].name}-{difference.tests[0].variant}"
    assert found.code == compared.reading.code
    assert found.drawn != difference.exact


def test_a_pilot_with_clusters_goes_the_same_way() -> None:
    pilot = deadheat.simulate(**DESIGNS["few clusters"], rng=9).to_frame()
    made = deadheat.simulate(pilot=pilot, rng=1)
    assert made.design.n_clusters == 15
    compared = deadheat.compare(made.to_frame())
    assert isinstance(compared, deadheat.Comparison)
    (found,) = outcomes(Study(design=made.design, settings=Settings(threads=1), seed=1), 1)
    assert compared.difference.interval.method == found.method == "cr2"
    assert compared.difference.interval.low == pytest.approx(found.low)


# -- who does it changes nothing -------------------------------------------------------------------


@pytest.mark.parametrize("redraw", [False, True])
def test_other_processes_change_nothing(redraw: bool) -> None:
    design = Design(items=60, marginals=(Points(3, 0.5), Points(3, 0.6)), correlation=0.3)
    study = Study(
        design=design, settings=Settings(n_resamples=99, threads=1), seed=2, redraw=redraw
    )
    alone = outcomes(study, 60, cores=1)
    assert outcomes(study, 60, cores=2, pays=1e-9) == alone
    assert outcomes(study, 25, cores=1) == alone[:25]
    assert [study.outcome(replay) for replay in (59, 0)] == [alone[59], alone[0]]


def test_progress_ends_where_the_work_does() -> None:
    told: list[tuple[int, int]] = []
    design = Design(items=20, marginals=(Points(1, 0.5),) * 2, correlation=0.3)
    study = Study(design=design, settings=Settings(threads=1), seed=2)
    outcomes(study, 130, cores=1, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (130, 130)
    assert told == sorted(told)
    assert len(told) > 10


def test_threads_change_no_number() -> None:
    options = SEED_TWO | {"replays": 60, "drawn": True, "n_resamples": 199}
    assert replayed(**options, threads=1).to_dict() == replayed(**options, threads=2).to_dict()
    assert replayed(**options).to_dict() != replayed(**options, rng=1).to_dict()


# -- replays near what is exact --------------------------------------------------------------------


def near(found: float, wanted: float, n: int) -> bool:
    """Within 4 standard errors of a share of n: one in 16,000 is not, by chance."""
    return abs(found - wanted) < 4.0 * math.sqrt(max(wanted * (1 - wanted), 0.25 / n) / n)


def law_of_draws(n: int, truth: Cells, n_resamples: int) -> dict[str, float]:
    """The 95% interval of R draws over all data sets and draws, by SciPy alone.

    Given the data an end is an order statistic of draws from the distribution F of a resample's
    total: P(k-th least <= x) = P(Binomial(R, F(x)) >= k) (David & Nagaraja 2003, section 2.1). F is
    the n-th power of the law of one step, on a circle of more than 2 n points.
    """
    lost, won = (grid.ravel() for grid in np.indices((150, 180)))
    mass = stats.multinomial.pmf(
        np.stack([lost, won, n - lost - won], axis=-1),
        n,
        [truth.only_baseline, truth.only_candidate, 1.0 - truth.discordance],
    )
    lost, won, mass = lost[mass > 1e-9], won[mass > 1e-9], mass[mass > 1e-9]
    turn = np.exp(-2j * np.pi * np.arange(1_024) / 1_024)
    steps = np.outer(lost, turn.conj()) + np.outer(won, turn) + (n - lost - won)[:, None]
    below = np.cumsum(np.roll(np.fft.ifft((steps / n) ** n).real, n, axis=1), axis=1)
    k, gap = math.floor((n_resamples + 1) * 0.025), round(n * truth.gap)

    def low_above(x: int) -> float:
        return float(mass @ stats.binom.cdf(k - 1, n_resamples, below[:, n + x].clip(0, 1)))

    def high_below(x: int) -> float:
        return float(
            mass @ stats.binom.sf(n_resamples - k, n_resamples, below[:, n + x - 1].clip(0, 1))
        )

    found = {"above": low_above(gap), "below": high_below(gap)}
    return found | {
        "coverage": 1.0 - sum(found.values()),
        "excludes": low_above(0) + high_below(0),
    }


def test_drawn_replays_of_seed_two_are_near_their_exact_law() -> None:
    """What seed 2 did, 94.4% and 34.9% of 1,000 replays, and the law of such an interval."""
    exact = law_of_draws(500, cells(0.72, 0.76, 0.36), 2_000)
    assert round(exact["coverage"], 4) == 0.9537  # as docs/methods/simulation.md says
    found = replayed(**SEED_TWO, replays=1_000, drawn=True, n_resamples=2_000)
    ideal = replayed(**SEED_TWO, replays=1)
    for share, law, of_ideal, published in [
        (found.coverage.value, exact["coverage"], ideal.coverage.value, 0.944),
        (found.interval_power.value, exact["excludes"], ideal.interval_power.value, 0.349),
    ]:
        assert near(share, law, 1_000)
        assert near(published, law, 1_000)
        assert abs(law - of_ideal) < 0.006
    for share, law in [
        (found.below, exact["below"]),
        (found.above, exact["above"]),
        # The test draws nothing, and where it rejects the interval excludes 0 but for a few draws.
        (found.test_power.value, ideal.test_power.value),
        (found.power.value, ideal.power.value),
    ]:
        assert near(share, law, 1_000)
    assert found.width == pytest.approx(ideal.width, rel=0.01)
    assert found.coverage.low < exact["coverage"] < found.coverage.high


def test_replays_without_draws_are_near_the_enumeration() -> None:
    """The same design by both ways, where misses are lopsided and far from nominal."""
    n, method = 1_500, "percentile"
    given = {"items": 20, "baseline": 0.02, "candidate": 0.2, "correlation": 0.0, "method": method}
    made = deadheat.simulate(**given, replays=1)
    exact = made.replays
    assert exact is not None
    settings = Settings(method=method, threads=1)
    study = Study(design=made.design, settings=settings, seed=0)
    found = summarised(outcomes(study, n, cores=1), made.design.gap, settings)
    assert found.n == n
    for share, wanted in [
        (found.coverage.value, exact.coverage.value),
        (found.below, exact.below),
        (found.above, exact.above),
        (found.interval_power.value, exact.interval_power.value),
        (found.test_power.value, exact.test_power.value),
        *((share, exact.readings[code]) for code, share in found.readings.items()),
    ]:
        assert near(share, wanted, n)
    assert exact.below > 3.0 * exact.above
    # Means over 1,500 widths, and over some 220 resolved differences.
    assert found.width == pytest.approx(exact.width, rel=0.04)
    assert found.exaggeration == pytest.approx(exact.exaggeration, rel=0.08)


@pytest.mark.parametrize(
    "options",
    [
        {"scores": "graded", "levels": 4, "items": 60},
        {"items": 90, "cluster_size": 6, "icc": 0.5},
        {"items": 60, "runs": 3, "answer_correlation": 0.5, "correlation": 0.3},
        {"items": 12, "scores": "real", "sd": 0.2},
    ],
    ids=str,
)
def test_coverage_is_about_nominal(options: dict[str, Any]) -> None:
    """Where the true coverage is within a point of 95%, 400 replays give less than 90% or more
    than 99% once in 1,000 times."""
    found = replayed(**(SEED_TWO | options), replays=400)
    assert 0.90 <= found.coverage.value <= 0.99


def test_a_design_effect_that_is_ignored_is_seen() -> None:
    """Items of a cluster taken for independent: intervals too short by far."""
    made = deadheat.simulate(**(SEED_TWO | {"items": 200, "cluster_size": 20, "icc": 0.9}))
    one = made.to_frame()
    with_clusters = deadheat.compare(one)
    without = deadheat.compare(one.drop("cluster"))
    assert isinstance(with_clusters, deadheat.Comparison)
    assert isinstance(without, deadheat.Comparison)
    assert with_clusters.difference.standard_error > 1.5 * without.difference.standard_error


# -- the verdict, and what is undefined ------------------------------------------------------------


def codes(**options: Any) -> list[str]:
    return [note.code for note in deadheat.simulate(**options).notes]


def test_coverage_far_from_nominal_fails() -> None:
    few = {"items": 20, "baseline": 0.45, "candidate": 0.5, "correlation": 0.97, "replays": 1}
    wide, short = replayed(**few, method="tango"), replayed(**few, method="wald")
    assert wide.coverage.value > 0.96
    assert short.coverage.value < 0.94
    assert wide.holds is False
    assert short.holds is False
    assert "coverage_above" in codes(**few, method="tango")
    assert "coverage_below" in codes(**few, method="wald")
    assert not {"coverage_below", "coverage_above"} & {*codes(**SEED_TWO, replays=1)}


def test_a_few_replays_do_not_fail_a_method() -> None:
    """The Wilson interval has to leave nominal by more than a point."""
    found = replayed(**SEED_TWO, replays=5, drawn=True, n_resamples=99)
    assert found.coverage.low < 0.94
    assert found.holds is None
    assert "coverage_open" in {note.code for note in found.notes()}


def test_no_interval_at_all() -> None:
    """The bootstrap of three clusters is refused, data set by data set."""
    given = SEED_TWO | {"items": 30, "cluster_size": 10, "icc": 0.2, "method": "percentile"}
    made = deadheat.simulate(**given, replays=20, n_resamples=99, threads=1)
    found = made.replays
    assert found is not None
    assert (found.coverage.value, found.undefined) == (0.0, 1.0)
    assert math.isnan(found.width)
    told = made.to_dict()["replays"]
    assert told["width"] is None
    assert told["readings"]["degenerate"] == 1.0
    assert {"no_interval", "no_sign", "coverage_below"} <= {note.code for note in made.notes}


def test_no_gap_has_no_sign() -> None:
    given = SEED_TWO | {"candidate": 0.72}
    found = replayed(**given, replays=1)
    assert math.isnan(found.wrong_sign)
    assert math.isnan(found.exaggeration)
    assert "no_sign" in codes(**given, replays=1)
    # Power at a gap of 0 is how often the truth is missed.
    assert found.interval_power.value == pytest.approx(1 - found.coverage.value, abs=1e-9)


@pytest.mark.parametrize(
    "options",
    [
        {"items": 30},
        {"method": "tango"},
        {"cluster_size": 50, "icc": 0.1},
        {"scores": "real", "sd": 0.1, "items": 12},
    ],
    ids=str,
)
def test_drawn_with_nothing_to_draw_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="nothing to draw"):
        replayed(**(SEED_TWO | options), replays=2, drawn=True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "magic"}, "percentile"),
        ({"test": "magic"}, "midp"),
        ({"method": "magic", "drawn": True}, "nothing to draw"),
        ({"scores": "graded", "levels": 3, "method": "tango"}, "bca_t"),
        ({"cluster_size": 50, "icc": 0.1, "method": "tango"}, "cr2"),
    ],
)
def test_unknown_methods_and_tests_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        replayed(**(SEED_TWO | options), replays=2)


@pytest.mark.parametrize("test", ["auto", "t", "sign_flip"])
def test_only_the_test_of_the_reading_is_run(test: str) -> None:
    """The first of those that `compare` shows, and the same numbers."""
    settings = Settings(test=test, threads=1)
    design = Design(items=40, marginals=(Normal(0.0, 1.0), Normal(0.4, 1.0)), correlation=0.5)
    scores = scores_of(draw(design, 3))
    found = inferred(scores, settings)
    whole = between.paired([scores], settings)[0].difference
    assert len(whole.tests) == 2
    assert found.tests == whole.tests[:1]
    assert found.interval == whole.interval
