"""Apply one policy on what is missing to all systems alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
import polars as pl

from deadheat.alignment.alignment import Alignment, Dropped, Missing, Runs, Unparseable
from deadheat.alignment.pairing import Pairing, paired
from deadheat.alignment.runs import lacks, nulls, runs_hash
from deadheat.errors import AlignmentError, UsageError, known
from deadheat.evaluation import Answers, Evaluation
from deadheat.hashing import answers_hash, row_set_hash
from deadheat.notes import Note

REASONS = (
    "not answered by every system",
    "not in every run",
    "no score",
    "no usable output",
    "no reference",
)
"""Why an item cannot be compared; where several apply, the first counts."""

_NOT_ANSWERED, _NOT_IN_RUN, _NO_SCORE, _NO_OUTPUT, _NO_REFERENCE, _FINE = range(6)


def align(
    evaluation: Evaluation,
    systems: Sequence[str] | None = None,
    *,
    missing: Missing = "error",
    unparseable: Unparseable = "wrong",
    runs: Runs = "average",
) -> Alignment:
    """Pair the answers of systems item by item, under one policy for all of them.

    Rows are paired by item id wherever there are ids, in any order; by order only where nobody
    has ids. Nothing is dropped that nobody asked to drop.

    Parameters
    ----------
    evaluation : Evaluation
        What was read.
    systems : sequence of str, optional
        Which systems, in which order; all of them by default.
    missing : {"error", "drop", "wrong"}
        What to do with an item that a system did not answer, or to which it has no finite score:
        refuse; leave the item out of all systems; or keep it as null, to be scored wrong.
    unparseable : {"wrong", "missing"}
        Whether a null output is kept to be scored wrong or falls under `missing`.
    runs : {"average", "keep", "cross"}
        Whether the scores of an item's runs are averaged, or kept beside each other with their
        outputs, as lists. Kept, several rows of an item may also come without the name of a run:
        they are its runs in the order in which they stand. An item of which some run lacks a
        score falls under `missing`; what is kept to be scored wrong is null inside the list.
        Crossed, the lists of a system hold the same named runs for every item, and an item that
        is not in all of them falls under `missing`.

    Raises
    ------
    UsageError
        If a policy or a system is not known.
    AlignmentError
        If the systems do not pair, or items are missing under ``missing="error"``; with the
        account of what matched.

    Examples
    --------
    >>> from deadheat.evaluation import Source
    >>> def scored(system, items, scores):
    ...     return Answers(
    ...         system=system,
    ...         items=pl.Series(items),
    ...         outputs=None,
    ...         scores=pl.Series(scores),
    ...         source=Source(path="", sha256="", format="frame"),
    ...     )
    >>> evaluation = Evaluation(
    ...     answers=(
    ...         scored("a", ["q1", "q2", "q3"], [1.0, 0.0, 1.0]),
    ...         scored("b", ["q3", "q4", "q2"], [0.0, 1.0, 1.0]),
    ...     )
    ... )
    >>> alignment = align(evaluation, missing="drop")
    >>> alignment.items.to_list(), [scores.to_list() for scores in alignment.scores]
    (['q2', 'q3'], [[0.0, 1.0], [1.0, 0.0]])
    >>> alignment.matched, alignment.only, alignment.dropped
    (2, (1, 1), (Dropped(reason='not answered by every system', n=2),))
    """
    for option, value, choices in (
        ("missing", missing, get_args(Missing)),
        ("unparseable", unparseable, get_args(Unparseable)),
        ("runs", runs, get_args(Runs)),
    ):
        if value not in choices:
            raise UsageError(f"--{option} is {value!r}.", fix=known(choices, str(value)))
    chosen = _chosen(evaluation, systems)
    pairing = paired(evaluation, chosen, runs=runs, unparseable=unparseable)
    gaps = [_gaps(table, unparseable) for table in pairing.answers]
    unreferenced = _unreferenced(pairing)
    if missing != "drop":
        _refuse_unreferenced(pairing, unreferenced)
    if missing == "error":
        _refuse_gaps(pairing, gaps)
    dropped: tuple[Dropped, ...] = ()
    if missing == "drop":
        pairing, gaps, dropped = _complete(pairing, gaps, unreferenced)
    answers = list(pairing.answers)
    if runs == "average":
        answers = [_blank(table, gap) for table, gap in zip(answers, gaps, strict=True)]
    lacking: tuple[pl.Series | None, ...] = ()
    if missing == "wrong":
        lacking = tuple(
            table["lacking"] if "lacking" in table.columns else None for table in pairing.answers
        )
        answers = [_with_rest(table) for table in answers]
    _check_shared(pairing)
    absent = tuple(pairing.count(gap != _FINE) for gap in gaps)
    wrong = tuple(
        _unusable(pairing, table, gap) if unparseable == "wrong" else 0
        for table, gap in zip(pairing.answers, gaps, strict=True)
    )
    kinds = pairing.multiplicities
    n = len(pairing.answers[0]) if kinds is None else int(kinds.sum())
    by_runs = runs != "average" or any(shares is not None for shares in lacking)
    outputs, scores = (
        tuple(table[name] if name in table.columns else None for table in answers)
        for name in ("output", "score")
    )
    references, clusters, strata = (
        pairing.shared[name] if name in pairing.shared.columns else None
        for name in ("reference", "cluster", "stratum")
    )
    return Alignment(
        systems=pairing.account.systems,
        items=pairing.items,
        outputs=outputs,
        scores=scores,
        references=references,
        clusters=clusters,
        strata=strata,
        n=n,
        matched=pairing.account.matched,
        only=pairing.account.only,
        duplicated=0,
        dropped=dropped,
        absent=absent,
        unparseable=wrong,
        missing=missing,
        unparseable_policy=unparseable,
        runs=runs,
        hash=row_set_hash(pairing.items, references, clusters, strata, n=n)
        if evaluation.digest is None
        else f"{n}-{evaluation.digest}",
        hashes=tuple(
            _hash_of_kinds(o, s, kinds)
            if kinds is not None
            else answers_hash(o, s)
            if runs == "average"
            else runs_hash(o, s)
            for o, s in zip(outputs, scores, strict=True)
        ),
        notes=(*pairing.notes, *_policy_notes(pairing, dropped, absent, wrong, by_runs)),
        read=replace(evaluation, answers=tuple(chosen)),
        kept=pairing.kept,
        run_names=pairing.run_names,
        lacking=lacking,
        multiplicities=kinds,
    )


def _hash_of_kinds(outputs: pl.Series | None, scores: pl.Series | None, units: pl.Series) -> str:
    """Hash what one system did, whatever others did on the same items."""
    given = {"output": outputs, "score": scores}
    own = pl.DataFrame({name: column for name, column in given.items() if column is not None})
    counted = own.with_columns(units.alias("units")).group_by(own.columns).sum().sort(own.columns)
    output, score = (counted[name] if name in own.columns else None for name in given)
    return answers_hash(output, score, counted["units"])


def _chosen(evaluation: Evaluation, systems: Sequence[str] | None) -> list[Answers]:
    by_name = {a.system: a for a in evaluation.answers}
    if len(by_name) < len(evaluation.answers):
        names = evaluation.systems
        twice = next(name for name in names if names.count(name) > 1)
        raise AlignmentError(
            f"two systems are called {twice!r}.", fix="Tell them apart with NAME=PATH."
        )
    if systems is None:
        systems = evaluation.systems
    for name in systems:
        if name not in by_name:
            raise UsageError(f"there is no system {name!r}.", fix=known(by_name, name))
    if not systems or len(set(systems)) < len(systems):
        raise UsageError(
            f"the systems to align are {', '.join(systems) or 'none'}.",
            fix="Name at least one, and each once.",
        )
    return [by_name[name] for name in systems]


def _gaps(table: pl.DataFrame, unparseable: Unparseable) -> pl.Series:
    """Return, for each item, the place in REASONS of what one system lacks, or _FINE."""
    gap = np.full(len(table), _FINE, dtype=np.uint8)
    masks = [(~table["present"], _NOT_ANSWERED)]
    if "complete" in table.columns:
        masks.append((~table["complete"].fill_null(True), _NOT_IN_RUN))
    if "score" in table.columns:
        masks.append((lacks(table["score"]), _NO_SCORE))
    if "output" in table.columns and unparseable == "missing":
        masks.append((lacks(table["output"]), _NO_OUTPUT))
    for mask, code in reversed(masks):
        if mask.any():
            gap[mask.to_numpy()] = code
    return pl.Series("gap", gap)


def _unusable(pairing: Pairing, table: pl.DataFrame, gap: pl.Series) -> int:
    """Count the null outputs, apart from those of items that count as missing."""
    if "output" not in table.columns:
        return 0
    outputs = table["output"]
    if pairing.multiplicities is not None:
        return pairing.count(outputs.is_null() & (gap == _FINE))
    if not isinstance(outputs.dtype, pl.List):
        outputs = outputs.filter(gap == _FINE) if outputs.null_count() else outputs
    return nulls(outputs)


def _unreferenced(pairing: Pairing) -> pl.Series:
    """Mark items without a reference, as far as a system can only be scored by references."""
    needed = "reference" in pairing.shared.columns and not all(
        "score" in table.columns for table in pairing.answers
    )
    if needed:
        return pairing.shared["reference"].is_null()
    return pl.Series(np.zeros(len(pairing.answers[0]), dtype=bool))


def _refuse_unreferenced(pairing: Pairing, unreferenced: pl.Series) -> None:
    if unreferenced.any():
        raise AlignmentError(
            f"{pairing.count(unreferenced)} of {pairing.account.n} items have no reference, such "
            f"as {_first(pairing, unreferenced)}.",
            fix="Give their references, or use --missing drop to leave these items out.",
        )


def _refuse_gaps(pairing: Pairing, gaps: Sequence[pl.Series]) -> None:
    words = ("not answered", *REASONS[1:])
    said = []
    for system, gap in zip(pairing.account.systems, gaps, strict=True):
        if not (gap != _FINE).any():
            continue
        counts = [(pairing.count(gap == code), words[code]) for code in range(_NO_REFERENCE)]
        if any(k for k, _ in counts):
            listed = ", ".join(f"{k} {word}" for k, word in counts if k)
            said.append(f"{system}: {listed}, such as {_first(pairing, gap != _FINE)}")
    if said:
        raise AlignmentError(
            f"not every system can be scored on each of the {pairing.account.n} items. "
            f"{'; '.join(said)}. The account: {pairing.account}.",
            fix="Use --missing drop to compare on the items that every system has, or --missing "
            "wrong to score what is missing as wrong.",
        )


def _complete(
    pairing: Pairing, gaps: Sequence[pl.Series], unreferenced: pl.Series
) -> tuple[Pairing, list[pl.Series], tuple[Dropped, ...]]:
    """Keep the items that every system can be scored on."""
    worst = pl.select(pl.min_horizontal(*gaps)).to_series()
    worst = worst.set(unreferenced & (worst == _FINE), _NO_REFERENCE)
    keep = worst == _FINE
    if keep.all():
        return pairing, list(gaps), ()
    kept = replace(
        pairing,
        items=None if pairing.items is None else pairing.items.filter(keep),
        answers=tuple(table.filter(keep) for table in pairing.answers),
        shared=pairing.shared.filter(keep) if pairing.shared.width else pairing.shared,
        kept=keep.arg_true() if pairing.items is None else None,
        multiplicities=None
        if pairing.multiplicities is None
        else pairing.multiplicities.filter(keep),
    )
    dropped = tuple(
        Dropped(reason=reason, n=n)
        for code, reason in enumerate(REASONS)
        if (n := pairing.count(worst == code))
    )
    if not keep.any():
        listed = ", ".join(f"{d.n} {d.reason}" for d in dropped)
        raise AlignmentError(
            f"no item is left of {pairing.account.n}: {listed}. The account: {pairing.account}."
        )
    return kept, [gap.filter(keep) for gap in gaps], dropped


def _blank(table: pl.DataFrame, gap: pl.Series) -> pl.DataFrame:
    """Make null whatever is there of an item that counts as missing."""
    fine = gap == _FINE
    if fine.all():
        return table
    return table.select(
        pl.col(name)
        if name in ("rest", "lacking")
        else pl.when(fine).then(pl.col(name)).alias(name)
        for name in table.columns
        if name != "present"
    )


def _with_rest(table: pl.DataFrame) -> pl.DataFrame:
    """Keep what there is of an item some of whose averaged runs lack a score."""
    if "lacking" not in table.columns:
        return table
    rest = pl.when(pl.col("lacking") < 1.0).then(pl.col("rest"))
    return table.with_columns(pl.coalesce("score", rest).alias("score"))


def _check_shared(pairing: Pairing) -> None:
    for name in ("cluster", "stratum"):
        if name in pairing.shared.columns and (k := pairing.shared[name].null_count()):
            lacking = pairing.shared[name].is_null()
            raise AlignmentError(
                f"{k} of {len(lacking)} items have no {name}, such as {_first(pairing, lacking)}.",
                fix=f"Give every item a {name}, or none.",
            )


def _first(pairing: Pairing, where: pl.Series) -> str:
    at = int(where.arg_max() or 0)
    return f"row {at + 1}" if pairing.items is None else f"item {pairing.items[at]!r}"


def _policy_notes(
    pairing: Pairing,
    dropped: Sequence[Dropped],
    absent: Sequence[int],
    wrong: Sequence[int],
    by_runs: bool,
) -> list[Note]:
    notes = []
    lacking = "Items without an answer or a score"
    if by_runs:
        lacking = "Items without an answer, and runs without a score (by items that have such),"
    if dropped:
        listed = ", ".join(f"{d.n} {d.reason}" for d in dropped)
        message = (
            f"{sum(d.n for d in dropped)} of {pairing.account.n} items were left out of all "
            f"systems: {listed}."
        )
        notes.append(Note(code="items_dropped", message=message))
    for code, counts, what in (
        ("missing_scored_wrong", absent, lacking),
        ("unparseable_scored_wrong", wrong, "Answers without a usable output"),
    ):
        if any(counts):
            listed = ", ".join(
                f"{s} {k}" for s, k in zip(pairing.account.systems, counts, strict=True)
            )
            notes.append(Note(code=code, message=f"{what} are scored wrong: {listed}."))
    return notes
