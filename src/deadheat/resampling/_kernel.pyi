from typing import Any

def seed(entropy: Any, words: Any, at: int, /) -> None: ...
def draw(
    counts: Any,
    single: bool,
    rows: int,
    width: int,
    words: Any,
    runs: Any,
    guide: Any,
    thresholds: Any,
    mode: int,
    n: int,
    least: int,
    acceptance: Any,
    owners: Any,
    past: Any,
    shift: int,
    /,
) -> None: ...
