"""Items as a function of the user's own gets them: fresh arrays or lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MetricError
from deadheat.metrics.own.calls import ONE_ITEM

Positions = NDArray[np.intp]

UNUSABLE = (
    "An output that is not usable is None: return a number for it, or leave such items out with "
    "--unparseable missing --missing drop."
)
TEXTS = (
    "What is read from CSV is text, as CSV has no types: convert it in the function, or give JSON "
    "lines or Parquet."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """Values in the form in which they are handed out.

    Numbers are handed out as an array of int64 or float64, truths as one of bool, texts as an
    array of str objects; where there is a list, an object or None among them, all as a list.

    Attributes
    ----------
    values : ndarray, shape (item,)
    listed : bool
        Whether they are handed out as a list.
    nested : bool
        Whether there are lists or mappings among them, which a function could change.
    """

    values: NDArray[Any]
    listed: bool = False
    nested: bool = False

    @classmethod
    def of(cls, values: Sequence[Any], *, listed: bool = False) -> Self:
        """Find the form of values, or keep it a list.

        Examples
        --------
        >>> Column.of([1, 2]).values, Column.of([1, 0.5]).values, Column.of(["a", None]).listed
        (array([1, 2]), array([1. , 0.5]), True)
        """
        if isinstance(values, np.ndarray):
            return cls(values=values)
        kinds = set(map(type, values))
        if any(issubclass(kind, np.generic) for kind in kinds):
            values = plain(values)
            kinds = set(map(type, values))
        nested = any(issubclass(kind, (list, dict)) for kind in kinds)
        if listed:
            return cls(values=_objects(values), listed=True, nested=nested)
        if kinds == {bool}:
            return cls(values=np.array(values))
        if kinds == {int}:
            whole = np.array(values)
            # Beyond 64 bits they stay exact as Python has them.
            return cls(values=whole if whole.dtype == np.int64 else _objects(values))
        if kinds and kinds <= {bool, int, float}:
            return cls(values=np.array(values, dtype=np.float64))
        return cls(values=_objects(values), listed=kinds != {str}, nested=nested)

    def holds(self, kind: type) -> bool:
        """Whether there is a value of some type."""
        return any(isinstance(value, kind) for value in self.values)

    def at(self, positions: Positions) -> NDArray[Any] | list[Any]:
        """Return what stands at some positions, which the caller may change at will."""
        chosen = self.values[positions]
        if not self.listed:
            return chosen
        found: list[Any] = chosen.tolist()
        return copied(found) if self.nested else found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Items:
    """References and outputs, of which any selection can be handed out.

    Attributes
    ----------
    references : Column or None
    outputs : Column
    """

    references: Column | None
    outputs: Column

    @classmethod
    def of(
        cls, references: Sequence[Any] | None, outputs: Sequence[Any], *, lists: bool = False
    ) -> Self:
        """Find the form of references and of outputs.

        Parameters
        ----------
        references, outputs : sequences of one length, or arrays, which stay what they are
        lists : bool
            Whether sequences are handed out as lists, whatever they hold.
        """
        return cls(
            references=None if references is None else Column.of(references, listed=lists),
            outputs=Column.of(outputs, listed=lists),
        )

    def at(self, positions: Positions) -> tuple[Any, Any]:
        """Return the references and the outputs at some positions.

        Examples
        --------
        >>> Items.of(["a", "b"], [[1], [2]]).at(np.array([1, 1]))
        (array(['b', 'b'], dtype=object), [[2], [2]])
        """
        wanted = None if self.references is None else self.references.at(positions)
        return wanted, self.outputs.at(positions)

    def first(self, n: int) -> tuple[Any, Any]:
        """Return those of the first `n` items."""
        return self.at(np.arange(n))


def copied(value: Any) -> Any:
    """Copy lists and mappings with all that they hold; nothing else in data can be changed.

    Examples
    --------
    >>> given = [["a"], {"b": [1]}]
    >>> copied(given) == given, copied(given)[0] is given[0]
    (True, False)
    """
    if isinstance(value, list):
        return [copied(item) for item in value]
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return value


def plain(values: Sequence[Any]) -> list[Any]:
    """Return values as Python has them.

    Examples
    --------
    >>> plain(np.array([1, 2])), plain([np.float64(0.5), "a"])
    ([1, 2], [0.5, 'a'])
    """
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def advised(error: MetricError, items: Items) -> MetricError:
    """Return an error with advice on what in the items a function may not have been made for."""
    fix = error.fix
    columns = [column for column in (items.references, items.outputs) if column is not None]
    if isinstance(error.__cause__, TypeError) and any(column.holds(str) for column in columns):
        fix = f"{TEXTS} {ONE_ITEM}" if ONE_ITEM in fix else TEXTS
    if items.outputs.holds(type(None)):
        fix = UNUSABLE
    return MetricError(error.found, where=error.where, fix=fix)


def _objects(values: Sequence[Any]) -> NDArray[Any]:
    return np.fromiter(values, dtype=object, count=len(values))
