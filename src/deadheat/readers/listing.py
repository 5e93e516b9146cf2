"""The files of a folder, each once, whatever links lead where."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deadheat.errors import InputError

MOST = 20_000
"""Files that a folder may hold: a whole disk is not meant."""

_ABOUT = frozenset(
    {"readme", "license", "licence", "copying", "notice", "changelog", "changes", "contributing"}
    | {"citation", "authors", "makefile", "dockerfile", "requirements"}
)
"""Names, without what follows a dot, of files that are about a folder."""

_LOGS = frozenset({".aider.results.json"})
"""Hidden files that tools write for every item."""

_PROSE_OR_CODE = frozenset(
    {".md", ".rst", ".html", ".htm", ".pdf", ".tex", ".py", ".ipynb", ".sh", ".toml", ".yaml"}
    | {".yml", ".cfg", ".ini", ".log", ".lock", ".cff", ".bib"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a folder holds.

    Attributes
    ----------
    path : str
        As the user gave it.
    files : tuple of str
        Paths inside the folder, with "/", sorted: everything that may be a table.
    passed_over : tuple of str
        Paths of what is not looked into: hidden files, pages about the folder, code, and further
        names of one file.
    """

    path: str
    files: tuple[str, ...]
    passed_over: tuple[str, ...]

    def full(self, file: str) -> str:
        """Return the path of a file as one that can be opened."""
        return os.path.join(self.path, *file.split("/"))


def listing(path: str) -> Listing:
    """List a folder and what lies in its sub-folders; hidden ones are left out.

    Links are followed, and every file and folder counts once: by its own name before that of a
    link to it.

    Raises
    ------
    InputError
        If a folder may not be read, or there are too many files.
    """
    files: list[str] = []
    passed_over: list[str] = []
    links: list[str] = []
    for number, entry in enumerate(_walk(path, "", {os.path.realpath(path)})):
        if number >= MOST:
            raise InputError(
                f"the folder holds more than {MOST:,} files.",
                where=path,
                fix="Name the folder in which the tables lie.",
            )
        name = entry.rpartition("/")[2]
        full = os.path.join(path, *entry.split("/"))
        if (
            (name.startswith(".") and name not in _LOGS)
            or _is_about(name)
            or not os.path.isfile(full)
        ):
            passed_over.append(entry)
        else:
            (links if os.path.islink(full) else files).append(entry)
    seen = {os.path.realpath(os.path.join(path, *file.split("/"))) for file in files}
    for link in sorted(links):
        target = os.path.realpath(os.path.join(path, *link.split("/")))
        (passed_over if target in seen else files).append(link)
        seen.add(target)
    return Listing(path=path, files=tuple(sorted(files)), passed_over=tuple(sorted(passed_over)))


def _walk(root: str, inner: str, above: set[str]) -> Iterator[str]:
    """Yield the paths of all entries that are no folders; links are entered after folders."""
    here = os.path.join(root, *inner.split("/")) if inner else root
    try:
        with os.scandir(here) as found:
            entries: Sequence[os.DirEntry[str]] = sorted(found, key=lambda e: e.name)
    except OSError as error:
        reason = (error.strerror or "no reason given").lower()
        raise InputError(f"the folder cannot be read: {reason}.", where=here) from None
    folders = []
    for entry in entries:
        name = f"{inner}/{entry.name}" if inner else entry.name
        if not _is_folder(entry):
            yield name
        elif not entry.name.startswith("."):
            folders.append((entry.is_symlink(), name))
    for _, name in sorted(folders):
        real = os.path.realpath(os.path.join(root, *name.split("/")))
        if real not in above and not _is_around(real, root):
            above.add(real)
            yield from _walk(root, name, above)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder or a link to one; a link to itself is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_around(folder: str, root: str) -> bool:
    """Whether a link leads to a folder around the one that was named, beside which others lie."""
    return os.path.realpath(root).startswith(os.path.join(folder, ""))


def _is_about(name: str) -> bool:
    plain = name.casefold()
    return plain.split(".")[0] in _ABOUT or Path(plain).suffix in _PROSE_OR_CODE
