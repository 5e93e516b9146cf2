"""Commands that show what files hold: spelled as on the command line, and tried."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from deadheat.errors import DeadheatError, InferenceError, UsageError
from deadheat.inference import between
from deadheat.inference.board import board
from deadheat.measuring import Groups, measured
from deadheat.metrics import metrics_of
from deadheat.settings import Settings
from deadheat.sides import chosen_pair

Kind = Literal["compare", "rank", "score"]

DRAWS = 199
"""Resamples of a trial, which is repeated with the usual number where these do not suffice."""

_FEW = 0.25
"""Share of answers below which those that are missing are few."""

SPELLED = {
    "references": "--reference",
    "reference_column": "--reference-column",
    "item": "--item",
    "system_column": "--system-column",
    "score": "--score",
    "output_column": "--output-column",
    "cluster": "--cluster",
    "stratum": "--stratum",
    "run": "--run",
}
"""Options of reading on the command line, by their names in Python."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that may be run.

    Attributes
    ----------
    kind : {"compare", "rank", "score"}
    sources : tuple of str
        PATH or NAME=PATH.
    reading : mapping
        Options of `deadheat.read`.
    metric, missing : str or None
    pair : tuple of str, or None
        Baseline and candidate, where they have to be chosen.
    """

    kind: Kind
    sources: tuple[str, ...]
    reading: Mapping[str, Any] = field(default_factory=dict)
    metric: str | None = None
    missing: Literal["drop", "wrong"] | None = None
    pair: tuple[str, str] | None = None

    def reads(self, **options: Any) -> Command:
        """Return the command with further options of reading."""
        return replace(self, reading={**self.reading, **options})

    def __str__(self) -> str:
        """Spell it for a shell."""
        words = ["deadheat", self.kind, *map(shlex.quote, self.sources), *_spelled(self.reading)]
        if self.metric is not None:
            words += ["--metric", self.metric]
        if self.missing is not None:
            words += ["--missing", self.missing]
        if self.pair is not None:
            baseline, candidate = map(shlex.quote, self.pair)
            words += ["--baseline", baseline, "--candidate", candidate]
        return " ".join(words)


def _spelled(reading: Mapping[str, Any]) -> list[str]:
    """Write options of reading as on the command line."""
    words = []
    for name, option in SPELLED.items():
        if reading.get(name) is not None:
            words += [option, shlex.quote(str(reading[name]))]
    if reading.get("systems"):
        words += ["--system", shlex.quote(",".join(reading["systems"]))]
    if reading.get("label_map"):
        pairs = ",".join(f"{old}={new}" for old, new in reading["label_map"].items())
        words += ["--label-map", shlex.quote(pairs)]
    if reading.get("different_items"):
        words.append("--different-items")
    return words


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A command that was tried.

    Attributes
    ----------
    command : Command
    systems : tuple of str
        That it is about, the baseline first; empty where it does not run.
    n : int
        Items that it is about: of the system that has most of them.
    left_out : int
        Items that were left out, some system having no answer or score.
    absent : int
        Answers of systems to items that were missing and scored wrong.
    error : DeadheatError or None
        Why it does not run.
    """

    command: Command
    systems: tuple[str, ...] = ()
    n: int = 0
    left_out: int = 0
    absent: int = 0
    error: DeadheatError | None = None


def tried(command: Command) -> Trial:
    """Run a command as far as its numbers, with few draws where these suffice."""
    try:
        return _trial(command, Settings(n_resamples=DRAWS))
    except InferenceError:
        pass
    except DeadheatError as error:
        return Trial(command=command, error=error)
    try:
        return _trial(command, Settings())
    except DeadheatError as error:
        return Trial(command=command, error=error)


def _trial(command: Command, settings: Settings) -> Trial:
    groups: dict[Kind, Groups] = {
        "compare": lambda systems: [chosen_pair(systems, *(command.pair or (None, None)))],
        "rank": _all_together,
        "score": lambda systems: [(system,) for system in systems],
    }
    (part,) = measured(
        command.sources,
        command.reading,
        metrics_of(command.metric),
        groups[command.kind],
        missing=command.missing or "error",
        unparseable="wrong",
    )
    for scores in part.scores:
        if command.kind == "compare":
            between.paired([scores], settings)
        elif command.kind == "rank":
            between.each(scores, settings, board(scores, settings).draws)
        else:
            between.alone([scores], settings)
    return Trial(
        command=command,
        systems=tuple(system for found in part.alignments for system in found.systems),
        n=max(found.n for found in part.alignments),
        left_out=max(sum(one.n for one in found.dropped) for found in part.alignments),
        absent=sum(sum(found.absent) for found in part.alignments),
    )


def _all_together(systems: tuple[str, ...]) -> list[tuple[str, ...]]:
    if len(systems) < 2:
        raise UsageError(f"only one system was found: {', '.join(systems)}.")
    return [systems]


def with_policies(command: Command) -> list[Trial]:
    """Try a command; where items are missing, with each policy on them.

    Returns
    -------
    list of Trial
        Those that run, or one that does not. First comes to leave items out, unless that loses
        more than half of them and to score wrong is about few answers.
    """
    first = tried(command)
    if first.error is None or "--missing drop" not in first.error.fix:
        return [first]
    policies: tuple[Literal["drop", "wrong"], ...] = ("drop", "wrong")
    again = [tried(replace(command, missing=policy)) for policy in policies]
    run = [trial for trial in again if trial.error is None]
    if len(run) == 2 and run[0].left_out > run[0].n and _few_absent(run[1]):
        run.reverse()
    return run or again[:1]


def _few_absent(trial: Trial) -> bool:
    return trial.absent < _FEW * trial.n * len(trial.systems)
