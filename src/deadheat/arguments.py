"""Arguments of public functions, held against their annotations.

A scalar of NumPy comes in as int, float, str or bool, an array where a list may stand as a list.
What is of another type than the annotation allows is refused by the name of its parameter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from deadheat.errors import DeadheatError, UsageError

P = ParamSpec("P")
R = TypeVar("R")

LONGEST = 60
"""Characters of a value that a message shows."""

LARGEST_BITS = 1024
"""A whole number of more bits is beyond every float."""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that takes NumPy's types as Python's, and refuses others by name.

    What a function says itself of a value says more, and goes first. Only flags, of which it says
    nothing, and what it fails on are held against the annotations.

    Raises
    ------
    UsageError
        When called with another type; it names the parameter and what to give.

    Examples
    --------
    >>> import numpy as np
    >>> def longest(*, n: int, names: Sequence[str] = ()) -> tuple[str, int]:
    ...     return max(names, key=len), 2 * n
    >>> checked(longest)(n=np.int8(100), names=np.array(["a", "bc"]))
    ('bc', 200)
    >>> checked(longest)(n=1, names=3)
    Traceback (most recent call last):
        ...
    deadheat.errors.UsageError: names is 3. Give a list.
    """

    @wraps(function)
    def held(*args: P.args, **kwargs: P.kwargs) -> R:
        stated, hints = _stated(function)
        try:
            bound = stated.bind(*args, **kwargs)
        except TypeError:
            return function(*args, **kwargs)  # which says so itself, and by its name
        foreign: list[tuple[str, Any, Any]] = []
        for name, value in bound.arguments.items():
            if stated.parameters[name].kind is Parameter.VAR_POSITIONAL:
                continue
            try:
                bound.arguments[name] = _fitted(_bounded(name, value), hints[name])
            except _OtherTypeError:
                bound.arguments[name] = _plain(value)
                foreign.append((name, value, hints[name]))
        for given in foreign:
            if given[-1] is bool:
                raise _refusal(*given)
        try:
            return function(*bound.args, **bound.kwargs)
        except (DeadheatError, OSError, MemoryError):
            raise
        except Exception:
            if foreign:
                raise _refusal(*foreign[0]) from None
            raise

    return held


@cache
def _stated(function: Callable[..., Any]) -> tuple[Signature, dict[str, Any]]:
    return signature(function), get_type_hints(function)


class _OtherTypeError(Exception):
    """A value is of another type than a hint names."""


def _refusal(name: str, value: Any, hint: Any) -> UsageError:
    wanted = dict.fromkeys(_spelled(part) for part in _parts(hint) if part is not NoneType)
    return UsageError(f"{name} is {_shown(value)}.", fix=f"Give {' or '.join(wanted)}.")


def _bounded(name: str, value: Any) -> Any:
    """Refuse a whole number beyond every float, and beyond what Python writes out."""
    if isinstance(value, int) and value.bit_length() > LARGEST_BITS:
        raise UsageError(
            f"{name} is a whole number of {value.bit_length():,} bits.", fix="Give a smaller one."
        )
    return value


def _fitted(value: Any, hint: Any) -> Any:
    """Return a value as Python has it, if it is of the type that a hint names."""
    value = _plain(value)
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        return _fitted_to_one(value, hint)
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin in _FITS:
        fits = _FITS[origin](value)
    elif origin in (Sequence, Iterable):
        return _listed(value, origin, inner[0])
    elif origin is Mapping:
        if isinstance(value, Mapping):
            return {_fitted(k, inner[0]): _fitted(v, inner[1]) for k, v in value.items()}
        fits = False
    else:
        # What else there is, such as a metric, is known by what it offers, not by its type.
        fits = True
    if not fits:
        raise _OtherTypeError
    return value


def _fitted_to_one(value: Any, hint: Any) -> Any:
    for part in sorted(_parts(hint), key=lambda part: isinstance(part, type)):
        try:
            return _fitted(value, part)
        except _OtherTypeError:
            continue
    raise _OtherTypeError


def _listed(value: Any, origin: Any, hint: Any) -> list[Any] | tuple[Any, ...]:
    """Return a list or tuple of parts that fit; of an array or a column of a frame too."""
    if hasattr(value, "__array__") and hasattr(value, "__len__"):
        value = np.asarray(value).tolist()
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, origin):
        raise _OtherTypeError
    parts = [_fitted(part, hint) for part in value]
    return tuple(parts) if isinstance(value, tuple) else parts


def _plain(value: Any) -> Any:
    """Return what a NumPy scalar stands for; a short float is the decimal that names it."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.str_):
        return str(value)
    if isinstance(value, (np.float16, np.float32)):
        return float(str(value))
    return value.item() if isinstance(value, (np.number, np.bool_)) else value


def _parts(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the hint alone."""
    union = isinstance(hint, UnionType) or get_origin(hint) is Union
    return get_args(hint) if union else (hint,)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_whole(value) or isinstance(value, float)


_FITS: dict[Any, Callable[[Any], bool]] = {
    NoneType: lambda value: value is None,
    bool: lambda value: isinstance(value, bool),
    int: _is_whole,
    float: _is_number,
    str: lambda value: isinstance(value, str),
    Literal: lambda value: isinstance(value, str),
    Path: lambda value: isinstance(value, os.PathLike),
    os.PathLike: lambda value: isinstance(value, os.PathLike),
    Callable: callable,
}

_SPELLED: dict[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "text",
    Path: "a path",
    os.PathLike: "a path",
    Callable: "a function",
    Sequence: "a list",
    Iterable: "a list",
    Mapping: "a dictionary",
}


def _spelled(hint: Any) -> str:
    """Return what to give, as a message says it."""
    origin = get_origin(hint) or hint
    if origin is Literal:
        return " or ".join(map(repr, get_args(hint)))
    return _SPELLED.get(origin) or str(getattr(origin, "__name__", origin))


def _shown(value: Any) -> str:
    """Return a value as a message shows it, on one line and not too long."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # of whoever wrote the class; and Python writes out no endless numbers
        text = f"of type {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
