"""Metrics made of what a user gives: by its name, or the thing itself.

What an object is, the first that applies:

===================================== ==========================================
made by `per_item` or `whole_set`     what it was made
has `statistics` and `value`          sums over items (`FromSums`): fast
has `rows` and `value_of`             a function of weights (`FromWeights`)
its parameters are reference, output  a function of one item (`PerItem`): fast
can be called                         one of all items (`WholeSet`): right and slow
===================================== ==========================================
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from deadheat.errors import UsageError
from deadheat.metrics.applicable import refuse
from deadheat.metrics.metric import Metric, OfValues, OfWeights, Settings
from deadheat.metrics.own.adapters import from_sums, from_weights, of_function, parameters
from deadheat.metrics.own.calls import shown
from deadheat.metrics.own.classes import FromSums, FromWeights
from deadheat.metrics.own.find import found
from deadheat.metrics.own.functions import PerItem, WholeSet
from deadheat.metrics.own.traits import UNNAMED, Own

OPTIONS = ("greater_is_better",)
"""Settings that a metric of one's own honours; all others are its own affair."""

ONE_ITEM = ("reference", "output")
"""Names of the parameters that make a function one of one item."""


def from_name(name: str, settings: Settings | None = None) -> Metric:
    """Make a metric of what "package.module:name" names.

    Parameters
    ----------
    name : str
        An importable module, or a file of the current folder without its ".py", and what it
        defines; see `deadheat.metrics.own.find.found`.
    settings : Settings, optional
        Only `greater_is_better` is honoured.

    Raises
    ------
    UsageError
        If there is no such thing, it is no metric, or other settings are given.

    Examples
    --------
    >>> from_name("statistics:correlation").signature.partition("|")[0]
    'own:statistics:correlation'
    """
    given = found(name)
    made = _made(given, otherwise=name.rpartition(":")[2].rpartition(".")[2], settings=settings)
    return replace(made, origin=name) if isinstance(made, Own) else made


def adapted(given: Any, settings: Settings | None = None) -> Metric:
    """Make a metric of an object that is none yet.

    Parameters
    ----------
    given : object
        A function, a class that is made without arguments, an instance, a module, or what
        `per_item` and `whole_set` return.
    settings : Settings, optional
        `greater_is_better` is honoured, and the name where there is one, such as that of an entry
        point; by default the metric is called as the object is.

    Raises
    ------
    UsageError
        If it is no metric, or other settings are given.

    Examples
    --------
    >>> def share_right(references, outputs):
    ...     return (references == outputs).mean()
    >>> type(adapted(share_right)).__name__, adapted(share_right).name
    ('WholeSet', 'share_right')
    >>> type(adapted(lambda reference, output: reference == output)).__name__
    'PerItem'
    """
    name = settings.name if settings is not None and settings.name else None
    return _made(given, name=name, settings=settings)


def _made(
    given: Any,
    *,
    name: str | None = None,
    otherwise: str | None = None,
    settings: Settings | None = None,
) -> Metric:
    if settings is not None:
        refuse(replace(settings, name=name or otherwise or "a metric of one's own"), OPTIONS)
    direction = None if settings is None else settings.greater_is_better
    if isinstance(given, (PerItem, WholeSet, FromSums, FromWeights)):
        called = name or (otherwise if given.name == UNNAMED else None) or given.name
        better = given.greater_is_better if direction is None else direction
        return replace(given, name=called, greater_is_better=better)
    if isinstance(given, (OfValues, OfWeights)) and isinstance(given, Metric):
        return given
    thing = _instance(given) if isinstance(given, type) else given
    said: dict[str, Any] = {"name": name, "otherwise": otherwise, "greater_is_better": direction}
    if hasattr(thing, "statistics"):
        return from_sums(thing, **said)
    if hasattr(thing, "rows") and hasattr(thing, "value_of"):
        return from_weights(thing, **said)
    if not callable(thing):
        what = name or otherwise or "the metric"
        raise UsageError(
            f"{what} is {shown(given)}, which cannot be called and has no statistics and value.",
            fix="Give a function (references, outputs) -> number, or a class with statistics and "
            "value.",
        )
    if parameters(thing)[:2] == ONE_ITEM:
        return of_function(PerItem, thing, **said)
    return of_function(WholeSet, thing, **said)


def _instance(given: type) -> Any:
    try:
        return given()
    except Exception as error:
        raise UsageError(
            f"{given.__name__} cannot be made without arguments: {error}.",
            fix=f"Make an instance, such as mine = {given.__name__}(...), and name that.",
        ) from error
