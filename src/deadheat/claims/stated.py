"""What a publication says about a difference."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deadheat.claims.printed import Printed

ASSUMED_RESAMPLES = 1_000
"""Draws that are taken where a publication does not say: few, to its benefit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What a publication says about a difference, as far as it says it.

    Attributes
    ----------
    gap : Printed or None
        In points.
    interval : (Printed, Printed) or None
        In points.
    p_value : Printed or None
    share : Printed or None
        Percentage of resamples in which the candidate is ahead.
    discordant : int or None
    n_resamples : int or None
    """

    gap: Printed | None = None
    interval: tuple[Printed, Printed] | None = None
    p_value: Printed | None = None
    share: Printed | None = None
    discordant: int | None = None
    n_resamples: int | None = None

    @property
    def draws(self) -> int:
        """Draws behind what is stated, as far as it was drawn."""
        return self.n_resamples or ASSUMED_RESAMPLES

    @property
    def infers(self) -> bool:
        """Whether anything is stated that depends on the discordant counts."""
        return bool(self.parts)

    @property
    def parts(self) -> tuple[Stated, ...]:
        """The claim with interval, p-value and share each alone, as far as they are stated."""
        return tuple(
            replace(self, **{other: None for other in _PARTS if other != name})
            for name in _PARTS
            if getattr(self, name) is not None
        )


_PARTS = ("interval", "p_value", "share")
