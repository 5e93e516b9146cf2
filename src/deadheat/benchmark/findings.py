"""What the numbers of a check mean: each with what was found, why it matters and what to do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from deadheat.benchmark.parts import (
    Baselines,
    Ceiling,
    LabelNoise,
)
from deadheat.scale import Scale

Severity = Literal["ok", "notice", "warning", "problem"]
SEVERITIES: tuple[Severity, ...] = ("problem", "warning", "notice", "ok")

NEAR_CEILING, EXHAUSTED = 0.05, 0.01
"""Headroom, as a share of the scale, at which a set is nearly and wholly used up."""

LITTLE = 0.2
"""Share of the way from the best baseline to the limit below which a set is near its floor."""

LISTED = 6
"""Names that a sentence spells out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a check found.

    Attributes
    ----------
    code : str
        The check.
    severity : {"ok", "notice", "warning", "problem"}
    found : str
        What was found, with its numbers.
    why : str
        Why it matters.
    action : str
        What can be done; empty where nothing has to be.
    """

    code: str
    severity: Severity
    found: str
    why: str
    action: str = ""


def listed(names: Sequence[str], n: int | None = None) -> str:
    """Show the first few of n names, of which those after `names` are not known.

    Parameters
    ----------
    names : sequence of str
        The first of them.
    n : int or None
        How many there are; None for as many as names.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], 10)
    ('a, b, c', 'a, b, c and 7 more')
    """
    left = (len(names) if n is None else n) - min(len(names), LISTED)
    return ", ".join(names[:LISTED]) + (f" and {left:,} more" if left else "")


def of_ceiling(part: Ceiling, scale: Scale, alpha: float) -> Finding:
    """Judge how much room the best system leaves.

    Parameters
    ----------
    part : Ceiling
        Numbers of the check.
    scale : Scale
        On which values are shown.
    alpha : float
        Level of McNemar's test.
    """
    found = (
        f"The best system, {part.system}, has {scale.value(part.value)} of "
        f"{scale.value(part.limit)}: {scale.size(part.headroom)} of headroom"
    )
    if not math.isnan(part.half_width):
        found += f", and its own interval is {scale.size(part.half_width)} to either side"
    # Shares are compared with thresholds as people write them: 0.95 is 0.95.
    level = part.share - 1e-12
    severity: Severity = (
        "problem" if level <= EXHAUSTED else "warning" if level <= NEAR_CEILING else "ok"
    )
    if severity == "ok":
        return Finding(
            code="ceiling",
            severity=severity,
            found=f"{found}.",
            why="Better systems have room to show that they are better.",
        )
    stage = "used up" if severity == "problem" else "nearly used up"
    found += f". The set is {stage} at the top"
    if part.perfect_p_value >= alpha:
        found += (
            ", and not even a system without a mistake could be told from the best one "
            f"(McNemar's exact p = {part.perfect_p_value:.2g})"
        )
    return Finding(
        code="ceiling",
        severity=severity,
        found=f"{found}.",
        why="What is left of the items is mostly ambiguous, wrongly labelled or trivial, and the "
        "order at the top is made by it.",
        action="Use harder items for systems of this strength; keep this set as a check that "
        "nothing has been unlearnt.",
    )


def of_headroom(part: Ceiling, scale: Scale) -> Finding | None:
    """Judge whether an improvement over the best system could be seen at all.

    Parameters
    ----------
    part : Ceiling
        Numbers of the check.
    scale : Scale
        On which values are shown.
    """
    if math.isnan(part.minimum_detectable):
        return None
    gap = scale.size(part.minimum_detectable)
    if part.minimum_detectable > part.headroom:
        return Finding(
            code="headroom",
            severity="problem",
            found=f"The headroom of {scale.size(part.headroom)} is less than the {gap} that two "
            "systems on these items typically have to differ by to be told apart (80% power).",
            why="No improvement over the best system can be counted on to show.",
            action="Add items, above all harder ones.",
        )
    return Finding(
        code="headroom",
        severity="ok",
        found=f"The headroom of {scale.size(part.headroom)} is more than the {gap} that two "
        "systems on these items typically have to differ by to be told apart (80% power).",
        why="An improvement over the best system can show.",
    )


_KINDS = {
    "majority": "always answering {name}, the most frequent reference",
    "constant": "always answering {name}",
    "random": "a random choice ({name})",
    "trivial": "{name}, named as trivial",
}


def of_baselines(part: Baselines, scale: Scale, unknown: Sequence[str] = ()) -> Finding:
    """Judge how far the systems are above what needs no ability.

    Parameters
    ----------
    part : Baselines
    scale : Scale
    unknown : sequence of str
        Systems whose interval is undefined: only their value is held against the baseline.
    """
    what = _KINDS[part.best.kind].format(name=part.best.name)
    found = f"The best baseline has {scale.value(part.best.value)} ({what})"
    if not math.isnan(part.margin):
        found += (
            ", and the best system lies below it"
            if part.margin < 0.0
            else f", and the best system has covered {part.margin:.0%} of the way from it to the "
            "limit"
        )
    if part.reached_by:
        found += f". Systems whose interval reaches it: {listed(part.reached_by)}"
    why = (
        "What needs no ability to be reached is no sign of ability, and differences near it are "
        "differences in guessing or in format."
    )
    near = part.margin < LITTLE
    if not part.reached_by and not near and unknown:
        return Finding(
            code="floor",
            severity="notice",
            found=f"{found}. {_undefined(unknown)}",
            why=why,
            action="Add items, so that every system has an interval.",
        )
    if not part.reached_by and not near:
        return Finding(
            code="floor", severity="ok", found=f"{found}.", why="All systems are clear of it."
        )
    return Finding(
        code="floor",
        severity="problem" if part.best_reached else "warning",
        found=f"{found}.",
        why=why,
        action="Compare no systems that the baseline reaches; report values above the baseline, "
        "and look at which items the baseline gets right.",
    )


def _undefined(systems: Sequence[str]) -> str:
    return f"Only values could be held against it where intervals are undefined: {listed(systems)}."


def no_baseline() -> Finding:
    """Say that no baseline is known."""
    return Finding(
        code="floor",
        severity="notice",
        found="No baseline is known, so nobody can say how much of these values is ability.",
        why="A set on which a trivial strategy does well measures format, not ability.",
        action="Give the number of options (--options), a trivial system among the files "
        "(--trivial), or references.",
    )


def of_label_noise(
    part: LabelNoise, best: str, scale: Scale, unknown: Sequence[str] = ()
) -> Finding:
    """Judge values against what wrong references leave to be measured; as `of_baselines`.

    Parameters
    ----------
    part : LabelNoise
        Numbers of the check.
    best : str
        Name of the best system.
    scale : Scale
        On which values are shown.
    unknown : sequence of str
        Systems whose interval is undefined.
    """
    found = (
        f"With {part.share:.1%} of the references wrong, a system that is always right scores "
        f"about {scale.value(part.limit)}"
    )
    why = (
        "Above that a value means agreement with wrong references, and near it the order is made "
        "by them."
    )
    action = "Correct the references, starting with the suspects; else read such values as equal."
    if part.above:
        return Finding(
            code="label_noise",
            severity="problem",
            found=f"{found}. Above it: {listed(part.above)}.",
            why=why,
            action=action,
        )
    if part.within:
        return Finding(
            code="label_noise",
            severity="warning",
            found=f"{found}. The interval reaches it of {listed(part.within)}.",
            why=why,
            action=action,
        )
    found += f"; {best}, the best one, is {scale.size(part.headroom)} below."
    if unknown:
        return Finding(
            code="label_noise",
            severity="notice",
            found=f"{found} {_undefined(unknown)}",
            why=why,
            action="Add items, so that every system has an interval.",
        )
    return Finding(
        code="label_noise",
        severity="ok",
        found=found,
        why="Wrong references do not yet decide the order at the top.",
    )
