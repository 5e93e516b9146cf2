"""Jobs: many at once, large ones, cancelled ones, and what is left of them."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deadheat.web.jobs import Job
from deadheat.web.limits import MB, Limits
from local_page import Page, opened

PAIR = "a,b\n1,0\n0,1\n1,1\n1,0\n"
GENERATOR = np.random.default_rng(5)
SLOW = "item,reference,system_a,system_b\n" + "".join(
    f"{k},{k % 3},{GENERATOR.integers(3)},{GENERATOR.integers(3)}\n" for k in range(2_000)
)
FOREVER = {"metric": "mcc", "n_resamples": 9_000_000}


def wait_for(condition: Any, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def status(page: Page, job: str) -> dict[str, Any]:
    found: dict[str, Any] = page.client.get(f"/api/jobs/{job}").json()
    return found


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_fifty_at_once_lose_nothing(page: Page) -> None:
    def one(k: int) -> tuple[int, dict[str, Any]]:
        table = "a,b\n" + "1,0\n" * (k + 3) + "1,1\n" * (60 - k) + "0,1\n" * 5
        return k, page.run("compare", text=table)

    with ThreadPoolExecutor(50) as threads:
        found = dict(threads.map(one, range(50)))
    for k, ended in found.items():
        assert ended["state"] == "done"
        counts = page.numbers(ended["result"])["counts"]
        assert (counts["only_baseline"], counts["both"]) == (k + 3, 60 - k)


def test_more_than_may_wait_are_told_so() -> None:
    with opened(Limits(workers=1, queue=4)) as page:
        jobs = [page.post("compare", FOREVER, text=SLOW) for _ in range(4)]
        assert [job.status_code for job in jobs] == [202] * 4
        refused = page.post("compare", text=SLOW)
        assert refused.status_code == 503
        assert "retry-after" in refused.headers
        assert "4 jobs are waiting already" in refused.json()["error"]
        assert "Try again" in refused.json()["fix"]
        for job in jobs:
            path = f"/api/jobs/{job.json()['job']}/cancel"
            told = page.client.post(path, headers=page.headers).json()
            assert told["state"] == "cancelled"
        assert page.run("compare", text=PAIR)["state"] == "done"


def test_a_cancelled_job_ends_its_worker_and_another_is_started() -> None:
    with opened(Limits(workers=1)) as page:
        pool = page.app.state.pool
        job = page.post("compare", FOREVER, text=SLOW).json()["job"]
        wait_for(lambda: status(page, job)["done"] > 0)
        told = status(page, job)
        assert told["state"] == "running"
        assert 0 < told["done"] < told["total"]
        worker = pool._at_work[job].pid
        assert alive(worker)
        assert (
            page.client.post(f"/api/jobs/{job}/cancel", headers=page.headers).json()["state"]
            == "cancelled"
        )
        wait_for(lambda: not alive(worker))
        assert status(page, job)["state"] == "cancelled"
        assert status(page, job)["result"] is None
        assert page.run("compare", text=PAIR)["state"] == "done"


def test_a_deleted_job_leaves_no_file() -> None:
    with opened(Limits(workers=1)) as page:
        done = page.run("compare", text=PAIR)["job"]
        running = page.post("compare", FOREVER, text=SLOW).json()["job"]
        wait_for(lambda: status(page, running)["state"] == "running")
        queued = page.post("compare", text=PAIR).json()["job"]
        for job in (done, queued, running):
            folder = page.app.state.pool.jobs[job].folder
            assert folder.exists()
            path = f"/api/jobs/{job}"
            assert page.client.delete(path, headers=page.headers).status_code == 204
            assert page.client.get(path).status_code == 404
            wait_for(lambda folder=folder: not folder.exists())
        assert page.run("compare", text=PAIR)["state"] == "done"


def test_a_job_has_so_much_time_and_no_more() -> None:
    with opened(Limits(workers=1, seconds=3.0)) as page:
        ended = page.run("compare", FOREVER, text=SLOW)
        assert ended["state"] == "failed"
        assert "more than the 3 seconds" in ended["error"]["error"]
        assert page.run("compare", text=PAIR)["state"] == "done"


def test_a_worker_that_dies_is_replaced() -> None:
    with opened(Limits(workers=1)) as page:
        job = page.post("compare", FOREVER, text=SLOW).json()["job"]
        wait_for(lambda: status(page, job)["done"] > 0)
        os.kill(page.app.state.pool._at_work[job].pid, 9)
        ended = page.end(job)
        assert ended["state"] == "failed"
        assert "was stopped, or memory ran out" in ended["error"]["error"]
        assert page.run("compare", text=PAIR)["state"] == "done"


def test_the_oldest_results_are_forgotten() -> None:
    with opened(Limits(workers=1, kept=3)) as page:
        jobs = [page.run("compare", text=PAIR)["job"] for _ in range(6)]
        states = [page.client.get(f"/api/jobs/{job}").status_code for job in jobs]
        assert states[0] == 404
        assert states[-3:] == [200] * 3
        (root,) = {job.folder.parent for job in page.app.state.pool.jobs.values()}
        assert len(list(root.iterdir())) == len(page.app.state.pool.jobs) <= 4


def test_nothing_is_left_when_the_page_ends() -> None:
    with opened(Limits(workers=2)) as page:
        pool = page.app.state.pool
        job = page.post("compare", FOREVER, text=SLOW).json()["job"]
        wait_for(lambda: status(page, job)["done"] > 0)
        worker, root = pool._at_work[job].pid, pool.jobs[job].folder.parent
    assert not root.exists()
    assert not alive(worker)


def test_waiting_for_a_job_is_told_of_its_end(page: Page) -> None:
    job = page.post("compare", text=PAIR).json()["job"]
    begin = time.monotonic()
    page.end(job)
    assert time.monotonic() - begin < 10.0
    for wait in ("nan", "-1", "1e9", "0"):
        assert page.client.get(f"/api/jobs/{job}?wait={wait}").json()["state"] == "done"
    assert page.client.get(f"/api/jobs/{job}?wait=x").status_code == 400


def test_a_large_upload_works() -> None:
    """30 MB; `test_100_mb` takes the whole."""
    upload(30)


@pytest.mark.slow
def test_100_mb() -> None:
    upload(100)


def upload(size: int) -> None:
    row = "{:07},x{},{},{}\n"
    n = size * MB // len(row.format(0, "y" * 80, 1, 0))
    lines = (row.format(k, "y" * 80, k % 3 % 2, k % 7 % 2) for k in range(n))
    table = "item,comment,system_a,system_b\n" + "".join(lines)
    with opened(Limits(workers=1)) as page:
        before = memory(os.getpid())
        result = page.result("compare", files=[("large.csv", table)])
        found = page.numbers(result)
        assert found["items"]["n"] == n
        assert found["baseline"]["value"] == pytest.approx(1 / 3, abs=1e-4)
        # The client holds the table; the page streams it to the disk.
        assert memory(os.getpid()) - before < 3.0 * size * MB


def memory(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_memory_does_not_grow() -> None:
    with opened(Limits(workers=1, kept=5)) as page:

        def some() -> int:
            for _ in range(25):
                page.run("compare", text=PAIR * 1)
            return memory(os.getpid())

        first = some()
        assert some() - first < 8 * MB


def test_100_000_pasted_rows_are_quick(page: Page) -> None:
    """Warm, with room for a slow machine: measured under a second (see the docs of the page)."""
    page.run("compare", text=PAIR)
    rows = GENERATOR.integers(0, 2, (100_000, 2))
    table = "a\tb\n" + "".join(f"{one}\t{other}\n" for one, other in rows)
    begin = time.monotonic()
    result = page.result("compare", text=table)
    took = time.monotonic() - begin
    assert page.numbers(result)["items"]["n"] == 100_000
    assert took < 10.0
    print(f"{took:.2f} s")  # noqa: T201


def test_the_size_of_a_folder_that_is_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is gone by the time it is looked at ends neither a cancel nor a worker's lane."""
    (tmp_path / "kept").write_bytes(b"123")
    walked = [(str(tmp_path), [], ["kept", "gone"])]
    monkeypatch.setattr(os, "walk", lambda _: iter(walked))
    job = Job(folder=tmp_path)
    job.change(state="cancelled")
    assert job.size == 3
