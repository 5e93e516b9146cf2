"""A command that is told to stop leaves nothing behind: no files, no processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deadheat.cli.stopping import Stopped, stoppable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="children are read from /proc")

PAIR = ("--baseline", ".72", "--candidate", ".76", "--loading", ".6")
TABLE = ("simulate", "--items", "10000000", *PAIR, "--output", "t.csv")
REPLAYS = (
    *("simulate", "--items", "2000", *PAIR, "--replays", "100000", "--drawn"),
    *("--threads", "4", "--output", "r.txt"),
)
WITHIN = 60.0
"""Seconds that anything may take; it takes some 2."""


def children(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the living children of a process."""
    try:
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    except OSError:
        return []
    return [int(child) for child in listed.split()]


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + WITHIN
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def started(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a command that hears signals, even where the tests run in the background."""
    return subprocess.Popen(
        [sys.executable, "-m", "deadheat", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: [signal.signal(n, signal.SIG_DFL) for n in (2, 15, 1)] and None,
    )


SAID = {
    signal.SIGINT: (130, b"deadheat: interrupted.\n"),
    signal.SIGTERM: (143, b"deadheat: stopped by SIGTERM.\n"),
    signal.SIGHUP: (129, b"deadheat: stopped by SIGHUP.\n"),
}
every_signal = pytest.mark.parametrize("number", [*SAID], ids=lambda number: number.name)


@every_signal
def test_half_a_table_is_removed(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "t.csv").write_text("as it was")
    with started(tmp_path, *TABLE) as process:
        until(lambda: len([*tmp_path.iterdir()]) == 2)
        process.send_signal(number)
        process.send_signal(number)
        out, err = process.communicate(timeout=WITHIN)
    assert (process.returncode, err) == SAID[number]
    assert out == b""
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
    assert (tmp_path / "t.csv").read_text() == "as it was"


@every_signal
def test_processes_that_help_are_ended(tmp_path: Path, number: signal.Signals) -> None:
    with started(tmp_path, *REPLAYS) as process:
        until(lambda: children(process))
        helpers = children(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=WITHIN)
    assert (process.returncode, err) == SAID[number]
    assert out == b""
    until(lambda: not any(map(lives, helpers)))
    assert [*tmp_path.iterdir()] == []


def test_what_was_ignored_stays_ignored() -> None:
    """`nohup` has SIGHUP ignored."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_handlers_are_put_back_and_errors_handled_are_not_it() -> None:
    before = [signal.getsignal(number) for number in SAID]

    def stopped() -> None:
        with stoppable():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(5)
            except (Exception, SystemExit):
                pytest.fail("this is no error")

    with pytest.raises(Stopped) as caught:
        stopped()
    assert caught.value.code == 143
    assert [signal.getsignal(number) for number in SAID] == before


class Finalised:
    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.2)


def test_a_signal_in_a_finaliser_is_not_lost() -> None:
    """Python prints what a finaliser raises and goes on."""

    def stopped() -> None:
        with stoppable():
            Finalised()
            time.sleep(5)

    before = sys.unraisablehook
    with pytest.raises(Stopped):
        stopped()
    assert sys.unraisablehook is before
