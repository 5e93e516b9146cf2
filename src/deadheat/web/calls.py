"""Checked options, spelled as arguments in Python and as words of a command line."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from deadheat.web.options import Option

Values = Mapping[str, Any]

OPPOSITES: Mapping[str, tuple[str, bool]] = {
    "unpaired": ("paired", False),
    "lower_is_better": ("greater_is_better", False),
}
"""Flags that are the opposite of an argument in Python, and its value where they are set."""


def keywords(values: Values) -> dict[str, Any]:
    """Return checked options as the arguments of the function in Python."""
    from deadheat.remarks import parsed_about

    found: dict[str, Any] = {}
    for name, value in values.items():
        if name in OPPOSITES:
            opposite, state = OPPOSITES[name]
            found[opposite] = state
        elif name == "zero_division":
            found[name] = float(value)
        elif name == "about":
            found[name] = parsed_about(tuple(value))
        else:
            found[name] = tuple(value) if isinstance(value, list) else value
    return found


def words(options: Sequence[Option], values: Values) -> list[str]:
    """Return checked options as words of the command line, not yet quoted."""
    found: list[str] = []
    for option in options:
        if option.name in values:
            found += _words(option, values[option.name])
    return found


def _words(option: Option, value: Any) -> list[str]:
    if option.kind == "flag":
        return [option.flag]
    if option.kind == "pairs":
        return [option.flag, ",".join(f"{old}={new}" for old, new in value.items())]
    texts = [str(entry) for entry in (value if isinstance(value, list) else [value])]
    match option.spelling:
        case "repeated":
            return [word for text in texts for word in (option.flag, text)]
        case "commas":
            return [option.flag, ",".join(texts)]
        case "arguments":
            return texts
        case _:
            return [option.flag, *texts]


def shell(command: str, sources: Sequence[str], options: Sequence[Option], values: Values) -> str:
    """Spell a call for a shell."""
    after = ["--", *sources] if any(source.startswith("-") for source in sources) else []
    spelled = words(options, values)
    line = ["deadheat", command, *([] if after else sources), *spelled, *after]
    return shlex.join(line)


def python(command: str, positional: Sequence[Any], arguments: Mapping[str, Any]) -> str:
    """Write a call as Python."""
    given = [*map(_literal, positional)]
    given += [f"{name}={_literal(value)}" for name, value in arguments.items()]
    line = ", ".join(given)
    if len(line) > 70:
        line = "\n    " + ",\n    ".join(given) + ",\n"
    return f"import deadheat\n\nresult = deadheat.{command}({line})\nprint(result.to_text())\n"


def _literal(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return 'float("nan")'
    if isinstance(value, str):
        # JSON writes letters beyond 16 bits as two escapes, which Python reads as two letters.
        return json.dumps(value, ensure_ascii=False) if value.isprintable() else ascii(value)
    return repr(value)
