"""What can be picked for files that were looked into: systems, columns and metrics."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from deadheat.errors import DeadheatError
from deadheat.inspecting import Inspection
from deadheat.metrics import metric, names
from deadheat.readers.formats import is_log, read_table

MOST_FILES = 8
"""Files whose columns are listed."""

MOST_COLUMNS = 500

SCORES, SCORES_01 = "scores", "0/1 scores"
ANSWERS = "outputs with references"


def pickers(found: Inspection) -> dict[str, Any]:
    """Return `systems`, `columns` (none of logs, whose parts are known) and `metrics`."""
    kinds = {system.kind for system in found.systems}
    runs = max((system.runs for system in found.systems), default=1)
    return {
        "systems": list(dict.fromkeys(system.system for system in found.systems)),
        "columns": _columns([file.path for file in found.files if not file.problem]),
        "metrics": [name for name in names() if _applies(name, kinds, runs)],
    }


def _columns(paths: Sequence[str]) -> list[str]:
    columns: dict[str, None] = {}
    for path in paths[:MOST_FILES]:
        with suppress(DeadheatError, OSError):
            if os.path.isfile(path) and not is_log(path):
                table = read_table(path, ())
                columns |= dict.fromkeys((*table.columns, *table.nested) if table.named else ())
    return list(columns)[:MOST_COLUMNS]


def _applies(name: str, kinds: set[str], runs: int) -> bool:
    """Whether a metric takes what all systems have."""
    takes = metric(name.replace("@k", "@2").replace("^k", "^2")).takes
    if takes == "scores_or_labels":
        return kinds <= {SCORES_01, ANSWERS}
    if takes == "scores":
        return kinds <= {SCORES_01, SCORES}
    if takes == "runs":
        return runs > 1
    return kinds == {ANSWERS}
