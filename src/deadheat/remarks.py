"""What a result has to say besides its numbers: what was not stated, not resampled, not defined."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from deadheat.alignment import Alignment
from deadheat.errors import UsageError, known
from deadheat.evaluation import Evaluation
from deadheat.inference import between
from deadheat.inference.result import OverRuns
from deadheat.intervals.interval import Interval
from deadheat.metrics import Metric
from deadheat.notes import Note
from deadheat.scale import Scale, ends
from deadheat.scores import by_units, score_items, units_of
from deadheat.settings import Settings

ABOUT = ("checkpoint", "temperature", "top_p", "max_tokens", "stop", "seed", "date")
"""Fields of the reporting template that a comparison should state of each system."""

About = Mapping[str, Mapping[str, str]]

ITSELF = ("model", "checkpoint", "date", "against", "opponent")
"""What differs between systems as a matter of course."""

MOST = 4
"""Systems whose settings a note spells out."""

NOT_COVERED = Note(
    code="not_covered",
    message="The interval does not cover contamination, label errors or distribution shift: it "
    "says how far these items pin the difference down, not whether they test the right thing.",
)


def parsed_about(given: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Return {system: {key: value}} of SYSTEM:KEY=VALUE texts; a system name may hold colons."""
    about: dict[str, dict[str, str]] = {}
    for text in given:
        left, equals, value = text.partition("=")
        system, colon, key = left.rpartition(":")
        if not (equals and colon and system and key):
            raise UsageError(
                f"--about {text!r} is not SYSTEM:KEY=VALUE.",
                fix="For example: --about a:temperature=0.7",
            )
        about.setdefault(system, {})[key] = value
    return about


def check_about(about: About, pair: tuple[str, str]) -> None:
    """Refuse what is said about a system that is not compared, or under an unknown field.

    Raises
    ------
    UsageError
        That names the system or the field.
    """
    for system, fields in about.items():
        if system not in pair:
            raise UsageError(f"--about names {system!r}, which is not compared.", fix=known(pair))
        for name in fields:
            if name not in ABOUT:
                raise UsageError(
                    f"--about {system}:{name} is not a field of the report.",
                    fix=known(ABOUT, name),
                )


def about_of(evaluation: Evaluation, given: About, systems: Sequence[str]) -> About:
    """Return what logs know of each system, and over it what the user said."""
    known_of = {answers.system: answers.about for answers in evaluation.answers}
    return {system: {**known_of.get(system, {}), **given.get(system, {})} for system in systems}


def settings_differ(about: About) -> tuple[Note, ...]:
    """Name what differs between systems besides themselves, such as a temperature or a prompt."""
    keys = dict.fromkeys(key for fields in about.values() for key in fields if key not in ITSELF)
    said = []
    for key in keys:
        values = {system: fields[key] for system, fields in about.items() if key in fields}
        if len(set(values.values())) > 1:
            shown = [f"{system} {value}" for system, value in values.items()][:MOST]
            more = f" and {len(values) - MOST} more" if len(values) > MOST else ""
            said.append(f"{key} ({', '.join(shown)}{more})")
    if not said:
        return ()
    return (
        Note(
            code="settings_differ",
            message=f"The systems were not run alike: {'; '.join(said)}. The difference is one of "
            "these settings as well.",
        ),
    )


def not_stated(about: About, pair: tuple[str, str]) -> tuple[Note, ...]:
    """List the fields of the reporting template that nobody gave."""
    absent = [
        f"{system}: {', '.join(name for name in ABOUT if name not in about.get(system, {}))}"
        for system in pair
        if any(name not in about.get(system, {}) for name in ABOUT)
    ]
    if not absent:
        return ()
    return (
        Note(
            code="not_stated",
            message="Fields of the reporting template that nobody gave (--about gives them): "
            f"{'; '.join(absent)}.",
        ),
    )


def interval_notes(intervals: Mapping[str, Interval]) -> tuple[Note, ...]:
    """Say why the interval of a system is undefined, or what it fell back to."""
    return tuple(
        Note(code="interval", message=f"interval of {system}: {interval.note}")
        for system, interval in intervals.items()
        if interval.note
    )


def range_notes(interval: Interval, least: float, most: float, what: str) -> tuple[Note, ...]:
    """Say that an interval leaves the range in which the true value must lie."""
    ends = [end for end in (interval.low, interval.high) if math.isfinite(end)]
    slack = 1e-9 * (most - least)
    if all(least - slack <= end <= most + slack for end in ends):
        return ()
    return (
        Note(
            code="out_of_range",
            message=f"The {interval.method} interval of {what} leaves the range from {least:g} to "
            f"{most:g} in which it must lie; it is given as the method has it.",
        ),
    )


def run_notes(over: OverRuns | None, systems: Sequence[str], scale: Scale) -> tuple[Note, ...]:
    """Say what a claim about other runs rests on, and what each run says against each."""
    if over is None:
        return ()
    notes = [
        Note(
            code="runs",
            message=f"{system}: {len(found.values)} runs of "
            f"{ends(scale.value(min(found.values)), scale.value(max(found.values)))}; beyond what "
            f"items explain, runs have a standard deviation of "
            f"{scale.size(math.sqrt(found.components.var_run))}.",
        )
        for system, found in zip(systems, over.systems, strict=True)
    ]
    if over.pairs is not None:
        counts = over.pairs.to_dict()
        notes.append(
            Note(
                code="runs_disagree" if over.pairs.contradict else "run_against_run",
                message=f"Run against run, {systems[1]} is above {systems[0]} in "
                f"{counts['candidate_above']:,} of {counts['n']:,} "
                f"pair{'' if counts['n'] == 1 else 's'} (alone resolved: "
                f"{counts['resolved_above']:,}) and below in {counts['candidate_below']:,} "
                f"(alone resolved: {counts['resolved_below']:,})."
                + (" That is not a settled comparison." if over.pairs.contradict else ""),
            )
        )
    return tuple(notes)


def discarded_pairing(
    shared: Alignment,
    measure: Metric | None,
    settings: Settings,
    scale: Scale,
    *,
    recipes: bool = False,
) -> tuple[Note, ...]:
    """Say what pairing would have given where two sides treated as independent share items.

    Of claims about other runs (`recipes`) it is only said that they are shared.
    """
    same = (
        f"If row k of both sides is the same item, they share {shared.n:,} items"
        if shared.items is None
        else f"The two sides share {shared.n:,} items"
    )
    message = f"{same}, and treating them as independent throws the pairing away"
    if recipes:
        return (Note(code="pairing_discarded", message=f"{message}."),)
    automatic = replace(settings, method="auto", test="auto")
    found = between.paired([by_units(score_items(shared, measure), units_of(shared))], automatic)[
        0
    ].difference
    message += f": paired, the interval is {scale.interval(found.interval)}"
    return (Note(code="pairing_discarded", message=f"{message} ({found.interval.method})."),)
