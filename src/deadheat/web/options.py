"""Options of a command as the page shows them, and the check of what was filled in.

The command line knows the options and hands them over; nothing is listed here a second time.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from deadheat.errors import UsageError, known

Kind = Literal["text", "number", "choice", "flag", "list", "pairs", "file", "files"]
Spelling = Literal["once", "repeated", "commas", "words", "arguments"]
Values = Mapping[str, Any]

READS = ("compare", "rank", "score", "inspect")
"""Commands that take files as their sources."""

LONGEST = 10_000
"""Characters that a value may have, and entries that a list may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option as the page shows it.

    Attributes
    ----------
    name : str
        As in Python; of flags that are the opposite of an argument there, as on the command line.
    flag : str
        As on the command line; empty for what has no flag there.
    kind : str
        "file" and "files" take the names of files that were sent along.
    spelling : str
        How a list is written on the command line.
    choices : tuple of str
    default : Any
        None where there is none.
    help : str
    whole : bool
        Whether a number has to be a whole one.
    required : bool
    numeric : bool
        Whether the entries of a list are numbers.
    """

    name: str
    flag: str
    kind: Kind
    spelling: Spelling = "once"
    choices: tuple[str, ...] = ()
    default: Any = None
    help: str = ""
    whole: bool = False
    required: bool = False
    numeric: bool = False

    def shown(self) -> dict[str, Any]:
        """Return what the form is made of."""
        return {
            "name": self.name,
            "kind": self.kind,
            "choices": list(self.choices),
            "default": self.default,
            "help": self.help,
        }


Catalogue = Mapping[str, Sequence[Option]]
"""Options of each command that the page runs."""


def checked(options: Sequence[Option], given: object, files: Sequence[str]) -> dict[str, Any]:
    """Return the options that say something, each of the type that it takes.

    Parameters
    ----------
    options : sequence of Option
        Of the command.
    given : object
        What was sent: names and values.
    files : sequence of str
        Names of the files that were sent along.

    Raises
    ------
    UsageError
        If there is no such option, or a value is none that it takes.
    """
    if not isinstance(given, dict):
        raise UsageError("the options are not names with values.", fix="Send a JSON object.")
    by_name = {option.name: option for option in options}
    for name in given:
        if name not in by_name:
            raise UsageError(f"there is no option {name[:100]!r} here.", fix=known(by_name, name))
    found: dict[str, Any] = {}
    for name, option in by_name.items():
        value = given.get(name)
        if value is None or value in ("", [], {}) or (option.kind == "flag" and value is False):
            continue
        found[name] = _value(option, value, files)
    if ":" in found.get("metric", ""):
        raise UsageError(
            "a metric of one's own is code, and this page runs none.",
            fix="Use the command line or Python for it.",
        )
    return {n: v for n, v in found.items() if v != by_name[n].default or by_name[n].required}


def _value(option: Option, value: Any, files: Sequence[str]) -> Any:
    """Return a value as the option takes it."""
    match option.kind:
        case "flag":
            if not isinstance(value, bool):
                raise _refused(option, value, "It is true or false.")
            return value
        case "number":
            return _number(option, value)
        case "choice":
            text = _text(option, value)
            if text not in option.choices:
                raise _refused(option, value, known(option.choices, text))
            return text
        case "file":
            return _file(option, value, files)
        case "files":
            return [_file(option, entry, files) for entry in _entries(option, value)]
        case "list":
            return _listed(option, _entries(option, value))
        case "pairs":
            return _pairs(option, value)
        case _:
            if isinstance(value, list):  # Several metrics, or steps of normalisation.
                return ",".join(_text(option, entry) for entry in value)
            return _text(option, value)


def _refused(option: Option, value: object, fix: str) -> UsageError:
    shown = json.dumps(value)[:100]
    return UsageError(f"the option {option.name} is {shown}.", fix=fix)


def _text(option: Option, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise _refused(option, value, "Give a text.")
    text = value if isinstance(value, str) else repr(value)
    if len(text) > LONGEST:
        raise UsageError(
            f"the option {option.name} has {len(text):,} characters.",
            fix=f"Give at most {LONGEST:,}.",
        )
    if any(character < " " for character in text):
        raise _refused(option, value[:100] if isinstance(value, str) else value, "Leave it out.")
    return text


def _number(option: Option, value: object) -> int | float:
    fix = "Give a whole number." if option.whole else "Give a number."
    if isinstance(value, str):
        try:
            value = int(value) if option.whole else float(value)
        except ValueError:
            raise _refused(option, value, fix) from None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _refused(option, value, fix)
    try:
        if not math.isfinite(value) or (option.whole and value != int(value)):
            raise _refused(option, str(value), fix)
        return int(value) if option.whole else float(value)
    except OverflowError:
        raise _refused(option, "a number that is too large", fix) from None


def _file(option: Option, value: object, files: Sequence[str]) -> str:
    if value not in files:
        shown = json.dumps(value)[:100]
        raise UsageError(
            f"the option {option.name} names {shown}, and no file of that name was sent.",
            fix=known(files),
        )
    return str(value)


def _entries(option: Option, value: object) -> list[Any]:
    if isinstance(value, str):
        texts = value.replace("\n", ",") if option.spelling != "repeated" else value
        parts = texts.splitlines() if option.spelling == "repeated" else texts.split(",")
        value = [part.strip() for part in parts if part.strip()]
    if not isinstance(value, list):
        value = [value]
    if len(value) > LONGEST:
        raise UsageError(
            f"the option {option.name} has {len(value):,} entries.",
            fix=f"Give at most {LONGEST:,}.",
        )
    return value


def _listed(option: Option, entries: list[Any]) -> list[Any]:
    texts = [_text(option, entry) for entry in entries]
    if option.spelling == "words" and len(texts) != 2:
        raise _refused(option, texts, "Give two.")
    if option.spelling == "commas" and any("," in text for text in texts):
        raise _refused(option, texts, "A name in a list cannot hold a comma.")
    return [_number(option, entry) for entry in entries] if option.numeric else texts


def _pairs(option: Option, value: object) -> dict[str, str]:
    """Read OLD=NEW,... or an object of old and new."""
    if isinstance(value, str):
        parts = [part.partition("=") for part in value.split(",")]
        if any(not equals or not old for old, equals, _ in parts):
            raise _refused(option, value, "Write it as OLD=NEW, with commas between several.")
        read: dict[str, str] = {}
        for old, _, new in parts:
            if read.setdefault(old, new) != new:
                raise _refused(option, value, f"{old!r} is mapped twice.")
        value = read
    if not isinstance(value, dict):
        raise _refused(option, value, "Write it as OLD=NEW, with commas between several.")
    pairs = {str(old): _text(option, new) for old, new in value.items()}
    if any("," in text for pair in pairs.items() for text in pair) or any(
        "=" in old for old in pairs
    ):
        raise _refused(option, value, "Labels here cannot hold a comma, nor old ones a '='.")
    return pairs
