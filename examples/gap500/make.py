"""Rebuild the 500 items of a published simulation from its four counts.

An article on confidence intervals for evaluation deltas scores two systems on 500 items and
reports 356 and 374 right, of which 67 are right for A alone and 85 for B alone. Paired results
on 0/1 scores depend on the four counts only, so the counts are all that is needed; the order of
the items is ours.

Run as ``python examples/gap500/make.py [FOLDER]``; without a folder it writes beside itself.
"""

from __future__ import annotations

import sys
from pathlib import Path

COUNTS = {(1, 1): 289, (1, 0): 67, (0, 1): 85, (0, 0): 59}
"""Items by (A correct, B correct)."""


def rows() -> list[tuple[int, int, int]]:
    """Return one (item, system_a_correct, system_b_correct) an item, numbered from 1."""
    pairs = [pair for pair, count in COUNTS.items() for _ in range(count)]
    return [(item, a, b) for item, (a, b) in enumerate(pairs, start=1)]


def main(folder: Path) -> None:
    """Write ``gap500.csv`` into `folder`."""
    lines = ["item,system_a_correct,system_b_correct", *(",".join(map(str, r)) for r in rows())]
    (folder / "gap500.csv").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
