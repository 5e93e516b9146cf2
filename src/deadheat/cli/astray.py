"""A command that takes options alone: a word among them is answered with the option it wants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from deadheat.cli.numbers import PERCENT
from deadheat.cli.targets import Command
from deadheat.errors import UsageError


class OptionsAlone(Command):
    """A command without arguments, of which people expect that it has some."""

    allow_extra_args = True

    def invoke(self, ctx: click.Context) -> Any:
        """Refuse words that belong to no option, then run the command.

        Raises
        ------
        UsageError
            That says which option is probably meant.
        """
        if ctx.args:
            said = ", ".join(repr(word) for word in ctx.args[:3])
            raise UsageError(
                f"{said} {'stands' if len(ctx.args) == 1 else 'stand'} alone, and "
                f"{ctx.command_path} takes options.",
                fix=f"Did you mean {_meant(ctx.args, self)}?",
            )
        return super().invoke(ctx)


def _meant(words: Sequence[str], command: click.Command) -> str:
    several = any(param.multiple for param in command.params if param.name == "pilot")
    has_gap = any(param.name == "gap" for param in command.params)
    word = words[0]
    if word.replace(",", "").replace("_", "").isdecimal():
        return f"--items {int(word.replace(',', ''))}"
    if _numeric(word):
        return f"--gap {word}" if has_gap else f"--candidate {word}"
    files = words if several else words[:1]
    return " ".join(f"--pilot {file}" for file in files)


def _numeric(word: str) -> bool:
    if PERCENT.fullmatch(word):
        return True
    try:
        float(word)
    except ValueError:
        return False
    return True
