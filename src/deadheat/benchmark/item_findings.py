"""What the numbers about items and their texts mean."""

from __future__ import annotations

import math

from deadheat.benchmark.findings import Finding, Severity, listed
from deadheat.benchmark.item_checks import ENOUGH, WEAK
from deadheat.benchmark.item_parts import (
    Discrimination,
    Duplicates,
    Estimate,
    Items,
    Reliability,
    TrainingOverlap,
    Upsets,
)

HALF = 0.5
"""Share of items that tell systems apart, below which most of a set is idle."""

MANY = 0.01
"""Share of items that are redundant, from which on a set counts itself larger than it is."""

RELIABLE, UNRELIABLE = 0.9, 0.7
"""Reliability that is usual for decisions, and below which an order is hardly repeated
(Nunnally & Bernstein 1994)."""


def of_items(part: Items, *, solved: bool) -> Finding | None:
    """Judge how many items tell systems apart.

    Parameters
    ----------
    part : Items
    solved : bool
        Whether items are solved or not: scores are 0/1.
    """
    if part.informative is None:
        return None
    share = part.informative / part.n
    found = (
        f"{part.informative:,} of {part.n:,} item{'' if part.n == 1 else 's'} ({share:.0%}) "
        f"{'tells' if part.informative == 1 else 'tell'} any two of these systems apart"
    )
    idle = [
        f"{n:,} {'is' if n == 1 else 'are'} {what}"
        for n, what in (
            (part.all_right, "solved by all" if solved else "at the best score with all"),
            (part.all_wrong, "solved by none" if solved else "at the worst score with all"),
        )
        if n
    ]
    found += f"; {', '.join(idle)}." if idle else "."
    severity: Severity = "ok" if share >= HALF else "warning" if not part.informative else "notice"
    return Finding(
        code="items",
        severity=severity,
        found=found,
        why="Items on which all systems do the same add to the count and nothing to a comparison.",
        action=""
        if severity == "ok"
        else "Replace idle items by such as some systems solve and others do not.",
    )


def of_unsolved(part: Items, *, solved: bool) -> Finding | None:
    """Point at the items that no system solves.

    Parameters
    ----------
    part : Items
        Numbers of the check.
    solved : bool
        Whether items are solved or not: scores are 0/1.
    """
    if not part.all_wrong:
        return None
    one = part.all_wrong == 1
    what = "solved by no system" if solved else "at the worst score with every system"
    named = f": {listed(part.unsolved, part.all_wrong)}" if part.unsolved else ""
    return Finding(
        code="unsolved",
        severity="notice",
        found=f"{part.all_wrong:,} {'item is' if one else 'items are'} {what}{named}.",
        why="All of these systems find it too hard, or its reference or grader is wrong."
        if one
        else "All of these systems find them too hard, or their references or grader are wrong.",
        action="Look at some of them; a wrong reference here costs every system the same.",
    )


def of_discrimination(part: Discrimination) -> Finding:
    """Judge the items on which better systems do worse.

    Parameters
    ----------
    part : Discrimination
        Numbers of the check.
    """
    error = 1.0 / math.sqrt(part.n_systems - 1)
    found = (
        f"On {part.negative:,} {'item' if part.negative == 1 else 'items'} better systems do worse "
        f"(correlation with the rest below 0), and on {part.weak:,} hardly better (below "
        f"{WEAK:g}); the mean correlation is {part.mean_r_rest:.2f}"
    )
    if part.suspects:
        named = listed([row.item for row in part.suspects], part.negative)
        found += f". The most suspect: {named}"
    why = (
        "Such items are often mislabelled or ambiguous. One correlation over "
        f"{part.n_systems:,} systems has a standard error of about {error:.1f}, so that some are "
        "negative by chance."
    )
    if not part.negative:
        return Finding(
            code="suspects",
            severity="ok",
            found=f"{found}.",
            why="On no item do better systems do worse.",
        )
    return Finding(
        code="suspects",
        severity="notice" if part.mean_r_rest > WEAK else "warning",
        found=f"{found}.",
        why=why,
        action="Check references and wording of these items first.",
    )


def of_few_systems(n: int) -> Finding:
    """Say that single items cannot be judged with so few systems.

    Parameters
    ----------
    n : int
        Systems, without trivial ones.
    """
    return Finding(
        code="few_systems",
        severity="notice",
        found=f"There {'is' if n == 1 else 'are'} {n:,} {'system' if n == 1 else 'systems'}: too "
        f"few to say on which items better systems do worse ({ENOUGH} are needed).",
        why="A correlation over few systems is mostly chance, and whatever is said about items is "
        "said about these systems.",
        action="Add outputs of more systems, weak ones too.",
    )


def of_upsets(part: Upsets) -> Finding | None:
    """Point at items that weak systems solve and no strong one does.

    Parameters
    ----------
    part : Upsets
        Numbers of the check.
    """
    if not part.n:
        return None
    # Of several the first, which is the strongest of the weak ones.
    most = max(part.systems, key=lambda row: row.n)
    return Finding(
        code="upsets",
        severity="notice",
        found=f"{part.n:,} {'item is' if part.n == 1 else 'items are'} solved by one of the "
        f"{len(part.weak):,} weakest systems and by none of the {len(part.strong):,} strongest "
        f"(which all miss {part.n_open:,}); {most.system} solves {most.n:,} of them.",
        why="A weak system may have seen them in its training, or their reference is wrong, or it "
        "was luck: this is a flag and no proof.",
        action="Look whether these items lie in the training data of that system.",
    )


def of_reliability(part: Reliability) -> Finding:
    """Judge how well the items put these systems in the same order again.

    Parameters
    ----------
    part : Reliability
        Numbers of the check.
    """
    found = (
        f"Alpha is {_shown(part.alpha)}, the reliability from split halves "
        f"{_shown(part.split_half)}, and Kendall's tau between the rankings of two random halves "
        f"{_shown(part.kendall)}"
    )
    worst = min(
        (e.value for e in (part.alpha, part.split_half) if not math.isnan(e.value)),
        default=math.nan,
    )
    severity: Severity = (
        "ok" if worst >= RELIABLE else "notice" if worst >= UNRELIABLE else "warning"
    )
    few = (
        f" With {part.n_systems:,} systems these numbers are rough."
        if part.n_systems < ENOUGH
        else ""
    )
    # What is undefined is no sign of anything good.
    partly = any(math.isnan(e.value) for e in (part.alpha, part.split_half, part.kendall))
    return Finding(
        code="reliability",
        severity="notice" if (few or partly) and severity == "ok" else severity,
        found=f"{found}.{few}",
        why="They say how well such items would put these systems in the same order again; systems "
        "that are closer to each other would be ordered less reliably by the same items.",
        action=""
        if severity == "ok" and not partly
        else "Do not read the order of neighbours as settled.",
    )


def _shown(estimate: Estimate) -> str:
    if math.isnan(estimate.value):
        return "undefined"
    text = f"{estimate.value:.3f}"
    if not math.isnan(estimate.low):
        text += f" [{estimate.low:.3f}, {estimate.high:.3f}]"
    return text


def of_duplicates(part: Duplicates) -> Finding:
    """Judge items that are the same, or nearly; what was not looked at is never `ok`.

    Parameters
    ----------
    part : Duplicates
        Numbers of the check.
    """
    found = (
        f"{part.exact_items:,} of {part.n_texts:,} items share their text with another "
        f"({part.exact_groups:,} {'group' if part.exact_groups == 1 else 'groups'})"
    )
    kept = f"one of each kept, {part.redundant:,} would go"
    if part.near_items is not None:
        found += (
            f", and with near duplicates (Jaccard similarity {part.threshold:g} of runs of "
            f"{part.shingle} words) it is {part.near_items:,}; {kept}."
        )
    else:
        found += (
            f"; {kept}. Near duplicates were not looked for: the texts are too long, or too much "
            "alike."
        )
    if part.n_empty:
        found += f" {_without_text(part.n_empty)}."
    ways = []
    if part.redundant:
        ways.append("Keep one of each, or make the groups clusters (--cluster).")
    if part.near_items is None:
        ways.append("Look for near duplicates in parts of the set, such as one task at a time.")
    if part.n_empty:
        ways.append("Give a text to every item.")
    return Finding(
        code="duplicates",
        severity="warning"
        if part.redundant and part.redundant >= MANY * part.n_texts
        else "notice"
        if ways
        else "ok",
        found=found,
        why="Items that say the same are not independent: they make intervals too short."
        if ways
        else "No item is counted twice.",
        action=" ".join(ways),
    )


def _without_text(n: int) -> str:
    one = n == 1
    return (
        f"{n:,} {'item has' if one else 'items have'} no text and {'was' if one else 'were'} not "
        "looked at"
    )


def of_conflicts(part: Duplicates) -> Finding | None:
    """Point at items of one text with different references.

    Parameters
    ----------
    part : Duplicates
        Numbers of the check.
    """
    if not part.conflicting:
        return None
    return Finding(
        code="conflicts",
        severity="problem",
        found=f"{part.conflicting:,} {'group' if part.conflicting == 1 else 'groups'} of items "
        f"with the same text {'has' if part.conflicting == 1 else 'have'} different references.",
        why="No system can be right on all of them, unless the text given here is not all that a "
        "system sees.",
        action="Correct the references, or give the whole text.",
    )


def of_overlap(part: TrainingOverlap, n_empty: int) -> Finding:
    """Judge what of the items a training file holds; what was not looked at is never `ok`.

    Parameters
    ----------
    part : TrainingOverlap
    n_empty : int
        Items without a text.
    """
    found = (
        f"{part.contained:,} {'item is' if part.contained == 1 else 'items are'} in the training "
        f"file ({part.n_training:,} {'text' if part.n_training == 1 else 'texts'}): "
        f"{part.exact:,} as a whole, the others by {part.threshold:.0%} or more of their runs of "
        f"{part.passage} words"
    )
    if part.short:
        found += (
            f"; {part.short:,} {'is' if part.short == 1 else 'are'} shorter and "
            f"{'was' if part.short == 1 else 'were'} looked for as a whole only"
        )
    if n_empty:
        found += f"; {_without_text(n_empty)}"
    if part.contained:
        return Finding(
            code="overlap",
            severity="problem",
            found=f"{found}. They are {listed(part.items, part.contained)}."
            if part.items
            else f"{found}.",
            why="What was seen in training is remembered, and is no sign of ability.",
            action="Leave these items out and compare again; the values on both parts are in the "
            "report.",
        )
    ways = []
    if part.short:
        ways.append("Look for the short items by hand, or give their texts with the answers.")
    if n_empty:
        ways.append("Give a text to every item.")
    if not part.n_training:
        ways.append("Give a training file that holds texts.")
    return Finding(
        code="overlap",
        severity="notice" if ways else "ok",
        found=f"{found}. A paraphrase or a translation would not have been found.",
        why="What was seen in training is remembered, and is no sign of ability.",
        action=" ".join(ways),
    )
