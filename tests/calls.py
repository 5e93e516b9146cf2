"""The command line called inside the process: faster than a process of its own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NoReturn

import pytest

from deadheat.cli import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a command left behind."""

    code: object
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as strict JSON."""
        return strict(self.out)


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> Done:
    """Run `deadheat` with arguments; anything that is not an exit is let through."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return Done(code=left.value.code, out=out, err=err)


def strict(text: str) -> Any:
    """Read JSON as a parser does that knows no NaN and no Infinity."""

    def refuse(constant: str) -> NoReturn:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)
