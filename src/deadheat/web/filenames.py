"""Names under which files that were sent are stored: of a request, nothing else reaches a path."""

from __future__ import annotations

import os
import unicodedata

KEPT = frozenset(" ._-+@()=,#%&!'{}[]~" + (":" if os.name == "posix" else ""))
"""Characters that are kept beside letters and digits: names of folders say what was run."""

LONGEST = 100
"""Bytes of one segment."""

DEEPEST = 12
"""Segments of a path; the outermost are left out."""


def cleaned(name: str) -> str:
    r"""Return a relative path of plain segments that stands for a name of a file.

    There is no way out of the folder, and the outermost segment, which commands name, is no hidden
    file and nothing that an option parser could take for something else.

    Examples
    --------
    >>> cleaned("runs/gpt 4 (n=1).jsonl"), cleaned("../../etc/passwd"), cleaned("--a\\.b\\c|d.csv")
    ('runs/gpt 4 (n=1).jsonl', 'etc/passwd', 'a/.b/c_d.csv')
    >>> cleaned("..")
    'data'
    """
    text = unicodedata.normalize("NFC", name).replace("\\", "/")
    segments = [segment for segment in map(_segment, text.split("/")) if segment.strip(". ")]
    first, *inner = segments[-DEEPEST:] or ["data"]
    return "/".join([first.lstrip(".-~ ") or "data", *inner])


def _segment(text: str) -> str:
    kept = "".join(c if c.isalnum() or c in KEPT else "_" for c in text).strip(" ")
    stem, dot, ending = kept.rpartition(".")
    if not dot or len(ending.encode()) > 20:
        stem, ending = kept, ""
    room = LONGEST - len(ending.encode()) - 1
    short = stem.encode()[:room].decode("utf-8", "ignore")
    return f"{short}.{ending}" if ending else short


class Folder:
    """The names taken in one folder, so that no file is stored over another.

    Examples
    --------
    >>> folder = Folder()
    >>> [folder.place(name) for name in ("a.csv", "A.csv", "a.csv", "a.csv/b")]
    ['a.csv', 'A-2.csv', 'a-3.csv', 'a.csv_b']
    """

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def place(self, name: str) -> str:
        """Return a name like a cleaned one that nothing has, by any case, and take it."""
        if self._files.intersection(_around(name.casefold())):
            name = name.replace("/", "_")
        chosen, number = name, 1
        while chosen.casefold() in self._files or chosen.casefold() in self._folders:
            number += 1
            stem, dot, ending = name.rpartition(".")
            split = dot and "/" not in ending
            chosen = f"{stem}-{number}.{ending}" if split else f"{name}-{number}"
        self._files.add(chosen.casefold())
        self._folders.update(_around(chosen.casefold()))
        return chosen


def _around(name: str) -> list[str]:
    """Return the folders around a file."""
    parts = name.split("/")
    return ["/".join(parts[:k]) for k in range(1, len(parts))]
