"""Which column plays which role: by names that are known unasked, or as the user says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from deadheat.errors import InputError, UsageError, known
from deadheat.readers.table import Table

Column = str | int | None
"""Name of a column, its number from 1 where there is no header, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a column can be.

    Attributes
    ----------
    name : str
        For messages and for `Options`.
    option : str
        By which a user names the column.
    aliases : frozenset of str
        Names that say so unasked.
    hints : frozenset of str
        Names that suggest it and are only pointed out.
    """

    name: str
    option: str
    aliases: frozenset[str]
    hints: frozenset[str] = frozenset()


def _role(name: str, option: str, aliases: str, hints: str = "") -> Role:
    return Role(
        name=name,
        option=option,
        aliases=frozenset(aliases.split()),
        hints=frozenset(hints.split()),
    )


ROLES = {
    role.name: role
    for role in (
        _role(
            "item",
            "--item",
            "item id item_id example_id question_id doc_id sample_id instance_id qid",
        ),
        _role("system", "--system-column", "system model model_name system_id"),
        _role("score", "--score", "score value correct is_correct acc resolved"),
        _role("output", "--output-column", "output prediction pred answer response hypothesis"),
        _role("reference", "--reference-column", "reference gold target label answer_key"),
        _role("cluster", "--cluster", "cluster cluster_id", "group_id document_id doc"),
        _role("stratum", "--stratum", "stratum task", "subtask subject category lang"),
        _role("run", "--run", "run seed epoch trial repeat run_id"),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Columns that the user named, by role, and how to read the table.

    Attributes
    ----------
    systems : tuple of str or None
        System columns of a wide table, or systems of a long one.
    empty_texts : bool
        Whether what is empty among outputs and references is a text.
    progress : callable or None
        Told how many files of a folder are read, of how many.
    """

    item: Column = None
    system: Column = None
    score: Column = None
    output: Column = None
    reference: Column = None
    cluster: Column = None
    stratum: Column = None
    run: Column = None
    systems: tuple[str, ...] | None = None
    empty_texts: bool = False
    progress: Callable[[int, int], None] | None = field(default=None, compare=False, repr=False)

    def named(self, roles: Iterable[str] = tuple(ROLES)) -> dict[str, str | int]:
        """Return the columns that were named, by role."""
        every = {role: getattr(self, role) for role in roles}
        return {role: column for role, column in every.items() if column is not None}


def normal(name: str) -> str:
    """Bring a column name to the form in which aliases are written.

    Examples
    --------
    >>> normal(" Question ID")
    'question_id'
    """
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def is_alias(name: str) -> bool:
    """Whether a name is known for any role."""
    return any(normal(name) in role.aliases for role in ROLES.values())


def is_number(column: str | int) -> bool:
    """Whether a column is given by number, with or without an expression behind it."""
    return isinstance(column, int) or split(column)[0].isdecimal()


def split(column: str) -> tuple[str, str | None]:
    """Split COLUMN:REGEX at the first colon.

    Examples
    --------
    >>> split("item:^([^:]+):"), split("item")
    (('item', '^([^:]+):'), ('item', None))
    """
    name, colon, rule = column.partition(":")
    return name, rule if colon else None


def sought(columns: Iterable[str | int]) -> list[str | int]:
    """Return columns that were asked for, and those that they are taken out of.

    Examples
    --------
    >>> sought(["output", "meta.id:^(.+)_"])
    ['output', 'meta.id:^(.+)_', 'meta.id']
    """
    found: dict[str | int, None] = {}
    for column in columns:
        found[column] = None
        if isinstance(column, str) and not is_number(column):
            found[split(column)[0]] = None
    return list(found)


def resolve(table: Table, wanted: dict[str, str | int], optional: Iterable[str]) -> dict[str, str]:
    """Find the column of each role.

    Parameters
    ----------
    table : Table
        Whose columns are looked through.
    wanted : dict
        Columns that were named, by role.
    optional : iterable of str
        Roles whose named column may be missing from this table.

    Returns
    -------
    dict
        Column by role, for the roles that were found.

    Raises
    ------
    InputError
        If a named column is missing or two columns could play one role.
    UsageError
        If one column was named for two roles.
    """
    found: dict[str, str] = {}
    for name, asked in wanted.items():
        if str(asked) in table.columns:
            found[name] = str(asked)
        elif name not in optional:
            raise missing(table, asked, ROLES[name].option)
    for name, column in found.items():
        twin = next((other for other in found if other != name and found[other] == column), None)
        if twin:
            raise UsageError(
                f"column {column!r} is named by {ROLES[name].option} and by {ROLES[twin].option}.",
                fix="One column plays one role.",
            )
    taken = set(found.values())
    for name, column in table.roles.items():
        if name not in found and column not in taken:
            found[name] = column
            taken.add(column)
    for name, role in ROLES.items():
        if name in found or not table.named or table.scores:
            continue
        fitting = [c for c in table.columns if normal(c) in role.aliases and c not in taken]
        if len(fitting) > 1:
            raise InputError(
                f"columns {', '.join(map(repr, fitting))} could each be the {name}.",
                where=table.place,
                fix=f"Say which, for example {role.option} {fitting[0]}.",
            )
        if fitting:
            found[name] = fitting[0]
    return found


def missing(table: Table, column: str | int, option: str) -> InputError:
    """Say that a named column is not there, and which are."""
    if is_number(column) and not table.named:
        return InputError(
            f"there is no column {column} ({option}); there are {len(table.columns)}.",
            where=table.place,
        )
    if table.bare:
        return InputError(
            f"there is no column {column!r} ({option}): this is one value a line, without names.",
            where=table.place,
        )
    name, rule = split(str(column))
    if rule is not None and name in table.columns:
        return InputError(
            f"there is no column {column!r} ({option}).",
            where=table.place,
            fix=f"{option} takes a whole column, such as {name}, without an expression.",
        )
    return InputError(
        f"there is no column {column!r} ({option})"
        + ("." if rule is None else f", nor a column {name!r} to take it out of."),
        where=table.place,
        fix=known({*table.columns, *table.nested}, name),
    )
