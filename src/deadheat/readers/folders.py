"""A folder of tables: its files are systems, and so is each of its sub-folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from deadheat.errors import InputError
from deadheat.evaluation import Answers, References
from deadheat.notes import Note
from deadheat.readers.columns import Options
from deadheat.readers.files import read_file
from deadheat.readers.formats import is_log
from deadheat.readers.joined import joined
from deadheat.readers.layout import Layout
from deadheat.readers.listing import Listing, listing
from deadheat.readers.unreadable import NoAnswersError, NoTableError

_LISTED = 6
"""Names that a note spells out."""


NOTES = NoAnswersError(
    "lines of text beside the log of a tool, and no references to hold them against."
)
"""Why a report that lies beside a log is not taken for the outputs of a system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What the files of a folder turned out to hold, by their paths inside it, and what was not."""

    files: dict[str, Layout]
    skipped: dict[str, InputError]

    def layouts(self, members: Sequence[str]) -> list[Layout]:
        return [self.files[file] for file in members if file in self.files]


def read_folder(
    path: str, options: Options, references: References | None, *, name: str | None
) -> Layout:
    """Read every table that lies in a folder.

    A file is a system, called by its table or by its stem. A sub-folder is one system, called by
    its table or by the folder; where it holds several files, on any level, they are its runs if
    all have the same items, and parts of its items if each has items of its own. Hidden files,
    pages about the folder, files that are no tables and the file of references are skipped.

    Parameters
    ----------
    path : str
    options : Options
    references : References or None
        Given apart from the answers.
    name : str or None
        Makes the whole folder one system.

    Raises
    ------
    InputError
        If there is no table of answers, a table cannot be read, the files of a system do not
        belong together, or it is open which folders are the systems.
    """
    listed = listing(path)
    found = _read(listed, options, references)
    if not found.files:
        raise _nothing(listed, found)
    if name is None and _lie_one_level_down(found):
        listed, found = _one_level_down(listed, found)
        path = listed.path
    elif name is None:
        _check_levels(listed, found)
    groups: dict[str, list[str]] = {}
    for file in listed.files:
        groups.setdefault(file.partition("/")[0] if name is None else "", []).append(file)
    answers: list[Answers] = []
    merged: dict[str, list[str]] = {"runs": [], "parts": [], "unlike": []}
    for group, members in groups.items():
        layouts = found.layouts(members)
        if name is None and members == [group]:
            answers.extend(answer for layout in layouts for answer in layout.answers)
        else:
            folder = path if name is not None else os.path.join(path, group)
            answers.extend(_system(folder, group, name, layouts, options, merged))
    logs = {
        answer.system for layout in found.files.values() if layout.log for answer in layout.answers
    }
    answers = _one_a_name(path, answers, logs, options, merged)
    notes = dict.fromkeys(note for layout in found.files.values() for note in layout.notes)
    return Layout(
        answers=tuple(answers),
        roles=frozenset().union(*(layout.roles for layout in found.files.values())),
        notes=(*_folder_notes(listed, found, answers, merged), *_few(notes)),
        log=all(layout.log for layout in found.files.values()),
    )


def _read(listed: Listing, options: Options, references: References | None) -> _Found:
    """Read the files that are tables of answers."""
    found = _Found(files={}, skipped={})
    refused: dict[str, InputError] = {}
    for number, file in enumerate(listed.files):
        if options.progress is not None:
            options.progress(number, len(listed.files))
        stem = str(PurePosixPath(file).with_suffix("")).partition("/")
        inside, full = stem[2] or stem[0], listed.full(file)
        try:
            if _is_references(full, references):
                _check_more_than_references(full, options, inside)
            found.files[file] = read_file(full, options, references, file=inside)
        except (NoTableError, NoAnswersError) as error:
            found.skipped[file] = error
        except InputError as error:
            if is_log(full):
                raise
            refused[file] = error
    if refused:
        if not any(layout.log for layout in found.files.values()):
            raise next(iter(refused.values()))
        # What tools leave beside their logs, such as a table of all systems, is no answer.
        found.skipped.update(refused)
    by_id = references is not None and references.items is not None
    by_id |= any(a.items is not None for layout in found.files.values() for a in layout.answers)
    for file, layout in [*found.files.items()]:
        (first, *_) = layout.answers
        if by_id and first.items is None and first.source.format == "lines":
            # Beside tables with item ids they are notes, and cannot be paired if they are not.
            del found.files[file]
            found.skipped[file] = NoAnswersError("lines of text without item ids.")
    if references is None and any(
        isinstance(error, NoAnswersError) and is_log(listed.full(file))
        for file, error in found.skipped.items()
    ):
        for file, layout in [*found.files.items()]:
            if is_prose(layout.answers[0]):
                del found.files[file]
                found.skipped[file] = NOTES
    _pass_over_attempts(found)
    return found


def is_prose(answers: Answers) -> bool:
    """Whether a file is lines of text, and not of numbers."""
    return answers.source.format == "lines" and answers.scores is None


def _pass_over_attempts(found: _Found) -> None:
    """Leave out logs of an evaluation of which a later attempt or copy lies in the folder."""
    last: dict[str, str] = {}
    for file, layout in [*found.files.items()]:
        if layout.attempt is None:
            continue
        other = last.setdefault(layout.attempt.of, file)
        if other == file:
            continue
        attempt = found.files[other].attempt
        assert attempt is not None
        newer, older = (other, file) if layout.attempt.order < attempt.order else (file, other)
        del found.files[older]
        found.skipped[older] = NoAnswersError(f"{newer} is a later log of the same evaluation.")
        last[layout.attempt.of] = newer


def _is_references(full: str, references: References | None) -> bool:
    if references is None or not os.path.isfile(references.source.path):
        return False
    return os.path.samefile(full, references.source.path)


def _check_more_than_references(full: str, options: Options, inside: str) -> None:
    """Refuse the file of references as a system, unless there are outputs beside them."""
    (first, *_) = read_file(full, options, None, file=inside).answers
    if first.source.format == "lines":
        raise NoAnswersError("the references.")


def _lie_one_level_down(found: _Found) -> bool:
    """Whether all lies in one folder, whose folders hold runs: then these are the systems.

    Several files with the same items are runs of one system, and runs have no runs of their own.
    """
    parts = {file: file.split("/") for file in found.files}
    if len({first for first, *_ in parts.values()}) > 1:
        return False
    by_folder: dict[str, list[Layout]] = {}
    for file, names in parts.items():
        if len(names) < 3 or not _by_stem(found.files[file]):
            return False
        by_folder.setdefault(names[1], []).append(found.files[file])
    return len(by_folder) > 1 and any(map(_same_items, by_folder.values()))


def _same_items(layouts: Sequence[Layout]) -> bool:
    """Whether there are several files, and all have the same items."""
    items = [layout.answers[0].items for layout in layouts]
    distinct = [set(values) for values in items if values is not None]
    return len(layouts) == len(distinct) > 1 and all(one == distinct[0] for one in distinct)


def _one_level_down(listed: Listing, found: _Found) -> tuple[Listing, _Found]:
    """Take the one folder in which all files lie for the folder that was named."""
    inner = next(iter(found.files)).partition("/")[0]
    start = f"{inner}/"
    inside = Listing(
        path=listed.full(inner),
        files=tuple(file.removeprefix(start) for file in listed.files if file.startswith(start)),
        passed_over=tuple(file.removeprefix(start) for file in listed.passed_over),
    )
    return inside, _Found(
        files={file.removeprefix(start): layout for file, layout in found.files.items()},
        skipped={file.removeprefix(start): error for file, error in found.skipped.items()},
    )


def _check_levels(listed: Listing, found: _Found) -> None:
    """Refuse one sub-folder with several files: its files may be systems as well as runs."""
    top = {file.partition("/")[0] for file in found.files}
    unsaid = any(_by_stem(layout) for layout in found.files.values())
    if len(top) > 1 or len(found.files) == 1 or not unsaid:
        return
    (inner,) = top
    full = listed.full(inner)
    raise InputError(
        f"the folder holds nothing to read but the folder {inner!r}, with {len(found.files)} "
        "tables in it.",
        where=listed.path,
        fix=f"Name {full} if its files and folders are the systems, or NAME={full} if it is one "
        "system and they are its runs.",
    )


def _system(
    folder: str,
    group: str,
    name: str | None,
    layouts: Sequence[Layout],
    options: Options,
    merged: dict[str, list[str]],
) -> list[Answers]:
    """Put the files of a folder together, system by system."""
    if name is not None and any(len(layout.answers) > 1 for layout in layouts):
        raise InputError(
            f"{name!r} names one system, and a table of the folder holds several.",
            where=folder,
            fix="Leave the name out.",
        )
    by_system: dict[str, list[Answers]] = {}
    for layout in layouts:
        for answers in layout.answers:
            called = name or (group if _by_stem(layout) else answers.system)
            by_system.setdefault(called, []).append(answers)
    found = []
    for system, parts in by_system.items():
        if len(parts) == 1:
            found.append(replace(parts[0], system=system))
            continue
        paths = [os.path.relpath(a.source.path, folder).replace(os.sep, "/") for a in parts]
        stems = [str(PurePosixPath(inside).with_suffix("")) for inside in paths]
        names = stems if len(set(stems)) == len(stems) else paths
        whole = joined(
            system,
            folder,
            dict(zip(names, paths, strict=True)),
            parts,
            told_apart=options.run is not None,
        )
        merged[whole.how].append(f"{system} {len(parts)}")
        if whole.unlike:
            merged["unlike"].append(f"{system}: {whole.unlike}")
        found.append(whole.answers)
    return found


def _one_a_name(
    folder: str,
    answers: Sequence[Answers],
    logs: set[str],
    options: Options,
    merged: dict[str, list[str]],
) -> list[Answers]:
    """Put together what several logs say of one system, wherever in the folder they lie."""
    by_name: dict[str, list[Answers]] = {}
    for answer in answers:
        by_name.setdefault(answer.system, []).append(answer)
    found = []
    for system, parts in by_name.items():
        if len(parts) == 1 or system not in logs:
            found.extend(parts)
            continue
        paths = [os.path.relpath(a.source.path, folder).replace(os.sep, "/") for a in parts]
        whole = joined(
            system,
            folder,
            dict(zip(paths, paths, strict=True)),
            parts,
            told_apart=options.run is not None,
        )
        merged[whole.how].append(f"{system} {len(parts)}")
        if whole.unlike:
            merged["unlike"].append(f"{system}: {whole.unlike}")
        found.append(whole.answers)
    return found


def _by_stem(layout: Layout) -> bool:
    """Whether nothing but the name of its file says what a system is called."""
    first, *others = layout.answers
    return (
        not others and "system" not in layout.roles and first.system == Path(first.source.path).stem
    )


def _nothing(listed: Listing, found: _Found) -> InputError:
    if not found.skipped:
        n = len(listed.passed_over)
        what = f"{_counted(n, 'file')} that {'is' if n == 1 else 'are'} not looked into"
        what = what if n else "no file"
        return InputError(f"the folder holds no table ({what}).", where=listed.path)
    file, error = next(
        (item for item in found.skipped.items() if isinstance(item[1], NoAnswersError)),
        next(iter(found.skipped.items())),
    )
    more = len(found.skipped) - 1
    return InputError(
        f"the folder holds no table of answers. {file}: {error.found.rstrip('.')}"
        + (f"; and {_counted(more, 'more file')}." if more else "."),
        where=listed.path,
        fix=error.fix,
    )


def _folder_notes(
    listed: Listing, found: _Found, answers: Sequence[Answers], merged: dict[str, list[str]]
) -> list[Note]:
    notes = [
        Note(
            code="folder",
            message=f"{_counted(len(answers), 'system')} in {_counted(len(found.files), 'file')} "
            f"of {listed.path}.",
        )
    ]
    # Results beside samples are read with them.
    read = {source.path for answer in answers for source in answer.source.files}
    left = {file: why for file, why in found.skipped.items() if listed.full(file) not in read}
    skipped = len(listed.passed_over) + len(left)
    if skipped:
        why = [f"{file} ({error.found.rstrip('.')})" for file, error in left.items()]
        shown = [*why, *listed.passed_over][:_LISTED]
        more = f" and {skipped - _LISTED} more" if skipped > _LISTED else ""
        notes.append(
            Note(
                code="files_skipped",
                message=f"{_counted(skipped, 'file')} of {listed.path} "
                f"{'was' if skipped == 1 else 'were'} skipped as no table of answers: "
                f"{', '.join(shown)}{more}.",
            )
        )
    for how, what in (
        ("runs", "Files with the same items are runs of their system"),
        ("parts", "Files with items of their own are parts of the items of their system"),
    ):
        if merged[how]:
            notes.append(
                Note(code=f"files_as_{how}", message=f"{what}: {', '.join(merged[how])} files.")
            )
    notes.extend(
        Note(
            code="settings_differ",
            message=f"Runs were not made alike, and their average mixes what differs. {unlike}.",
        )
        for unlike in merged["unlike"]
    )
    return notes


def _few(notes: Iterable[Note]) -> list[Note]:
    """Keep the first notes of each kind, and count the rest: a folder may hold many files."""
    by_code: dict[str, list[Note]] = {}
    for note in notes:
        by_code.setdefault(note.code, []).append(note)
    kept = []
    for code, same in by_code.items():
        kept.extend(same[:_LISTED])
        if len(same) > _LISTED:
            more = _counted(len(same) - _LISTED, "more note")
            kept.append(Note(code=code, message=f"{more} of this kind on files of the folder."))
    return kept


def _counted(n: int, word: str) -> str:
    return f"{n:,} {word}" + ("" if n == 1 else "s")
