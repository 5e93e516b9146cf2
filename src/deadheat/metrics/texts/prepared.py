"""References of texts, taken apart once for several systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from deadheat.errors import ItemError

T = TypeVar("T")

References = Sequence[tuple[str, ...]]
"""The references of each item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared(Generic[T]):
    """What a metric compares of references.

    Attributes
    ----------
    references : sequence of tuple of str, length item
        As they were given.
    parts : tuple of tuples, length item
        What is compared of each.
    """

    references: References
    parts: tuple[tuple[T, ...], ...]


def prepared(
    references: References, part: Callable[[str], T], known: Prepared[T] | None = None
) -> Prepared[T]:
    """Take references apart, unless it is known already how these very references are.

    Raises
    ------
    ItemError
        If an item has no reference.

    Examples
    --------
    >>> once = prepared([("a b", "c")], str.split)
    >>> once.parts
    ((['a', 'b'], ['c']),)
    >>> prepared(once.references, str.split, once) is once
    True
    """
    if known is not None and known.references is references:
        return known
    for row, given in enumerate(references):
        if not given:
            raise ItemError(
                "the item has no reference.",
                row=row,
                side="reference",
                fix="Give it one; an empty text is one too.",
            )
    return Prepared(
        references=references, parts=tuple(tuple(map(part, given)) for given in references)
    )
