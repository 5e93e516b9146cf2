"""Folders whose logs name one system: called by the folders."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from deadheat.notes import Note
from deadheat.readers.layout import Layout
from deadheat.readers.sources import Given


def by_folder(given: Sequence[Given], layouts: Sequence[Layout]) -> tuple[list[Layout], list[Note]]:
    """Call systems by their folders, where the logs of two folders that were named have one name.

    Parameters
    ----------
    given : sequence of Given
    layouts : sequence of Layout
        What each of them holds.

    Returns
    -------
    layouts : list of Layout
        As they were, but for folders with a log of one system, of which another folder with
        another name has a log too.
    notes : list of Note
    """
    folders: dict[str, dict[int, str]] = {}
    for at, (source, layout) in enumerate(zip(given, layouts, strict=True)):
        if not layout.log or source.name is not None or not os.path.isdir(source.value):
            continue
        if len(layout.answers) == 1:
            folder = Path(os.path.abspath(source.value)).name
            folders.setdefault(layout.answers[0].system, {})[at] = folder
    found, notes = list(layouts), []
    for name, called in folders.items():
        if len(called) < 2 or len(set(called.values())) < len(called):
            continue
        for at, folder in called.items():
            (answers,) = layouts[at].answers
            found[at] = replace(layouts[at], answers=(replace(answers, system=folder),))
        notes.append(
            Note(
                code="named_by_folder",
                message=f"The logs of {len(called)} folders call their system {name}; they are "
                f"called by their folders, {', '.join(called.values())}. NAME=PATH gives other "
                "names.",
            )
        )
    return found, notes
