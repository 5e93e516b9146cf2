"""McNemar's test of two systems' right answers on the same items (McNemar 1947)."""

from __future__ import annotations

import math

from scipy import special

from deadheat.errors import InferenceError
from deadheat.significance.significance import Alternative, Significance, by_side, one_of, stated

VARIANTS = ("exact", "midp", "chi2", "chi2_cc")


def mcnemar(
    only_baseline: int,
    only_candidate: int,
    *,
    variant: str = "exact",
    alternative: Alternative = "two-sided",
) -> Significance:
    """Test whether each system is alone in being right equally often.

    Parameters
    ----------
    only_baseline, only_candidate : int
        Items that only one of the systems answered rightly.
    variant : {"exact", "midp", "chi2", "chi2_cc"}
        Binomial; binomial with half the observed point; normal; normal with continuity
        correction, which never turns a tie into a difference.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.

    Raises
    ------
    InferenceError
        If a count is negative or not whole.

    Examples
    --------
    >>> mcnemar(67, 85).p_value.__round__(6)
    0.167722
    >>> mcnemar(5, 5, variant="chi2_cc").p_value
    1.0
    """
    one_of("variant of McNemar's test", variant, VARIANTS)
    losses, wins = _count(only_baseline), _count(only_candidate)
    if losses + wins == 0:
        statistic, less, greater = 0.0, 1.0, 1.0
    elif variant in ("exact", "midp"):
        statistic, less, greater = _binomial(losses, wins, half=variant == "midp")
    else:
        statistic, less, greater = _normal(losses, wins, corrected=variant == "chi2_cc")
    p_value, bound = stated(by_side(less, greater, alternative))
    return Significance(
        name="mcnemar",
        variant=variant,
        statistic=statistic,
        p_value=p_value,
        alternative=alternative,
        exact=variant in ("exact", "midp"),
        p_value_bound=bound,
        detail={"only_baseline": losses, "only_candidate": wins},
        note=_note(losses + wins),
    )


def _count(number: int) -> int:
    if number != int(number) or number < 0:
        raise InferenceError(
            f"{number} is not a count of items.", fix="Give whole numbers of zero or more."
        )
    return int(number)


def _binomial(losses: int, wins: int, *, half: bool) -> tuple[float, float, float]:
    """Statistic min(wins, losses) and both tails of wins ~ Binomial(wins + losses, 1/2)."""
    total = losses + wins

    def at_most(k: int) -> float:
        return float(special.betainc(total - k, k + 1, 0.5)) if 0 <= k < total else float(k >= 0)

    def tail(k: int) -> float:
        # Without half the point itself: the mean of P(X <= k) and P(X < k).
        return 0.5 * (at_most(k) + at_most(k - 1)) if half else at_most(k)

    return float(min(losses, wins)), tail(wins), tail(losses)


def _normal(losses: int, wins: int, *, corrected: bool) -> tuple[float, float, float]:
    gain, scale = wins - losses, math.sqrt(losses + wins)
    step = 1 if corrected else 0
    distance = max(0, abs(gain) - step)
    less = float(special.ndtr((gain + step) / scale))
    greater = float(special.ndtr((step - gain) / scale))
    return distance * distance / (losses + wins), less, greater


def _note(discordant: int) -> str:
    if discordant == 0:
        return "no item separates the systems"
    if discordant <= 5:
        return (
            f"not resolvable: with only {discordant} discordant item"
            f"{'' if discordant == 1 else 's'} the exact p-value is never below "
            f"{2.0 ** (1 - discordant):g}"
        )
    return ""
