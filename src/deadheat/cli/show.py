"""Where a finished report goes: the terminal, or a file that is written whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import Any


def show(result: Any, form: str, path: str | None) -> None:
    """Render a result to standard output, or to a file when `path` is given."""
    from deadheat.report import render
    from deadheat.writing import write_whole

    if path is not None:
        write_whole(path, render(result, form))
        return
    if sys.stdout is None:  # closed by whoever started the command
        return
    terminal = sys.stdout.isatty()
    text = render(
        result,
        form,
        width=shutil.get_terminal_size((100, 24)).columns if terminal else 100,
        color=terminal and "NO_COLOR" not in os.environ,
    )
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        # Names come from data and may hold what the terminal's encoding cannot. JSON and HTML have
        # escapes of their own for them.
        if form == "json":
            text = json.dumps(json.loads(text), indent=2) + "\n"
        else:
            escapes = "xmlcharrefreplace" if form == "html" else "backslashreplace"
            text = text.encode(encoding, escapes).decode(encoding)
    sys.stdout.write(text)
