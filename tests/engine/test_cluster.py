"""What happens to the scheduler and the workers of a cluster: the same bits, or an error."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import deadheat
from dask_processes import Dask, done, free_port, wait_until
from deadheat.engine import engine_of
from deadheat.errors import EngineError, UsageError
from deadheat.readers import passing
from deadheat.readers.passing.parts import Part
from deadheat.resampling import blocks
from processes import refused

distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
dask_config = pytest.importorskip("dask.config")
pytestmark = pytest.mark.filterwarnings("ignore")

Scores = dict[str, NDArray[np.float64]]

XZ = ("--system", "x,z", "--format", "json")


def of_one_machine(parts: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "deadheat", "compare", str(parts), *XZ, "--memory", "1MB"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_a_scheduler_that_is_started_anew_changes_nothing(dask: Dask, parts: Path) -> None:
    worker = dask.stopped_worker()
    command = dask.command("compare", str(parts), *XZ)
    wait_until(lambda: dask.count("tasks") == 4)
    dask.scheduler.kill()
    dask.scheduler.wait()
    worker.kill()
    dask.start_scheduler()
    dask.start_worker()
    found = done(command)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == of_one_machine(parts)


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("kill the scheduler", "its scheduler has not answered for 1 seconds"),
        ("freeze the scheduler", "its scheduler has not answered for 1 seconds"),
        ("kill the worker", "it has had no workers for 1 seconds"),
    ],
)
def test_what_does_not_come_back_is_told_with_the_part(
    dask: Dask, parts: Path, end: str, why: str
) -> None:
    worker = dask.stopped_worker()
    command = dask.command("compare", str(parts), *XZ, seconds=1)
    wait_until(lambda: dask.count("tasks") == 4)
    process = worker if "worker" in end else dask.scheduler
    process.send_signal(signal.SIGSTOP if "freeze" in end else signal.SIGKILL)
    said = refused(done(command))
    assert f"part-0.parquet could not be worked on by the Dask cluster at {dask.address}" in said
    assert why in said


def test_work_is_taken_back_where_one_is_interrupted(dask: Dask, parts: Path) -> None:
    dask.stopped_worker()
    command = dask.command("compare", str(parts), *XZ)
    wait_until(lambda: dask.count("tasks") == 4)
    command.send_signal(signal.SIGINT)
    found = done(command)
    assert (found.returncode, found.stdout) == (130, "")
    assert found.stderr == "deadheat: interrupted.\n"
    wait_until(lambda: dask.count("tasks") == 0)


def test_workers_may_come_later(dask: Dask, parts: Path) -> None:
    command = dask.command("compare", str(parts), *XZ)
    wait_until(lambda: dask.count("clients") == 2)
    dask.start_worker()
    found = done(command)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == of_one_machine(parts)


def test_workers_that_do_not_come_are_not_waited_for(
    dask: Dask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deadheat.engine.cluster.SECONDS", 0.5)
    with pytest.raises(EngineError, match=r"cannot work: it has had no workers .*`dask worker"):
        engine_of(dask.engine)


def test_workers_without_deadheat_are_told_of(dask: Dask, parts: Path, tmp_path: Path) -> None:
    (tmp_path / "other" / "deadheat").mkdir(parents=True)
    (tmp_path / "other" / "deadheat" / "__init__.py").touch()
    dask.start_worker(path=tmp_path / "other")
    wait_until(lambda: dask.count("workers") == 1)
    said = refused(done(dask.command("compare", str(parts), *XZ, seconds=1)))
    assert "part-0.parquet could not be worked on" in said
    assert "workers without deadheat end when work reaches them" in said


@contextmanager
def listening(greeting: bytes) -> Iterator[int]:
    """Accept connections and greet them, as often as one comes; then say nothing."""
    links: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            try:
                while True:
                    links.append(server.accept()[0])
                    links[-1].sendall(greeting)
            except OSError:
                return

        thread = Thread(target=accept)
        thread.start()
        try:
            yield int(server.getsockname()[1])
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for link in links:
                link.close()


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH_9.6\r\n", b"short"])
def test_who_is_no_scheduler_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, greeting: bytes
) -> None:
    monkeypatch.setattr("deadheat.engine.cluster.SECONDS", 0.5)
    with (
        listening(greeting) as port,
        pytest.raises(EngineError, match=rf"no Dask scheduler answers at 127\.0\.0\.1:{port}"),
    ):
        engine_of(f"dask://127.0.0.1:{port}")


@pytest.mark.parametrize("host", ["127.0.0.1", "no.such.host.invalid", "[::1]", "a" * 80])
def test_an_address_where_nobody_listens_is_refused_at_once(host: str) -> None:
    with pytest.raises(EngineError, match="no Dask scheduler answers at"):
        engine_of(f"dask://{host}:{free_port()}")


def test_numbers_of_another_version_are_not_mixed_in(
    client: Any, parts: Path, monkeypatch: pytest.MonkeyPatch, real_scores: Scores
) -> None:
    monkeypatch.setattr("deadheat.engine.executors.__version__", "99.0")
    message = r"runs deadheat 0\..* and here is deadheat 99\.0 .* Install the same versions"
    with pytest.raises(EngineError, match=message):
        deadheat.compare(parts, systems=["x", "z"], engine=client)
    with pytest.raises(EngineError, match=message):
        deadheat.rank(real_scores, engine=client)


def test_parts_that_kill_every_worker_are_named(
    parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deadly(part: Part, columns: list[str]) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(passing.kinds, "count_part", deadly)
    with (
        dask_config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            local_directory=str(tmp_path),
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        pytest.raises(EngineError, match=r"part-0\.parquet could not be .* KilledWorker: .*memory"),
    ):
        deadheat.compare(parts, systems=["x", "z"], engine=client)


def test_what_all_blocks_share_is_sent_again_where_it_died_with_the_workers(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real_scores: Scores
) -> None:
    # A task that was on its way to four workers that died would be given up by Dask.
    plain, limit = blocks.draw_blocks, min(len(client.nthreads()), 3)

    def with_deaths(*task: Any) -> Any:
        """Kill both workers of two, three of four."""
        for number in range(limit):
            try:
                os.close(os.open(tmp_path / f"died-{number}", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)
        return plain(*task)

    monkeypatch.setattr(blocks, "draw_blocks", with_deaths)
    there = deadheat.rank(real_scores, engine=client)
    assert len(list(tmp_path.glob("died-*"))) == limit
    assert there.to_dict() == deadheat.rank(real_scores).to_dict()


def test_clients_that_cannot_be_waited_for_are_refused(dask: Dask) -> None:
    async def asked() -> None:
        async with distributed.Client(dask.address, asynchronous=True) as client:
            with pytest.raises(UsageError, match="the client is asynchronous"):
                engine_of(client)

    asyncio.run(asked())
    client = distributed.Client(dask.address, set_as_default=False)
    client.close()
    with pytest.raises(UsageError, match="the client is closed"):
        engine_of(client)
