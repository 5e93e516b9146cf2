"""Share and shift tests, and sacreBLEU's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from deadheat.distributions import Lattice, Replicates
from deadheat.errors import InferenceError, UsageError
from deadheat.significance.bootstrap import bootstrap
from deadheat.significance.sacrebleu import p_of, sacrebleu
from deadheat.significance.shift import shift
from vectors import close, vectors


def bleu(totals: np.ndarray) -> np.ndarray:
    """Corpus BLEU with sacreBLEU's smoothing, statistics (hyp, ref, correct 1-4, total 1-4)."""
    hypothesis, reference = totals[..., 0], totals[..., 1]
    correct, total = totals[..., 2:6], totals[..., 6:10]
    assert np.all(correct > 0), "the vectors need no smoothing"
    brevity = np.minimum(1.0, np.exp(1.0 - reference / hypothesis))
    return 100.0 * brevity * np.exp(np.log(correct / total).mean(axis=-1))


@pytest.mark.parametrize("vector", vectors("pvalues.bootstrap", "boot_p"), ids=lambda v: v["name"])
def test_share_vector(vector: dict[str, Any]) -> None:
    given_ = vector["input"]
    draws = Replicates.of(np.array(given_["reps"]))
    found = bootstrap(draws, correction=given_["correction"] == "plus1")
    assert close(vector, "p_value", found.p_value)


@pytest.mark.parametrize("vector", vectors("pvalues.bootstrap", "shift_p"), ids=lambda v: v["name"])
def test_shift_vector(vector: dict[str, Any]) -> None:
    given_ = vector["input"]
    draws = np.array(given_["reps"])
    if given_["variant"] == "sacrebleu":
        p_value = p_of(draws, given_["observed"])
    else:
        p_value = shift(draws, given_["observed"], variant=given_["variant"]).p_value
    assert close(vector, "p_value", p_value)


@pytest.mark.parametrize(
    "vector", vectors("pvalues.bootstrap", "sacrebleu_test"), ids=lambda v: v["name"]
)
def test_sacrebleu_vector(vector: dict[str, Any]) -> None:
    given_ = vector["input"]
    a, b = (np.array(given_[side], dtype=float) for side in ("stats_a", "stats_b"))
    assert close(vector, "score_b", float(bleu(b.sum(axis=0))))
    found = sacrebleu(
        a, b, bleu, variant=given_["test"], n_resamples=given_["n_samples"], seed=given_["seed"]
    )
    assert found.p_value == pytest.approx(vector["expected"]["p_value"], rel=1e-9)


@pytest.mark.parametrize("variant", ["bs", "ar"])
def test_sacrebleu_blocks_do_not_change_the_stream(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    a, b = (np.stack([rng.integers(0, 5, 7), np.ones(7)], axis=1) for _ in range(2))

    def ratio(totals: np.ndarray) -> np.ndarray:
        return totals[..., 0] / totals[..., 1]

    whole = sacrebleu(a, b, ratio, variant=variant, n_resamples=501)
    monkeypatch.setattr("deadheat.significance.sacrebleu.CELLS", 300)
    assert sacrebleu(a, b, ratio, variant=variant, n_resamples=501).p_value == whole.p_value


def test_sacrebleu_calls_identical_systems_different() -> None:
    """CASES 25: kept for comparison only, and said so; our own tests give 1."""
    a = np.stack([np.arange(10.0), np.ones(10)], axis=1)
    found = sacrebleu(a, a, lambda t: t[..., 0] / t[..., 1], n_resamples=1_000)
    assert found.p_value == pytest.approx(1 / 1001)
    assert "comparison with sacreBLEU only" in found.note
    same = Replicates.of(np.zeros(1_000))
    assert bootstrap(same).p_value == 1.0
    assert shift(same, 0.0).p_value == 1.0


def test_sacrebleu_refusals() -> None:
    with pytest.raises(InferenceError, match="shapes"):
        sacrebleu(np.ones((3, 2)), np.ones((4, 2)), lambda t: t[..., 0])
    with pytest.raises(UsageError, match="Known: ar, bs"):
        sacrebleu(np.ones((3, 2)), np.ones((3, 2)), lambda t: t[..., 0], variant="xx")


def test_share_counts_zero_on_both_sides() -> None:
    draws = Replicates.of(np.array([-1.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    assert bootstrap(draws).p_value == pytest.approx(2 * (3 + 1) / 10)
    assert bootstrap(draws, alternative="greater").p_value == pytest.approx((3 + 1) / 10)
    assert bootstrap(draws, alternative="less").p_value == pytest.approx((8 + 1) / 10)
    assert bootstrap(draws, correction=False).p_value == pytest.approx(2 * 3 / 9)


def test_floor_is_a_bound() -> None:
    """2 / (R + 1), whatever the correction: 0 is never printed."""
    draws = Replicates.of(np.linspace(0.5, 1.5, 99))
    for correction in (True, False):
        found = bootstrap(draws, correction=correction)
        assert found.p_value == found.p_value_bound == pytest.approx(0.02)
    assert bootstrap(draws, alternative="greater").p_value_bound == pytest.approx(0.01)
    assert bootstrap(draws, alternative="less").p_value_bound is None


def test_exact_share_has_no_draws_and_no_error() -> None:
    exact = Lattice(pmf=stats.binom.pmf(np.arange(11), 10, 0.8), start=-5, denominator=10)
    found = bootstrap(exact)
    assert found.exact
    assert found.n_resamples is None
    assert found.monte_carlo_error is None
    assert found.p_value == pytest.approx(2 * stats.binom.cdf(5, 10, 0.8))


def test_monte_carlo_error() -> None:
    """STATISTICS 0.7: 2 sqrt(q (1 - q) / R), q = p / 2."""
    draws = Replicates.of(np.arange(-100.0, 899.0))
    found = bootstrap(draws)
    q = found.p_value / 2
    assert found.monte_carlo_error == pytest.approx(2 * np.sqrt(q * (1 - q) / 999))


def test_koehn_is_one_sided_for_the_winner() -> None:
    """STATISTICS 2.4: 97% of resamples favour B is a one-sided 3%."""
    draws = np.array([1.0] * 97 + [-1.0] * 3)
    found = shift(draws, 0.94, variant="koehn")
    assert found.p_value == pytest.approx(0.03)
    assert found.alternative == "greater"
    lost = shift(-draws, -0.94, variant="koehn")
    assert lost.p_value == pytest.approx(0.03)
    assert lost.alternative == "less"


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_shift_forms_by_hand(sign: float) -> None:
    draws = sign * np.array([-0.5, 0.0, 1.0, 1.5, 2.0, 2.5, 4.0, 4.5])
    assert shift(draws, sign * 2.0, variant="berg_kirkpatrick").p_value == pytest.approx(1 / 8)
    # |draw - 2| >= 2 holds for -0.5, 0, 4 and 4.5.
    assert shift(draws, sign * 2.0).p_value == pytest.approx((1 + 4) / 9)


@pytest.mark.parametrize("variant", ["two-sided", "berg_kirkpatrick", "koehn"])
def test_shift_never_gives_zero_and_ties_give_one(variant: str) -> None:
    draws = np.random.default_rng(0).normal(50.0, 1.0, 99)
    found = shift(draws, 50.0, variant=variant)
    assert found.p_value == found.p_value_bound == pytest.approx(0.01)
    assert shift(draws - 50.0, 0.0, variant=variant).p_value == 1.0


def test_shift_is_centred() -> None:
    """CASES 34: a clear effect must not sit near 0.5."""
    draws = np.random.default_rng(0).normal(3.0, 1.0, 4_999)
    assert shift(draws, 3.0).p_value == pytest.approx(2 * stats.norm.sf(3.0), abs=2e-3)
    with pytest.raises(UsageError, match="Did you mean koehn"):
        shift(draws, 3.0, variant="kohn")
