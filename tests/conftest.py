"""Fixtures that every test may ask for."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from calls import Done, call
from contract import write_files

Call = Callable[..., Done]

# The suite has to say the same thing every time it runs, on machines of any speed.
settings.register_profile("deadheat", deadline=None, derandomize=True)
settings.load_profile("deadheat")

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of the real data sets, where it lies beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("the shared data sets are not beside this checkout")
    return SHARED


@pytest.fixture(scope="module")
def cheap_collection() -> Iterator[None]:
    """Leave what is there out of collections: statsmodels collects garbage at every call."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def _modules_of_a_test_are_forgotten(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Files that a test wrote and imported must not be found by the next one."""
    before = set(sys.modules)
    yield
    made = str(tmp_path_factory.getbasetemp())
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(made):
            del sys.modules[name]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Call:
    return lambda *arguments: call(capsys, *arguments)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    return tmp_path


FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def _chromium() -> str | None:
    given = os.environ.get("CHROMIUM")
    return given or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; one for all tests of a process, because playwright has one loop in it."""
    from playwright.sync_api import expect, sync_playwright

    path = _chromium()
    if path is None:
        pytest.skip("there is no chromium: .ci/run installs it, or name one by CHROMIUM")
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS])
        yield browser
        browser.close()
