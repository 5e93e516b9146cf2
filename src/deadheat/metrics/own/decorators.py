"""Functions that say which metric they are: of one item, or of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from deadheat.metrics.own.adapters import of_function
from deadheat.metrics.own.functions import PerItem, WholeSet

Function = Callable[..., Any]


@overload
def per_item(
    function: Function, /, *, name: str | None = ..., greater_is_better: bool | None = ...,
    bounds: tuple[float, float] | None = ...,
) -> PerItem: ...  # fmt: skip
@overload
def per_item(
    *, name: str | None = ..., greater_is_better: bool | None = ...,
    bounds: tuple[float, float] | None = ...,
) -> Callable[[Function], PerItem]: ...  # fmt: skip
def per_item(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    greater_is_better: bool | None = None,
    bounds: tuple[float, float] | None = None,
) -> PerItem | Callable[[Function], PerItem]:
    """Make a metric of a function of one item: its mean. Also a decorator.

    Parameters
    ----------
    function : callable
        (reference, output) -> number. An output that is not usable is None.
    name : str, optional
        By default that of the function.
    greater_is_better : bool, optional
        By default True.
    bounds : tuple of float, optional
        Least and greatest number that it returns; (0, 1) is shown in percent.

    Raises
    ------
    UsageError
        If it cannot be called with a reference and an output, in this order.

    Examples
    --------
    >>> @per_item(greater_is_better=False)
    ... def error(reference, output):
    ...     return abs(reference - output)
    >>> error.name, error.greater_is_better, error(1, 3)
    ('error', False, 2)
    """
    given = {"name": name, "greater_is_better": greater_is_better, "bounds": bounds}
    if function is None:
        return lambda function: of_function(PerItem, function, **given)
    return of_function(PerItem, function, **given)


@overload
def whole_set(
    function: Function, /, *, name: str | None = ..., greater_is_better: bool | None = ...,
    bounds: tuple[float, float] | None = ...,
) -> WholeSet: ...  # fmt: skip
@overload
def whole_set(
    *, name: str | None = ..., greater_is_better: bool | None = ...,
    bounds: tuple[float, float] | None = ...,
) -> Callable[[Function], WholeSet]: ...  # fmt: skip
def whole_set(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    greater_is_better: bool | None = None,
    bounds: tuple[float, float] | None = None,
) -> WholeSet | Callable[[Function], WholeSet]:
    """Make a metric of a function of all items, called for each resample. Also a decorator.

    Parameters
    ----------
    function : callable
        (references, outputs) -> number, NaN where it is undefined. The value must depend on
        which items there are and how often, not on their order.
    name, greater_is_better, bounds
        As for `per_item`.

    Raises
    ------
    UsageError
        If it cannot be called with references and outputs, in this order.

    Examples
    --------
    >>> import statistics
    >>> whole_set(statistics.correlation, name="pearson", bounds=(-1, 1)).name
    'pearson'
    """
    given = {"name": name, "greater_is_better": greater_is_better, "bounds": bounds}
    if function is None:
        return lambda function: of_function(WholeSet, function, **given)
    return of_function(WholeSet, function, **given)
