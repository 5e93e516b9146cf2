"""Files, frames and arrays in; one `Evaluation` out.

``read`` takes a source apart in three steps: `formats` (or `frames`) make a `Table` of it, one
module for each format; `columns` says which column plays which role; `layout` finds the systems.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from deadheat.engine import Engine, engine_of
from deadheat.errors import InputError, UsageError
from deadheat.evaluation import Answers, Evaluation, References
from deadheat.notes import Note
from deadheat.readers.columns import ROLES, Options
from deadheat.readers.frames import check_indexes
from deadheat.readers.label_map import relabelled
from deadheat.readers.layout import Layout
from deadheat.readers.naming import by_folder
from deadheat.readers.passing import read_in_passing
from deadheat.readers.passing.budget import check_fits
from deadheat.readers.references import read_references
from deadheat.readers.sources import Given, named_sources, read_answers
from deadheat.readers.tasks import by_task
from deadheat.readers.universe import with_unlisted
from deadheat.settings import MEMORY, size_of

__all__ = ["read"]


def read(
    *sources: object,
    references: object | None = None,
    item: str | int | None = None,
    system_column: str | int | None = None,
    score: str | int | None = None,
    output_column: str | int | None = None,
    reference_column: str | int | None = None,
    cluster: str | int | None = None,
    stratum: str | int | None = None,
    run: str | int | None = None,
    systems: Sequence[str] | None = None,
    label_map: Mapping[str, str] | None = None,
    names: Sequence[str] | None = None,
    different_items: bool = False,
    empty_texts: bool = False,
    memory: int | str | None = None,
    kinds: bool = True,
    engine: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Read systems from files, data frames or arrays.

    Parameters
    ----------
    *sources : path, "NAME=PATH", data frame, array or mapping of names to any of these
        An array holds scores where it has numbers and no references are given, else outputs.
        Outputs and references may be lists or objects: they are kept as canonical JSON.
    references : path, data frame or array, optional
        Right answers that stand apart from the outputs.
    item, system_column, score, output_column, reference_column, cluster, stratum, run
        Column of each role, by name (dotted inside nested JSON objects), or by number from 1,
        which means that there is no header. Columns of well-known names need not be named.
        Item, system, cluster, stratum and run may be taken out of another column: where no column
        has the whole of ``"COLUMN:REGEX"`` as its name, the first group of the regular expression
        on that column, or all that it matches, is the value. ``item:`` stands for the item ids,
        whatever their column is called.
        A column of scores may hold lists of scores, one for each run.
    systems : sequence of str, optional
        Columns of a wide table, or names in the system column of a long one, to be read.
    label_map : mapping of str to str, optional
        New names of labels, applied to outputs and references.
    names : sequence of str, optional
        One for each source. Otherwise a system is called by NAME=PATH, by what the table says,
        by its column or by the stem of the file; arrays "baseline" and "candidate" where there
        are two, else "system_1" and so on.
    different_items : bool
        Whether systems may be compared that did different tasks, or whose items, by name the
        same, asked for something else according to their logs.
    empty_texts : bool
        Whether an empty line, or an empty cell of CSV, quoted or not, among outputs and references
        is the text "", as for text metrics, and not a missing value. Text files are then read line
        by line as they stand unless their name or first line says otherwise. A JSON null stays
        missing, and an empty JSON text is a text either way.
    memory : int or str, optional
        Bytes that may be held, such as "500MB". A table that needs more is counted in
        passing: the rows of what is returned are then kinds of items.
    kinds : bool
        Whether they may be; where not, a table that needs more is refused.
    engine : str, distributed.Client or concurrent.futures.Executor, optional
        Where a table is counted in passing, part by part; see `deadheat.engine`.
    progress : callable, optional
        Told how many files of a folder are read, of how many.

    Returns
    -------
    Evaluation
        As read, not yet paired.

    Raises
    ------
    InputError
        If a file cannot be used, a column is missing or could be read in two ways, two systems
        have one name, or tables need more than `memory`.
    UsageError
        If an argument cannot be meant.

    Examples
    --------
    >>> evaluation = read([1, 0, 1], [1, 1, 1])
    >>> evaluation.systems
    ('baseline', 'candidate')
    >>> read({"a": ["yes", "no"]}, references=["yes", "yes"]).answers[0].outputs.to_list()
    ['yes', 'no']
    >>> read({"a": [["B-PER", "O"]]}, references=[["B-PER", "O"]]).answers[0].outputs.to_list()
    [b'["B-PER","O"]']
    """
    options = Options(
        item=item,
        system=system_column,
        score=score,
        output=output_column,
        reference=reference_column,
        cluster=cluster,
        stratum=stratum,
        run=run,
        systems=_distinct(systems),
        empty_texts=empty_texts,
        progress=progress,
    )
    right: References | None = None
    layouts: list[Layout] = []
    if references is not None:
        right, found = read_references(references, options)
        layouts.append(found)
    given = named_sources(sources, names)
    asked = memory is not None or engine is not None
    most = size_of(MEMORY if memory is None else memory)
    if kinds and asked and references is None and len(given) == 1:
        passed = _in_passing(given[0], options, most, engine_of(engine))
        if passed is not None:
            return relabelled(passed, label_map) if label_map else passed
    if memory is not None:
        values = (references, *(source.value for source in given))
        check_fits([value for value in values if isinstance(value, (str, PathLike))], most)
    check_indexes([source.value for source in given])
    own, named = by_folder(given, [read_answers(source, options, right) for source in given])
    layouts.extend(own)
    for role in ("cluster", "stratum"):
        asked = getattr(options, role)
        if asked is not None and not any(role in layout.roles for layout in layouts):
            raise InputError(
                f"no source has a column {asked!r} ({ROLES[role].option}).",
                fix="Check its spelling; arrays have no columns.",
            )
    answers = _named([answer for layout in layouts for answer in layout.answers])
    _check_names(answers)
    answers, unlisted = with_unlisted(answers, right)
    answers = by_task(answers)
    notes: dict[Note, None] = dict.fromkeys(note for layout in layouts for note in layout.notes)
    evaluation = Evaluation(
        answers=answers,
        references=right,
        different_items=different_items,
        notes=(*notes, *named, *unlisted),
    )
    return relabelled(evaluation, label_map) if label_map else evaluation


def _in_passing(
    source: Given, options: Options, memory: int, engine: Engine | None
) -> Evaluation | None:
    if not isinstance(source.value, (str, PathLike)) or source.name is not None:
        return None
    return read_in_passing(fspath(source.value), options, memory, engine)


def _distinct(systems: Sequence[str] | None) -> tuple[str, ...] | None:
    if systems is None:
        return None
    if isinstance(systems, str):
        raise UsageError(
            f"the systems are one text, {systems!r}.", fix="Give a sequence, such as ('A', 'B')."
        )
    if not systems or len(set(systems)) < len(systems):
        raise UsageError(
            f"the systems are {', '.join(systems) or 'none'}.", fix="Name each of them once."
        )
    return tuple(systems)


def _named(answers: Sequence[Answers]) -> tuple[Answers, ...]:
    """Name systems of frames that say no name: two are the baseline and the candidate."""
    nameless = [at for at, answer in enumerate(answers) if not answer.system]
    names = {at: f"system_{at + 1}" for at in nameless}
    if len(answers) == len(nameless) == 2:
        names = {0: "baseline", 1: "candidate"}
    return tuple(
        replace(answer, system=names.get(at, answer.system)) for at, answer in enumerate(answers)
    )


def _check_names(answers: Sequence[Answers]) -> None:
    """Refuse two systems of one name."""
    seen: dict[str, Answers] = {}
    for answer in answers:
        other = seen.setdefault(answer.system, answer)
        if other is not answer:
            places = " and ".join(
                a.source.path or f"the {a.source.format}" for a in (other, answer)
            )
            raise InputError(
                f"two systems are called {answer.system!r} ({places}).",
                fix="Give them names of their own, as NAME=PATH or with names=.",
            )
