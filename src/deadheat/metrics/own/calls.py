"""Calling what a user wrote: what it returns is looked at, and what it raises becomes a message."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock
from traceback import walk_tb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import DeadheatError, MetricError

Floats = NDArray[np.float64]

SLACK = 1e-9
"""How far beyond its bounds a value may lie by rounding."""

TRIED = 8
"""Rows on which a function of many rows at once is held against one row at a time."""

LONGEST = 300
"""Characters shown of what a user's function said."""

SHOWN = 60
"""Characters shown of what it returned."""

ONE_ITEM = "To score one item at a time, use deadheat.per_item."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Call:
    """A function of the user's own, by the name that messages give it.

    It is called by one thread at a time, since few functions are made for more; and with
    floating-point warnings off, since 0/0 is NaN and NaN is how an undefined value is said.

    Attributes
    ----------
    function : callable
    name : str
        Such as "within_one" or "F1.value".
    bounds : tuple of float or None
        Least and greatest number that it may return.
    undefined : bool
        Whether it may return NaN.
    """

    function: Callable[..., Any]
    name: str
    bounds: tuple[float, float] | None = None
    undefined: bool = True
    _alone: RLock = field(default_factory=RLock, repr=False)

    def __call__(self, *arguments: Any, on: str = "") -> Any:
        """Call it.

        Parameters
        ----------
        *arguments
        on : str
            What it is called on, for the message, such as "on 5 items".

        Raises
        ------
        MetricError
            If it raises anything but an error of deadheat's own.
        """
        try:
            with self._alone, np.errstate(divide="ignore", invalid="ignore"):
                return self.function(*arguments)
        except DeadheatError:
            raise
        except (Exception, SystemExit) as error:
            raise MetricError(self._raised(error, on), fix=self._correct) from error

    def number(self, *arguments: Any, on: str = "") -> float:
        """Call it for one number, finite or, where it may be, NaN.

        Raises
        ------
        MetricError
            If it raises, or returns anything else or a number out of its bounds.
        """
        return self.checked(self(*arguments, on=on), on)

    def checked(self, returned: Any, on: str = "") -> float:
        """Return one number that was returned.

        Raises
        ------
        MetricError
            If it is none, is infinite or lies out of the bounds.
        """
        number = as_number(returned)
        if number is None or math.isinf(number) or (number != number and not self.undefined):
            raise MetricError(
                f"{self.name} returned {shown(returned)}{on and ' '}{on}, "
                "where one finite number is needed.",
                fix=f"Return a number, or {self._instead}.{self._one_item}",
            )
        if self.bounds is not None and not _inside(number, self.bounds):
            raise MetricError(
                f"{self.name} returned {number!r}{on and ' '}{on}, which lies outside of its "
                f"bounds {self.bounds[0]:g} to {self.bounds[1]:g}.",
                fix="Correct the function or its bounds.",
            )
        return number

    @property
    def _correct(self) -> str:
        return (
            f"Correct it, or {'return ' if self.undefined else ''}{self._instead}.{self._one_item}"
        )

    @property
    def _one_item(self) -> str:
        """Say how a function that was called on all items says that it takes one."""
        return f" {ONE_ITEM}" if self.undefined else ""

    @property
    def _instead(self) -> str:
        if self.undefined:
            return "float('nan') where the value is undefined"
        return "leave the item out"

    def _raised(self, error: BaseException, on: str) -> str:
        said = " ".join(str(error).split())
        said = said if len(said) <= LONGEST else f"{said[:LONGEST]}..."
        what = f"{type(error).__name__}: {said}" if said else type(error).__name__
        place = _place(error, self.function)
        return f"{self.name} raised {what.rstrip('.')}{place and f' ({place})'}{on and f', {on}'}."


def as_number(returned: Any) -> float | None:
    """Return what was returned as a float, or None where it is not one real number.

    Examples
    --------
    >>> as_number(np.float32(0.5)), as_number(True), as_number(np.array(2)), as_number(2 + 1j)
    (0.5, 1.0, 2.0, None)
    >>> as_number("0.5"), as_number(None), as_number(np.ones(1))
    (None, None, None)
    """
    if isinstance(returned, (float, int)):  # most of what is returned
        return _converted(returned)
    kind = type(returned)
    real = hasattr(kind, "__float__") or hasattr(kind, "__index__")
    if not real or np.ndim(returned) or np.iscomplexobj(returned):
        return None
    return _converted(returned)


def _converted(returned: Any) -> float | None:
    try:
        return float(returned)
    except (TypeError, ValueError, OverflowError):
        return None


def by_row(call: Call, stack: Floats, on: str = "") -> Floats:
    """Return the values of rows, all in one call where the function can do that.

    Whether it can is found out here: the values of all rows have to be one number for each row,
    and on some rows the same to the last bit as when these are given alone.

    Parameters
    ----------
    call : Call
        A function of one row, shape (c,), and perhaps of rows, shape (row, c).
    stack : ndarray, shape (row, c)

    Returns
    -------
    ndarray, shape (row,)

    Raises
    ------
    MetricError
        If a value is anything but a finite number or NaN.

    Examples
    --------
    >>> totals = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> at_once = Call(function=lambda t: t[..., 0] / t[..., 1], name="share")
    >>> alone = Call(function=lambda t: t[0] / t[1], name="share")
    >>> by_row(at_once, totals), by_row(alone, totals)
    (array([0.5 , 0.75]), array([0.5 , 0.75]))
    """
    values = at_once(call, stack, on)
    if values is None:
        values = np.array([_alone(call, row, on) for row in stack], dtype=np.float64)
    return values


def at_once(call: Call, stack: Floats, on: str = "") -> Floats | None:
    """Return the values of rows in one call, or None where the function takes one row at a time."""
    if len(stack) < 2:
        return None
    tried = _telling(stack)
    expected = [_alone(call, stack[row], on) for row in tried]
    try:
        returned = np.asarray(call(stack.copy()))
    except (MetricError, ValueError):
        return None
    if returned.shape != (len(stack),) or returned.dtype.kind not in "biuf":
        return None
    values = returned.astype(np.float64)
    if not np.array_equal(values[tried], expected, equal_nan=True):
        return None
    for row in np.flatnonzero(~_sound(values, call.bounds))[:1]:
        call.checked(float(values[row]), on)
    return values


def _alone(call: Call, row: Floats, on: str) -> float:
    """Return the value of one row, also of a function that only takes a stack of them."""
    try:
        return call.number(row.copy(), on=on)
    except MetricError as error:
        if not isinstance(error.__cause__, IndexError):
            raise
        try:
            returned = np.asarray(call(row[None].copy()))
        except (MetricError, ValueError):
            raise error from error.__cause__
        if returned.shape != (1,):
            raise
        return call.checked(returned[0], on)


def _telling(stack: Floats) -> list[int]:
    """Choose rows that differ: the first, the last and those in which a column is least."""
    least = stack[:, : TRIED - 2].argmin(axis=0)
    return sorted({0, len(stack) - 1, *least.tolist()})


def _sound(values: Floats, bounds: tuple[float, float] | None) -> NDArray[np.bool_]:
    fine = ~np.isinf(values)
    if bounds is not None:
        low, high = _slack(bounds)
        fine &= np.isnan(values) | ((values >= low) & (values <= high))
    return np.asarray(fine)


def _inside(number: float, bounds: tuple[float, float]) -> bool:
    low, high = _slack(bounds)
    return math.isnan(number) or low <= number <= high


def _slack(bounds: tuple[float, float]) -> tuple[float, float]:
    room = SLACK * max(1.0, abs(bounds[0]), abs(bounds[1]))
    return bounds[0] - room, bounds[1] + room


def shown(returned: Any) -> str:
    """Show what was returned, with its type where the text alone would mislead.

    Examples
    --------
    >>> shown(None), shown("0.5"), shown(np.float64(2)), shown(np.ones((2, 3)))
    ('None', "'0.5' (str)", '2.0', 'an array of shape (2, 3)')
    """
    if isinstance(returned, np.ndarray) and returned.ndim:
        return f"an array of shape {returned.shape}"
    plain = returned.item() if isinstance(returned, np.generic) else returned
    text = " ".join(repr(plain).split())
    text = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
    told = plain is None or isinstance(plain, (bool, int, float))
    return text if told else f"{text} ({type(returned).__name__})"


def _place(error: BaseException, function: Any) -> str:
    """Return the line of the user's own file in which an error arose."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    file = getattr(code, "co_filename", None)
    lines = [line for frame, line in walk_tb(error.__traceback__) if _file(frame) == file]
    return f"line {lines[-1]} of {os.path.basename(file)}" if file and lines else ""


def _file(frame: Any) -> str:
    return str(frame.f_code.co_filename)
