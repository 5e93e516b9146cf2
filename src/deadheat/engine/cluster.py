"""A Dask cluster as an engine: what can happen to its scheduler and its workers."""

from __future__ import annotations

import socket
import time
import weakref
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import distributed

from deadheat.engine.executors import Engine
from deadheat.errors import EngineError, UsageError

SECONDS = 30.0
"""For which a scheduler, or the first worker, is waited for, at the start and in between."""

PAUSE = 0.1
"""Seconds between two looks for workers."""

CLOSING = 5.0
"""Seconds that a connection may take to close."""

LONGEST_GREETING = 2**20
"""Bytes; other servers than Dask's do not begin with a length below it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cluster(Engine):
    """Workers of a Dask scheduler.

    Attributes
    ----------
    client : distributed.Client
        It connects anew by itself to a scheduler that comes back to its address.
    """

    client: Any

    def shared(self, common: bytes) -> Any:
        return self.client.scatter(common, broadcast=True, hash=False)

    def absent(self) -> str:
        return _absent(self.client)

    def hopeless(self, error: Exception) -> bool:
        # Dask has tried it on several workers already, and all of them died.
        return isinstance(error, distributed.KilledWorker)


def connected(host: str, port: int) -> Cluster:
    """Return the cluster whose scheduler listens at an address.

    Raises
    ------
    EngineError
        If none answers there, or it has no workers.
    """
    _check_greets(host, port)
    try:
        client: Any = distributed.Client(  # type: ignore[no-untyped-call]
            f"tcp://{host}:{port}", timeout=SECONDS, set_as_default=False
        )
    except (OSError, ValueError, ImportError) as error:
        raise _silent(host, port, error) from None
    try:
        engine = of_client(client)
    except BaseException:
        _close(client)
        raise
    weakref.finalize(engine, _close, client)
    return engine


def of_client(client: Any) -> Cluster:
    """Return the cluster that a client is connected to.

    Raises
    ------
    UsageError
        If the client is closed, or one of coroutines.
    EngineError
        If there are no workers.
    """
    if client.asynchronous:
        raise UsageError(
            "the client is asynchronous, and its results cannot be waited for here.",
            fix="Give a distributed.Client(address) that was made outside of an event loop.",
        )
    if client.status in ("closing", "closed"):
        raise UsageError("the client is closed.", fix="Give one that is connected.")
    name = f"the Dask cluster at {client.scheduler.address}"
    if why := _absent(client):
        raise EngineError(
            f"{name} cannot work: {why}.", fix="Start workers with `dask worker ADDRESS`."
        )
    executor: Executor = client.get_executor(pure=False)
    return Cluster(executor=executor, name=name, n_workers=_threads(client) or 1, client=client)


def _absent(client: Any) -> str:
    """Return why nobody works, after a while in which nobody did; empty where some do."""
    until = time.monotonic() + SECONDS
    while not (threads := _threads(client)):
        if time.monotonic() > until or client.status == "closed":
            if threads is None:
                return f"its scheduler has not answered for {SECONDS:.0f} seconds"
            return f"it has had no workers for {SECONDS:.0f} seconds"
        time.sleep(PAUSE)
    return ""


def _threads(client: Any) -> int | None:
    """Return the number of threads that work; None where the scheduler does not answer."""
    if client.status != "running":
        return None
    try:
        found: dict[str, int] = client.sync(client.scheduler.ncores, callback_timeout=SECONDS)
    # A client that is being closed has no scheduler any more.
    except (OSError, AttributeError):
        return None
    return sum(found.values())


def _check_greets(host: str, port: int) -> None:
    """Refuse an address at which nobody speaks first, as Dask does: a client waits for ever."""
    try:
        with socket.create_connection((host.strip("[]"), port), timeout=SECONDS) as link:
            link.settimeout(SECONDS)
            greeting = link.recv(8, socket.MSG_WAITALL)
    except (OSError, OverflowError, UnicodeError) as error:
        raise _silent(host, port, error) from None
    if len(greeting) < 8 or int.from_bytes(greeting, "little") > LONGEST_GREETING:
        raise _silent(host, port, "what listens there is none")


def _silent(host: str, port: int, why: object) -> EngineError:
    return EngineError(
        f"no Dask scheduler answers at {host}:{port}: {' '.join(str(why).split())[:200]}.",
        fix="Start one with `dask scheduler`, and workers with `dask worker`.",
    )


def _close(client: Any) -> None:
    with suppress(Exception):
        client.close(timeout=CLOSING)
