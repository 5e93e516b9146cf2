"""What outcomes come to, by arithmetic."""

from __future__ import annotations

import math

import pytest

from deadheat.replays.outcomes import Outcome
from deadheat.replays.summary import summarised
from deadheat.settings import Settings

NAN = math.nan


def outcome(
    estimate: float, low: float, high: float, p: float, code: str, **more: object
) -> Outcome:
    given = {"method": "percentile", "drawn": False, "test": "mcnemar-exact"} | more
    return Outcome(
        estimate=estimate,
        low=low,
        high=high,
        p_value=p,
        code=code,  # type: ignore[arg-type]
        **given,  # type: ignore[arg-type]
    )


FIVE = [
    outcome(0.3, 0.2, 0.4, 0.01, "resolved"),  # wholly above a gap of .1
    outcome(-0.2, -0.3, -0.1, 0.05, "resolved"),  # wholly below it, and of the wrong sign
    outcome(0.1, 0.0, 0.2, 0.20, "unresolved"),
    outcome(0.2, 0.1 + 1e-14, 0.3, 0.06, "borderline", method="tango"),
    outcome(NAN, NAN, NAN, NAN, "degenerate", method="tango"),
]


def test_five_outcomes() -> None:
    found = summarised(FIVE, 0.1, Settings())
    assert found.n == 5
    assert (found.coverage.value, found.below, found.above) == (2 / 5, 1 / 5, 1 / 5)
    assert found.undefined == pytest.approx(1 / 5)
    assert found.width == pytest.approx(0.2)
    assert found.interval_power.value == 3 / 5
    assert found.test_power.value == 2 / 5
    assert found.power.value == 2 / 5
    assert found.wrong_sign == 1 / 2
    assert found.exaggeration == pytest.approx((0.3 + 0.2) / 2 / 0.1)
    assert found.methods == {"percentile": 3 / 5, "tango": 2 / 5}
    assert found.readings == {
        "resolved": 2 / 5,
        "unresolved": 1 / 5,
        "borderline": 1 / 5,
        "degenerate": 1 / 5,
    }
    assert not found.drawn
    assert found.test == "mcnemar-exact"


def test_the_other_gap_turns_the_signs() -> None:
    found = summarised(FIVE, -0.1, Settings())
    assert (found.below, found.above) == (0.0, 3 / 5)
    assert found.wrong_sign == 1 / 2
    assert summarised(FIVE[:1], -0.1, Settings()).wrong_sign == 1.0
    assert summarised(FIVE[:1], 0.1, Settings()).wrong_sign == 0.0


@pytest.mark.parametrize(
    ("held", "n", "holds"),
    # Wilson's interval of k of n at 95%, from the formula: 9,300 of 10,000 are .9248 to .9348.
    # A few of k of n: 958 of 1,000 are .9437 to .9688, 944 of 1,000 .9279 to .9566.
    [(9_300, 10_000, False), (930, 1_000, None), (9_700, 10_000, False), (970, 1_000, None),
     (9_500, 10_000, True), (9_400, 10_000, True), (958, 1_000, True), (944, 1_000, None),
     (2, 2, None), (1, 2, None), (0, 2, None), (16, 20, False), (95, 100, None)],
)  # fmt: skip
def test_verdict_leaves_a_point_beside_the_monte_carlo_error(
    held: int, n: int, holds: bool | None
) -> None:
    inside, outside = (outcome(0.1, low, 0.3, 0.2, "unresolved") for low in (0.0, 0.2))
    found = summarised([inside] * held + [outside] * (n - held), 0.1, Settings())
    assert found.holds is holds
    assert found.to_dict()["coverage"]["holds"] is holds
    z = 1.959963984540054
    p, scale = held / n, 1 + z * z / n
    half = z / scale * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    centre = (p + z * z / (2 * n)) / scale
    assert (found.coverage.low, found.coverage.high) == pytest.approx(
        (centre - half, centre + half)
    )
    codes = {note.code for note in found.notes()}
    side = "coverage_below" if held / n < 0.95 else "coverage_above"
    assert (side in codes) == (holds is False)
    assert ("coverage_open" in codes) == (holds is None)


def test_open_coverage_says_how_many_replays_decide() -> None:
    """1.96^2 .95 .05 / .01^2 = 1,825, to two digits upwards; four times as many halve a width."""
    inside = outcome(0.1, 0.0, 0.3, 0.2, "unresolved")
    assert summarised([inside] * 2, 0.1, Settings()).deciding == 1_900
    assert summarised([inside] * 2_000, 0.1, Settings()).deciding == 8_000
    assert summarised([inside] * 2, 0.1, Settings(confidence_level=0.6)).deciding == 9_300
