"""Sources that list some items alone: the rest comes from references or from other systems."""

from __future__ import annotations

import polars as pl
import pytest

from deadheat.errors import InputError
from deadheat.evaluation import Answers, References, Source
from deadheat.readers.universe import with_unlisted

SOURCE = Source(path="p", sha256="", format="frame")


def answers(
    system: str, scores: dict[str, float], unlisted: float | None = None, **more: pl.Series
) -> Answers:
    return Answers(
        system=system,
        items=pl.Series([*scores]),
        outputs=None,
        scores=pl.Series([*scores.values()], dtype=pl.Float64),
        source=SOURCE,
        unlisted=unlisted,
        **more,
    )


def as_dict(found: Answers) -> dict[str, float]:
    assert found.items is not None
    assert found.scores is not None
    return dict(zip(found.items.to_list(), found.scores.to_list(), strict=True))


@pytest.mark.parametrize("unlisted", [0.0, 1.0])
def test_the_rest_counts_as_the_source_says(unlisted: float) -> None:
    """Successes alone (0) and failures alone (1)."""
    partial = answers("a", {"x": 1.0 - unlisted}, unlisted)
    every = answers("b", {"z": 0.0, "x": 1.0, "y": 1.0})
    (completed, same), (note,) = with_unlisted([partial, every], None)
    assert as_dict(completed) == {"x": 1.0 - unlisted, "y": unlisted, "z": unlisted}
    assert same is every
    assert note.code == "unlisted_items"
    assert "a 2" in note.message


def test_references_come_first() -> None:
    references = References(
        items=pl.Series(["x", "q"]), values=pl.Series(["1", "2"]), source=SOURCE
    )
    partial, every = answers("a", {"x": 1.0}, 0.0), answers("b", {"x": 1.0, "z": 0.0})
    (completed, _), (note,) = with_unlisted([partial, every], references)
    assert as_dict(completed) == {"x": 1.0, "q": 0.0}
    assert "the references" in note.message


def test_items_of_all_other_systems_together() -> None:
    others = [answers("b", {"x": 1.0}), answers("c", {"y": 1.0})]
    (completed, *_), _ = with_unlisted([answers("a", {}, 0.0), *others], None)
    assert as_dict(completed) == {"x": 0.0, "y": 0.0}


def test_what_is_listed_stays_although_nobody_else_has_it() -> None:
    (completed, _), _ = with_unlisted(
        [answers("a", {"k": 1.0}, 0.0), answers("b", {"x": 1.0})], None
    )
    assert as_dict(completed) == {"k": 1.0, "x": 0.0}


def test_nothing_is_said_where_nothing_is_partial() -> None:
    whole = (answers("a", {"x": 1.0}), answers("b", {"y": 1.0}))
    assert with_unlisted(whole, None) == (whole, ())


def test_two_partial_sources_alone_are_refused() -> None:
    with pytest.raises(InputError, match="a lists some of its items alone"):
        with_unlisted([answers("a", {"x": 1.0}, 0.0), answers("b", {"x": 1.0}, 0.0)], None)


def test_items_of_several_tasks_are_refused() -> None:
    partial = answers("a", {"x": 1.0, "y": 1.0}, 0.0, tasks=pl.Series(["s", "t"]))
    with pytest.raises(InputError, match="of 2 tasks"):
        with_unlisted([partial, answers("b", {"z": 1.0})], None)
    alone = answers("a", {"x": 1.0}, 0.0, tasks=pl.Series(["s"]))
    (completed, _), _ = with_unlisted([alone, answers("b", {"z": 1.0})], None)
    assert completed.tasks is not None
    assert completed.tasks.to_list() == ["s", "s"]


def test_other_columns_are_null_for_what_is_added() -> None:
    partial = answers("a", {"x": 1.0}, 0.0, clusters=pl.Series(["c"]))
    (completed, _), _ = with_unlisted([partial, answers("b", {"x": 1.0, "z": 0.0})], None)
    assert completed.clusters is not None
    assert completed.clusters.to_list() == ["c", None]
