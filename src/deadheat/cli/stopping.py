"""A command that is told to stop puts away what is half done and says by its exit code why."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)

REPEATED = 1.0
"""Seconds within which one more signal is the same wish: `timeout` sends two."""


class Stopped(BaseException):
    """The process was told to stop; nothing that handles errors may take it for one."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def code(self) -> int:
        """Exit code that shells give for the signal."""
        return 128 + self.number

    def __str__(self) -> str:
        name = signal.Signals(self.number).name
        return "interrupted." if name == "SIGINT" else f"stopped by {name}."


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise `Stopped` in the main thread for a signal that ends a process.

    Partial files are then removed and other processes ended on the way out. Signals that whoever
    started the process had ignored, as `nohup` does, stay ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    last = float("-inf")

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before > REPEATED:
            raise Stopped(number)

    def again(ignored: sys.UnraisableHookArgs) -> None:
        """Where Python swallows what is raised, as in a finaliser, raise it once more outside."""
        nonlocal last
        if not isinstance(ignored.exc_value, Stopped):
            hook(ignored)
            return
        last = float("-inf")
        threading.Timer(0.05, os.kill, (os.getpid(), ignored.exc_value.number)).start()

    hook = sys.unraisablehook
    usual = (signal.SIG_DFL, signal.default_int_handler)
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    replaced = {number: handler for number, handler in handlers.items() if handler in usual}
    try:
        sys.unraisablehook = again
        for number in replaced:
            signal.signal(number, stop)
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in replaced.items():
            signal.signal(number, handler)
