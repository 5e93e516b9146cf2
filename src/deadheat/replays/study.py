"""Data sets whose truth is known, one after the other through the inference that `compare` makes.

Replay r is drawn from stream r of the seed, and what its inference draws from a seed of its own,
the first word of branch 1 of that stream. So no replay depends on how many there are, or on who
does it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from deadheat.replays.inferring import inferred, scores_of
from deadheat.replays.outcomes import Outcome, outcome_of
from deadheat.replays.redrawn import redrawn
from deadheat.rng import Purpose, Stream
from deadheat.settings import Settings
from deadheat.simulation import Design, Pilot, draw
from deadheat.workers import PAYS, spread

RESAMPLES = 1
"""Branch of the stream of a data set from which its resamples are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Study:
    """What is replayed.

    Attributes
    ----------
    design : Design or Pilot
        Of two systems.
    settings : Settings
        Of each inference; their seed is not used.
    seed : int
        Of the data sets, and of what their inference draws.
    redraw : bool
        Whether a bootstrap distribution is drawn where it would be computed.
    """

    design: Design | Pilot
    settings: Settings
    seed: int
    redraw: bool = False

    def outcome(self, replay: int) -> Outcome:
        """Draw data set `replay` and infer the difference.

        Parameters
        ----------
        replay : int
            Number of the data set, from 0.
        """
        drawn = draw(self.design, self.seed, replay)
        stream = Stream(self.seed, Purpose.SIMULATION, replay, RESAMPLES)
        if self.redraw:
            return redrawn(drawn, stream, self.settings)
        own = replace(self.settings, seed=int(stream.words(1)[0]))
        return outcome_of(inferred(scores_of(drawn), own), drawn.scores.shape[1], own)


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """What is done with a stretch of replays; another process tells nobody how far it is."""

    study: Study
    told: Callable[[int], None] | None = None

    def __call__(self, replays: Sequence[int]) -> list[Outcome]:
        found = [self.study.outcome(replay) for replay in replays]
        if self.told is not None:
            self.told(replays[-1] + 1)
        return found

    def __reduce__(self) -> tuple[type[_Work], tuple[Study]]:
        return _Work, (self.study,)


def outcomes(
    study: Study,
    n: int,
    *,
    cores: int | None = None,
    pays: float = PAYS,
    progress: Callable[[int, int], None] | None = None,
) -> list[Outcome]:
    """Return what replays 0 to n - 1 came to, on all cores where that pays.

    Parameters
    ----------
    study : Study
    n : int
        1 or more.
    cores : int, optional
        By default those that this process may use; never changes a number.
    pays : float
        Seconds of work for each process that helps.
    progress : callable, optional
        Told how many replays are done or under way, of how many.
    """
    # Stretches are taken in order, so all before the one that was just done here are taken too.
    told = None if progress is None else lambda done: progress(done, n)
    found = spread(_Work(study, told), range(n), pays=pays, cores=cores)
    if progress is not None:
        progress(n, n)
    return found
