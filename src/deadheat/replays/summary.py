"""What the replays of a design, or all of its outcomes, come to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.intervals import wilson
from deadheat.notes import Note
from deadheat.replays.outcomes import Outcome
from deadheat.settings import Settings

Z = 1.959963984540054
"""Normal quantile of the intervals of shares."""

CODES = ("resolved", "unresolved", "borderline", "degenerate")
"""Readings that replays may have; there is no margin, and so no equivalence."""

SAME = 1e-12
"""Differences that lie no farther apart are the same but for rounding."""

POINT = 0.01
"""By how much coverage may differ from its nominal level: one point."""

FEW = 20
"""Replays below which Wilson's interval is too short too often: one of two data sets that holds
the truth would be held against the method, and is no rarer than one time in nine."""

SURE = 0.02
"""By how much both ends of its interval over replays may, for coverage to be said to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share, and Wilson's 95% interval of it over replays; three times the same where exact."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, which: NDArray[np.bool_]) -> Share:
        """Return the share of replays, shape (replay,), of which something is true.

        Parameters
        ----------
        which : ndarray of bool, shape (replay,)
            Whether it is true of a replay.
        """
        k, n = int(np.count_nonzero(which)), which.size
        found = wilson.one_proportion(k, n)
        return cls(value=k / n, low=found.low, high=found.high)

    @classmethod
    def exactly(cls, value: float) -> Share:
        """Return a share that is known.

        Parameters
        ----------
        value : float
            Between 0 and 1.
        """
        return cls(value=value, low=value, high=value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replays:
    """What an interval, its companion test and the reading do on a design whose truth is known.

    Attributes
    ----------
    n : int or None
        Replays; None where all outcomes were enumerated instead.
    gap : float
        True candidate - baseline.
    settings : Settings
        Of each inference.
    methods : mapping of str to float
        Share of the intervals that each method made.
    test : str
        Name and variant of the companion test.
    drawn : bool
        Whether intervals rest on draws.
    coverage : Share
        Of the data sets whose interval holds the true difference.
    below, above : float
        Share of those whose interval lies wholly below the truth, wholly above it.
    undefined : float
        Share of those that give no interval. With the three before it adds up to 1.
    width : float
        Mean width of the intervals.
    interval_power, test_power, power : Share
        Of data sets whose interval excludes 0, whose test rejects, whose reading is resolved.
    wrong_sign : float
        Type S: share of the resolved differences with the wrong sign; NaN at a gap of 0.
    exaggeration : float
        Type M: mean size of the resolved differences over that of the true one; NaN at 0.
    readings : mapping of str to float
        Share of each reading.
    """

    n: int | None
    gap: float
    settings: Settings
    methods: Mapping[str, float]
    test: str
    drawn: bool
    coverage: Share
    below: float
    above: float
    undefined: float
    width: float
    interval_power: Share
    test_power: Share
    power: Share
    wrong_sign: float
    exaggeration: float
    readings: Mapping[str, float]

    @property
    def exact(self) -> bool:
        """Whether all outcomes were enumerated."""
        return self.n is None

    @property
    def deviation(self) -> float:
        """How far the interval of the coverage lies from the nominal level; negative below it."""
        nominal = self.settings.confidence_level
        return max(self.coverage.low - nominal, 0.0) + min(self.coverage.high - nominal, 0.0)

    @property
    def holds(self) -> bool | None:
        """Whether coverage is nominal; None where there are too few replays to say.

        It is not where its interval over replays lies wholly more than a point from the nominal
        level, and it is where it comes within a point and lies wholly within two. Fewer than `FEW`
        replays say nothing.
        """
        if self.n is not None and self.n < FEW:
            return None
        if abs(self.deviation) > POINT:
            return False
        nominal = self.settings.confidence_level
        farthest = max(nominal - self.coverage.low, self.coverage.high - nominal)
        return True if farthest <= SURE + SAME else None

    @property
    def deciding(self) -> int:
        """Replays, to two digits, that are likely to say whether coverage is nominal.

        Of so many the half-width of the interval is a point at the nominal level, or half of what
        it is now.
        """
        nominal = self.settings.confidence_level
        enough = max(Z * Z * nominal * (1.0 - nominal) / POINT**2, 4.0 * (self.n or 0))
        step: int = 10 ** max(math.floor(math.log10(enough)) - 1, 0)
        return math.ceil(enough / step) * step

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "n": self.n,
            "exact": self.exact,
            "method": self.settings.method,
            "methods": [{"method": name, "share": share} for name, share in self.methods.items()],
            "test": self.test,
            "confidence_level": self.settings.confidence_level,
            "n_resamples": self.settings.n_resamples if self.drawn else None,
            "coverage": {
                "value": self.coverage.value,
                "low": self.coverage.low,
                "high": self.coverage.high,
                "holds": self.holds,
            },
            "misses": {"below": self.below, "above": self.above},
            "undefined": self.undefined,
            "width": self.width,
            "power": {
                "interval": self.interval_power.value,
                "test": self.test_power.value,
                "reading": self.power.value,
            },
            "wrong_sign": self.wrong_sign,
            "exaggeration": self.exaggeration,
            "readings": dict(self.readings),
        }

    def signature(self, seed: int) -> dict[str, Any]:
        """Return the settings as parts of a signature.

        Parameters
        ----------
        seed : int
            Zero or more.
        """
        settings = self.settings
        found: dict[str, Any] = {
            "replays": "exact" if self.n is None else f"{self.n}/seed:{seed}",
            "method": settings.method,
            "test": self.test,
            "confidence": f"{settings.confidence_level:g}",
        }
        return found | {"resamples": settings.n_resamples if self.drawn else "exact"}

    def notes(self) -> tuple[Note, ...]:
        """Return what a reader has to know: how it was found, what fails, what is undefined."""
        said = []
        if self.exact:
            said.append(
                Note(
                    code="enumerated",
                    message="Exact, no replays: every outcome that the items can show was weighed "
                    "by its probability.",
                )
            )
        if self.holds is None:
            said.append(
                Note(
                    code="coverage_open",
                    message=f"{self.n:,} replays are too few to say whether coverage is nominal: "
                    "its interval would have to lie within two points of the level, or wholly more "
                    f"than one from it. About {self.deciding:,} are likely to say (--replays).",
                )
            )
        if self.holds is False:
            side, means = ("below", "misses more than it says")
            if self.deviation > 0.0:
                side, means = ("above", "is wider than it has to be")
            said.append(
                Note(
                    code=f"coverage_{side}",
                    message=f"Coverage is more than a point {side} the nominal "
                    f"{100.0 * self.settings.confidence_level:.10g}%: on this design the interval "
                    f"{means}.",
                )
            )
        if self.undefined > 0.0:
            said.append(
                Note(
                    code="no_interval",
                    message=f"{self.undefined:.2%} of the data sets give no interval; they hold "
                    "nothing and exclude nothing.",
                )
            )
        if math.isnan(self.wrong_sign):
            why = "the true difference is 0" if self.gap == 0.0 else "no reading is resolved"
            said.append(
                Note(
                    code="no_sign",
                    message=f"Wrong signs and exaggeration are undefined: {why}.",
                )
            )
        return tuple(said)


def summarised(outcomes: Sequence[Outcome], gap: float, settings: Settings) -> Replays:
    """Put the outcomes of replays together.

    Parameters
    ----------
    outcomes : sequence of Outcome
        One or more.
    gap : float
        True candidate - baseline.
    settings : Settings
    """
    n = len(outcomes)
    estimate, low, high, p_value = (
        np.array([getattr(one, name) for one in outcomes])
        for name in ("estimate", "low", "high", "p_value")
    )
    defined = ~np.isnan(high - low)
    below, above = high < gap - SAME, low > gap + SAME
    resolved = np.array([one.code == "resolved" for one in outcomes])
    found = estimate[resolved]
    signed = found.size > 0 and gap != 0.0
    tests = Counter(one.test for one in outcomes)
    return Replays(
        n=n,
        gap=gap,
        settings=settings,
        methods=_shares(one.method for one in outcomes),
        test=max(tests, key=lambda name: tests[name]),
        drawn=any(one.drawn for one in outcomes),
        coverage=Share.of(defined & ~below & ~above),
        below=float(below.mean()),
        above=float(above.mean()),
        undefined=float(1.0 - defined.mean()),
        width=float((high - low)[defined].mean()) if defined.any() else math.nan,
        interval_power=Share.of((high < -SAME) | (low > SAME)),
        test_power=Share.of(p_value <= settings.alpha),
        power=Share.of(resolved),
        wrong_sign=float((found * gap < 0.0).mean()) if signed else math.nan,
        exaggeration=float(np.abs(found).mean()) / abs(gap) if signed else math.nan,
        readings=dict.fromkeys(CODES, 0.0) | _shares(one.code for one in outcomes),
    )


def _shares(names: Iterable[str]) -> dict[str, float]:
    counts = Counter(names)
    n = sum(counts.values())
    return {name: count / n for name, count in sorted(counts.items())}
