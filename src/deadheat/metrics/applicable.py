"""Settings that a metric does not have are refused, never ignored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from deadheat.errors import UsageError
from deadheat.metrics.metric import Settings

MEANINGS = {
    "labels": "a list of labels",
    "positive": "a positive label",
    "zero_division": "a value for 0/0",
    "greater_is_better": "a direction of its own",
    "tokenize": "a tokeniser",
    "normalize": "steps of normalisation",
    "normalize_map": "a map of words",
    "bins": "a number of bins",
    "ties": "a policy on ties",
    "scheme": "a scheme of tags",
}
"""Settings that options give, beside those that the name of a metric gives."""


def given(settings: Settings) -> tuple[str, ...]:
    """Return the names of the settings that are not as they are when nothing is said.

    Examples
    --------
    >>> given(Settings(name="macro_f1", average="macro", zero_division=1.0))
    ('average', 'zero_division')
    """
    bare = Settings(name=settings.name)
    changed = [
        field.name
        for field in fields(Settings)
        if not _same(getattr(settings, field.name), getattr(bare, field.name))
    ]
    return tuple(name for name in changed if name != "greater_is_better" or _reversed(settings))


def refuse(settings: Settings, options: Sequence[str]) -> None:
    """Refuse settings that were given but that a metric with `options` does not have.

    Raises
    ------
    UsageError
        If one of them was given.
    """
    for name in given(settings):
        if name in options:
            continue
        if name not in MEANINGS:
            raise UsageError(
                f"there is no metric {settings.name!r}.",
                fix="Averages (micro, macro, weighted) are taken of precision, recall and f1.",
            )
        raise UsageError(
            f"{settings.name} does not take {MEANINGS[name]} "
            f"({name} = {getattr(settings, name)!r}).",
            fix=f"Leave {name} out or name another metric.",
        )


def _reversed(settings: Settings) -> bool:
    # That greater is better may be said of any metric for which it is true.
    return settings.greater_is_better is False


def _same(value: object, usual: object) -> bool:
    return value is usual or (type(value) is type(usual) and value == usual)
