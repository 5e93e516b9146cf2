"""What the translation metrics share: sacrebleu as the judge, references that are kept.

sacrebleu (Post, 2018) tokenises, splits off punctuation and edits. What is only counting is done
for all items at once, and gives the same counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import ItemError, MetricError, UsageError
from deadheat.metrics.metric import VERSION, Floats, OfValues, Takes
from deadheat.metrics.texts.normalization import Normalizer

Integers = NDArray[np.int64]
References = Sequence[tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """References that were tokenised once, for all systems.

    Attributes
    ----------
    references : sequence of tuple of str, length item
        As they were given.
    index : Any
        What the metric made of them.
    """

    references: References
    index: Any

    @property
    def n_references(self) -> int:
        """Return how many references each item has; -1 where that varies, as sacrebleu has it."""
        counts = set(map(len, self.references))
        return counts.pop() if len(counts) == 1 else -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation(OfValues):
    """Base of the metrics whose score of a whole set is sacrebleu's.

    Attributes
    ----------
    normalize : Normalizer
        Applied to references and outputs before sacrebleu sees them.
    prepared : Prepared, optional
        References that `with_references` tokenised.
    """

    normalize: Normalizer = field(default_factory=Normalizer)
    prepared: Prepared | None = field(default=None, repr=False, compare=False)
    name: ClassVar[str]
    takes: ClassVar[Takes] = "texts"

    @property
    def signature(self) -> str:
        """The name, sacrebleu's own signature, the steps of normalisation, the version.

        The number of references is part of it from `with_references` on.
        """
        judge = self.judge()
        judge.num_refs = 1 if self.prepared is None else self.prepared.n_references
        settings = str(judge.get_signature())
        if self.prepared is None:
            settings = settings.removeprefix("nrefs:1|")
        parts = (self.name, settings, self.normalize.signature, f"v:{VERSION}")
        return "|".join(filter(None, parts))

    def with_references(self, references: References) -> Self:
        """Return the metric with these references tokenised, for any number of systems.

        Raises
        ------
        ItemError
            If an item has no reference, or one that is no text.
        """
        return replace(self, prepared=self._prepared(references))

    def statistics(self, references: References, outputs: Sequence[str]) -> Floats:
        """Return sacrebleu's statistics of each item, shape (item, k).

        Parameters
        ----------
        references : sequence of tuple of str, length item
            One or more to an item. Those that `with_references` was given are not tokenised
            again.
        outputs : sequence of str, length item

        Raises
        ------
        MetricError
            If there are more of the one than of the other.
        ItemError
            If an item has no reference, or holds what is no text.
        """
        if len(references) != len(outputs):
            raise MetricError(
                f"there are references for {len(references)} items and {len(outputs)} outputs.",
                fix="Give one output to each item; an empty one where there is none.",
            )
        known = self.prepared
        if known is None or known.references is not references:
            known = self._prepared(references)
        for row, output in enumerate(outputs):
            _check(output, row, "output")
        return self._of(known.index, self._normalized(outputs))

    def judge(self) -> Any:
        """Return sacrebleu's metric of the same settings."""
        raise NotImplementedError

    def _index(self, references: Sequence[str], item: Integers) -> Any:
        """Return what is needed of normalised references; `item` says whose each of them is."""
        raise NotImplementedError

    def _of(self, index: Any, outputs: Sequence[str]) -> Floats:
        """Return the statistics of normalised outputs, shape (item, k)."""
        raise NotImplementedError

    def _prepared(self, references: References) -> Prepared:
        for row, several in enumerate(references):
            if isinstance(several, str) or not several:
                raise ItemError(
                    f"the references are {several!r}, not a tuple of one text or more.",
                    row=row,
                    side="reference",
                )
            for reference in several:
                _check(reference, row, "reference")
        counts = np.fromiter(map(len, references), np.int64, len(references))
        flat = self._normalized([text for several in references for text in several])
        index = self._index(flat, np.repeat(np.arange(len(references)), counts))
        return Prepared(references=references, index=index)

    def _normalized(self, texts: Sequence[str]) -> Sequence[str]:
        return list(map(self.normalize, texts)) if self.normalize.steps else texts


def sacrebleu_metrics(name: str) -> ModuleType:
    """Return the module of sacrebleu's metrics.

    Raises
    ------
    UsageError
        If sacrebleu is not installed.
    """
    try:
        from sacrebleu import metrics
    except ImportError:
        raise UsageError(
            f"{name} needs sacrebleu, which is not installed.",
            fix="Install it with pip install 'deadheat[text]'.",
        ) from None
    return metrics


def _check(text: object, row: int, side: Any) -> None:
    if not isinstance(text, str):
        raise ItemError(
            f"the {side} is {text!r}, which is no text.",
            row=row,
            side=side,
            fix="Give texts; an output that is missing is an empty one.",
        )
