"""What the local page knows of the commands: read off the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from deadheat.cli.options import Names, Numbers, Pairs
from deadheat.cli.targets import Read, Written
from deadheat.web.options import Kind, Option, Spelling

RENAMED: Mapping[str, Mapping[str, str]] = {
    "": {"confidence": "confidence_level", "resamples": "n_resamples", "seed": "rng"},
    "adjust": {"path": "file"},
}
"""Names in Python of options that the command line calls otherwise, of all commands or of one."""

LEFT_OUT = ("sources", "form", "threads", "memory", "engine")
"""What the page decides itself, or that changes no number."""


def catalogue(commands: Sequence[click.Command]) -> dict[str, tuple[Option, ...]]:
    """Return the options of commands, by command."""
    return {
        str(command.name): tuple(
            _option(str(command.name), parameter)
            for parameter in command.params
            if parameter.name not in LEFT_OUT and not isinstance(parameter.type, Written)
        )
        for command in commands
    }


def _option(command: str, parameter: click.Parameter) -> Option:
    names = {**RENAMED[""], **RENAMED.get(command, {})}
    name = str(parameter.name)
    default = parameter.to_info_dict()["default"] if _has_default(parameter) else None
    return Option(
        name=names.get(name, name),
        flag=_flag(parameter),
        kind=_kind(parameter),
        spelling=_spelling(parameter),
        choices=tuple(parameter.type.choices) if isinstance(parameter.type, click.Choice) else (),
        default=default,
        help=getattr(parameter, "help", None) or "",
        whole=isinstance(parameter.type, type(click.INT)),
        required=parameter.required,
        numeric=isinstance(parameter.type, Numbers),
    )


def _has_default(parameter: click.Parameter) -> bool:
    default: Any = parameter.default
    return isinstance(default, (str, int, float)) and not isinstance(default, bool)


def _flag(parameter: click.Parameter) -> str:
    """Return the spelling that is shown: the last one, where there are several."""
    return "" if isinstance(parameter, click.Argument) else parameter.opts[-1]


def _kind(parameter: click.Parameter) -> Kind:
    several = parameter.multiple or parameter.nargs != 1
    if isinstance(parameter.type, Read):
        return "files" if several else "file"
    if getattr(parameter, "is_flag", False):
        return "flag"
    if isinstance(parameter.type, click.Choice):
        return "choice"
    if isinstance(parameter.type, Pairs):
        return "pairs"
    if several or isinstance(parameter.type, (Names, Numbers)):
        return "list"
    if isinstance(parameter.type, (type(click.INT), type(click.FLOAT))):
        return "number"
    return "text"


def _spelling(parameter: click.Parameter) -> Spelling:
    if isinstance(parameter, click.Argument):
        return "arguments"
    if parameter.multiple:
        return "repeated"
    if parameter.nargs == 2:
        return "words"
    return "commas" if _kind(parameter) == "list" else "once"
