"""Where work is done that can be split: here, on an executor, or on a Dask cluster.

An engine is anything with the interface of `concurrent.futures.Executor`. What is split are the
parts of a table and the blocks of resamples, and neither depends on who works on which: an engine
changes no number.
"""

from __future__ import annotations

import pickle
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

from deadheat.errors import DeadheatError, EngineError, UsageError

ADDRESS = "dask://"
ATTEMPTS = 3
"""How often a part is tried before it is given up."""

SECONDS = 30.0
"""For which a scheduler is waited for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class Engine:
    """An executor that parts of the work are sent to.

    Attributes
    ----------
    executor : concurrent.futures.Executor
    name : str
        How it is called in messages.
    n_workers : int
        About how many parts are worked on at once.
    again : callable or None
        Makes another connection where this one is lost.
    """

    executor: Executor
    name: str
    n_workers: int
    again: Callable[[], Executor] | None = None

    def each(
        self, function: Callable[..., Any], parts: Sequence[tuple[Any, ...]], called: Sequence[str]
    ) -> Iterator[Any]:
        """Yield function(*part) of every part, in order.

        A part is tried again where its worker died, the connection broke or a file could not be
        read.

        Parameters
        ----------
        function : callable
            Of an installed module.
        parts : sequence of tuple
            Arguments of each part.
        called : sequence of str
            How each part is called in messages.

        Raises
        ------
        EngineError
            If a part fails every time; it names the part.
        """
        futures: list[Future[Any] | None] = [
            self.executor.submit(function, *part) for part in parts
        ]
        try:
            for number, part in enumerate(parts):
                yield self._result(function, part, futures[number], called[number])
                futures[number] = None
        finally:
            for future in futures:
                if future is not None:
                    future.cancel()

    def _result(
        self,
        function: Callable[..., Any],
        part: tuple[Any, ...],
        future: Future[Any] | None,
        called: str,
    ) -> Any:
        executor = self.executor
        for left in reversed(range(ATTEMPTS)):
            try:
                if future is None:
                    future = executor.submit(function, *part)
                return future.result()
            except DeadheatError:
                raise
            # Whatever a worker, a network or a file system raises; the last one is told.
            except Exception as error:
                if not left:
                    raise EngineError(
                        f"{called} could not be worked on by {self.name}, tried {ATTEMPTS} times: "
                        f"{type(error).__name__}: {' '.join(str(error).split())[:300]}.",
                        fix="See that its workers can read it and have memory for it, and that "
                        "they run the same version of deadheat.",
                    ) from error
                future = None
                if self.again is not None:
                    executor = self.again()
        raise AssertionError


def packed(function: Callable[..., Any]) -> bytes:
    """Return a function as bytes that `pickle` loads, whatever it holds on to.

    Raises
    ------
    EngineError
        If it cannot be sent.
    """
    try:
        import cloudpickle

        found: bytes = cloudpickle.dumps(function)
    except ImportError:
        raise EngineError(
            "resamples cannot be sent without the package cloudpickle, which is not installed.",
            fix="pip install 'deadheat[cluster]', or leave the engine out.",
        ) from None
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise EngineError(
            f"a metric cannot be sent to workers: {error}.", fix="Leave the engine out."
        ) from None
    return found


def engine_of(engine: object) -> Engine | None:
    """Return the engine that an address, a client or an executor stands for.

    Parameters
    ----------
    engine : str, distributed.Client, concurrent.futures.Executor or None
        An address is ``dask://HOST:PORT``, of a Dask scheduler.

    Raises
    ------
    UsageError
        If it is none of these, or Dask is not installed.
    EngineError
        If no scheduler answers there.
    """
    if engine is None or isinstance(engine, Engine):
        return engine
    if isinstance(engine, str):
        return _connected(engine)
    if hasattr(engine, "get_executor") and hasattr(engine, "scheduler_info"):
        return _of_client(engine)
    if isinstance(engine, Executor):
        workers = getattr(engine, "_max_workers", None) or 2
        return Engine(executor=engine, name=type(engine).__name__, n_workers=workers)
    raise UsageError(
        f"the engine is {type(engine).__name__}, to which no work can be sent.",
        fix=f"Give {ADDRESS}HOST:PORT, a distributed.Client or a concurrent.futures.Executor.",
    )


def _connected(address: str) -> Engine:
    host = address.removeprefix(ADDRESS)
    if host == address or not host:
        raise UsageError(f"the engine {address!r} is not known.", fix=f"Give {ADDRESS}HOST:PORT.")
    try:
        import distributed
    except ImportError:
        raise UsageError(
            "a Dask cluster needs the package distributed, which is not installed.",
            fix="pip install 'deadheat[cluster]'",
        ) from None

    def connected() -> Any:
        try:
            client: Any = distributed.Client(  # type: ignore[no-untyped-call]
                f"tcp://{host}", timeout=SECONDS, set_as_default=False
            )
        except (OSError, ValueError, TimeoutError) as error:
            raise EngineError(
                f"no Dask scheduler answers at {host}: {' '.join(str(error).split())[:200]}.",
                fix="Start one with `dask scheduler`, and workers with `dask worker`.",
            ) from None
        return client

    client = connected()
    engine = _of_client(client, again=lambda: _executor(connected()))
    weakref.finalize(engine, client.close)
    return engine


def _executor(client: Any) -> Executor:
    found: Executor = client.get_executor(pure=False)
    return found


def _of_client(client: Any, again: Callable[[], Executor] | None = None) -> Engine:
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers:
        raise EngineError(
            "the Dask scheduler has no workers.", fix="Start some with `dask worker ADDRESS`."
        )
    return Engine(
        executor=_executor(client),
        name=f"the Dask cluster at {client.scheduler.address}",
        n_workers=sum(int(worker["nthreads"]) for worker in workers.values()),
        again=again,
    )
