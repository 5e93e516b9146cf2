"""Can a benchmark tell systems apart? One check for each way in which it may fail to.

`checking` reads and scores; `levels`, `separation`, `item_checks`, `reliability` and `text_checks`
compute what they say in numbers (`parts`, `item_parts`); `findings` and `text_findings` judge the
numbers; and `result` holds all of it.
"""

from __future__ import annotations

from deadheat.benchmark.checking import check
from deadheat.benchmark.findings import Finding
from deadheat.benchmark.result import Benchmark

__all__ = ["Benchmark", "Finding", "check"]
