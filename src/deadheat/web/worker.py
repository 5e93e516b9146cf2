"""A worker process: takes one job after another, and says how far it is."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

MOST = 20_000
"""Characters of an error that are passed on."""

OFTEN = 0.1
"""Seconds between two messages of progress."""


def main() -> None:
    """Work until standard input ends."""
    # What metrics or libraries print must not stand among the messages.
    messages = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    # Where the page was started may be gone by now; nothing is imported from there.
    home = Path(__file__).parent
    os.chdir(home)
    tasks: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    _warm_up()
    _say(messages, {"state": "ready"})
    while True:
        task = tasks.get()
        folder = Path(task["folder"])
        try:
            _say(messages, {"state": "over", **_worked(task, folder, messages)})
        finally:
            os.chdir(home)


def _listen(tasks: SimpleQueue[dict[str, Any]]) -> None:
    """Take tasks; once nobody can give any, nobody waits for what is being done either."""
    for line in sys.stdin.buffer:
        tasks.put(json.loads(line))
    os._exit(0)


def _worked(task: dict[str, Any], folder: Path, messages: IO[str]) -> dict[str, str]:
    """Do a job; return what went wrong, if anything did."""
    from deadheat.errors import DeadheatError
    from deadheat.web.errors import said
    from deadheat.web.work import work

    try:
        work(task, folder, _progress(messages))
    except DeadheatError as error:
        return {name: text[:MOST] for name, text in said(error).items()}
    except MemoryError:
        return {
            "error": "there is not enough memory for this input.",
            "fix": "Give fewer systems or items.",
        }
    except OSError as error:
        return {"error": f"{error.strerror or type(error).__name__}.", "fix": "Try again."}
    except Exception as error:
        # A fault of ours: named without what it was about, which may be data.
        return {
            "error": f"deadheat failed on this ({type(error).__name__}).",
            "fix": "Run the same on the command line to see more, and report it.",
        }
    return {}


def _progress(messages: IO[str]) -> Callable[[int, int, str], None]:
    """Return what is told of the progress, by any thread, and passes it on now and then."""
    lock = threading.Lock()
    last: dict[str, float] = {}

    def told(done: int, total: int, what: str) -> None:
        with lock:
            now = time.monotonic()
            if now - last.get(what, 0.0) < OFTEN:
                return
            last[what] = now
            _say(messages, {"done": done, "total": total, "what": what})

    return told


def _say(messages: IO[str], message: dict[str, Any]) -> None:
    messages.write(json.dumps(message) + "\n")
    messages.flush()


def _warm_up() -> None:
    """Import what the first job needs, so that it does not wait for it."""
    import deadheat
    from deadheat.report import document, html
    from deadheat.web import work

    del work
    html.render(document(deadheat.compare([0, 1, 1, 0] * 5, [1, 1, 1, 0] * 5)))


if __name__ == "__main__":
    main()
