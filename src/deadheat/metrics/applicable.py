"""Settings that a metric does not have are refused, never ignored."""

from __future__ import annotations

from deadheat.errors import UsageError
from deadheat.metrics.metric import Settings

OPTIONS = {
    "labels": "a list of labels",
    "positive": "a positive label",
    "zero_division": "a value for 0/0",
    "greater_is_better": "a direction of its own",
}


def refuse(settings: Settings, *absent: str) -> None:
    """Refuse settings that were given but that the metric does not have.

    Parameters
    ----------
    settings : Settings
    *absent : str
        Names of attributes of `settings`. "greater_is_better" refuses False alone.

    Raises
    ------
    UsageError
        If one of them was given.
    """
    bare = Settings(name=settings.name)
    if ("average" in absent and settings.average != bare.average) or (
        "beta" in absent and settings.beta is not None
    ):
        raise UsageError(
            f"there is no metric {settings.name!r}.",
            fix="Averages (micro, macro, weighted) are taken of precision, recall and f1.",
        )
    for option, meaning in OPTIONS.items():
        given = getattr(settings, option)
        usual = True if option == "greater_is_better" else getattr(bare, option)
        if option in absent and given is not None and given != usual:
            raise UsageError(
                f"{settings.name} does not take {meaning} ({option} = {given!r}).",
                fix=f"Leave {option} out or name another metric.",
            )
