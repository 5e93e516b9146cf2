"""`deadheat serve` as a process: its start, its port, its end."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

import deadheat
from deadheat.cli import cli
from deadheat.errors import UsageError
from deadheat.web.serving import PORT, _listening
from local_page import Page
from processes import refused

posix = pytest.mark.skipif(os.name != "posix", reason="signals and process groups")
COMMAND = (sys.executable, "-m", "deadheat", "serve", "--no-browser")
TABLE = "a,b\n1,0\n0,1\n1,1\n1,0\n"


@contextmanager
def served(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], Page]]:
    """Run the command with its temporary files in a folder."""
    process = subprocess.Popen(
        [*COMMAND, *words],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    assert process.stderr is not None
    try:
        said = ""
        while (found := re.search(r"deadheat is at (\S+)", said)) is None:
            line = process.stderr.readline()
            assert line, said
            said += line
        with httpx.Client(base_url=found[1].rstrip("/"), timeout=60.0, trust_env=False) as client:
            html = client.get("/compare").text
            token = re.search(r'name="deadheat-token" content="([^"]+)"', html)
            assert token is not None
            yield process, Page(client=client, app=None, token=token[1])
    finally:
        process.kill()
        process.communicate()


def children(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


@posix
@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_it_ends_cleanly_and_leaves_nothing(tmp_path: Path, sent: str) -> None:
    with served(tmp_path, "--port", "0") as (process, page):
        assert page.run("compare", text=TABLE)["state"] == "done"
        workers = children(process.pid)
        assert len(workers) == 2
        assert os.listdir(tmp_path)
        job = page.post("compare", {"metric": "mcc", "n_resamples": 9_000_000}, text=TABLE)
        assert job.status_code == 202
        process.send_signal(getattr(signal, sent))
        assert process.wait(20) == 0
        assert process.stderr is not None
        said = process.stderr.read()
        assert said.strip().endswith("Ended.")
        assert "Traceback" not in said
    assert os.listdir(tmp_path) == []
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


@posix
def test_workers_end_where_the_server_was_killed(tmp_path: Path) -> None:
    with served(tmp_path, "--port", "0") as (process, page):
        slow = "item,reference,system_a,system_b\n" + "".join(
            f"{k},{k % 2},{k % 3 % 2},{k % 5 % 2}\n" for k in range(3_000)
        )
        page.post("compare", {"metric": "mcc", "n_resamples": 9_000_000}, text=slow)
        workers = children(process.pid)
        time.sleep(0.5)
        process.kill()
        process.wait()
        end = time.monotonic() + 10.0
        while time.monotonic() < end and any(map(running, workers)):
            time.sleep(0.05)
        assert not any(map(running, workers))


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@posix
def test_the_folder_in_which_it_was_started_may_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers that are there go on, and new ones start."""
    (tmp_path / "gone").mkdir()
    (tmp_path / "files").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(Path(deadheat.__file__).parents[1]))
    monkeypatch.chdir(tmp_path / "gone")
    with served(tmp_path / "files", "--port", "0") as (process, page):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "gone").rmdir()
        for _ in range(2):
            assert page.run("compare", text=TABLE)["state"] == "done"
        killed = children(process.pid)
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
        while set(killed) & set(children(process.pid)):
            time.sleep(0.05)
        time.sleep(0.2)  # Until the page has heard of it; before, it is told that a process ended.
        for _ in range(3):
            assert page.run("compare", text=TABLE)["state"] == "done"


@posix
def test_it_starts_quickly_and_says_that_nothing_leaves(tmp_path: Path) -> None:
    begin = time.monotonic()
    with served(tmp_path, "--port", "0") as (_, page):
        took = time.monotonic() - begin
        assert "Nothing leaves this machine" in page.client.get("/compare").text
    assert took < 10.0


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError, match="cannot be used"):
            _listening("127.0.0.1", taken.getsockname()[1])
        done = subprocess.run(
            [*COMMAND, "--port", str(taken.getsockname()[1])],
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Give another --port" in refused(done)


def test_the_next_free_port_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    first = _listening("127.0.0.1", None)
    second = _listening("127.0.0.1", None)
    with first, second:
        ports = [link.getsockname()[1] for link in (first, second)]
        assert PORT <= ports[0] < ports[1] < PORT + 50
        assert f"this is {ports[1]}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--host", "0.0.0.0"], "--allow-remote"),
        (["--host", "::"], "--allow-remote"),
        (["--host", "192.0.2.1"], "--allow-remote"),
        (["--host", "0.0.0.0", "--access-token", "x" * 20], "--allow-remote"),
        (["--host", "0.0.0.0", "--allow-remote"], "there is no access token"),
        (["--host", "0.0.0.0", "--allow-remote", "--access-token", "short"], "at least 16"),
        (["--host", "no such host"], "--allow-remote"),
        (
            ["--host", "192.0.2.1", "--allow-remote", "--access-token", "x" * 20],
            "cannot be used",
        ),
    ],
)
def test_others_are_let_in_only_on_request(words: list[str], found: str) -> None:
    result = CliRunner().invoke(cli, ["serve", "--no-browser", *words])
    assert isinstance(result.exception, UsageError)
    assert found in str(result.exception)


@posix
def test_it_can_be_used_by_others_with_the_token(tmp_path: Path) -> None:
    token = "a-token-that-is-long"
    words = ("--host", "0.0.0.0", "--allow-remote", "--access-token", token)
    process = subprocess.Popen(
        [*COMMAND, "--port", "0", *words],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        assert token not in line
        port = line.rstrip("/\n").rpartition(":")[2]
        time.sleep(0.5)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            end = time.monotonic() + 20.0
            while time.monotonic() < end:
                try:
                    assert client.get("/compare").status_code == 401
                    break
                except httpx.ConnectError:
                    time.sleep(0.1)
            assert client.get("/compare", headers={"Host": f"192.0.2.7:{port}"}).status_code == 401
            assert client.get("/compare", headers={"Host": f"evil:{port}"}).status_code == 421
            assert client.get(f"/compare?access={token}").status_code == 200
            assert client.get("/compare").status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.communicate()


def test_starting_the_command_line_does_not_load_the_page() -> None:
    code = "import sys, deadheat.cli; print([m for m in sys.modules if 'starlette' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
