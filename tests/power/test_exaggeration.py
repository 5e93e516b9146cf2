"""Wrong signs and exaggerated sizes against Gelman & Carlin and numerical integration."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from deadheat.errors import InferenceError
from deadheat.power import of_normal

few = settings(max_examples=30)


def test_gelman_and_carlin() -> None:
    """Beauty and sex ratio: a gap of 0.1 with a standard error of 3.28 (their section 2)."""
    wrong_sign, exaggeration = of_normal(0.1, 3.28)
    assert wrong_sign == pytest.approx(0.46, abs=0.005)
    assert exaggeration == pytest.approx(77, abs=1)


@few
@given(
    gap=st.floats(0.02, 6),
    standard_error=st.floats(0.1, 3),
    alpha=st.sampled_from([0.01, 0.05, 0.3]),
)
def test_integration(gap: float, standard_error: float, alpha: float) -> None:
    law, edge = stats.norm(gap, standard_error), stats.norm.isf(alpha / 2) * standard_error
    far = gap + edge + 12 * standard_error
    resolved = law.sf(edge) + law.cdf(-edge)
    size = sum(
        integrate.quad(lambda x: abs(x) * law.pdf(x), low, high, epsabs=1e-13, limit=200)[0]
        for low, high in ((-far, -edge), (edge, max(edge, gap)), (max(edge, gap), far))
    )
    wrong_sign, exaggeration = of_normal(gap, standard_error, alpha=alpha)
    assert wrong_sign == pytest.approx(law.cdf(-edge) / resolved, rel=1e-9)
    assert exaggeration == pytest.approx(size / resolved / gap, rel=1e-7)


@given(effects=st.tuples(st.floats(0.01, 8), st.floats(0.01, 8)), sign=st.sampled_from([-1, 1]))
def test_better_designs_are_wrong_less_and_less_far(
    effects: tuple[float, float], sign: int
) -> None:
    small, large = sorted(effects)
    worse, better = of_normal(sign * small, 1.0), of_normal(large, 1.0)
    assert better[0] <= worse[0] <= 0.5
    assert better[1] <= worse[1] * (1.0 + 1e-12)
    assert better[1] >= 1.0 - 1e-12


def test_extremes() -> None:
    assert all(math.isnan(value) for value in of_normal(0.0, 1.0))
    assert of_normal(1e200, 1.0) == (0.0, 1.0)


@pytest.mark.parametrize("bad", [math.nan, math.inf, True, "1"])
def test_bad_numbers_are_refused(bad: float) -> None:
    with pytest.raises(InferenceError, match="the gap is"):
        of_normal(bad, 1.0)
    with pytest.raises(InferenceError, match="the standard error is"):
        of_normal(1.0, bad)
    with pytest.raises(InferenceError, match="alpha is"):
        of_normal(1.0, 1.0, alpha=bad)
    with pytest.raises(InferenceError, match="the standard error is 0"):
        of_normal(1.0, 0.0)
