"""P-values of many comparisons, adjusted for their number."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat._version import __version__
from deadheat.errors import InputError, UsageError, known
from deadheat.notes import Note
from deadheat.readers.formats import read_table
from deadheat.readers.table import Table
from deadheat.rendering import Rendered, plain_dict
from deadheat.significance.multiplicity import adjust as adjusted_by

SCHEMA = "deadheat/adjustment/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment(Rendered):
    """A family of p-values and their adjusted values, in the order given.

    Attributes
    ----------
    method : str
    alpha : float
        Level that `rejected` holds against the adjusted values.
    labels : tuple of str
        One for each comparison.
    p_values, adjusted : tuple of float
        NaN where a p-value is undefined; such comparisons do not count in the family.
    """

    method: str
    alpha: float
    labels: tuple[str, ...]
    p_values: tuple[float, ...]
    adjusted: tuple[float, ...]
    version: str = __version__

    @property
    def family(self) -> int:
        """Number of comparisons that count."""
        return sum(not math.isnan(p) for p in self.p_values)

    @property
    def rejected(self) -> tuple[bool, ...]:
        """Whether each adjusted p-value is at most alpha."""
        return tuple(p <= self.alpha for p in self.adjusted)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the reader has to know: which comparisons were left out of the family."""
        rows = zip(self.labels, self.p_values, strict=True)
        left_out = [label for label, p in rows if math.isnan(p)]
        if not left_out:
            return ()
        message = f"Undefined, and not counted in the family: {', '.join(left_out)}."
        return (Note(code="undefined_p_values", message=message),)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/adjustment/1."""
        rows = zip(self.labels, self.p_values, self.adjusted, self.rejected, strict=True)
        return plain_dict(
            {
                "schema": SCHEMA,
                "version": self.version,
                "method": self.method,
                "alpha": self.alpha,
                "comparisons": {"n": self.family, "correction": self.method},
                "p_values": [
                    {
                        "label": label,
                        "p_value": p,
                        "p_adjusted": q,
                        "rejected": None if math.isnan(q) else rejected,
                    }
                    for label, p, q, rejected in rows
                ],
                "notes": [note.to_dict() for note in self.notes],
            }
        )


def adjust(
    p_values: Iterable[float | None],
    *,
    method: str = "holm",
    alpha: float = 0.05,
    labels: Sequence[str] | None = None,
) -> Adjustment:
    """Adjust p-values for the number of comparisons.

    Parameters
    ----------
    p_values : sequence of float
        Between 0 and 1; NaN where undefined.
    method : str
        "bonferroni", "holm", "hochberg", "sidak", "holm_sidak", "bh" or "by".
    alpha : float
        Level for `rejected`.
    labels : sequence of str, optional
        Names of the comparisons; numbers from 1 by default.

    Raises
    ------
    UsageError
        If there are no p-values, one is not in [0, 1], or the method is unknown.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03, 0.005]).adjusted
    (0.03, 0.06, 0.06, 0.02)
    """
    if not 0.0 < alpha < 1.0:
        raise UsageError(f"alpha is {alpha:g}.", fix="Give a number between 0 and 1.")
    try:
        values = np.asarray([math.nan if p is None else p for p in p_values], dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(
            "the p-values are not a list of numbers.", fix="Give numbers from 0 to 1, or NaN."
        ) from None
    if values.size == 0:
        raise UsageError("there are no p-values to adjust.", fix="Give at least one.")
    if values.ndim != 1:
        raise UsageError(f"the p-values have the shape {values.shape}.", fix="Give one list.")
    names = tuple(map(str, labels if labels is not None else range(1, values.size + 1)))
    if len(names) != values.size:
        raise UsageError(f"{len(names)} labels were given for {values.size} p-values.")
    found = adjusted_by(values, method)
    return Adjustment(
        method=method,
        alpha=alpha,
        labels=names,
        p_values=tuple(values.tolist()),
        adjusted=tuple(found.tolist()),
    )


P_VALUE_COLUMNS = ("p_value", "p", "pvalue", "p-value", "p_val", "pval")


def column_of(
    path: str, column: str | int | None = None, label_column: str | int | None = None
) -> tuple[list[float], list[str] | None]:
    """Read p-values, and the names of their comparisons, from a table.

    Parameters
    ----------
    path : str
    column : str or int, optional
        Column of p-values, by name or by number from 1; by default the only column, or the one
        called p_value, p or the like.
    label_column : str or int, optional
        Column that names each comparison.

    Raises
    ------
    InputError
        If the file or a column cannot be read.
    UsageError
        If a value is not a number.
    """
    wanted = [name for name in (column, label_column) if name is not None]
    table = read_table(path, wanted)
    numbers = _texts(table, _chosen(table, column))
    labels = None if label_column is None else _texts(table, _chosen(table, label_column))
    return parsed(numbers), labels


def _chosen(table: Table, column: str | int | None) -> str:
    names = list(table.columns)
    if column is None:
        usual = [name for name in names if name.lower() in P_VALUE_COLUMNS]
        if len(usual) == 1:
            return usual[0]
        if len(names) == 1:
            return names[0]
        raise InputError(
            f"it is not clear which column holds the p-values: {', '.join(names)}.",
            where=table.place,
            fix="Name it with --column.",
        )
    if str(column) in names:
        return str(column)
    if str(column).isdigit() and 1 <= int(column) <= len(names):
        return names[int(column) - 1]
    raise InputError(
        f"there is no column {str(column)!r}.", where=table.place, fix=known(names, str(column))
    )


def _texts(table: Table, name: str) -> list[str]:
    return ["" if value is None else str(value) for value in table.columns[name].to_list()]


def parsed(texts: Sequence[str]) -> list[float]:
    """Read p-values from text; "", "NA", "nan" and "null" are undefined.

    Raises
    ------
    UsageError
        If a text is not a number.
    """
    numbers = []
    for position, text in enumerate(texts, start=1):
        word = text.strip().lower()
        try:
            if not word.isascii() or "_" in word:
                raise ValueError
            numbers.append(math.nan if word in ("", "na", "n/a", "null", "none") else float(word))
        except ValueError:
            raise UsageError(
                f"p-value {position} is {text!r}, which is not a number.",
                fix=f"Write {word.replace(',', '.')}."
                if re.fullmatch(r"\d*,\d+", word)
                else "Write it as 0.03 or 1e-5, or NA where it is undefined.",
            ) from None
    return numbers
