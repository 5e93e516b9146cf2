"""What a user sees while a command works: a progress bar, and what metrics of his own print."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from threading import Lock
from typing import Any

AFTER = 1.0
"""Seconds of work before the bar appears."""


@contextmanager
def at_work() -> Iterator[Callable[[int, int], None] | None]:
    """Give what is told of the progress; what is printed meanwhile is no part of the report.

    A metric of one's own may print, and standard output is for the report alone.
    """
    if sys.stderr is None:
        yield None
        return
    with redirect_stdout(sys.stderr), progress_bar() as told:
        yield told


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None] | None]:
    """Give what is told how many files or resamples are done; None where nobody would see a bar."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar.told
    finally:
        bar.stop()


class _Bar:
    def __init__(self) -> None:
        self._started = time.monotonic()
        self._lock = Lock()
        self._progress: Any = None
        self._task: Any = None

    def told(self, done: int, total: int) -> None:
        """Blocks of a pass end in any order; a new pass starts again from its first block."""
        with self._lock:
            if time.monotonic() - self._started < AFTER:
                return
            if self._progress is None:
                from rich.console import Console
                from rich.progress import Progress

                self._progress = Progress(console=Console(stderr=True), transient=True)
                self._progress.start()
                self._task = self._progress.add_task("working", total=total)
            self._progress.update(self._task, completed=done, total=total)

    def stop(self) -> None:
        if self._progress is not None:
            self._progress.stop()
