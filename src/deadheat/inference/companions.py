"""Which tests stand beside an interval, and in which order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from deadheat.distributions import Distribution, negligible
from deadheat.errors import UsageError, known
from deadheat.settings import Alternative, Settings
from deadheat.significance.bootstrap import bootstrap
from deadheat.significance.significance import Significance

Tests = dict[str, Callable[[], Significance]]
"""Every test that answers a question about some scores, by the name that `--test` takes."""

ONE_VALUE = "the difference has one value on every resample, so shares of them say nothing"


def share(distribution: Distribution, alternative: Alternative) -> Significance:
    """Test by shares of the bootstrap distribution; undefined where it is a single value.

    Where every resample says the same, that all of them lie beyond zero is no evidence.
    """
    found = bootstrap(distribution, alternative=alternative)
    if negligible(distribution.sd, distribution.mean) and found.p_value < 1.0:
        return replace(found, p_value=math.nan, p_value_bound=None, note=ONE_VALUE)
    return found


def two_sided_only(tests: Tests, alternative: Alternative) -> Tests:
    """Return tests that have no one-sided form, where none is asked for."""
    return tests if alternative == "two-sided" else {}


def run(
    tests: Tests, shown: Sequence[str], settings: Settings, *, first_alone: bool = False
) -> tuple[Significance, ...]:
    """Run the tests that are shown unasked, the one chosen by `settings.test` first.

    Parameters
    ----------
    tests : dict of str to callable
    shown : sequence of str
        Names of those that are shown unasked.
    settings : Settings
    first_alone : bool
        Whether only the first is run, which is all that a reading takes.

    Raises
    ------
    UsageError
        If the chosen test is none of `tests`.
    """
    if settings.test != "auto" and settings.test not in tests:
        raise UsageError(
            f"there is no test {settings.test!r} for these scores.",
            fix=known(tests, settings.test),
        )
    chosen = () if settings.test == "auto" else (settings.test,)
    names = list(dict.fromkeys((*chosen, *shown)))
    return tuple(tests[name]() for name in (names[:1] if first_alone else names))
