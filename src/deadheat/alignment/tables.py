"""Turn what was read into one table for each system, with columns that can be compared."""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl

from deadheat.alignment.kinds import Column, as_json, clash, column, unified
from deadheat.errors import AlignmentError
from deadheat.evaluation import Answers, Evaluation, References, Source
from deadheat.notes import Note

WORDS = {
    "item": "item ids",
    "run": "runs",
    "output": "outputs",
    "reference": "references",
    "cluster": "clusters",
    "stratum": "strata",
}
"""Columns of a table, with the word for their values in messages."""

STRUCTURED = frozenset({"output", "reference"})
"""Columns in which lists and objects may stand, as canonical JSON of type Binary."""

Part = dict[str, Column]


def tables(
    evaluation: Evaluation, answers: Sequence[Answers]
) -> tuple[list[pl.DataFrame], tuple[Note, ...]]:
    """Return a table for each system and a last one where references were given apart.

    Columns are "item", "run", "output", "score", "reference", "cluster" and "stratum" as far as
    they were read. Item ids are of one type over all tables, and so are clusters, strata, and
    outputs together with references. Columns of lists stand apart: outputs are left as they are,
    and where some references are lists, all references are JSON.

    Raises
    ------
    AlignmentError
        If some have item ids and others have none, if ids are missing, or if text would have to
        be compared with numbers.
    """
    parts = [_answers(a, with_references=evaluation.references is None) for a in answers]
    if evaluation.references is not None:
        parts.append(_references(evaluation.references))
    _check_ids(parts)
    _one_form([part for part in parts if "reference" in part])
    notes = [
        *_unify(parts, ("item",), "ids"),
        *_unify(parts, ("output", "reference"), "labels"),
        *_unify(parts, ("cluster",), "clusters"),
        *_unify(parts, ("stratum",), "strata"),
    ]
    own = [a.system for a in answers if a.references is not None]
    if evaluation.references is not None and own:
        message = (
            f"The answers of {', '.join(own)} carry references of their own, which were not used: "
            "references were given apart."
        )
        notes.append(Note(code="references_given_apart", message=message))
    frames = [pl.DataFrame({role: c.values for role, c in part.items()}) for part in parts]
    return frames, tuple(notes)


def _answers(answers: Answers, *, with_references: bool) -> Part:
    of = f"of {answers.system}"
    part = _part(
        of,
        answers.source,
        item=answers.items,
        run=answers.runs,
        output=answers.outputs,
        reference=answers.references if with_references else None,
        cluster=answers.clusters,
        stratum=answers.strata,
    )
    if answers.scores is not None:
        values = _finite(answers.scores)
        part["score"] = Column(name=f"the scores {of}", values=values, untyped=False)
    if "output" not in part and "score" not in part:
        raise AlignmentError(
            f"system {answers.system} has neither outputs nor scores.",
            where=answers.source.path,
            fix="Name the column with --output-column or --score.",
        )
    return part


def _references(references: References) -> Part:
    part = _part(
        "of the references",
        references.source,
        item=references.items,
        cluster=references.clusters,
        stratum=references.strata,
    )
    part["reference"] = column(
        "the references", references.values, references.source, structured=True
    )
    return part


def _part(of: str, source: Source, **given: pl.Series | None) -> Part:
    return {
        role: column(f"the {WORDS[role]} {of}", values, source, structured=role in STRUCTURED)
        for role, values in given.items()
        if values is not None
    }


def _finite(scores: pl.Series) -> pl.Series:
    values = scores.cast(pl.Float64)
    # One NaN or infinity makes the sum one too, and a sum is the fastest look at every value.
    if math.isfinite(values.sum()):
        return values
    finite = values.is_finite().fill_null(False)
    return values if finite.all() else values.set(~finite, None)


def _check_ids(parts: Sequence[Part]) -> None:
    without = [part for part in parts if "item" not in part]
    if without and len(without) < len(parts):
        holder = next(part["item"].name for part in parts if "item" in part)
        lacks = next(iter(without[0].values())).name
        raise AlignmentError(
            f"there are {holder}, but {lacks} come without ids; rows are never paired by order "
            "where ids exist.",
            fix="Give item ids for all (--item names the column) or for none.",
        )
    if without and any("run" in part for part in parts):
        raise AlignmentError(
            "there are runs but no item ids, so that the runs of an item cannot be found.",
            fix="Name the column of item ids with --item.",
        )
    for part in parts:
        if "item" in part and (absent := part["item"].values.null_count()):
            row = part["item"].values.is_null().arg_max()
            raise AlignmentError(
                f"{part['item'].name} lack a value in {absent} rows, first in row "
                f"{(row or 0) + 1} of {len(part['item'].values)}.",
                fix="Give every row an item id.",
            )


def _one_form(parts: Sequence[Part]) -> None:
    """Where some references are lists or objects, write all of them as JSON."""
    if any(part["reference"].kind == "lists" for part in parts):
        for part in parts:
            c = part["reference"]
            part["reference"] = Column(name=c.name, values=as_json(c.values), untyped=c.untyped)


def _unify(parts: Sequence[Part], roles: Sequence[str], what: str) -> tuple[Note, ...]:
    places = [
        (part, role)
        for part in parts
        for role in roles
        if role in part and part[role].values.dtype != pl.Binary
    ]
    columns = [part[role] for part, role in places]
    pair = clash(columns)
    if pair is None:
        series, notes = unified(columns, what)
        for (part, role), c, values in zip(places, columns, series, strict=True):
            part[role] = Column(name=c.name, values=values, untyped=c.untyped)
        return notes
    if what == "labels" and all("score" in part for part in parts if "output" in part):
        # The scores decide; a metric that wants the labels compared has to refuse them.
        return _unify(parts, ("reference",), "references")
    first, second = pair
    found = f"{first.name} are {first.shown()}, {second.name} are {second.shown()}"
    if what == "ids":
        n = len(pl.concat([c.values.cast(pl.String) for c in columns]).unique())
        found = f"0 of {n} items matched: {found}"
    raise AlignmentError(
        f"{found}; text never equals a number or a truth.",
        fix="Write both in one type, or give one of them as CSV, where everything is text.",
    )
