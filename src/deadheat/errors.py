"""What can go wrong, said so that the reader knows what to do about it.

::

    DeadheatError                one paragraph: what was found, where, what resolves it
    ├── UsageError               an option or an argument that cannot be meant
    ├── InputError               something that was read cannot be used
    │   ├── FormatError          a file is not what its content claims to be
    │   └── AlignmentError       systems do not pair: missing, duplicate or foreign items
    ├── MetricError              a metric cannot score what it was given
    │   └── ItemError            one item holds what the metric cannot score
    ├── InferenceError           an interval or a test is not defined for these numbers
    └── EngineError              a cluster cannot do a part of the work
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, Literal

MOST = 100
"""Names that a message lists."""


class DeadheatError(Exception):
    """Base of every error that is a message to the user.

    Parameters
    ----------
    found : str
        What was found, as a sentence.
    where : str, optional
        File, line, column or item.
    fix : str, optional
        What would resolve it, as a sentence.
    """

    def __init__(self, found: str, *, where: str = "", fix: str = "") -> None:
        self.found = found
        self.where = where
        self.fix = fix
        super().__init__(found)

    def __reduce__(self) -> tuple[Callable[..., DeadheatError], tuple[object, ...]]:
        """Survive a process boundary: keyword arguments are not among `args`."""
        return _again, (type(self), self.found, self.where, self.fix)

    def __str__(self) -> str:
        head = f"{self.where}: {self.found}" if self.where else self.found
        return " ".join(part for part in (head, self.fix) if part)


def _again(kind: type[DeadheatError], found: str, where: str, fix: str) -> DeadheatError:
    return kind(found, where=where, fix=fix)


class UsageError(DeadheatError):
    """An option or an argument that cannot be meant."""


class InputError(DeadheatError):
    """Something that was read cannot be used."""


class FormatError(InputError):
    """A file is not what its content claims to be."""


class AlignmentError(InputError):
    """Systems do not pair: missing, duplicate or foreign items."""


class MetricError(DeadheatError):
    """A metric cannot score what it was given."""


class ItemError(MetricError):
    """One item holds what the metric cannot score; who knows the file says where it stands.

    Parameters
    ----------
    found : str
        What was found, as a sentence.
    row : int
        Position of the item, from 0.
    side : {"output", "reference"}
        Which of the two it is about.
    fix : str, optional
        What would resolve it, as a sentence.
    """

    def __init__(
        self,
        found: str,
        *,
        row: int,
        side: Literal["output", "reference"] = "output",
        where: str = "",
        fix: str = "",
    ) -> None:
        super().__init__(found, where=where, fix=fix)
        self.row = row
        self.side = side

    def __reduce__(self) -> tuple[Callable[..., DeadheatError], tuple[object, ...]]:
        """Survive a process boundary."""
        return _item_again, (self.found, self.row, self.side, self.where, self.fix)


def _item_again(found: str, row: int, side: Any, where: str, fix: str) -> ItemError:
    return ItemError(found, row=row, side=side, where=where, fix=fix)


class InferenceError(DeadheatError):
    """An interval or a test is not defined for these numbers."""


class EngineError(DeadheatError):
    """A cluster cannot do a part of the work."""


def known(names: Iterable[str], wanted: str | None = None) -> str:
    """Return a sentence that lists the known names, the nearest to `wanted` first.

    Examples
    --------
    >>> known(["accuracy", "f1", "mcc"], "acuracy")
    'Did you mean accuracy? Known: accuracy, f1, mcc.'
    >>> known([])
    'None are known.'
    """
    ordered: Sequence[str] = sorted(names)
    if not ordered:
        return "None are known."
    more = f" and {len(ordered) - MOST:,} more" if len(ordered) > MOST else ""
    listed = f"Known: {', '.join(ordered[:MOST])}{more}."
    near = get_close_matches(wanted, ordered, n=3, cutoff=0.5) if wanted else []
    return f"Did you mean {' or '.join(near)}? {listed}" if near else listed
