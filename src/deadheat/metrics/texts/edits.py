"""Error rates: edits that turn a reference into an output, against the length of the reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from deadheat.errors import ItemError, UsageError
from deadheat.metrics.metric import VERSION, Floats, OfValues, Takes, ratio
from deadheat.metrics.texts.normalization import Normalizer
from deadheat.metrics.texts.prepared import Prepared, References, prepared
from deadheat.notes import Note

Unit = Literal["words", "characters"]
Units = Sequence[str]

_RUN = re.compile(r"\s\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRate(OfValues):
    """Substitutions, deletions and insertions over the number of units in the references.

    It is the rate of the whole set: the edits of all items over the units of all references, not
    the mean of the items' rates. It can be above 1. An item has one reference. One that is empty
    adds nothing to the denominator; all that the output holds is inserted. Where all references
    are empty there is no rate.

    Edits are counted on a shortest alignment (Levenshtein 1966). Substitutions, deletions and
    insertions by themselves depend on which of the shortest is taken, their sum does not.

    Attributes
    ----------
    name : str
        "wer" or "cer".
    unit : {"words", "characters"}
        Words end at a space, or at two or more characters of white space of any kind: a tab or a
        line feed alone does not part words. Characters are those of the text without the white
        space at its ends.
    normalize : Normalizer
        Applied to references and outputs first.
    prepared : Prepared, optional
        The references' units, where they are known already.

    Examples
    --------
    Silence where there is nothing to say costs nothing, talking does:

    >>> wer = ErrorRate(name="wer", unit="words", normalize=Normalizer())
    >>> rows = wer.statistics([("a b c",), ("",), ("",)], ["a c", "", "er yes"])
    >>> rows
    array([[0., 1., 0., 2.],
           [0., 0., 0., 0.],
           [0., 0., 2., 0.]])
    >>> float(wer.value(rows.sum(axis=0)))
    1.0
    """

    name: str
    unit: Unit
    normalize: Normalizer
    prepared: Prepared[Units] | None = field(default=None, repr=False, compare=False)
    takes: ClassVar[Takes] = "texts"

    @property
    def greater_is_better(self) -> bool:
        """Whether a greater value is a better one: no."""
        return False

    @property
    def signature(self) -> str:
        """Name, normalisation, version."""
        return f"{self.name}|{self.normalize.signature or 'norm:none'}|v:{VERSION}"

    def with_references(self, references: References) -> Self:
        """Return the metric with these references prepared, for several systems.

        Raises
        ------
        ItemError
            If an item has several references, or none.
        """
        return replace(self, prepared=self._prepared(references))

    def statistics(self, references: References, outputs: Sequence[str]) -> Floats:
        """Return substitutions, deletions, insertions and hits, shape (item, 4).

        Raises
        ------
        ItemError
            If an item has several references, or none.
        """
        wanted = self._wanted(references)
        return edit_counts(wanted, [self._units(output) for output in outputs])

    def value(self, totals: Floats) -> Floats:
        """Return the rate of totals of shape (..., 4), shape (...)."""
        substituted, deleted, inserted, hit = np.moveaxis(totals, -1, 0)
        return ratio(substituted + deleted + inserted, substituted + deleted + hit)

    def remarks(
        self, system: str, references: References, outputs: Sequence[str]
    ) -> Sequence[Note]:
        """Say what empty references add, and where white space did not part words."""
        wanted = self._wanted(references)
        said = [self._units(output) for output in outputs]
        notes = []
        if empty := [row for row, units in enumerate(wanted) if not units]:
            added = sum(len(said[row]) for row in empty)
            message = (
                f"{len(empty)} of {len(wanted)} references are empty; the {added} {self.unit} "
                f"that {system} has there count as insertions."
            )
            notes.append(Note(code="empty_references", message=message))
        if self.unit == "words" and (glued := sum(map(_glued, (*wanted, *said)))):
            message = (
                f"{glued} of the references and of the outputs of {system} hold a tab, a line "
                "feed or other white space by itself, which does not part words; the "
                "normalisation step whitespace makes it a space."
            )
            notes.append(Note(code="words_not_parted", message=message))
        return tuple(notes)

    def _prepared(self, references: References) -> Prepared[Units]:
        for row, given in enumerate(references):
            if len(given) != 1:
                raise ItemError(
                    f"the item has {len(given)} references, and {self.name} counts the edits to "
                    "one.",
                    row=row,
                    side="reference",
                    fix="Give one reference to each item.",
                )
        return prepared(references, self._units, self.prepared)

    def _wanted(self, references: References) -> list[Units]:
        return [units for (units,) in self._prepared(references).parts]

    def _units(self, text: str) -> Units:
        text = self.normalize(text)
        return words(text) if self.unit == "words" else text.strip()


def words(text: str) -> list[str]:
    r"""Part a text at each space, and at each run of two or more characters of white space.

    Examples
    --------
    >>> words("  one\ttwo \n three ")
    ['one\ttwo', 'three']
    """
    if text.isprintable():  # The space is the only white space that is printable.
        return text.split()
    return [word for word in _RUN.sub(" ", text).strip().split(" ") if word]


def edit_counts(references: Sequence[Sequence[str]], outputs: Sequence[Sequence[str]]) -> Floats:
    """Return substitutions, deletions, insertions and hits of each pair, shape (pair, 4).

    Raises
    ------
    UsageError
        If rapidfuzz is not installed.
    """
    editops = _editops()
    found = (editops(*pair) for pair in zip(references, outputs, strict=True))
    counts = [(len(ops), [edit.tag for edit in ops].count("replace")) for ops in found]
    edits, substituted = np.array(counts, dtype=np.float64).reshape(-1, 2).T
    from_length = np.array([len(reference) for reference in references], dtype=np.float64)
    to_length = np.array([len(output) for output in outputs], dtype=np.float64)
    deleted = (edits - substituted + from_length - to_length) / 2
    inserted = edits - substituted - deleted
    return np.column_stack((substituted, deleted, inserted, from_length - substituted - deleted))


def _editops() -> Callable[[Any, Any], Any]:
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError:
        raise UsageError(
            "error rates need rapidfuzz, which is not installed.",
            fix="Install it with pip install 'deadheat[text]'.",
        ) from None
    return Levenshtein.editops


def _glued(units: Sequence[str]) -> bool:
    """Whether a word holds white space."""
    return any(not word.isprintable() and word.split() != [word] for word in units)
