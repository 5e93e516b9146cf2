"""Worker processes, the queue before them, and the jobs that are kept.

A worker is a fresh interpreter that is told of one job at a time, in a line of JSON, and says how
far it is in lines of JSON. It is ended with its whole process group, which is how a job is
cancelled, and another is started in its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import deadheat
from deadheat.web.errors import RefusalError
from deadheat.web.jobs import DATA, Job
from deadheat.web.limits import Limits

Worker = asyncio.subprocess.Process

LINE = 1 << 20
"""Bytes that a line of a worker may have."""


class Pool:
    """Jobs and the workers that do them; to be used within one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.jobs: dict[str, Job] = {}
        self._waiting: asyncio.Queue[Job] = asyncio.Queue()
        self._at_work: dict[str, Worker] = {}
        self._lanes: list[asyncio.Task[None]] = []
        self._root: Path | None = None
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        """Make the folder and start the workers, which get warm while the page is shown."""
        self._root = Path(tempfile.mkdtemp(prefix="deadheat-"))
        self._lanes = [asyncio.create_task(self._lane()) for _ in range(self.limits.workers)]

    async def stop(self) -> None:
        """End all work and remove every file."""
        for job in self.jobs.values():
            if not job.over:
                job.change(state="cancelled", what="")
        for lane in self._lanes:
            lane.cancel()
        await asyncio.gather(*self._lanes, return_exceptions=True)
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)

    def open(self) -> Job:
        """Return a new job with a folder of its own, which is not yet waiting.

        Raises
        ------
        RefusalError
            If too many are waiting, or nothing can be stored.
        """
        if sum(not job.over for job in self.jobs.values()) >= self.limits.queue:
            raise RefusalError(
                503,
                f"{self.limits.queue} jobs are waiting already.",
                "Try again in some seconds, or cancel one.",
            )
        assert self._root is not None
        try:
            job = Job(folder=Path(tempfile.mkdtemp(dir=self._root)))
            (job.folder / DATA).mkdir()
        except OSError as error:  # The disk is full, or the folder was cleared away.
            reason = error.strerror or type(error).__name__
            raise RefusalError(
                507, f"it cannot be stored: {reason}.", "Free some space, or start the page again."
            ) from None
        self.jobs[job.id] = job
        return job

    def submit(self, job: Job) -> None:
        """Put a job behind those that wait, and forget the oldest that are over."""
        self._waiting.put_nowait(job)
        over = sorted((j for j in self.jobs.values() if j.over), key=lambda j: j.finished)
        stored = sum(j.size for j in over)
        while over and (len(over) > self.limits.kept or stored > self.limits.stored):
            oldest = over.pop(0)
            stored -= oldest.size
            self.forget(oldest)

    def cancel(self, job: Job) -> None:
        """End a job: one that waits is left out, of one that is worked on the worker is ended."""
        if not job.over:
            job.change(state="cancelled", what="")
        if (worker := self._at_work.get(job.id)) is not None:
            _end(worker)

    def forget(self, job: Job) -> None:
        """Cancel a job and remove its files."""
        self.cancel(job)
        self.jobs.pop(job.id, None)
        if job.id not in self._at_work:  # Else its lane removes them, when the worker is gone.
            job.remove()

    async def _lane(self) -> None:
        """Keep one worker, and give it one job after another."""
        worker: Worker | None = None
        try:
            while True:
                worker = await self._ready(worker)
                job = await self._waiting.get()
                if job.over:
                    continue
                worker = await self._ready(worker)  # It may have been stopped while it waited.
                if worker is None:
                    job.fail("no process to work in could be started.", "Close other programs.")
                    continue
                self._at_work[job.id] = worker
                try:
                    await self._work(worker, job)
                finally:
                    del self._at_work[job.id]
                    if job.state == "cancelled":
                        await _ended(worker)
                    if job.id not in self.jobs:
                        job.remove()
        finally:
            if worker is not None:
                await _ended(worker)

    async def _ready(self, worker: Worker | None) -> Worker | None:
        """Return a worker that is warm: this one, or a new one; None where none can be started.

        They are started one at a time, so that the first is soon ready.
        """
        if worker is not None and worker.returncode is None:
            return worker
        async with self._turn:
            starting = asyncio.ensure_future(_started())
            try:
                worker = await asyncio.shield(starting)
                assert worker.stdout is not None
                ready = await worker.stdout.readline()
            except OSError:
                return None
            except asyncio.CancelledError:  # The page ends: nothing that was begun is left behind.
                await _ended(await starting)
                raise
            if not ready:
                await worker.wait()
                return None
            return worker

    async def _work(self, worker: Worker, job: Job) -> None:
        """Have a worker do a job, in the time that a job may take."""
        job.change(state="running", what="Starting")
        try:
            async with asyncio.timeout(self.limits.seconds):
                told = await _done(worker, job)
        except TimeoutError:
            await _ended(worker)
            seconds = self.limits.seconds
            told = {
                "error": f"this took more than the {seconds:,.0f} seconds that a job may take.",
                "fix": "Give fewer resamples or items, or use the command line, which waits.",
            }
        if job.over:
            return
        if "error" in told:
            job.fail(told["error"], told.get("fix", ""))
        else:
            job.change(state="done", what="")


async def _done(worker: Worker, job: Job) -> dict[str, Any]:
    """Tell a worker of a job and pass on what it says, until it is done."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    task = {**job.task, "folder": str(job.folder)}
    with contextlib.suppress(ConnectionError):
        worker.stdin.write(json.dumps(task).encode() + b"\n")
        await worker.stdin.drain()
    while line := await worker.stdout.readline():
        told: dict[str, Any] = json.loads(line)
        if "state" in told:
            return told
        if not job.over:
            job.change(done=told["done"], total=told["total"], what=told["what"])
    await _ended(worker)
    return {
        "error": "the process that did this ended: it was stopped, or memory ran out.",
        "fix": "Give fewer systems or items, or use the command line.",
    }


async def _started() -> Worker:
    """Start a worker; modules come from where this process has them, never from its folder."""
    home = str(Path(deadheat.__file__).parents[1])
    path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "deadheat.web.worker"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"},
        limit=LINE,
        start_new_session=True,
    )


def _end(worker: Worker) -> None:
    """End a worker and whatever it started."""
    if worker.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(worker.pid, signal.SIGKILL)
        else:  # pragma: no cover - Windows
            worker.kill()


async def _ended(worker: Worker) -> None:
    """End a worker and wait until it is gone."""
    _end(worker)
    await worker.wait()
