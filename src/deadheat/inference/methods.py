"""Interval methods by name, and the designs that each of them serves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from deadheat import registry
from deadheat.distributions import Distribution
from deadheat.errors import UsageError, known
from deadheat.intervals.duality import Dual
from deadheat.intervals.interval import Interval
from deadheat.settings import Alternative, Settings

PACKAGE = "deadheat.intervals"

Ends = Callable[..., Interval]
"""Maps a confidence level, and an alternative other than that of the settings, to an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimator:
    """An interval at any level, the p-value dual to it, and what both were read off if anything."""

    interval_at: Ends
    p_value: Callable[[], Dual]
    distribution: Distribution | None = None


def offering(design: str) -> list[str]:
    """Names of the methods that serve a design, such as "paired_proportions"."""
    return [
        name for name in registry.names(PACKAGE) if hasattr(registry.load(PACKAGE, name), design)
    ]


def module_for(method: str, designs: tuple[str, ...], scores: str) -> tuple[ModuleType, str]:
    """Find the module of a method and the design through which it serves these scores.

    Raises
    ------
    UsageError
        If there is no such method, or it is not made for these scores.
    """
    if method in registry.names(PACKAGE):
        module = registry.load(PACKAGE, method)
        for design in designs:
            if hasattr(module, design):
                return module, design
    able = {name for design in designs for name in offering(design)}
    raise UsageError(
        f"there is no interval method {method!r} for {scores}.", fix=known(able, method)
    )


def from_distribution(
    method: str,
    distribution: Distribution,
    *,
    estimate: float,
    n_units: int,
    acceleration: Callable[[], float],
    settings: Settings,
) -> Estimator:
    """Make intervals and their dual p-value from a bootstrap distribution."""
    module = registry.load(PACKAGE, method)

    @cache
    def accelerated() -> float:
        return acceleration() if method.startswith("bca") else 0.0

    def interval_at(
        confidence_level: float, alternative: Alternative = settings.alternative
    ) -> Interval:
        found: Interval = module.from_distribution(
            distribution,
            estimate=estimate,
            confidence_level=confidence_level,
            alternative=alternative,
            n_units=n_units,
            acceleration=accelerated(),
        )
        return found

    def p_value() -> Dual:
        # After a fall-back the p-value is the one dual to what was fallen back to.
        used = interval_at(settings.confidence_level).method
        answering = module if used in (method, "degenerate") else registry.load(PACKAGE, used)
        found: Dual = answering.p_value(
            distribution,
            estimate=estimate,
            alternative=settings.alternative,
            n_units=n_units,
            acceleration=accelerated(),
        )
        return found

    return Estimator(interval_at=interval_at, p_value=p_value, distribution=distribution)
