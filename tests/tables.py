"""Small tables made by the tests: paired 0/1 outcomes from their four counts."""

from __future__ import annotations

from pathlib import Path


def wide(
    path: Path,
    *,
    both: int,
    only_a: int,
    only_b: int,
    neither: int,
    header: str = "item,system_a_correct,system_b_correct",
) -> Path:
    """Write item, a and b as 0/1, one row an item."""
    cells = [(1, 1)] * both + [(1, 0)] * only_a + [(0, 1)] * only_b + [(0, 0)] * neither
    lines = [header, *(f"{i},{a},{b}" for i, (a, b) in enumerate(cells, start=1))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
