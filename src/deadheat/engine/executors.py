"""Parts of the work on an executor: sent, waited for, tried again, and named where they fail."""

from __future__ import annotations

import pickle
import platform
import textwrap
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat._version import __version__
from deadheat.errors import DeadheatError, EngineError

ATTEMPTS = 3
"""How often a part is tried before it is given up."""

BEAT = 5.0
"""Seconds after which a part that is waited for makes one ask whether anybody works."""

FIX = (
    "See that workers can read it and have memory for it, and that they, and the scheduler of a "
    "cluster, run the same version of deadheat."
)


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
    """

    executor: Executor
    name: str
    n_workers: int

    def each(
        self,
        function: Callable[..., Any],
        parts: Sequence[tuple[Any, ...]],
        called: Sequence[str],
        *,
        common: bytes | None = None,
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
        common : bytes, optional
            First argument of all parts, which is sent to a worker once.

        Raises
        ------
        EngineError
            If a part fails every time, nobody is there to work on it, or a worker has another
            version of deadheat or NumPy; it names the part.
        """
        futures: list[Future[Any] | None] = [None] * len(parts)

        def send(numbers: Sequence[int]) -> None:
            given = () if common is None else (self.shared(common),)
            for number in numbers:
                if (former := futures[number]) is not None:
                    former.cancel()
                futures[number] = self.executor.submit(
                    alike, versions(), function, *given, *parts[number]
                )

        try:
            self._sent(send, range(len(parts)))
            for number, name in enumerate(called):
                yield self._result(futures, number, name, send)
                futures[number] = None
        finally:
            for future in futures:
                if future is not None:
                    future.cancel()

    def shared(self, common: bytes) -> Any:
        """Return what stands for some bytes among the arguments of parts."""
        return common

    def absent(self) -> str:
        """Return why nobody works, after a while in which nobody did; empty where some do."""
        return ""

    def hopeless(self, error: Exception) -> bool:
        """Whether what a part raised would be raised again."""
        return isinstance(error, BrokenExecutor)

    def _sent(self, send: Callable[[Sequence[int]], None], numbers: Sequence[int]) -> None:
        try:
            send(numbers)
        # Whatever an executor raises that was shut down, or cannot send what it is given.
        except Exception as error:
            raise EngineError(
                f"{self.name} takes no work: {_shown(error)}.", fix="Give one that is open."
            ) from error

    def _result(
        self,
        futures: list[Future[Any] | None],
        number: int,
        called: str,
        send: Callable[[Sequence[int]], None],
    ) -> Any:
        for left in reversed(range(ATTEMPTS)):
            try:
                return self._waited(futures[number], called)
            except DeadheatError:
                raise
            # Whatever a worker, a network or a file system raises; the last one is told.
            except Exception as error:
                hopeless = self.hopeless(error)
                if hopeless or not left:
                    tried = "" if hopeless else f", tried {ATTEMPTS} times"
                    raise EngineError(
                        f"{called} could not be worked on by {self.name}{tried}: {_shown(error)}.",
                        fix=FIX,
                    ) from error
                self._check_present(called)
                again = [number]
                if isinstance(error, CancelledError):
                    # A scheduler that is lost takes with it whatever it has not handed back.
                    again = [at for at, future in enumerate(futures) if _open(future)]
                self._sent(send, again)
        raise AssertionError

    def _waited(self, future: Future[Any] | None, called: str) -> Any:
        assert future is not None
        while not wait([future], timeout=BEAT).done:
            self._check_present(called)
        return future.result()

    def _check_present(self, called: str) -> None:
        if why := self.absent():
            raise EngineError(
                f"{called} could not be worked on by {self.name}: {why}.",
                fix="Start a scheduler with `dask scheduler` and workers with `dask worker`; "
                "workers without deadheat end when work reaches them.",
            )


def _open(future: Future[Any] | None) -> bool:
    """Whether there is no result of a part that is still asked for."""
    if future is None:
        return False
    return not future.done() or future.cancelled() or future.exception() is not None


def _shown(error: Exception) -> str:
    words = textwrap.shorten(str(error), 300, placeholder=" ...").removesuffix(".")
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def versions() -> str:
    """Return the versions on which the bits of a number depend, and whether code can be sent."""
    python = ".".join(platform.python_version_tuple()[:2])
    return f"deadheat {__version__} with NumPy {np.__version__} on Python {python}"


def alike(wanted: str, function: Callable[..., Any], *part: Any) -> Any:
    """Return function(*part) where the versions are those that are wanted; what an engine runs.

    Raises
    ------
    EngineError
        If they are others: their numbers must not be mixed with ours.
    """
    if versions() != wanted:
        raise EngineError(
            f"a worker on {platform.node()} runs {versions()}, and here is {wanted}.",
            fix="Install the same versions here and on all workers.",
        )
    return function(*part)


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
