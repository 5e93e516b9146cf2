"""Which tests stand beside an interval, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from deadheat.errors import UsageError, known
from deadheat.settings import Settings
from deadheat.significance.significance import Significance

Tests = Mapping[str, Callable[[], Significance]]
"""Every test that answers a question about some scores, by the name that `--test` takes."""


def run(tests: Tests, shown: Sequence[str], settings: Settings) -> tuple[Significance, ...]:
    """Run the tests that are shown unasked, the one chosen by `settings.test` first.

    Raises
    ------
    UsageError
        If the chosen test is none of `tests`.
    """
    if settings.test == "auto":
        return tuple(tests[name]() for name in shown)
    if settings.test not in tests:
        raise UsageError(
            f"the test {settings.test} does not apply to these scores.",
            fix=known(tests, settings.test),
        )
    rest = [name for name in shown if name != settings.test]
    return tuple(tests[name]() for name in (settings.test, *rest))
