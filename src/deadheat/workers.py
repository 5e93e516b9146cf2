"""A list worked through on all cores, by processes that know nothing of the caller's program.

Where work on items is slow and holds Python's lock, other processes help. They are started as a
fresh interpreter: nothing is forked, so no lock of another thread is inherited, and the main
program is not imported once more. They are given a function of an installed module by its name,
and parts of the list. Whatever goes wrong with such a process, its part is done here.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from itertools import pairwise
from pathlib import Path
from threading import Condition, Thread
from time import perf_counter
from typing import IO, Generic, TypeVar, cast

from deadheat.errors import DeadheatError, ItemError

T = TypeVar("T")
R = TypeVar("R")
Process = subprocess.Popen[bytes]

PAYS = 1.0
"""Seconds of work for each process that helps: to start, it takes a core about 0.25 s."""

CROWD = 4
"""Processes for each core beyond which more of them only wait for each other."""

PARTS = 64
"""Parts that a list is cut into at most."""

START = """\
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from deadheat.workers import serve
serve()
"""

FLAGS = {
    "isolated": "-I",
    "ignore_environment": "-E",
    "no_user_site": "-s",
    "no_site": "-S",
    "dont_write_bytecode": "-B",
}


def spread(
    function: Callable[[Sequence[T]], list[R]],
    items: Sequence[T],
    *,
    pays: float = PAYS,
    cores: int | None = None,
) -> list[R]:
    """Apply a function to items, on all cores where that pays.

    Work begins here. Processes are started when the pace shows that there are `pays` seconds of
    work left for each.

    Parameters
    ----------
    function : callable
        Of a module of deadheat, never the user's. It takes some of the items and returns a list
        of as many results; both can be pickled.
    items : sequence
    pays : float
        Seconds, above 0.
    cores : int, optional
        By default those that this process may use; no more than four times as many.

    Returns
    -------
    list
        The results in the order of the items, whoever did them.

    Raises
    ------
    DeadheatError
        What the function raises; of several errors the one that comes first in the list. The row
        of an `ItemError` is the one in the whole list.

    Examples
    --------
    >>> from deadheat.metrics.ter import edits
    >>> spread(edits, [("a b", ("a b",)), ("c", ("a", "c d"))])
    [(0, 2.0), (1, 1.5)]
    """
    work = _Work(function, items)
    others = (_cores() if cores is None else min(cores, CROWD * _cores())) - 1
    processes: list[Process] = []
    threads: list[Thread] = []
    began = perf_counter()
    try:
        while (part := work.take(wait=True)) is not None:
            work.do(part)
            if not processes:
                left = (perf_counter() - began) * len(work.pending) / work.n_done
                for process in _started(min(others, int(left / pays))):
                    # One by one: this may be interrupted anywhere, and what is begun is ended.
                    processes.append(process)
                    thread = Thread(target=_help, args=(work, process))
                    thread.start()
                    threads.append(thread)
    finally:
        work.stop()
        for process in processes:
            process.kill()
        for thread in threads:
            thread.join()
        for process in processes:
            with suppress(OSError), process:
                pass
    return work.results()


class _Work(Generic[T, R]):
    """A list cut into parts that threads take, and what has become of each part."""

    def __init__(self, function: Callable[[Sequence[T]], list[R]], items: Sequence[T]) -> None:
        n_parts = min(PARTS, len(items))
        self.function = function
        self.cuts = [len(items) * i // n_parts for i in range(n_parts + 1)] if n_parts else [0]
        self.parts = [items[start:stop] for start, stop in pairwise(self.cuts)]
        self.pending = list(range(n_parts))
        self.n_taken = 0
        self.done: dict[int, list[R]] = {}
        self.errors: dict[int, DeadheatError] = {}
        self.changed = Condition()

    @property
    def n_done(self) -> int:
        return len(self.done) + len(self.errors)

    def take(self, *, wait: bool = False) -> int | None:
        """Return the first part that nobody has, None where there is none.

        With `wait`, not before the parts that others have are done: one may be given back.
        """
        with self.changed:
            if wait:
                self.changed.wait_for(lambda: self._wanted() or not self.n_taken)
            if not self._wanted():
                return None
            self.n_taken += 1
            return heappop(self.pending)

    def give_back(self, part: int) -> None:
        with self.changed:
            self.n_taken -= 1
            heappush(self.pending, part)
            self.changed.notify_all()

    def do(self, part: int) -> None:
        """Do a part here."""
        try:
            self.keep(part, self.function(self.parts[part]))
        except DeadheatError as error:
            self.keep(part, error)

    def keep(self, part: int, found: list[R] | DeadheatError) -> None:
        with self.changed:
            self.n_taken -= 1
            if isinstance(found, DeadheatError):
                self.errors[part] = _shifted(found, self.cuts[part])
            else:
                self.done[part] = found
            self.changed.notify_all()

    def stop(self) -> None:
        with self.changed:
            self.pending.clear()

    def _wanted(self) -> bool:
        """Return whether there is a part left that does not come after an error."""
        end = min(self.errors, default=len(self.parts))
        return bool(self.pending) and self.pending[0] < end

    def results(self) -> list[R]:
        if self.errors:
            raise self.errors[min(self.errors)]
        return [result for part in sorted(self.done) for result in self.done[part]]


def _shifted(error: DeadheatError, start: int) -> DeadheatError:
    if not isinstance(error, ItemError):
        return error
    row = error.row + start
    return ItemError(error.found, row=row, side=error.side, where=error.where, fix=error.fix)


def _started(n: int) -> Iterator[Process]:
    """Start up to n processes; fewer where they cannot be started."""
    # Of a program that was frozen into one file, or that embeds Python, it is not Python itself.
    if getattr(sys, "frozen", False) or "python" not in Path(sys.executable or "").stem.lower():
        return
    flags = [flag for name, flag in FLAGS.items() if getattr(sys.flags, name)]
    for _ in range(n):
        try:
            # -P: what lies in the folder that the program was called in is not imported.
            yield subprocess.Popen(
                [sys.executable, "-P", *flags, "-c", START],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return


def _help(work: _Work[T, R], process: Process) -> None:
    """Have a process do parts until none is left."""
    given, output, part = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout), None
    try:
        _send(given, [entry for entry in sys.path if isinstance(entry, str)])
        pickle.load(output)  # That it is ready: one that never is has taken no part.
        while (part := work.take()) is not None:
            _send(given, (work.function, work.parts[part]))
            work.keep(part, pickle.load(output))
    except Exception:  # It died, or could not import or pickle: the part is done here instead.
        if part is not None:
            work.give_back(part)


def _send(stream: IO[bytes], message: object) -> None:
    pickle.dump(message, stream)
    stream.flush()


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serve() -> None:
    """Be such a process: do what comes in, reply with the results or the error."""
    received = sys.stdin.buffer
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Whatever a module prints must not stand among the replies.
    _send(replies, "ready")
    while True:
        try:
            function, items = pickle.load(received)
        except EOFError:
            return
        try:
            reply = function(items)
        except DeadheatError as error:
            reply = error
        _send(replies, reply)
