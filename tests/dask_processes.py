"""A Dask scheduler and its workers as processes that a test may stop, kill and start anew."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIMIT = 60.0
"""Seconds after which a test gives up waiting."""

IMPATIENT = """\
import sys
import deadheat.engine.cluster as cluster
import deadheat.engine.executors as executors
cluster.SECONDS, executors.BEAT = float(sys.argv.pop(1)), 0.2
from deadheat.cli import main
main()
"""
"""The command line, which waits for as many seconds as its first argument says."""


def wait_until(ready: Callable[[], bool]) -> None:
    until = time.monotonic() + LIMIT
    while not ready():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Dask:
    """Processes on this machine; all are ended with the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.started: list[subprocess.Popen[str]] = []
        self.watch: Any = None
        self.scheduler = self.start_scheduler()

    def __enter__(self) -> Dask:
        import distributed

        self.watch = distributed.Client(self.address, timeout=LIMIT, set_as_default=False)
        return self

    def __exit__(self, *raised: object) -> None:
        for process in self.started:
            process.kill()
        for process in self.started:
            process.communicate()
        self.watch.close(timeout=5)

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    @property
    def engine(self) -> str:
        return f"dask://127.0.0.1:{self.port}"

    def _start(self, *command: str, path: Path | None = None) -> subprocess.Popen[str]:
        environment = dict(os.environ)
        if path is not None:
            environment["PYTHONPATH"] = os.fspath(path)
        with open(self.folder / "dask.log", "a", encoding="utf-8") as log:
            process = subprocess.Popen(
                [sys.executable, *command], stdout=log, stderr=log, text=True, env=environment
            )
        self.started.append(process)
        return process

    def start_scheduler(self) -> subprocess.Popen[str]:
        where = ("--host", "127.0.0.1", "--port", f"{self.port}", "--no-dashboard")
        return self._start("-m", "distributed.cli.dask_scheduler", *where)

    def start_worker(self, path: Path | None = None) -> subprocess.Popen[str]:
        options = ("--no-nanny", "--no-dashboard", "--nthreads", "1")
        where = ("--local-directory", os.fspath(self.folder))
        return self._start(
            "-m", "distributed.cli.dask_worker", self.address, *options, *where, path=path
        )

    def stopped_worker(self) -> subprocess.Popen[str]:
        """Start a worker that is there and does nothing."""
        process = self.start_worker()
        wait_until(lambda: self.count("workers") == 1)
        process.send_signal(signal.SIGSTOP)
        return process

    def count(self, what: str) -> int:
        """Return how many "workers", "clients" or "tasks" the scheduler knows of."""

        def counted(dask_scheduler: Any = None) -> int:
            return len(getattr(dask_scheduler, what))

        return int(self.watch.run_on_scheduler(counted))

    def command(self, *arguments: str, seconds: float = LIMIT) -> subprocess.Popen[str]:
        """Start the command line, which waits so long for a scheduler or workers."""
        process = subprocess.Popen(
            [sys.executable, "-c", IMPATIENT, f"{seconds}", *arguments, "--engine", self.engine],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.started.append(process)
        return process


def done(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    """Wait for a process."""
    out, error = process.communicate(timeout=LIMIT)
    return subprocess.CompletedProcess(process.args, process.returncode, out, error)
