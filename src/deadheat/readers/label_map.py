"""Rename labels, the same in outputs and references."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from deadheat.errors import UsageError
from deadheat.evaluation import Evaluation
from deadheat.notes import Note


def relabelled(evaluation: Evaluation, label_map: Mapping[str, str]) -> Evaluation:
    """Replace labels in outputs and references, compared as text; all labels become text.

    Entries apply side by side, not one after the other, so that two labels can be exchanged.

    Returns
    -------
    Evaluation
        With a note that names the entries that never applied.

    Raises
    ------
    UsageError
        If outputs or references are lists or objects.
    """
    names = {str(old): str(new) for old, new in label_map.items()}
    seen: set[str] = set()

    def rename(values: pl.Series | None) -> pl.Series | None:
        if values is None:
            return None
        if values.dtype == pl.Binary:
            raise UsageError(
                "--label-map renames labels, and there are lists or objects among the outputs and "
                "references.",
                fix="Rename what is inside them in the files.",
            )
        text = values.cast(pl.String)
        seen.update(text.unique().drop_nulls().to_list() if len(seen) < len(names) else ())
        seen.intersection_update(names)
        return text.replace(names)

    answers = tuple(
        replace(a, outputs=rename(a.outputs), references=rename(a.references))
        for a in evaluation.answers
    )
    references = evaluation.references
    if references is not None:
        values = rename(references.values)
        assert values is not None
        references = replace(references, values=values)
    notes = evaluation.notes
    if unused := [name for name in names if name not in seen]:
        message = (
            f"The label map names {', '.join(map(repr, unused))}, which no output or reference is."
        )
        notes += (Note(code="label_map_unused", message=message),)
    return replace(evaluation, answers=answers, references=references, notes=notes)
