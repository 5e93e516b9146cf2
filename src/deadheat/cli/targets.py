"""Files that a command writes may not be files that it reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, TypeVar

import click

from deadheat.errors import UsageError

Kind = TypeVar("Kind", "Read", "Written")


class Read(click.ParamType[str]):
    """A file or folder that is read, as PATH or NAME=PATH."""

    name = "FILE"

    def within(self, path: str) -> list[str]:
        """Return the files of a folder, which are read as well."""
        if not os.path.isdir(path):
            return []
        return [os.path.join(folder, file) for folder, _, files in os.walk(path) for file in files]


class ReadRecord(Read):
    """A record, with which the files that it names are read."""

    def within(self, path: str) -> list[str]:
        from deadheat.errors import FormatError
        from deadheat.record import files_of

        try:
            return files_of(path)
        except FormatError:
            # What is wrong with it is said where it is verified.
            return []


class Written(click.ParamType[str]):
    """A file that is written."""

    name = "FILE"


class Command(click.Command):
    """A command that is refused before any work where it would write over what it reads."""

    def invoke(self, ctx: click.Context) -> Any:
        """Check the files that the options name, then run the command.

        Raises
        ------
        UsageError
            If a file to be written is an input or is written twice, or a path is empty.
        """
        taken: list[tuple[str, str]] = []
        for option, kind, given in _named(ctx, Read):
            if not given:
                what = f"{option} names no file" if option.startswith("-") else "a path is empty"
                raise UsageError(
                    f"{what}.", fix="Give a path; in a script a variable may have no value."
                )
            path = given if os.path.exists(given) else given.partition("=")[2] or given
            taken.append(("an input", path))
            taken.extend(("an input", file) for file in kind.within(path))
        for option, _, target in _named(ctx, Written):
            for what, other in taken:
                if _same(target, other):
                    raise UsageError(f"{option} {target} is {what}.", fix="Name another file.")
            taken.append((f"what {option} writes", target))
        return super().invoke(ctx)


def _named(ctx: click.Context, kind: type[Kind]) -> Iterator[tuple[str, Kind, str]]:
    """Yield each file of a kind with the option that names it."""
    for parameter in ctx.command.params:
        value = ctx.params.get(str(parameter.name))
        if isinstance(parameter.type, kind) and value is not None:
            for path in (value,) if isinstance(value, str) else value:
                yield parameter.opts[0], parameter.type, path


def _same(one: str, other: str) -> bool:
    if os.path.isfile(one) and os.path.isfile(other):
        return os.path.samefile(one, other)
    # What is not there yet is the same where the paths are; devices may be shared.
    missing = not os.path.exists(one) and not os.path.exists(other)
    return missing and os.path.realpath(one) == os.path.realpath(other)
