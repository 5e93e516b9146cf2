"""JSON, and JSON a line, written as the tools write it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any


def write_lines(path: Path, records: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{json.dumps(record)}\n" for record in records)
    path.write_text(text, encoding="utf-8")
    return path


def write_json(path: Path, document: Any, indent: int | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=indent), encoding="utf-8")
    return path


def write_csv(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write rows as pandas does: a blank for what is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows({k: "" if v is None else v for k, v in row.items()} for row in rows)
    return path
