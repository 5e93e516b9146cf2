"""Jobs: what was asked for, how far it is, and where its files lie."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

State = Literal["queued", "running", "done", "failed", "cancelled"]

DATA, OUT, RESULT = "data", "out", "result.json"
"""Folder of what was sent, which is where the work runs; folder of downloads; the result."""


@dataclass(slots=True, kw_only=True, eq=False)
class Job:
    """One piece of work.

    Attributes
    ----------
    folder : Path
        Its own; nothing else is read or written for it.
    task : dict
        What the worker is told.
    id : str
        Not to be guessed: who knows it may see the job.
    state : str
    done, total : int
    what : str
        What it is doing, as a word or two.
    error : dict or None
        With `error` and `fix`, where it failed.
    size : int
        Bytes of its files, once it is over.
    finished : float
        When it was over, in seconds of the monotonic clock.
    """

    folder: Path
    task: dict[str, Any] = field(default_factory=dict)
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    state: State = "queued"
    done: int = 0
    total: int = 0
    what: str = "waiting"
    error: Mapping[str, str] | None = None
    size: int = 0
    finished: float = 0.0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def over(self) -> bool:
        """Whether nothing will happen to it any more."""
        return self.state in ("done", "failed", "cancelled")

    def change(self, **told: Any) -> None:
        """Set fields, and tell whoever waits."""
        for name, value in told.items():
            setattr(self, name, value)
        if self.over and not self.finished:
            self.finished = time.monotonic()
            self.size = _size(self.folder)
        event, self._changed = self._changed, asyncio.Event()
        event.set()

    def fail(self, error: str, fix: str = "") -> None:
        """End it with an error."""
        self.change(state="failed", error={"error": error, "fix": fix})

    async def wait(self, seconds: float) -> None:
        """Wait until it is over or its progress changed, at most so long."""
        if self.over or seconds <= 0:
            return
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return

    def remove(self) -> None:
        """Remove its folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _size(folder: Path) -> int:
    """Return the bytes of the files below a folder, in which a worker may be writing just now."""
    size = 0
    for around, _, names in os.walk(folder):  # It passes over what is gone when it comes to it.
        for name in names:
            with suppress(OSError):
                size += os.lstat(os.path.join(around, name)).st_size
    return size
