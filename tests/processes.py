"""What the tests say of a process that was run."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

Run = Callable[..., subprocess.CompletedProcess[str]]


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """Return the message of a run that could not be done: one paragraph on stderr, exit 2."""
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("deadheat: ")
    assert done.stderr.count("\n") == 1
    return done.stderr
