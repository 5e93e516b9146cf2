"""What a metric is: what an item contributes, and what a total is worth.

Every resample is a weighting of items. Three kinds of metrics say how they depend on the weights:

`OfLabels`
    sums over codes of labels; `bind` freezes the label set from the whole data once, so that no
    label can vanish in a resample.
`OfValues`
    sums over what items hold otherwise: texts, tags, lists of scores, numbers, anything.
`OfWeights`
    no function of sums (ranks, areas under curves): a function of the weights themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from deadheat.notes import Note

Floats = NDArray[np.float64]
ValueOf = Callable[[Floats], Floats]
"""Maps weights of shape (..., row) to values of shape (...), NaN where undefined."""

Takes = Literal[
    "scores", "labels", "scores_or_labels", "texts", "numbers", "confidences", "values", "runs"
]
"""What the items are given as.

======================= ==================================== =====================================
"scores"                references None                      float64, shape (item,)
"labels"                codes                                codes, -1 for no usable output
"scores_or_labels"      either of the two above
"texts"                 list of tuples of str, one reference list of str; "" for no usable output
                        or more to an item
"numbers"               ndarray as read: object (text), bool, float64, finite
                        int64 or float64
"confidences"           as "numbers", or bool: whether the   float64, finite
                        output is right
"values"                list of what was read: str, numbers, list alike; None for no usable output
                        bool, list, dict
"runs"                  list as for "values", or None where  list of lists, one entry for each run:
                        there are none                       outputs where the metric is
                                                             `of_outputs`, else float scores
======================= ==================================== =====================================
"""

Average = Literal["binary", "micro", "macro", "weighted"]

VERSION = 1
"""Of the definitions: it changes when the same data would have another value."""


@runtime_checkable
class Metric(Protocol):
    """What is known of every metric."""

    @property
    def name(self) -> str:
        """Canonical name, such as "macro_f1"."""
        ...

    @property
    def greater_is_better(self) -> bool:
        """Whether a greater value is a better one."""
        ...

    @property
    def takes(self) -> Takes:
        """What the items are given as."""
        ...

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Least and greatest value possible, where they are known."""
        ...

    @property
    def signature(self) -> str:
        """The name and every setting that can change the value, parted by "|"."""
        ...


@runtime_checkable
class OfSums(Metric, Protocol):
    """A function of summed statistics of the items."""

    @property
    def is_mean(self) -> bool:
        """Whether there are two statistics, a score and 1, and the value is their ratio."""
        ...

    def statistics(self, references: Any, outputs: Any) -> Floats:
        """Return what each item contributes, shape (item, k).

        Parameters
        ----------
        references, outputs
            As `Takes` says.

        Raises
        ------
        ItemError
            If an item holds what the metric cannot score.
        """
        ...

    def value(self, totals: Floats) -> Floats:
        """Return the value of totals of shape (..., k), shape (...); NaN where undefined."""
        ...

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        """Return where the value rests on a ratio 0/0, whatever it was set to, shape (...)."""
        ...


class OfLabels(OfSums, Protocol):
    """A function of summed statistics of labels."""

    def bind(self, labels: Sequence[Any], present: NDArray[np.bool_] | None) -> Self:
        """Freeze the label set.

        Parameters
        ----------
        labels : sequence, length K
            All labels of all systems and of the references, sorted; empty for scores.
        present : ndarray of bool, shape (K,), or None
            Which of them occur in the references or in this system's own outputs. None leaves it
            to the totals at hand, which is right for totals of all items only, such as those of
            systems that have exchanged outputs.

        Raises
        ------
        MetricError
            If the settings do not fit the labels.
        """
        ...


class OfValues:
    """Base of sums over anything but labels; a subclass says what is different."""

    __slots__ = ()
    takes: ClassVar[Takes] = "values"
    is_mean: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float] | None] = None

    @property
    def name(self) -> str:
        """Canonical name."""
        raise NotImplementedError

    @property
    def signature(self) -> str:
        """The name and every setting that can change the value, parted by "|"."""
        raise NotImplementedError

    @property
    def greater_is_better(self) -> bool:
        """Whether a greater value is a better one."""
        return True

    def statistics(self, references: Any, outputs: Any) -> Floats:
        """Return what each item contributes, shape (item, k)."""
        raise NotImplementedError

    def value(self, totals: Floats) -> Floats:
        """Return the ratio of the first statistic to the second."""
        return ratio(totals[..., 0], totals[..., 1])

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        return np.asarray(np.isnan(self.value(totals)))

    def remarks(self, system: str, references: Any, outputs: Any) -> Sequence[Note]:
        """Return what a reader should know of these items; the arguments are as `Takes` says."""
        return ()


class OfWeights:
    """Base of metrics that are no function of sums.

    `serial` metrics are never called from several threads at once.
    """

    __slots__ = ()
    serial: ClassVar[bool] = False
    takes: ClassVar[Takes] = "numbers"
    bounds: ClassVar[tuple[float, float] | None] = None

    @property
    def name(self) -> str:
        """Canonical name."""
        raise NotImplementedError

    @property
    def signature(self) -> str:
        """The name and every setting that can change the value, parted by "|"."""
        raise NotImplementedError

    @property
    def greater_is_better(self) -> bool:
        """Whether a greater value is a better one."""
        return True

    def rows(self, references: Any, outputs: Any) -> Floats:
        """Return all that the value depends on of each item, shape (item, c), finite."""
        raise NotImplementedError

    def value_of(self, rows: Floats) -> ValueOf:
        """Return the metric of items like `rows`, shape (row, c), as a function of their weights.

        A weight is how often an item counts: a whole number of zero or more. The value has to be
        that on items repeated so often, in any order.
        """
        raise NotImplementedError

    def remarks(self, system: str, references: Any, outputs: Any) -> Sequence[Note]:
        """Return what a reader should know of these items; the arguments are as `Takes` says."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the name and the options of a metric say; its module makes the metric of them.

    Attributes
    ----------
    name : str
        As given, for messages.
    average : {"binary", "micro", "macro", "weighted"}
        From the prefix of the name; "binary" where there is none.
    beta : float or None
        From a name such as "f0.5".
    k : int or None
        From a name such as "pass@5", "pass^3" or "ndcg@10".
    labels : tuple or None
        The labels that an average is taken over.
    positive : object or None
        The positive label of a binary metric.
    zero_division : float
        What a ratio 0/0 is set to: 0, 1 or NaN.
    greater_is_better : bool or None
        None where it was not said.
    tokenize : str or None
        Tokeniser of BLEU, by sacrebleu's names; None for the metric's own default.
    normalize : tuple of str
        Steps applied to references and outputs before a text metric sees them, in this order.
    normalize_map : mapping of str to str, or None
        Words and what they are replaced by, for the step "map".
    bins : int
        Of a calibration error.
    ties : {"half", "win", "loss", "drop"}
        What a tie counts in a win rate.
    scheme : str
        Of tags of spans: "conll" (lenient, as conlleval), or strict "bio", "bioes", "iob1".
    """

    name: str
    average: Average = "binary"
    beta: float | None = None
    k: int | None = None
    labels: tuple[Any, ...] | None = None
    positive: Any = None
    zero_division: float = 0.0
    greater_is_better: bool | None = None
    tokenize: str | None = None
    normalize: tuple[str, ...] = ()
    normalize_map: Mapping[str, str] | None = None
    bins: int = 15
    ties: str = "half"
    scheme: str = "conll"


def ratio(numerator: Floats, denominator: Floats, otherwise: float = np.nan) -> Floats:
    """Divide, shapes (...) broadcast; where the denominator is 0 the result is `otherwise`.

    Examples
    --------
    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    result = np.full(shape, otherwise)
    np.divide(numerator, denominator, out=result, where=denominator != 0.0)
    return result
