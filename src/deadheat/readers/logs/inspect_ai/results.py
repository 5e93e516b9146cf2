"""What a log of Inspect AI publishes: which scores come first, and what their means should be."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import polars as pl

from deadheat.readers.logs.inspect_ai.rows import Key, Rows
from deadheat.readers.logs.inspect_ai.shapes import Header, Headline, Published
from deadheat.readers.published import Published as Claim

_MEANS = ("accuracy", "mean")
"""Metrics that are the mean of what the items scored."""


def published(header: Header) -> list[Published]:
    """Return the published values; the first versions had those of one scorer."""
    results = header.results
    if results is None:
        return []
    if results.scorer is None:
        return results.scores
    if not results.scorer.metrics:
        results.scorer.metrics = results.metrics
    return [results.scorer]


def ordered(rows: Rows, header: Header) -> list[Key]:
    """Return the columns of scores that hold numbers, the main one first."""
    headline = header.results.headline if header.results is not None else None
    stated = published(header)
    first = [one for one in stated if headline is not None and _is_headline(one, headline)]
    named = [key for one in (*first, *stated) if (key := _key(rows, one)) is not None]
    return [key for key in dict.fromkeys((*named, *rows.scores)) if _of_use(rows, key)]


def _of_use(rows: Rows, key: Key) -> bool:
    """Whether a column holds scores, and not just the NaN of a scorer that gives several."""
    scores, (scorer, inner) = rows.scores[key], key
    several = inner is None and any(k[0] == scorer and k[1] is not None for k in rows.scores)
    return scores.n > 0 if several else scores.holds_numbers


def names_of(keys: Sequence[Key], taken: Container[str]) -> dict[Key, str]:
    """Name the columns of scores by their scorers, unless another column is called so."""
    names: dict[Key, str] = {}
    for scorer, inner in keys:
        name = scorer if inner is None else f"{scorer}.{inner}"
        while name in taken or name in names.values():
            name = f"scores.{name}"
        names[scorer, inner] = name
    return names


def claims(
    header: Header, rows: Rows, names: Mapping[Key, str], columns: Mapping[str, pl.Series]
) -> tuple[dict[str, pl.Series], list[Claim]]:
    """Return the means of the items over their epochs, and what was published of them."""
    stated = [
        Claim(score=names[key], value=metric.value, exact=True)
        for one in published(header)
        if one.reducer in (None, "mean") and (key := _key(rows, one)) is not None and key in names
        for metric in one.metrics.values()
        if metric.value is not None
        and metric.group is None
        and metric.name.rpartition("/")[2] in _MEANS
    ]
    if not stated or columns["id"].dtype == pl.Object:
        return {}, []
    scores = {claim.score: columns[claim.score] for claim in stated}
    items = pl.DataFrame({"": columns["id"], **scores}).group_by("").agg(pl.all().mean())
    return {name: items[name] for name in scores}, stated


def _key(rows: Rows, one: Published) -> Key | None:
    """Return the column whose values were published."""
    keys: tuple[Key, ...] = ((one.scorer or one.name, one.name), (one.name, None))
    return next((key for key in keys if key in rows.scores), None)


def _is_headline(one: Published, headline: Headline) -> bool:
    return headline.scorer in (None, one.scorer) and headline.score in (None, one.name)
