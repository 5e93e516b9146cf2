"""What metrics of values and of weights are given: columns as the Python or NumPy they take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.alignment.places import place
from deadheat.errors import ItemError, MetricError
from deadheat.metrics import Metric
from deadheat.metrics.labels.encoding import encoded
from deadheat.scores import remarks
from deadheat.scores.given import given_scores, with_worst


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inputs:
    """What a metric is given, in the forms of `deadheat.metrics.metric.Takes`.

    Attributes
    ----------
    references : list
        One for each system; the same object unless each system has its own.
    outputs : list
        One for each system.
    """

    references: list[Any]
    outputs: list[Any]


def inputs_for(alignment: Alignment, metric: Metric) -> Inputs:
    """Return references and the outputs of each system in the form that a metric takes.

    Raises
    ------
    MetricError
        If a column is not there, or an item holds something else; with file and line.
    """
    return _FORMS[metric.takes](alignment, metric)


@contextmanager
def located(alignment: Alignment, system: str | None = None) -> Iterator[None]:
    """Say of an `ItemError` in which file and line the item stands."""
    try:
        yield
    except ItemError as error:
        where = place(alignment, error.row, system=system, side=error.side)
        raise MetricError(error.found, where=where, fix=error.fix) from None


def _shared(references: Any, outputs: list[Any]) -> Inputs:
    return Inputs(references=[references] * len(outputs), outputs=outputs)


def no_labels(alignment: Alignment, metric: Metric) -> MetricError:
    """Return the error for lists where labels are compared."""
    lists = [
        f"the outputs of {system}"
        for system, column in zip(alignment.systems, alignment.outputs, strict=True)
        if column is not None and column.dtype == pl.Binary
    ]
    if alignment.references is not None and alignment.references.dtype == pl.Binary:
        lists.insert(0, "the references")
    return MetricError(
        f"{metric.name} compares labels, and {' and '.join(lists)} are lists or objects.",
        fix="Metrics of texts take several references to an item (exact_match, squad_f1, bleu), "
        "span_f1 takes lists of tags, ndcg@10 and recall@10 take rankings.",
    )


def _texts(alignment: Alignment, metric: Metric) -> Inputs:
    references, outputs = _columns(alignment, metric)
    if references is None:
        raise remarks.nothing_to_score(alignment, metric)
    with located(alignment):
        wanted = _references_of(references)
    given = []
    for system, column in zip(alignment.systems, outputs, strict=True):
        with located(alignment, system):
            given.append(_outputs_of(column))
    return _shared(wanted, given)


def _references_of(column: pl.Series) -> list[tuple[str, ...]]:
    if column.dtype == pl.String:
        return list(zip(column.fill_null("").to_list(), strict=True))
    return _each(column, _alternatives, "reference")


def _outputs_of(column: pl.Series) -> list[str]:
    if column.dtype == pl.String:
        return column.fill_null("").to_list()
    return _each(column, _text, "output")


def _alternatives(value: Any) -> tuple[str, ...]:
    """Return the references of an item; none at all stand for the empty text."""
    if isinstance(value, list):
        return tuple(_text(one) for one in value) or ("",)
    return (_text(value),)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        raise ValueError(f"the number {value!r}, which can be written in several ways")
    raise ValueError("an object" if isinstance(value, dict) else "a list inside a list")


def _each(column: pl.Series, read: Callable[[Any], Any], side: Any) -> list[Any]:
    found = []
    for row, value in enumerate(values_of(column)):
        try:
            if side == "output" and isinstance(value, list):
                raise ValueError("a list")
            found.append(read(value))
        except ValueError as what:
            raise ItemError(
                f"the {side} is {what}, not a text.",
                row=row,
                side=side,
                fix="Give a text; references may be a list of texts.",
            ) from None
    return found


def _values(alignment: Alignment, metric: Metric) -> Inputs:
    if any(column is None for column in alignment.outputs):
        return _scores(alignment, metric)
    references, outputs = _columns(alignment, metric)
    return _shared(
        None if references is None else values_of(references),
        [values_of(column) for column in outputs],
    )


def _scores(alignment: Alignment, metric: Metric) -> Inputs:
    given = given_scores(alignment)
    if given is None:
        raise remarks.nothing_to_score(alignment, metric)
    return _shared(None, [np.ascontiguousarray(c) for c in with_worst(given, metric).T])


def _numbers(alignment: Alignment, metric: Metric) -> Inputs:
    if alignment.references is None:
        raise remarks.nothing_to_score(alignment, metric)
    references = _raw(alignment.references)
    given = given_scores(alignment)
    if given is not None and any(mask is not None for mask in given.absent):
        raise MetricError(
            f"absent scores cannot be scored wrong by {metric.name}: which number is the worst "
            "depends on the reference.",
            fix="Choose --missing drop.",
        )
    if given is not None:
        return _shared(references, _scores(alignment, metric).outputs)
    _, columns = _columns(alignment, metric)
    outputs = []
    for system, column in zip(alignment.systems, columns, strict=True):
        with located(alignment, system):
            outputs.append(_number_column(column))
    return _shared(references, outputs)


def _confidences(alignment: Alignment, metric: Metric) -> Inputs:
    """Confidences, with whether the output is right where systems have both."""
    found = _numbers(alignment, metric)
    predicted = [column for column in alignment.outputs if column is not None]
    if len(predicted) < len(alignment.systems) or given_scores(alignment) is None:
        return found
    assert alignment.references is not None
    _, (wanted, *given) = encoded([alignment.references, *predicted])
    return Inputs(references=[codes == wanted for codes in given], outputs=found.outputs)


def _runs(alignment: Alignment, metric: Metric) -> Inputs:
    of_outputs = bool(getattr(metric, "of_outputs", False))
    columns = alignment.outputs if of_outputs else alignment.scores
    found = [column for column in columns if column is not None]
    if len(found) < len(columns) or (of_outputs and alignment.references is None):
        raise remarks.nothing_to_score(alignment, metric)
    references = None if alignment.references is None else values_of(alignment.references)
    # An item without an answer, which is wrong then, is None: it has no run, and not too few.
    return _shared(references, [values_of(column) for column in found])


def _columns(alignment: Alignment, metric: Metric) -> tuple[pl.Series | None, list[pl.Series]]:
    outputs = [column for column in alignment.outputs if column is not None]
    if len(outputs) < len(alignment.systems):
        raise remarks.nothing_to_score(alignment, metric)
    return alignment.references, outputs


def values_of(column: pl.Series) -> list[Any]:
    """Return the values of a column; structured ones, which are kept as JSON, decoded.

    Examples
    --------
    >>> values_of(pl.Series([b'["a","b"]', None]))
    [['a', 'b'], None]
    """
    if column.dtype == pl.Binary:
        return list(_decoded(column.to_list()))
    if column.dtype == pl.List(pl.Binary):
        return [None if runs is None else list(_decoded(runs)) for runs in column.to_list()]
    return column.to_list()


def _decoded(values: Sequence[bytes | None]) -> Iterable[Any]:
    decoder = msgspec.json.Decoder()
    return (None if value is None else decoder.decode(value) for value in values)


def _raw(column: pl.Series) -> NDArray[Any]:
    if column.dtype in (pl.Boolean, pl.Int64, pl.Float64) and not column.null_count():
        return column.to_numpy()
    found = np.empty(len(column), dtype=object)
    found[:] = values_of(column)
    return found


def _number_column(column: pl.Series) -> NDArray[np.float64]:
    """Return outputs that are numbers as such.

    Raises
    ------
    ItemError
        If one of them is no number.
    """
    if column.dtype == pl.Binary:
        raise ItemError("the output is a list or an object, not a number.", row=0)
    numbers = column.cast(pl.Float64, strict=False)
    bad = (numbers.is_null() | ~numbers.is_finite().fill_null(True)).arg_true()
    if len(bad):
        row = int(bad[0])
        shown = "missing" if column[row] is None else repr(column[row])
        raise ItemError(
            f"the output is {shown}, where a number is needed.",
            row=row,
            fix="Name the column of numbers with --score, or leave such items out "
            "(--missing drop --unparseable missing).",
        )
    return np.asarray(numbers.to_numpy(), dtype=np.float64)


_FORMS: dict[str, Callable[[Alignment, Metric], Inputs]] = {
    "texts": _texts,
    "values": _values,
    "scores": _scores,
    "numbers": _numbers,
    "confidences": _confidences,
    "runs": _runs,
}
