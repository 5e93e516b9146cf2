"""Files that a command writes may not be files that it reads."""

from __future__ import annotations

import os
from collections.abc import Iterable

from deadheat.errors import UsageError


def check_targets(targets: dict[str, str | None], inputs: Iterable[str | None]) -> None:
    """Refuse to write over an input, or two outputs into one file.

    Parameters
    ----------
    targets : dict of str to (str or None)
        Files to be written, by the option that names them.
    inputs : iterable of (str or None)
        Files to be read, as PATH or NAME=PATH.

    Raises
    ------
    UsageError
        If two of them are one file.
    """
    taken: list[tuple[str, str]] = []
    for given in inputs:
        if given is not None:
            path = given if os.path.exists(given) else given.partition("=")[2] or given
            taken.append(("an input", path))
            taken.extend(("an input", file) for file in _within(path))
    for option, target in targets.items():
        if target is None:
            continue
        for what, other in taken:
            if _same(target, other):
                raise UsageError(f"{option} {target} is {what}.", fix="Name another file.")
        taken.append((f"what {option} writes", target))


def _within(path: str) -> list[str]:
    """Return the files of a folder that is read."""
    if not os.path.isdir(path):
        return []
    return [os.path.join(folder, file) for folder, _, files in os.walk(path) for file in files]


def _same(one: str, other: str) -> bool:
    if os.path.isfile(one) and os.path.isfile(other):
        return os.path.samefile(one, other)
    # What is not there yet is the same where the paths are; devices may be shared.
    missing = not os.path.exists(one) and not os.path.exists(other)
    return missing and os.path.realpath(one) == os.path.realpath(other)
