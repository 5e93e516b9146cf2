"""Tables in split form, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json


def table(path: Path, columns: list[str], data: list[list[Any]], **more: Any) -> Path:
    return write_json(path, {"columns": columns, "data": data, **more})


def example(folder: Path) -> Path:
    return table(folder / "t.table.json", ["id", "score"], [[0, 1.0], [1, 0.0], [2, 0.5]])
