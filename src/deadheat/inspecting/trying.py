"""What can be run on an input, and what cannot: found out by trying."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import polars as pl

from deadheat.errors import UsageError
from deadheat.evaluation import Answers, Evaluation
from deadheat.inspecting.choices import choices
from deadheat.inspecting.commands import Command, Kind, Trial, tried, with_policies
from deadheat.inspecting.groups import (
    Referenced,
    bare,
    metrics_for,
    needs_references,
    one_each,
    referenced,
    scored,
    together,
)
from deadheat.inspecting.inspection import Impossible, Possible
from deadheat.inspecting.looking import Seen, look, usable

_LISTED = 6
"""Groups of files that are tried."""

_MOST_PAIRED = 60
"""Systems of which the two with most items in common are looked for."""

NO_SCORE = "nothing in it has a score."

_CHOICES = 12
"""Readings of columns that are tried."""

_SCORES = 4
"""Further scores for which a command is tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What was asked."""

    texts: tuple[str, ...]
    reading: Mapping[str, Any]
    progress: Callable[[int, int], None] | None = None

    def seen(self) -> list[Seen]:
        return [one for text in self.texts for one in look(text, self.reading, self.progress)]

    def command(self, kind: Kind, *sources: str, **more: Any) -> Command:
        return Command(kind=kind, sources=sources or self.texts, reading=self.reading, **more)


@dataclass(slots=True)
class Said:
    """What can be run and what cannot, as it is found out."""

    possible: dict[str, Possible] = field(default_factory=dict)
    impossible: list[Impossible] = field(default_factory=list)

    def may(self, trial: Trial, shows: str) -> None:
        text = str(trial.command)
        self.possible.setdefault(text, Possible(command=text, shows=shows))

    def may_not(self, what: str, why: object) -> None:
        if all(one.why != str(why) for one in self.impossible):
            self.impossible.append(Impossible(what=what, why=str(why)))


def whole(asked: Input, seen: Sequence[Seen], evaluation: Evaluation, said: Said) -> None:
    """Try what would show all systems."""
    answers = evaluation.answers
    systems = evaluation.systems
    if evaluation.references is None and any(map(bare, answers)):
        return
    if not any(map(scored, answers)):
        said.may_not("all of it together", NO_SCORE)
        return
    formats = {one.file.path: one for one in seen}
    first_file = formats.get(answers[0].source.files[0].path)
    command = asked.command(_kind(len(systems)))
    trials = with_policies(command) if first_file is None else _by_first_metric(command, first_file)
    _tell(trials, said, "all of it together")
    if trials[0].error is not None:
        return
    first = trials[0].command
    if first.kind == "rank":
        pair = tried(replace(first, kind="compare", pair=(systems[0], systems[1])))
        if pair.error is None:
            said.may(pair, _shows(pair))
    if first.kind != "score":
        for trial in with_policies(asked.command("score", metric=first.metric)):
            if trial.error is None:
                said.may(trial, _shows(trial))
                break
    _other_scores(seen, first, said)


def _other_scores(seen: Sequence[Seen], first: Command, said: Said) -> None:
    """Try the same by the other scores of logs."""
    if first.reading.get("score") is not None:
        return
    others = dict.fromkeys(name for one in seen for name in one.file.scores[1:])
    shown = 0
    for name in others:
        trial = with_policies(replace(first.reads(score=name), missing=None))[0]
        if trial.error is None:
            said.may(trial, f"the same by {name}")
            shown += 1
        if shown == _SCORES:
            return


def _tell(trials: Sequence[Trial], said: Said, what: str) -> None:
    for at, trial in enumerate(trials):
        if trial.error is not None:
            said.may_not(what, trial.error)
        elif at == 0:
            said.may(trial, _shows(trial))
        elif trial.command.missing == "drop":
            said.may(trial, f"the same on {_items(trial)}, {_policy(trial)}")
        else:
            said.may(trial, f"the same, {_policy(trial)}")


def _shows(trial: Trial) -> str:
    systems, command = trial.systems, trial.command
    items = _items(trial)
    left = f", {_policy(trial)}" if command.missing else ""
    by = "" if command.metric is None else f", {command.metric}"
    if command.kind == "score":
        what = systems[0] if len(systems) == 1 else "each system"
        return f"{what} with {'its' if len(systems) > 1 else 'an'} interval{by}"
    if command.kind == "compare":
        return f"{systems[1]} minus {systems[0]} on {items}{left}{by}"
    return f"{len(systems)} systems on {items}{left}{by}"


def _items(trial: Trial) -> str:
    total = trial.n + trial.left_out
    of = f" of {total:,}" if trial.left_out else ""
    return f"{trial.n:,}{of} item{'' if total == 1 else 's'}"


def _policy(trial: Trial) -> str:
    """Say what a policy on missing items does."""
    if trial.command.missing == "drop":
        return "what all systems have"
    return f"{trial.absent:,} missing scored wrong"


def parts(asked: Input, seen: Sequence[Seen], said: Said) -> None:
    """Try files that seem to belong together, where all of them do not."""
    used = usable(seen)
    if asked.reading.get("references") is None and any(map(needs_references, used)):
        for found in referenced(seen):
            _with_references(asked, found, said)
        if not said.possible:
            said.may_not(
                _named([one for one in used if needs_references(one)]),
                "there are outputs and no references to hold them against: name a file of them "
                "with --reference, or their column with --reference-column.",
            )
    left = [one for one in used if not needs_references(one)]
    for one in left:
        if not any(map(scored, one.answers)):
            said.may_not(_named([one]), NO_SCORE)
    groups = sorted(
        together([one for one in left if any(map(scored, one.answers))]),
        key=lambda group: -len({name for one in group for name in one.file.systems}),
    )
    for group in groups[:_LISTED]:
        _group(asked, group, said)
    if len(groups) > _LISTED:
        more = len(groups) - _LISTED
        said.may_not(f"{more} more group{'' if more == 1 else 's'} of files", "not tried.")


def _with_references(asked: Input, found: Referenced, said: Said) -> None:
    """Try outputs with what seems to be the file of right answers to them."""
    outputs = found.outputs
    kind = _kind(sum(len(one.file.systems) for one in outputs))
    sources = tuple(one.file.path for one in outputs)
    command = asked.command(kind, *sources).reads(references=found.references)
    trials = _by_first_metric(command, outputs[0])
    if trials[0].error is not None and asked.reading.get("reference_column") is None:
        # Tables of texts and labels without a header are common.
        again = _by_first_metric(command.reads(reference_column="2"), outputs[0])
        trials = trials if again[0].error is not None else again
    _tell(trials, said, f"{_named(outputs)} with {os.path.basename(found.references)}")


def _by_first_metric(command: Command, one: Seen) -> list[Trial]:
    """Try the metrics that suit outputs, until one does."""
    trials: list[Trial] = []
    for metric in metrics_for(one.format, one.answers[0]):
        trials = with_policies(replace(command, metric=metric))
        if trials[0].error is None:
            break
    return trials


def _group(asked: Input, group: Sequence[Seen], said: Said) -> None:
    """Try the files of a group, one of each system, and each file that holds several systems."""
    taken, left = one_each(group)
    sources = [one.file.path for one in taken]
    systems = sum(len(one.file.systems) for one in taken)
    if systems == 1 and left:
        # Two logs of one system are two systems if they are called so.
        pair = (taken[0], left[0])
        sources = [f"{name}={one.file.path}" for name, one in zip(_names(pair), pair, strict=True)]
        systems = 2
    command = asked.command(_kind(systems), *sources)
    trials = _by_first_metric(command, taken[0])
    _tell(trials, said, _named(group))
    failed = trials[0].error is not None
    if failed:
        best_pair(command, [answers for one in taken for answers in one.answers], said)
    for one in group if len(taken) > 1 else ():
        if failed or len(one.file.systems) > 1:
            alone = asked.command(_kind(len(one.file.systems)), one.file.path)
            _tell(_by_first_metric(alone, one), said, _named([one]))


def readings(asked: Input, seen: Sequence[Seen], said: Said) -> None:
    """Try the readings that columns may be meant in, where they do not say in which."""
    for choice in choices(seen)[:_CHOICES]:
        reading = {**choice.reading, **{k: v for k, v in asked.reading.items() if v is not None}}
        paths = tuple(one.file.path for one in choice.files)
        whole_folder = len(paths) > 1 and len(paths) == sum(one.table is not None for one in seen)
        sources = asked.texts if whole_folder else paths
        n = 2 if len(paths) == 1 and reading.get("system_column") else len(paths)
        command = replace(asked.command(_kind(n), *sources), reading=reading)
        trials = _with_any_kind(command)
        if (error := trials[0].error) is not None and "--reference FILE" in error.fix:
            said.may_not(choice.means, error)
            trials = _with_references_of_one(command, choice.files)
        for trial in trials:
            if trial.error is None:
                right = trial.command.reading.get("references")
                of = f" of {os.path.basename(right)}" if right and error is not None else ""
                said.may(trial, f"{choice.means}{of}: {_shows(trial)}")


def _with_any_kind(command: Command) -> list[Trial]:
    """Try a command; as another kind where it holds more or fewer systems than was thought."""
    trials: list[Trial] = []
    for kind in dict.fromkeys((command.kind, "rank", "score")):
        trials = with_policies(replace(command, kind=kind))
        if not isinstance(trials[0].error, UsageError):
            break
    return trials


def _with_references_of_one(command: Command, files: Sequence[Seen]) -> list[Trial]:
    """Try the references of one file for all, that with most rows first."""
    trials: list[Trial] = []
    for one in sorted(files, key=lambda one: -one.file.rows)[:_LISTED]:
        trials = with_policies(command.reads(references=one.file.path))
        if trials[0].error is None:
            break
    return trials


def best_pair(command: Command, answers: Sequence[Answers], said: Said) -> None:
    """Where many systems have no item in common, try the two that have most."""
    items = [
        (one.system, frozenset(one.items.cast(pl.String)))
        for one in answers[:_MOST_PAIRED]
        if one.items is not None
    ]
    pairs = [(len(a[1] & b[1]), (a[0], b[0])) for a, b in combinations(items, 2)]
    shared, pair = max(pairs, key=lambda found: found[0], default=(0, ("", "")))
    if len(answers) < 3 or shared < 2:
        return
    trials = with_policies(replace(command, kind="compare", pair=pair))
    # What they share was looked for, and not what they lack.
    for trial in sorted(trials, key=lambda trial: trial.command.missing == "wrong"):
        if trial.error is None:
            said.may(trial, _shows(trial))
            return


def _kind(systems: int) -> Kind:
    return "score" if systems == 1 else "compare" if systems == 2 else "rank"


def _names(pair: Sequence[Seen]) -> list[str]:
    """Name two logs of one system by their files."""
    stems = [os.path.splitext(os.path.basename(one.file.path))[0] for one in pair]
    return stems if stems[0] != stems[1] else ["first", "second"]


def _named(files: Sequence[Seen]) -> str:
    names = [os.path.basename(one.file.path) for one in files]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
