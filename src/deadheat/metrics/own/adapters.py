"""Objects of the user's own, by what they have, made into metrics."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from deadheat.errors import UsageError, known
from deadheat.metrics.metric import Takes
from deadheat.metrics.own.calls import Call, shown
from deadheat.metrics.own.classes import FromSums, FromWeights
from deadheat.metrics.own.functions import PerItem, WholeSet
from deadheat.metrics.own.traits import Own, traits

Function = Callable[..., Any]
F = TypeVar("F", PerItem, WholeSet)

TAKEN: tuple[Takes, ...] = ("values", "texts", "numbers", "scores")
"""What a class can ask for."""

OUTPUTS = frozenset({"output", "prediction", "pred", "y_pred", "hypothesis", "hypotheses"})
REFERENCES = frozenset({"reference", "target", "label", "gold", "y_true", "truth", "expected"})
"""Names that tell, also in the plural, which of two parameters is which."""


def of_function(kind: type[F], function: Function, **said: Any) -> F:
    """Adapt a function of a reference and an output, or of all, in this order.

    Raises
    ------
    UsageError
        If it cannot be called so.
    """
    if isinstance(function, Own) or not callable(function):
        what = "a metric already" if isinstance(function, Own) else shown(function)
        raise UsageError(f"this is {what}, and a function is needed.", fix="Give a function.")
    own = traits(function, **said)
    name = own["name"]
    _refuse_parameters(name, function)
    call = Call(function=function, name=name, bounds=own["bounds"], undefined=kind is not PerItem)
    return kind(call=call, **own)


def from_sums(thing: Any, **said: Any) -> FromSums:
    """Adapt an object with `statistics` and `value`."""
    own = traits(thing, **said)
    name, is_mean = own["name"], bool(getattr(thing, "is_mean", False))
    if not hasattr(thing, "value") and not is_mean:
        raise UsageError(
            f"{name} has statistics and no value.",
            fix="Add value(totals), or say is_mean = True where they are a score and 1.",
        )
    return FromSums(
        extract=_method(thing, name, "statistics", undefined=False),
        worth=_method(thing, name, "value", bounds=own["bounds"])
        if hasattr(thing, "value")
        else None,
        doubtful=_method(thing, name, "undefined") if hasattr(thing, "undefined") else None,
        takes=_takes(thing, name),
        is_mean=is_mean,
        **own,
    )


def from_weights(thing: Any, **said: Any) -> FromWeights:
    """Adapt an object with `rows` and `value_of`."""
    own = traits(thing, **said)
    name = own["name"]
    return FromWeights(
        extract=_method(thing, name, "rows", undefined=False),
        weigh=_method(thing, name, "value_of"),
        takes=_takes(thing, name),
        **own,
    )


def _method(thing: Any, name: str, method: str, **more: Any) -> Call:
    function = getattr(thing, method)
    if not callable(function):
        raise UsageError(
            f"{method} of {name} is {shown(function)}.", fix=f"Make {method} a method."
        )
    return Call(function=function, name=f"{name}.{method}", **more)


def _takes(thing: Any, name: str) -> Takes:
    takes: Takes = getattr(thing, "takes", "values")
    if takes not in TAKEN:
        raise UsageError(f"{name} takes {takes!r}.", fix=known(TAKEN, str(takes)))
    return takes


def parameters(function: Function) -> tuple[str, ...]:
    """Return the names of the parameters of a function, as far as it tells."""
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # functions in C need not say
        return ()


def _refuse_parameters(name: str, function: Function) -> None:
    """Refuse a function that cannot be called with two arguments, or takes outputs first."""
    try:
        inspect.signature(function).bind(None, None)
    except ValueError:
        return
    except TypeError as error:
        raise UsageError(
            f"{name}{inspect.signature(function)} cannot be called with references and outputs: "
            f"{error}.",
            fix="Give other parameters a default, or bind them with functools.partial.",
        ) from None
    first, second = (word.lower() for word in (*parameters(function), "", "")[:2])
    if _is_among(first, OUTPUTS) and _is_among(second, REFERENCES):
        raise UsageError(
            f"{name} takes ({first}, {second}), and a metric is called with references first.",
            fix=f"Swap them, or wrap it: lambda references, outputs: {name}(outputs, references).",
        )


def _is_among(word: str, words: frozenset[str]) -> bool:
    return word in words or word.removesuffix("s") in words
