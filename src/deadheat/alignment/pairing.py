"""Bring systems into rows of the same items: by id, or by order where nobody has ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from deadheat.alignment.account import Account, account
from deadheat.alignment.alignment import Runs, Unparseable
from deadheat.alignment.identity import check_same_items
from deadheat.alignment.kinds import listed, shown
from deadheat.alignment.repeats import one_row_per_item, repeated
from deadheat.alignment.runs import crossed, names_of_runs, runs_notes, with_runs, without_output
from deadheat.alignment.tables import WORDS, tables
from deadheat.errors import AlignmentError
from deadheat.evaluation import Answers, Evaluation
from deadheat.notes import Note

ANSWERED = frozenset({"present", "complete", "output", "score", "rest", "lacking"})
"""Columns of what a system did, see `Pairing`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Rows of all systems in one order, before any policy on what is missing.

    Attributes
    ----------
    items : polars.Series or None
        Sorted ids; None when paired by order.
    answers : tuple of polars.DataFrame
        Per system, all of one height: "present" (Boolean), and "output" and "score" as far as
        they were read; "complete" (Boolean) where runs are crossed; "rest" and "lacking" where
        averaged runs lack scores, see `deadheat.alignment.repeats.one_row_per_item`.
    shared : polars.DataFrame
        "reference", "cluster" and "stratum" as far as they were read.
    account : Account
        Who has which items.
    kept : polars.Series or None
        Rows of the items in what was read, paired by order; None for all.
    run_names : tuple of tuple, or None
        Per system, where runs are crossed.
    multiplicities : polars.Series or None
        Items that each row stands for, where it is not one.
    notes : tuple of Note
    """

    items: pl.Series | None
    answers: tuple[pl.DataFrame, ...]
    shared: pl.DataFrame
    account: Account
    kept: pl.Series | None = None
    run_names: tuple[tuple[str, ...], ...] | None = None
    multiplicities: pl.Series | None = None
    notes: tuple[Note, ...]

    def count(self, rows: pl.Series) -> int:
        """Return the number of items among rows that are marked."""
        if self.multiplicities is None:
            return int(rows.sum())
        return int(self.multiplicities.filter(rows).sum())


def paired(
    evaluation: Evaluation,
    answers: Sequence[Answers],
    *,
    runs: Runs = "average",
    unparseable: Unparseable = "wrong",
) -> Pairing:
    """Pair the answers of systems, and their references, item by item.

    Parameters
    ----------
    evaluation : Evaluation
    answers : sequence of Answers
        Of the systems to pair.
    runs : {"average", "keep", "cross"}
        Whether the runs of an item become one score, lists of outputs and scores, or lists of the
        same named runs for every item.
    unparseable : {"wrong", "missing"}
        Under "missing" a run without a usable output has no score, where runs are kept.

    Raises
    ------
    AlignmentError
        If ids are absent on one side, missing, repeated or of types that never match, if no item
        matches, if unequal lengths are to be paired by order, or if systems disagree about an
        item's reference, cluster or stratum.
    """
    names = tuple(a.system for a in answers)
    sides = [*names, "the references"][: len(names) + (evaluation.references is not None)]
    same = check_same_items(answers, different=evaluation.different_items)
    parts, notes = tables(evaluation, answers)
    for side, part in zip(sides, parts, strict=True):
        if not len(part):
            raise AlignmentError(f"there are no items: {side} has no rows.")
    items: pl.Series | None = None
    run_names = None
    if runs == "cross":
        run_names = tuple(names_of_runs(part) for part in parts[: len(names)])
    kinds = evaluation.multiplicities
    if "item" in parts[0].columns:
        counts = _counts(evaluation, parts[0]["item"].dtype)
        parts = [_sorted(part, stable=runs == "keep") for part in parts]
        who = account(names, [part["item"] for part in parts], counts.n_of if counts else len)
        _refuse_repeated(sides, parts, who, unnamed=len(names) if runs == "keep" else 0)
        _refuse_unmatched(sides, [part["item"] for part in parts], who)
        parts, more = (
            _averaged(sides, parts)
            if runs == "average"
            else _with_runs(names, parts, unparseable, grid=runs == "cross")
        )
        items, parts = _spread(parts)
        kinds = counts.of(items) if counts else None
    else:
        more = _by_order(evaluation, answers, sides, parts)
        n = len(parts[0]) if kinds is None else int(kinds.sum())
        who = Account(systems=names, n=n, matched=n, only=(0,) * len(names))
        if runs != "average":
            parts, _ = _with_runs(names, parts, unparseable)
        parts = [part.with_columns(pl.lit(True).alias("present")) for part in parts]
    return Pairing(
        items=items,
        answers=tuple(
            part.select(c for c in part.columns if c in ANSWERED) for part in parts[: len(names)]
        ),
        shared=pl.DataFrame(
            {
                role: values
                for role in ("reference", "cluster", "stratum")
                if (values := _agreed(role, sides, parts, items)) is not None
            }
        ),
        account=who,
        run_names=run_names,
        multiplicities=kinds,
        notes=(*same, *notes, *more),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    """How many items each item stands for, where rows are kinds of items."""

    table: pl.DataFrame

    def of(self, items: pl.Series) -> pl.Series:
        ids = items.alias("item").to_frame()
        return ids.join(self.table, on="item", how="left", maintain_order="left")["items"]

    def n_of(self, items: pl.Series) -> int:
        return int(self.of(items).sum())


def _counts(evaluation: Evaluation, dtype: pl.DataType) -> _Counts | None:
    if evaluation.multiplicities is None or evaluation.representatives is None:
        return None
    items = evaluation.representatives.cast(dtype)
    return _Counts(table=pl.DataFrame({"item": items, "items": evaluation.multiplicities}))


def _sorted(part: pl.DataFrame, *, stable: bool) -> pl.DataFrame:
    """Sort by item and run; stable, rows of one item that nothing tells apart keep their order."""
    key = [name for name in ("item", "run") if name in part.columns]
    return part.sort(key, maintain_order=stable)


def _by_order(
    evaluation: Evaluation,
    answers: Sequence[Answers],
    sides: Sequence[str],
    parts: Sequence[pl.DataFrame],
) -> tuple[Note, ...]:
    """Check that the lengths allow pairing by order, and say that it was done."""
    lengths = [len(part) for part in parts]
    if len(set(lengths)) > 1:
        paths = [a.source.path for a in answers]
        if evaluation.references is not None:
            paths.append(evaluation.references.source.path)
        counts = ", ".join(
            f"{side} {n}" + (f" ({path})" if path else "")
            for side, n, path in zip(sides, lengths, paths, strict=True)
        )
        raise AlignmentError(
            f"there are no item ids and the numbers of rows differ: {counts}.",
            fix="Give item ids (--item names the column), or lists of one length.",
        )
    sources = {a.source for a in answers}
    if evaluation.references is not None:
        sources.add(evaluation.references.source)
    one_file = len(sources) == 1 and next(iter(sources)).path
    if len(sides) == 1 or one_file:
        return ()
    message = (
        f"There are no item ids: row k of {_and(sides)} was taken to be the same item, by order."
    )
    return (Note(code="paired_by_order", message=message),)


def _refuse_repeated(
    sides: Sequence[str], parts: Sequence[pl.DataFrame], who: Account, *, unnamed: int
) -> None:
    """Refuse keys with more than one row; rows of the first `unnamed` tables may be runs."""
    found = [
        (side, again)
        for at, (side, part) in enumerate(zip(sides, parts, strict=True))
        if ("run" in part.columns or at >= unnamed) and len(again := repeated(part))
    ]
    if not found:
        return
    ids = pl.concat([again["item"] for _, again in found])
    rows = "; ".join(
        f"{_keys(again)} in {side}" + (f" and {len(again) - 3} more" if len(again) > 3 else "")
        for side, again in found
    )
    word = "id" if ids.n_unique() == 1 else f"{ids.n_unique()} ids"
    runs = any("run" in again.columns for _, again in found)
    raise AlignmentError(
        f"an item {'and run ' if runs else ''}has more than one row: {rows}. "
        f"The account: {who}, duplicated {word} {listed(ids)}.",
        fix="Keep one row for each item and run."
        if runs
        else "Keep one row for each item, or name the column that tells repetitions apart with "
        "--run; pass@k, pass^k and majority_vote take several rows of an item as its runs.",
    )


def _keys(again: pl.DataFrame) -> str:
    return ", ".join(
        f"{row['item']!r}"
        + (f" run {row['run']!r}" if "run" in row else "")
        + f" ({row['rows']} rows)"
        for row in again.head(3).iter_rows(named=True)
    )


def _refuse_unmatched(sides: Sequence[str], ids: Sequence[pl.Series], who: Account) -> None:
    systems = len(who.systems)
    shown = "; ".join(f"{side}: {listed(values)}" for side, values in zip(sides, ids, strict=True))
    fix = "Name the columns whose values agree with --item."
    if not who.matched:
        raise AlignmentError(f"0 of {who.n} items matched. Ids of {shown}.", fix=fix)
    if systems < len(ids) and not any(v.is_in(ids[-1].implode()).any() for v in ids[:systems]):
        raise AlignmentError(f"0 of {who.n} items matched the references. Ids of {shown}.", fix=fix)


def _averaged(
    sides: Sequence[str], parts: Sequence[pl.DataFrame]
) -> tuple[list[pl.DataFrame], tuple[Note, ...]]:
    reduced = [one_row_per_item(part, side) for side, part in zip(sides, parts, strict=True)]
    averaged = [f"{side} {runs}" for side, (_, runs) in zip(sides, reduced, strict=True) if runs]
    single = [part for part, _ in reduced]
    if not averaged:
        return single, ()
    message = (
        f"Scores were averaged within each item over its runs: {', '.join(averaged)}. The claim is "
        "about these runs; where all items share them, --runs random makes it one about others."
    )
    return single, (Note(code="runs_averaged", message=message),)


def _with_runs(
    systems: Sequence[str],
    parts: Sequence[pl.DataFrame],
    unparseable: Unparseable,
    *,
    grid: bool = False,
) -> tuple[list[pl.DataFrame], tuple[Note, ...]]:
    """Give every system one row for each item, with lists; references have one already."""
    answers = parts[: len(systems)]
    if unparseable == "missing":
        answers = [without_output(part) for part in answers]
    if grid:
        answers = [crossed(part, system) for part, system in zip(answers, systems, strict=True)]
    reduced = [with_runs(part, system) for part, system in zip(answers, systems, strict=True)]
    notes = runs_notes(
        systems, [counts for _, counts in reduced], ["run" not in part.columns for part in answers]
    )
    return [*(part for part, _ in reduced), *parts[len(systems) :]], notes


def _spread(parts: Sequence[pl.DataFrame]) -> tuple[pl.Series, list[pl.DataFrame]]:
    """Give every table a row for each item that anyone has."""
    first = parts[0]["item"]
    marked = [part.with_columns(pl.lit(True).alias("present")) for part in parts]
    if all(first.equals(part["item"]) for part in parts[1:]):
        return first, marked
    items = pl.concat([part["item"] for part in parts]).unique().sort()
    wide = [
        items.to_frame()
        .join(part, on="item", how="left", maintain_order="left")
        .with_columns(pl.col("present").fill_null(False))
        for part in marked
    ]
    return items, wide


def _agreed(
    role: str, sides: Sequence[str], parts: Sequence[pl.DataFrame], items: pl.Series | None
) -> pl.Series | None:
    """Return the values of a column that every table that has it agrees on."""
    agreed: pl.Series | None = None
    for side, part in zip(sides, parts, strict=True):
        if role not in part.columns:
            continue
        values = part[role]
        if agreed is None:
            agreed = values
            continue
        differ = (agreed != values).fill_null(False)
        if differ.any():
            at = int(differ.arg_max() or 0)
            item = f"item {items[at]!r}" if items is not None else f"row {at + 1}"
            pairs = zip(sides, parts, strict=True)
            first = next(s for s, p in pairs if role in p.columns and p[role][at] == agreed[at])
            both = f"{shown(agreed[at])} and {shown(values[at])}"
            raise AlignmentError(
                f"{first} and {side} disagree about the {WORDS[role]} of {differ.sum()} of "
                f"{len(values)} items, such as {item}: {both}.",
                fix="Give the column once, with --reference FILE (one of the files will do), or "
                "correct it."
                if role == "reference"
                else "Correct the column, or give it in one place only.",
            )
        agreed = agreed.zip_with(agreed.is_not_null(), values)
    return agreed


def _and(names: Sequence[str], most: int = 12) -> str:
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
