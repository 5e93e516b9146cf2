"""Runs as systems of their own: what a metric needs to score each of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import polars as pl

from deadheat.alignment import Alignment
from deadheat.errors import UsageError

Claim = Literal["fixed", "random"]
"""Whether a claim is about these runs, or about others of which these are a sample."""


def each_run(alignment: Alignment) -> Alignment:
    """Return an alignment in which every run of every system is a system.

    Parameters
    ----------
    alignment : Alignment
        Of crossed runs.

    Raises
    ------
    UsageError
        If a system has one run.

    Examples
    --------
    >>> from deadheat.alignment import align
    >>> from deadheat.evaluation import Answers, Evaluation, Source
    >>> answers = Answers(
    ...     system="a",
    ...     items=pl.Series(["q1", "q1", "q2", "q2"]),
    ...     runs=pl.Series([1, 2, 1, 2]),
    ...     outputs=None,
    ...     scores=pl.Series([1.0, 0.0, 1.0, 1.0]),
    ...     source=Source(path="", sha256="", format="frame"),
    ... )
    >>> runs = each_run(align(Evaluation(answers=(answers,)), runs="cross"))
    >>> runs.systems, [scores.to_list() for scores in runs.scores]
    (('a, run 1', 'a, run 2'), [[1.0, 1.0], [0.0, 1.0]])
    """
    assert alignment.run_names is not None
    alone = [s for s, n in zip(alignment.systems, alignment.run_names, strict=True) if len(n) < 2]
    if alone:
        raise UsageError(
            f"there is one run of {' and '.join(alone)}, which cannot show how much runs vary: "
            "only a claim about these checkpoints can be made.",
            fix="Give several runs and name their column with --run, or use --runs fixed.",
        )
    of_run = [at for at, names in enumerate(alignment.run_names) for _ in names]

    def spread(columns: tuple[pl.Series | None, ...]) -> tuple[pl.Series | None, ...]:
        return tuple(
            None if column is None else column.list.get(run)
            for column, names in zip(columns, alignment.run_names or (), strict=True)
            for run in range(len(names))
        )

    return replace(
        alignment,
        systems=tuple(
            f"{system}, run {name}"
            for system, names in zip(alignment.systems, alignment.run_names, strict=True)
            for name in names
        ),
        outputs=spread(alignment.outputs),
        scores=spread(alignment.scores),
        only=tuple(alignment.only[at] for at in of_run),
        absent=tuple(alignment.absent[at] for at in of_run),
        unparseable=tuple(alignment.unparseable[at] for at in of_run),
        hashes=tuple(alignment.hashes[at] for at in of_run),
        read=replace(alignment.read, answers=tuple(alignment.answers[at] for at in of_run)),
        lacking=(),
    )
