"""What cannot be read as the spans of an item."""

from __future__ import annotations

from typing import Any

import pytest

from deadheat.errors import ItemError, MetricError, UsageError
from deadheat.metrics import metric

PER = {"start": 0, "end": 2, "label": "PER"}


@pytest.mark.parametrize(
    ("references", "outputs", "row", "side", "found"),
    [
        ([["O"], ["O", "B"]], [["O"], ["O", "PER"]], 1, "output", "tag 2 of 2 is 'PER'"),
        ([["O", "X-PER"]], [["O", "O"]], 0, "reference", "tag 2 of 2 is 'X-PER'"),
        ([["O"], [], ["O"]], [["O"], [], ["B-"]], 2, "output", "tag 1 of 1 is 'B-'"),
        ([["O"]], [["o"]], 0, "output", "tag 1 of 1 is 'o'"),
        ([["O"]], [[""]], 0, "output", "tag 1 of 1 is ''"),
        ([["O"], ["O", "O"]], [["O"], ["O"]], 1, "output", "has 1 tags and its reference 2"),
        ([["O"]], [[]], 0, "output", "has 0 tags and its reference 1"),
        ([[]], [["O"]], 0, "output", "has 1 tags and its reference 0"),
        ([["O"]], ["O"], 0, "output", "'O' is no list"),
        ([["O"], None], [["O"], ["O"]], 1, "reference", "there is no reference"),
        ([["O", "O"]], [["O", 3]], 0, "output", "entry 2 of 2 is 3"),
        ([["O"]], [[3]], 0, "output", "entry 1 of 1 is 3, which is no span"),
        ([["O"]], [[PER]], 0, "output", "references are tags and the outputs are spans"),
        (
            [[PER]],
            [[], ["B-PER"]][1:],
            0,
            "output",
            "references are spans and the outputs are tags",
        ),
        ([[PER]], [[PER, {"start": 0, "end": 1}]], 0, "output", "entry 2 of 2 is"),
        ([[PER]], [[PER | {"type": "LOC"}]], 0, "output", "which is no span"),
        ([[PER]], [[PER | {"start": "0"}]], 0, "output", "which is no span"),
        ([[PER]], [[PER | {"start": True}]], 0, "output", "which is no span"),
        ([[PER]], [[PER | {"start": 0.5}]], 0, "output", "which is no span"),
        ([[PER]], [[PER | {"end": float("nan")}]], 0, "output", "which is no span"),
        ([[PER]], [[PER | {"label": None}]], 0, "output", "which is no span"),
        ([[PER]], [[[2, 1, "PER"]]], 0, "output", "which ends before it starts"),
        ([[PER]], [[["PER", 0, 2]]], 0, "output", "which is no span"),
    ],
)
def test_items_that_are_refused(
    references: Any, outputs: Any, row: int, side: str, found: str
) -> None:
    with pytest.raises(ItemError, match=found) as caught:
        metric("span_f1").statistics(references, outputs)
    assert (caught.value.row, caught.value.side) == (row, side)


@pytest.mark.parametrize("scheme", ["bio", "iob1"])
def test_prefixes_of_another_scheme_are_refused(scheme: str) -> None:
    with pytest.raises(ItemError, match=f"no tag of the scheme {scheme}.*--scheme conll takes"):
        metric("span_f1", scheme=scheme).statistics([["O"]], [["S-PER"]])


@pytest.mark.parametrize("name", ["span_f1", "macro_span_f1"])
def test_without_references_there_is_nothing_to_score(name: str) -> None:
    with pytest.raises(MetricError, match=f"{name} takes outputs with references"):
        metric(name).bind_values(None, [[0.5]]).statistics(None, [0.5])


def test_unknown_schemes_are_refused() -> None:
    with pytest.raises(UsageError, match=r"no scheme 'bioe'.*bioes"):
        metric("span_f1", scheme="bioe")


def test_what_cannot_be_read_is_said_when_it_is_known_whose_it_is() -> None:
    # The types of all systems are frozen first, where the scorer could not name the file.
    references, broken = [["B-PER"]], [["PER"]]
    made = metric("macro_span_f1").bind_values(references, [references, broken])
    with pytest.raises(ItemError, match="'PER'"):
        made.for_system(broken)


@pytest.mark.parametrize(
    "span",
    [
        {"start": 0, "end": 2, "type": "PER"},
        {"begin": 0, "stop": 2, "label": "PER", "text": "EU"},
        {"start_offset": 0, "end_offset": 2, "label": "PER"},
        {"start_char": 0, "end_char": 2, "entity_type": "PER", "score": 0.9},
        {"start": 0, "end": 2.0, "entity_group": "PER"},
        [0, 2, "PER"],
        (0, 2, "PER"),
    ],
)
def test_spellings_of_one_span(span: Any) -> None:
    assert metric("span_f1").statistics([[PER]], [[span]]).tolist() == [[1.0, 1.0, 1.0]]


def test_bare_prefixes_are_spans_without_a_type() -> None:
    made = metric("span_f1")
    tags = [["B", "I", "O", "B"]]
    assert made.statistics(tags, [["B", "I", "I", "B"]]).tolist() == [[1.0, 2.0, 2.0]]
    assert list(made.per_type(tags, tags)) == ["_"]


def test_no_span_reaches_into_the_next_item() -> None:
    items = [["B-PER"], ["I-PER"], None, [], ["I-PER", "I-PER"]]
    references = [["B-PER"], ["B-PER"], ["O"], [], ["B-PER", "I-PER"]]
    assert metric("span_f1").statistics(references, items)[:, 0].tolist() == [1, 1, 0, 0, 1]
    strict = metric("span_f1", scheme="bio")
    assert strict.statistics(references, items)[:, 0].tolist() == [1, 0, 0, 0, 0]
