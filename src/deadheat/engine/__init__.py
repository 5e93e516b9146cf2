"""Where work is done that can be split: here, on an executor, or on a Dask cluster.

An engine is anything with the interface of `concurrent.futures.Executor`. What is split are the
parts of a table and the blocks of resamples, and neither depends on who works on which: an engine
changes no number.
"""

from __future__ import annotations

import importlib.util
from concurrent.futures import Executor

from deadheat.engine.executors import Engine, packed
from deadheat.errors import UsageError

__all__ = ["ADDRESS", "Engine", "engine_of", "packed"]

ADDRESS = "dask://"


def engine_of(engine: object) -> Engine | None:
    """Return the engine that an address, a client or an executor stands for.

    Parameters
    ----------
    engine : str, distributed.Client, concurrent.futures.Executor or None
        An address is ``dask://HOST:PORT``, of a Dask scheduler.

    Raises
    ------
    UsageError
        If it is none of these, cannot be used, or Dask is not installed.
    EngineError
        If no scheduler answers there, or it has no workers.
    """
    if engine is None or isinstance(engine, Engine):
        return engine
    if isinstance(engine, str):
        host = engine.removeprefix(ADDRESS)
        name, _, port = host.rpartition(":")
        if host == engine or not name or not port.isascii() or not port.isdigit():
            raise UsageError(
                f"the engine {engine!r} is not known.",
                fix=f"Give {ADDRESS}HOST:PORT, such as {ADDRESS}127.0.0.1:8786.",
            )
        _check_dask()
        from deadheat.engine.cluster import connected

        return connected(name, int(port))
    if hasattr(engine, "get_executor") and hasattr(engine, "scheduler"):
        from deadheat.engine.cluster import of_client

        return of_client(engine)
    if isinstance(engine, Executor):
        return _of_executor(engine)
    raise UsageError(
        f"the engine is {type(engine).__name__}, to which no work can be sent.",
        fix=f"Give {ADDRESS}HOST:PORT, a distributed.Client or a concurrent.futures.Executor.",
    )


def _check_dask() -> None:
    if importlib.util.find_spec("distributed") is None:
        raise UsageError(
            "a Dask cluster needs the package distributed, which is not installed.",
            fix="pip install 'deadheat[cluster]'",
        )


def _of_executor(executor: Executor) -> Engine:
    context = getattr(executor, "_mp_context", None)
    if context is not None and context.get_start_method() == "fork":
        raise UsageError(
            f"the processes of {type(executor).__name__} are forks of this one, in which polars "
            "waits for ever.",
            fix='Give it mp_context=multiprocessing.get_context("spawn").',
        )
    workers = getattr(executor, "_max_workers", None) or 2
    return Engine(executor=executor, name=type(executor).__name__, n_workers=workers)
