"""Work on all cores: the same results in the same order, whoever did them and whatever failed."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from deadheat.errors import ItemError, UsageError
from deadheat.metrics.ter import edits
from deadheat.workers import spread

AT_ONCE = 1e-9
"""Seconds of work that make another process worth it."""

FIRST = [None] * 4
"""Items of the first part of two hundred, which is done before there is another process."""

CALLS = '''
import os, sys, time
from pathlib import Path

from deadheat.errors import ItemError, UsageError


def wait(ready):
    until = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < until, "no other process has come"
        time.sleep(0.005)


def meet(items):
    """Return who did each item; where there is a folder, wait until two processes met in it."""
    for folder in filter(None, items):
        (Path(folder) / str(os.getpid())).touch()
        wait(lambda: len(os.listdir(folder)) == 2)
    return [os.getpid()] * len(items)


def shout(items):
    print("noise among the replies", flush=True)
    os.write(1, b"more noise")
    return meet(items)


def die(items):
    """Work only in the process that is named."""
    for parent, folder in filter(None, items):
        if os.getpid() != parent:
            (Path(folder) / "died").touch()
            os._exit(3)
        wait(lambda: os.listdir(folder))
    return [os.getpid()] * len(items)


def refuse(items):
    """Refuse from an item on that is marked; wait for a second process before it."""
    meet([item and item[0] for item in items])
    for row, item in enumerate(items):
        if item and item[1]:
            raise ItemError(f"{item[1]} is refused.", row=row, side="reference", fix="Skip it.")
    return [os.getpid()] * len(items)


def misuse(items):
    raise UsageError("this cannot be meant.", fix="Mean something else.")


def fail(items):
    return [1 // item for item in items]
'''


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """A module that is found on the path of this process only as long as it runs."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "deadheat_calls.py").write_text(CALLS, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "deadheat_calls", raising=False)
    module = importlib.import_module("deadheat_calls")
    yield module
    sys.modules.pop("deadheat_calls", None)


@pytest.fixture
def meeting(tmp_path):
    folder = tmp_path / "meeting"
    folder.mkdir()
    return str(folder)


def test_results_are_in_order_and_those_of_one_process():
    texts = ["a b c", "c b a", "b a", "", "a a a a", "c"]
    items = [(texts[i % 6], (texts[i % 5], texts[i % 4])) for i in range(500)]
    assert spread(edits, items, pays=AT_ONCE, cores=3) == edits(items)


def test_others_help(calls, meeting):
    found = spread(calls.meet, FIRST + [meeting] * 200, pays=AT_ONCE, cores=2)
    assert len(found) == 204
    assert found[0] == os.getpid()
    assert len(set(found)) == 2


def test_what_others_print_is_kept_out(calls, meeting):
    found = spread(calls.shout, FIRST + [meeting] * 200, pays=AT_ONCE, cores=2)
    assert len(set(found)) == 2


@pytest.mark.parametrize("options", [{"cores": 1, "pays": AT_ONCE}, {"cores": 8, "pays": 3600.0}])
def test_nobody_is_asked_where_it_does_not_pay(calls, options):
    assert set(spread(calls.meet, [None] * 300, **options)) == {os.getpid()}


@pytest.mark.parametrize("size", [0, 1, 2, 63, 64, 65, 130])
def test_any_number_of_items(size):
    items = [("a", ("b",) if i % 3 else ("a",)) for i in range(size)]
    assert spread(edits, items, pays=AT_ONCE, cores=1) == edits(items)


def test_a_part_is_done_here_when_a_process_dies(calls, meeting):
    here = os.getpid()
    found = spread(calls.die, FIRST + [(here, meeting)] * 200, pays=AT_ONCE, cores=2)
    assert os.listdir(meeting) == ["died"]
    assert found == [here] * 204


def test_all_is_done_here_where_no_process_can_be_started(calls, monkeypatch, tmp_path):
    for executable in (str(tmp_path / "python"), "", None, sys.executable.replace("python", "app")):
        monkeypatch.setattr(sys, "executable", executable)
        assert spread(calls.meet, [None] * 100, pays=AT_ONCE, cores=3) == [os.getpid()] * 100


def test_a_process_that_never_gets_ready_is_not_waited_for(calls, monkeypatch, tmp_path):
    stuck = tmp_path / "python"
    stuck.write_text("#!/bin/sh\nexec sleep 600\n", encoding="utf-8")
    stuck.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(stuck))
    assert spread(calls.meet, [None] * 100, pays=AT_ONCE, cores=3) == [os.getpid()] * 100


def test_all_is_done_here_where_the_function_is_not_found_elsewhere(calls, monkeypatch):
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if "modules" not in entry])
    assert spread(calls.meet, [None] * 2_000, pays=AT_ONCE, cores=2) == [os.getpid()] * 2_000


@pytest.mark.parametrize("refused", [150, 7, 199])
def test_an_error_says_the_row_in_the_whole_list(calls, meeting, refused):
    items = FIRST + [(meeting, None)] * 200
    for row in (refused, 203):
        items[row] = (meeting, f"item {row}")
    with pytest.raises(ItemError) as raised:
        spread(calls.refuse, items, pays=AT_ONCE, cores=2)
    error = raised.value
    assert (error.row, error.side, error.fix) == (refused, "reference", "Skip it.")
    assert error.found == f"item {refused} is refused."


def test_an_error_that_names_no_item(calls):
    with pytest.raises(UsageError, match="cannot be meant"):
        spread(calls.misuse, [None] * 10, pays=AT_ONCE, cores=2)


def test_a_failure_is_raised_as_it_is(calls):
    for items in ([0] * 10, [1] * 500 + [0]):
        with pytest.raises(ZeroDivisionError):
            spread(calls.fail, items, pays=AT_ONCE, cores=2)


def test_no_thread_is_left(calls, meeting):
    before = threading.active_count()
    spread(calls.meet, FIRST + [meeting] * 200, pays=AT_ONCE, cores=2)
    assert threading.active_count() == before


PROGRAM = """
from deadheat_calls import meet

from deadheat.workers import spread

print("main is run")
found = spread(meet, [None] * 4 + [{meeting!r}] * 200, pays=1e-9, cores=2)
print(len(set(found)), "processes")
"""


def test_the_main_program_is_not_run_again(calls, meeting, tmp_path):
    # Nor is what lies in the folder that it was called in.
    here = tmp_path / "here"
    here.mkdir()
    for name in ("pickle", "sys", "deadheat"):
        (here / f"{name}.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    program = Path(calls.__file__).parent / "program.py"
    program.write_text(PROGRAM.format(meeting=meeting), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(program)], cwd=here, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["main is run", "2 processes"]
    assert done.stderr == ""
