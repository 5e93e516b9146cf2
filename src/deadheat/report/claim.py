"""Lay out the check of a published number."""

from __future__ import annotations

from deadheat.claims.counts import Span
from deadheat.claims.matching import Match
from deadheat.claims.outcome import Outcome
from deadheat.claims.possible import Possible
from deadheat.claims.result import Claim
from deadheat.claims.single import Single
from deadheat.claims.wording import items_text
from deadheat.report.pieces import counted, level_text, notes_of
from deadheat.report.report import Report, Sentence, Table
from deadheat.scale import p_bare

MOST_MATCHES = 10
"""Matches that the table lists; JSON has more."""


def layout(result: Claim) -> Report:
    """Lay out a claim: the reading, what the values say, what counts would mean, notes."""
    blocks: list[Sentence | Table] = [
        Sentence(text=result.reading.text, role="reading", label=result.reading.code)
    ]
    if result.baseline is not None or result.candidate is not None or result.found is not None:
        blocks.append(_values(result))
    if result.found is not None:
        blocks += [_counts(result, result.found), COLUMNS]
    if result.stated.infers and result.matches:
        blocks.append(_matches(result))
    if result.singles:
        blocks.append(_singles(result))
    return Report(title=_title(result), blocks=(*blocks, *notes_of(result.notes)))


def _title(result: Claim) -> str:
    said = [value.shown for value in (result.baseline, result.candidate) if value is not None]
    what = " against ".join(said)
    if not what and result.stated.gap is not None:
        what = f"a gap of {result.stated.gap.text} points"
    return f"Claim: {what or 'numbers'} on {counted(result.n, 'item')}"


def _span(span: Span) -> str:
    low, high = span
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _values(result: Claim) -> Table:
    """Lay out the values, the gap, and what ignoring the pairing gives."""
    scale, found = result.scale, result.found
    level = f"{level_text(result.confidence_level)} interval"
    rows = [
        (name, value.shown, _span(value.items), scale.ends(value.interval, signed=False))
        for name, value in (("baseline", result.baseline), ("candidate", result.candidate))
        if value is not None
    ]
    if found is not None and len(rows) == 1:
        name, span = ("candidate", found.margins.candidate)
        if result.baseline is None:
            name, span = ("baseline", found.margins.baseline)
        middle = scale.value(sum(span) // 2 / result.n)
        rows.append((f"{name}, by the gap", middle, _span(span), ""))
    if found is not None:
        gap = scale.difference(found.net / result.n)
        apart = result.unpaired
        rows.append(
            (
                "candidate - baseline",
                gap,
                _span(found.margins.nets),
                "" if apart is None else f"{scale.ends(apart, signed=True)} if unpaired",
            )
        )
    return Table(
        title="What the values say",
        columns=("", "stated" if found is None else "value", "items", level),
        rows=tuple(rows),
        numeric=("value", "stated", "items"),
    )


def _counts(result: Claim, found: Possible) -> Table:
    """Lay out what numbers of discordant items would mean."""
    scale = result.scale
    level = f"{level_text(result.confidence_level)} interval"
    span = _span(result.discordant or (0, 0))
    parity = f", {result.parity} in number"
    if result.parity == "either":
        parity = f"; rows between narrowest and widest: a gap of {items_text(found.net)}"
    return Table(
        title=f"If so many items are discordant (possible: {span}{parity})",
        columns=("", "discordant", "split", level, "p", "reading", "for 80%"),
        rows=tuple(
            (
                ", ".join(row.what),
                f"{row.outcome.discordant:,}",
                _split(row.outcome),
                scale.ends(row.outcome.interval("percentile"), signed=True),
                _p(row.outcome),
                row.outcome.code,
                "" if row.items is None else f"{row.items:,}",
            )
            for row in found.rows
        ),
        numeric=("discordant", "split", level, "p", "for 80%"),
    )


COLUMNS = Sentence(
    text="discordant: exactly one system is right. split: only the candidate / only the baseline. "
    "interval: exact bootstrap, rather short below 10 discordant items. p: exact McNemar test. for "
    "80%: items that resolve a true gap of this size with 80% power.",
    label="columns",
)


def _split(outcome: Outcome) -> str:
    return f"{outcome.only_candidate:,}/{outcome.only_baseline:,}"


def _p(outcome: Outcome) -> str:
    return p_bare(outcome.p_value())


def _matches(result: Claim) -> Table:
    """Lay out the counts that give what is stated."""
    scale = result.scale
    level = f"{level_text(result.confidence_level)} interval"
    shown = result.matches[:MOST_MATCHES]
    drawn = shown[0].chance is not None
    more = len(result.matches) - len(shown)
    title = "Counts under which draws print it" if drawn else "Counts that give it exactly"
    return Table(
        title=f"{title}{f' (the first {len(shown)})' if more else ''}",
        columns=(
            "discordant",
            "split",
            level,
            "p",
            "reading",
            "by",
            *(("chance",) if drawn else ()),
        ),
        rows=tuple(
            (
                f"{match.outcome.discordant:,}",
                _split(match.outcome),
                scale.ends(match.outcome.interval("percentile"), signed=True),
                _p(match.outcome),
                match.outcome.code,
                _by(match),
                *(() if match.chance is None else (f"{match.chance:.1%}",)),
            )
            for match in shown
        ),
        numeric=("discordant", "split", level, "p", "chance"),
    )


def _by(match: Match) -> str:
    return "; ".join(", ".join(names) for names in (match.methods, match.tests) if names)


def _singles(result: Claim) -> Table:
    """Lay out the intervals of one value."""
    level = f"{level_text(result.confidence_level)} interval"
    stated = result.stated.interval is not None
    return Table(
        title="Intervals of this value",
        columns=("method", "right", level, *(("as stated",) if stated else ())),
        rows=tuple(_single(result, one) for one in result.singles),
        numeric=("right", level),
    )


def _single(result: Claim, one: Single) -> tuple[str, ...]:
    cells = (
        one.interval.method,
        f"{one.items:,}",
        result.scale.ends(one.interval, signed=False),
    )
    return cells if one.fits is None else (*cells, "yes" if one.fits else "no")
