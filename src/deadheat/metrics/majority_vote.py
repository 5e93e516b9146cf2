"""Majority vote: the accuracy of the most frequent output of an item's runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

import msgspec
import numpy as np

from deadheat.errors import ItemError
from deadheat.metrics.metric import VERSION, Floats, OfValues, Settings, Takes


@dataclass(frozen=True, slots=True, kw_only=True)
class MajorityVote(OfValues):
    """The accuracy of the most frequent usable output of each item's runs.

    Outputs that are the most frequent together share the vote: each would be drawn with the same
    chance, and the item counts for the chance that the right one is (Wang et al. 2023,
    self-consistency, with ties in expectation instead of by order).

    Examples
    --------
    Two of three say "4"; then two answers have two votes each; then nobody has a usable output.

    >>> vote = MajorityVote()
    >>> runs = [["4", "5", "4"], ["7", "9", "9", "7"], [None, None]]
    >>> vote.statistics(["4", "7", "2"], runs)
    array([[1. , 1. ],
           [0.5, 1. ],
           [0. , 1. ]])
    """

    name: ClassVar[str] = "majority_vote"
    takes: ClassVar[Takes] = "runs"
    of_outputs: ClassVar[bool] = True
    is_mean: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    signature: ClassVar[str] = f"majority_vote|ties:shared|v:{VERSION}"

    def statistics(
        self, references: Sequence[Any], outputs: Sequence[Sequence[Any] | None]
    ) -> Floats:
        """Return the score of each item and 1, shape (item, 2).

        Parameters
        ----------
        references : sequence
            The right answer of each item.
        outputs : sequence of (sequence or None)
            For each item the output of each run. None, for an output that is not usable or an
            item without any, votes for nothing; an item without a vote is wrong.

        Raises
        ------
        ItemError
            If an item has no reference, or a reference is a list or an object while no output of
            any item is one.
        """
        _check(references, outputs)
        votes = [
            [] if item is None else [_key(vote) for vote in item if vote is not None]
            for item in outputs
        ]
        codes: dict[Any, int] = {}
        flat = [codes.setdefault(vote, len(codes)) for vote in chain.from_iterable(votes)]
        item = np.repeat(np.arange(len(votes)), np.fromiter(map(len, votes), np.int64, len(votes)))
        # One cell for each item and answer that occurs, with its votes.
        width = max(len(codes), 1)
        cells, counts = np.unique(item * width + np.array(flat, np.int64), return_counts=True)
        of, answer = np.divmod(cells, width)
        most = np.zeros(len(votes), dtype=np.int64)
        np.maximum.at(most, of, counts)
        leads = counts == most[of]
        wanted = np.array([codes.get(_key(value), -1) for value in references], dtype=np.int64)
        leaders = np.bincount(of[leads], minlength=len(votes))
        rows = np.zeros((len(votes), 2))
        rows[:, 1] = 1.0
        right = of[leads & (answer == wanted[of])]
        rows[right, 0] = 1.0 / leaders[right]
        return rows


def _check(references: Sequence[Any], outputs: Sequence[Sequence[Any] | None]) -> None:
    for row, reference in enumerate(references):
        if reference is None:
            raise ItemError("the item has no reference.", row=row, side="reference")
    nested = [row for row, reference in enumerate(references) if _is_nested(reference)]
    votes = [(row, vote) for row, item in enumerate(outputs) for vote in item or ()]
    listed = [(row, vote) for row, vote in votes if _is_nested(vote)]
    if nested and not listed:
        raise ItemError(
            f"the reference {_shown(references[nested[0]])} can never be equal to an output: no "
            "output is a list or an object.",
            row=nested[0],
            side="reference",
            fix="Majority vote takes one right answer to an item, written like the outputs.",
        )
    if listed and not nested:
        row, vote = listed[0]
        raise ItemError(
            f"the output {_shown(vote)} can never be equal to a reference: no reference is a list "
            "or an object.",
            row=row,
            fix="Give each run of an item a row of its own; --run names the column of runs.",
        )


def _key(value: Any) -> Any:
    """Return what is equal for equal values and can be looked up."""
    return msgspec.json.encode(value, order="sorted") if _is_nested(value) else value


def _is_nested(value: Any) -> bool:
    return isinstance(value, (list, tuple, dict))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


OPTIONS = ()
"""Settings that the metric has."""


def metric(settings: Settings) -> MajorityVote:
    """Make the metric."""
    return MajorityVote()
