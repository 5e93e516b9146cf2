"""Lists and objects among outputs and references."""

from __future__ import annotations

import json

import polars as pl
import pytest

from alignment.builder import codes, evaluation, lists, refused, right, source, system
from deadheat.alignment import align
from deadheat.alignment.kinds import as_json, column, listed, shown
from deadheat.errors import AlignmentError


def packed(*values) -> pl.Series:
    """Canonical JSON as the standard library writes it, null for None."""
    made = [
        None if v is None else json.dumps(v, separators=(",", ":"), sort_keys=True).encode()
        for v in values
    ]
    return pl.Series(made, dtype=pl.Binary)


def test_lists_are_carried_and_paired_by_id():
    got = align(
        evaluation(
            system("a", ["q2", "q1"], outputs=packed(["x"], {"b": 1, "a": 2})),
            system("b", ["q1", "q2"], outputs=packed("plain", ["y", "z"])),
            references=right(packed(["x"], ["y"]), ["q1", "q2"]),
        )
    )
    assert got.items.to_list() == ["q1", "q2"]
    assert lists(got.outputs) == [[b'{"a":2,"b":1}', b'["x"]'], [b'"plain"', b'["y","z"]']]
    assert got.references.to_list() == [b'["x"]', b'["y"]']
    assert {s.dtype for s in (*got.outputs, got.references)} == {pl.Binary}
    assert got.notes == ()


@pytest.mark.parametrize(
    ("outputs", "dtype"), [(["x", "y"], pl.String), ([1, 2], pl.Int64), ([True, False], pl.Boolean)]
)
@pytest.mark.parametrize("format_", ["jsonl", "csv"])
def test_alternatives_beside_plain_outputs(outputs, dtype, format_):
    got = align(
        evaluation(
            system("a", ["p", "q"], outputs=outputs, format_=format_),
            references=right(packed(["x", "X"], ["y"]), ["p", "q"]),
        )
    )
    assert (got.outputs[0].dtype, got.references.dtype) == (dtype, pl.Binary)
    assert got.outputs[0].to_list() == outputs
    assert codes(got) == []


def test_lists_of_one_system_leave_the_others_as_they_are():
    got = align(
        evaluation(
            system("a", [1], outputs=packed(["x"])),
            system("b", [1], outputs=["1"], format_="csv"),
            references=right([1], [1]),
        )
    )
    assert [c.dtype for c in (*got.outputs, got.references)] == [pl.Binary, pl.String, pl.String]
    assert codes(got) == ["labels_compared_as_text"]


def test_typed_text_and_numbers_clash_beside_lists_too():
    ev = evaluation(
        system("a", [1], outputs=packed(["x"])),
        system("b", [1], outputs=["1"]),
        references=right([1], [1]),
    )
    refused(ev, "the outputs of b are text ('1'), the references are numbers (1)")


def test_references_as_lists_and_as_text_agree_by_their_json():
    def ev(*own):
        return evaluation(
            system("a", [1, 2], outputs=["x", "y"], references=packed(["x", "X"], "y")),
            system("b", [1, 2], outputs=["x", "y"], references=own[0]),
        )

    got = align(ev([None, "y"]))
    assert got.references.to_list() == [b'["x","X"]', b'"y"']
    refused(ev([None, "z"]), "a and b disagree", 'item 2: "y" and "z"')
    refused(ev(packed(["x"], "y")), "1 of 2 items", 'item 1: ["x","X"] and ["x"]')


def test_null_lists_follow_the_policies():
    ev = evaluation(
        system("a", [1, 2, 3], outputs=packed(["x"], None, ["y"])),
        references=right(packed(["x"], ["x"], ["y"]), [1, 2, 3]),
    )
    got = align(ev)
    assert (got.unparseable, lists(got.outputs)) == ((1,), [[b'["x"]', None, b'["y"]']])
    refused(ev, "a: 1 no usable output, such as item 2", unparseable="missing")
    assert align(ev, unparseable="missing", missing="drop").items.to_list() == [1, 3]
    nothing = align(
        evaluation(system("a", [1], outputs=packed(None)), references=right(["x"], [1]))
    )
    assert nothing.outputs[0].to_list() == [None]


def test_absent_items_beside_lists():
    ev = evaluation(
        system("a", [1, 2], outputs=packed(["x"], "x")),
        system("b", [2, 3], outputs=packed(["x"], "x")),
        references=right(packed(["x"], ["x"], ["x"]), [1, 2, 3]),
    )
    refused(ev, "matched 1")
    got = align(ev, missing="wrong")
    assert lists(got.outputs) == [[b'["x"]', b'"x"', None], [None, b'["x"]', b'"x"']]
    assert align(ev, missing="drop").references.to_list() == [b'["x"]']


def test_a_list_without_reference_is_refused():
    ev = evaluation(
        system("a", [1, 2], outputs=packed(["x"], "x")), references=right(packed(["x"]), [1])
    )
    refused(ev, "1 of 2 items have no reference", "item 2")


@pytest.mark.parametrize("role", ["items", "runs", "clusters", "strata"])
def test_lists_are_no_names(role):
    given = {"items": pl.Series([1]), role: packed(["x"])}
    items = given.pop("items")
    refused(evaluation(system("a", items, scores=[1], **given)), "lists or objects")


def test_lists_in_messages():
    values = packed(["b", 1], "a", None, ["b", 1])
    assert listed(values) == '"a", ["b",1]'
    c = column("the outputs of a", values, source(), structured=True)
    assert (c.kind, c.shown()) == ("lists", 'lists ("a", ["b",1])')
    assert shown(b"[" + b"1," * 200 + b"1]") == "[" + "1," * 39 + "1..."
    with pytest.raises(AlignmentError, match="lists or objects"):
        column("the clusters", values, source())


@pytest.mark.parametrize("values", [["é\n", "", None], [1, None, -5], [0.5, 1e300], [True, False]])
def test_json_is_what_the_standard_library_reads_back(values):
    got = as_json(pl.Series(values))
    assert [None if v is None else json.loads(v) for v in got.to_list()] == values
    assert got.dtype == pl.Binary
