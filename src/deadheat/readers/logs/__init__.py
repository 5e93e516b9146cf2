"""Logs that evaluation tools write: one tool a file, found by what a file holds.

A module of this folder, or what an entry point of the group ``deadheat.readers`` names, offers

``TOOL``
    what people call the tool;
``VERSIONS``
    whose files were tried;
``QUIRKS``
    tuple of str: what is peculiar about its files, and what is done about it;
``recognises(path, head)``
    whether the first bytes of a file are of this tool; the heads of other tools never are;
``read(log, wanted)``
    a `deadheat.readers.table.Table` of a row for each item, or for each item and run. Its roles
    name the columns of items ("item"), and as far as there are any of systems ("system"), tasks
    ("task"), runs ("run"), clusters ("cluster") and hashes of what the items asked ("hash"). Its
    `scores` are the columns of scores, the main one first. A sample that was not scored, or whose
    run or judge failed, has the score null: it is missing, never 0 and never left out.
"""

from __future__ import annotations

from typing import Any

from deadheat import registry
from deadheat.readers.log import Log

PACKAGE = "deadheat.readers.logs"
GROUP = "deadheat.readers"

SUPPORT = ()
"""Modules of this folder that are no reader."""

__all__ = ["Log", "log_of", "readers"]


def readers() -> dict[str, Any]:
    """Return every reader by its name."""
    return {name: registry.load(PACKAGE, name, GROUP) for name in registry.names(PACKAGE, GROUP)}


def log_of(path: str, head: bytes) -> tuple[str, Any] | None:
    """Return the name and the reader of the tool that wrote a file; None where none is known.

    Parameters
    ----------
    path : str
    head : bytes
        The first bytes of the file, without a byte order mark.
    """
    return next(
        ((name, reader) for name, reader in readers().items() if reader.recognises(path, head)),
        None,
    )
