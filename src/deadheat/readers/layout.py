"""From a table to the answers of systems: one system, a long table or a wide one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from deadheat.errors import InputError, UsageError, known
from deadheat.evaluation import Answers, References
from deadheat.notes import Note
from deadheat.readers.cells import groups, ids, labels, labels_or_lists, looks_numeric, numbers
from deadheat.readers.columns import ROLES, Options, missing, normal, resolve, split
from deadheat.readers.expressions import DERIVED, from_ids, with_derived, with_derived_from_ids
from deadheat.readers.hints import cluster_candidates, stratum_hints
from deadheat.readers.items import check_item, index_as_item
from deadheat.readers.runs import one_row_a_run
from deadheat.readers.table import Attempt, Table
from deadheat.readers.unreadable import NoAnswersError
from deadheat.readers.wide import chosen, listed, looks_wide, stripped

_ROW = "row"
"""Column of positions in a table while it is parted by system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What a table turned out to hold.

    Attributes
    ----------
    answers : tuple of Answers
        One for each system.
    roles : frozenset of str
        Roles for which the table has a column.
    notes : tuple of Note
        What the reading had to say.
    log : bool
        Whether the table is the log of a tool.
    attempt : Attempt or None
        Which evaluation the log tells of, where several may tell of one.
    columns : mapping of str to str
        Column of each role that was read.
    wide : tuple of str
        Columns of the systems of a wide table.
    """

    answers: tuple[Answers, ...]
    roles: frozenset[str]
    notes: tuple[Note, ...]
    log: bool = False
    attempt: Attempt | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    wide: tuple[str, ...] = ()


def lay_out(
    table: Table, options: Options, *, name: str | None, references: References | None
) -> Layout:
    """Find the systems of a table.

    Parameters
    ----------
    table : Table
        As a format has read it.
    options : Options
        Columns that the user named.
    name : str or None
        Of the one system, where the user gave it.
    references : References or None
        Given apart from the answers; a column of references beside them is then not read.

    Raises
    ------
    InputError
        If no column or more than one could be what the systems did.
    """
    wanted = wanted_here(options, apart=references is not None)
    optional = {"cluster", "stratum"} if references is not None else set()
    table = with_derived(table, options)
    for role in from_ids(options, table):
        wanted.pop(role, None)
    roles = resolve(table, wanted, optional)
    if table.bare:
        return _bare(table, roles, name, references)
    if references is not None and "reference" in roles:
        del roles["reference"]
    notes: list[Note] = list(table.notes)
    if table.scores:
        notes.extend(_score_of_log(table, roles, options))
        table = _with_score(table, roles)
    if "item" not in roles:
        index_as_item(table, roles, notes)
    items = ids(table, roles["item"]) if "item" in roles else None
    table = with_derived_from_ids(table, options, roles, items)
    by_option = options.named(("score", "output"))
    if "system" in roles or table.scores:
        systems = None
    else:
        systems = _wide_systems(table, options, roles, by_option, references, notes)
    if systems is None and not roles.keys() & {"score", "output"}:
        raise _nothing(table)
    check_item(table, roles, systems or {})
    notes.extend(stratum_hints(table, roles))
    if systems is not None:
        found = cluster_candidates(table, roles, systems)
        answers = _wide(table, systems, _shared(table, roles), found)
    else:
        answers = _long(*one_row_a_run(table, roles), options.systems)
    if name is not None:
        if len(answers) > 1:
            raise UsageError(
                f"{name!r} names one system, and the table holds {len(answers)}: "
                f"{', '.join(a.system for a in answers[:5])}.",
                where=table.place,
                fix="Leave the name out.",
            )
        answers = (replace(answers[0], system=name),)
    return Layout(
        answers=answers,
        roles=frozenset(roles),
        notes=tuple(notes),
        log=bool(table.scores),
        attempt=table.attempt,
        columns=dict(roles),
        wide=tuple(systems or ()),
    )


def _score_of_log(table: Table, roles: dict[str, str], options: Options) -> list[Note]:
    """Take the main score of a log unless another column was asked for, and name the others."""
    if options.score is not None or options.output is not None:
        return []
    roles["score"] = table.scores[0]
    others = table.scores[1:]
    if not others:
        return []
    return [
        Note(
            code="other_scores",
            message=f"The log holds {len(table.scores)} scores; {table.scores[0]} is the one "
            f"used. Others, for --score: {listed(others, 12)}.",
        )
    ]


def _with_score(table: Table, roles: dict[str, str]) -> Table:
    """Put the score that is used beside what a log knows: other logs may have another."""
    if "score" not in roles:
        return table
    about = {"": {}, **table.about}
    # Old logs of lm-evaluation-harness do not say that no filter was used, and new ones do.
    score = roles["score"].removesuffix(",none")
    return replace(
        table, about={name: {**known_, "score": score} for name, known_ in about.items()}
    )


def wanted_here(options: Options, *, apart: bool) -> dict[str, str | int]:
    """Return the named columns that concern a table of answers."""
    roles = [role for role in ROLES if not (apart and role == "reference")]
    return options.named(roles)


def _bare(
    table: Table,
    roles: dict[str, str],
    name: str | None,
    references: References | None,
) -> Layout:
    """One value a row and no names: scores where they are numbers without references."""
    (column,) = table.columns
    as_scores = "score" in roles or (
        "output" not in roles and references is None and looks_numeric(table, column)
    )
    answers = Answers(
        system=name or Path(table.source.path).stem,
        items=None,
        outputs=None if as_scores else labels_or_lists(table, column),
        scores=numbers(table, column) if as_scores else None,
        source=table.source,
        rows=table.rows,
    )
    return Layout(answers=(answers,), roles=frozenset(roles), notes=table.notes)


def _wide_systems(
    table: Table,
    options: Options,
    roles: dict[str, str],
    by_option: dict[str, str | int],
    references: References | None,
    notes: list[Note],
) -> dict[str, bool] | None:
    """Columns of systems, each with whether it holds outputs; None where it is not a wide table."""
    sources = [split(column)[0] for role, column in roles.items() if role in DERIVED]
    unused = dict.fromkeys((*roles.values(), *sources, *table.nested))
    rest = [c for c in table.columns if c not in unused]
    if options.systems is not None:
        if by_option:
            option = ROLES[next(iter(by_option))].option
            raise UsageError(
                f"--system names the columns of a wide table and {option} that of one system.",
                where=table.place,
                fix="Give one of the two.",
            )
        # A column that is asked for as a system is one, whatever its name suggests.
        rest.extend(roles.pop(role) for role in ("score", "output") if role in roles)
        rest.extend(table.nested)
        picked = []
        for system in options.systems:
            column = next((c for c in rest if system in (c, stripped(c))), None)
            if column is None:
                raise missing(table, system, "--system")
            picked.append(column)
        return chosen(table, picked, _references(table, roles, references), asked=True, notes=notes)
    if by_option:
        return None
    if roles.keys() & {"score", "output"}:
        if pattern := looks_wide(rest):
            role = "score" if "score" in roles else "output"
            raise InputError(
                f"columns {', '.join(map(repr, pattern))} look like one score for each system, "
                f"and {roles[role]!r} like the {role} of one.",
                where=table.place,
                fix=f"Say --system {','.join(pattern)} for the first, or "
                f"{ROLES[role].option} {roles[role]} for the second.",
            )
        return None
    hints = {hint for role in ROLES.values() for hint in role.hints}
    rest = [c for c in rest if normal(c) not in hints and c]
    if not rest or not table.named:
        return None
    return chosen(table, rest, _references(table, roles, references), asked=False, notes=notes)


def _references(
    table: Table, roles: dict[str, str], references: References | None
) -> pl.Series | None:
    if references is not None:
        return references.values
    return labels_or_lists(table, roles["reference"]) if "reference" in roles else None


def _nothing(table: Table) -> InputError:
    columns = [*dict.fromkeys((*table.columns, *table.nested))]
    if "reference" in table.roles:
        return NoAnswersError(
            "this holds right answers alone.",
            where=table.place,
            fix="Give it with --reference, beside the outputs of systems.",
        )
    return NoAnswersError(
        f"no column is known to hold the scores or outputs of a system; the columns are "
        f"{listed(columns, 12)}.",
        where=table.place,
        fix="Name one with --score or --output-column, or several systems with --system A,B.",
    )


def _shared(table: Table, roles: dict[str, str]) -> dict[str, pl.Series | None]:
    """Columns that every system of the table has in common."""
    readers = {
        "item": ("items", ids),
        "reference": ("references", labels_or_lists),
        "run": ("runs", labels),
        "cluster": ("clusters", groups),
        "stratum": ("strata", groups),
        "task": ("tasks", groups),
        "hash": ("item_hashes", labels),
    }
    return {
        field: read(table, roles[role]) if role in roles else None
        for role, (field, read) in readers.items()
    }


def _wide(
    table: Table,
    systems: dict[str, bool],
    shared: dict[str, Any],
    candidates: dict[str, pl.Series],
) -> tuple[Answers, ...]:
    return tuple(
        Answers(
            system=stripped(column) if table.named else column,
            outputs=labels_or_lists(table, column) if are_outputs else None,
            scores=None if are_outputs else numbers(table, column),
            source=table.source,
            rows=table.rows,
            candidates=candidates,
            **shared,
        )
        for column, are_outputs in systems.items()
    )


def _long(
    table: Table, roles: dict[str, str], systems: tuple[str, ...] | None
) -> tuple[Answers, ...]:
    """One system, or one for each name in the system column."""
    columns = _shared(table, roles) | {
        "outputs": labels_or_lists(table, roles["output"]) if "output" in roles else None,
        "scores": numbers(table, roles["score"]) if "score" in roles else None,
    }
    candidates = cluster_candidates(table, roles)
    if "system" not in roles:
        return (
            Answers(
                system=Path(table.source.path).stem,
                source=table.source,
                rows=table.rows,
                candidates=candidates,
                **columns,
                about=table.about.get("", {}),
                unlisted=table.unlisted,
            ),
        )
    names = ids(table, roles["system"]).cast(pl.String)
    present = names.unique(maintain_order=True).to_list()
    for system in systems or ():
        if system not in present:
            raise InputError(
                f"column {roles['system']!r} names no system {system!r} (--system).",
                where=table.place,
                fix=known(present, system),
            )
    frame = pl.DataFrame({k: v for k, v in columns.items() if v is not None} | {"": names})
    parts = frame.with_row_index(_ROW).partition_by("", as_dict=True, include_key=False)
    rows = {
        system: parts[(system,)][_ROW].cast(pl.Int64).to_numpy() for system in systems or present
    }
    return tuple(
        Answers(
            system=system,
            source=table.source,
            rows=table.rows.take(at),
            candidates={name: values.gather(at) for name, values in candidates.items()},
            **{k: parts[(system,)][k] if v is not None else None for k, v in columns.items()},
            about=table.about.get(system, table.about.get("", {})),
            unlisted=table.unlisted,
        )
        for system, at in rows.items()
    )
