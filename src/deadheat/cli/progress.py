"""What a user sees while a command works: a progress bar, and what their own metrics print."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from threading import Lock, Timer
from typing import Any

AFTER = 1.0
"""Seconds of work before the bar appears."""


class Bar:
    """What is told how much of the work is done, and shows it; until then, that there is work."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._started = time.monotonic()
        self._lock = Lock()
        self._stopped = False
        self._shown = ""
        self._progress: Any = None
        self._task: Any = None
        self._waiting = Timer(AFTER, self._wait)
        self._waiting.daemon = True
        self._waiting.start()

    def __call__(self, done: int, total: int) -> None:
        """Take that so much is done; blocks end in any order, and a new pass starts again."""
        self._show(self._what, done, total)

    def files(self, done: int, total: int) -> None:
        """Take that so many files of a folder are read."""
        self._show("files", done, total)

    def _show(self, what: str, done: int, total: int) -> None:
        with self._lock:
            if time.monotonic() - self._started < AFTER:
                return
            self._start(what, total)
            new, self._shown = what != self._shown, what
            self._progress.update(
                self._task, description=what, completed=done, total=total, refresh=new
            )

    def _wait(self) -> None:
        """Show that there is work of which nothing was told yet, such as reading one large file."""
        with self._lock:
            if not self._stopped:
                self._start("working", None)

    def _start(self, what: str, total: int | None) -> None:
        if self._progress is None:
            self._progress = _columns()
            self._progress.start()
            self._task = self._progress.add_task(what, total=total)

    def stop(self) -> None:
        """Take the bar away."""
        self._waiting.cancel()
        with self._lock:
            self._stopped = True
            if self._progress is not None:
                self._progress.stop()


def _columns() -> Any:
    """Return a bar with what is done, how much of how much, and how long it may take."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    return Progress(*columns, TimeRemainingColumn(), console=console, transient=True)


@contextmanager
def at_work(what: str = "resamples") -> Iterator[Bar | None]:
    """Give what is told of the progress; what is printed meanwhile is no part of the report.

    A metric of one's own may print, and standard output is for the report alone.
    """
    if sys.stderr is None:
        yield None
        return
    with redirect_stdout(sys.stderr), progress_bar(what) as told:
        yield told


@contextmanager
def progress_bar(what: str) -> Iterator[Bar | None]:
    """Give what is told how much of `what` is done; None where nobody would see a bar."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    bar = Bar(what)
    try:
        yield bar
    finally:
        bar.stop()
