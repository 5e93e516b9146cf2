"""Class B of the faults of other tools: which item is which."""

from __future__ import annotations

import random
from typing import Any

import pytest

import deadheat
from cases.data import Answer, Write, codes, csv, json_lines
from processes import Run, refused


@pytest.fixture
def partial(write: Write) -> tuple[Any, Any]:
    """220 items of one system, 13 of which another finished."""
    whole = write("a.csv", csv("item,score", *((f"t{i}", i % 2) for i in range(220))))
    few = write("b.csv", csv("item,score", *((f"t{i}", 1) for i in range(50, 63))))
    return whole, few


def test_finished_items_are_not_compared_with_all(run: Run, partial: tuple[Any, Any]) -> None:
    """Row 10: 13 finished of 220 are refused with the account and both ways out."""
    message = refused(run("compare", *partial))
    assert "207 not answered" in message
    assert "matched 13" in message
    assert "--missing drop" in message
    assert "--missing wrong" in message


def test_shared_items_are_compared_on_request(answer: Answer, partial: tuple[Any, Any]) -> None:
    """Row 10: both sides are cut to the shared ids, and the report says what was set aside."""
    found = answer("compare", *partial, "--missing", "drop")
    items = found["items"]
    assert (items["n"], items["matched"], items["only_baseline"]) == (13, 13, 207)
    assert sum(part["n"] for part in items["dropped"]) == 207
    assert "items_dropped" in codes(found)
    # t50 to t62: the even ones are wrong for the baseline, 7 of 13.
    assert found["baseline"]["value"] == pytest.approx(6 / 13)
    assert found["counts"]["only_candidate"] == 7


@pytest.mark.parametrize("policy", ["error", "drop", "wrong"])
def test_an_empty_intersection_is_an_error_under_every_policy(
    run: Run, write: Write, policy: str
) -> None:
    """Row 10: nothing shared is nothing to compare."""
    a = write("a.csv", csv("item,score", ("q1", 1), ("q2", 0)))
    b = write("b.csv", csv("item,score", ("r1", 1), ("r2", 0)))
    assert "0 of 4 items matched" in refused(run("compare", a, b, "--missing", policy))


def test_duplicates_and_coverage_are_told_together(run: Run, write: Write) -> None:
    """Row 11: ids {1, 2, 3, 3} and {2, 3, 4}: matched 2, only a 1, only b 1, duplicated id 3."""
    a = write("a.csv", csv("item,score", (1, 1), (2, 0), (3, 1), (3, 0)))
    b = write("b.csv", csv("item,score", (2, 1), (3, 1), (4, 0)))
    message = refused(run("compare", a, b))
    for part in ("matched 2", "only a 1", "only b 1", "duplicated id '3'"):
        assert part in message


@pytest.mark.parametrize("policy", ["error", "drop", "wrong"])
@pytest.mark.parametrize("agree", [True, False], ids=["agreeing", "disagreeing"])
def test_duplicates_are_never_overwritten(run: Run, write: Write, policy: str, agree: bool) -> None:
    """Row 11: two rows of one id are refused under every policy, even where they agree."""
    a = write("a.csv", csv("item,score", (1, 1), (2, 0), (2, 0 if agree else 1)))
    b = write("b.csv", csv("item,score", (1, 1), (2, 1)))
    message = refused(run("compare", a, b, "--missing", policy))
    assert "'2' (2 rows) in a" in message


@pytest.mark.parametrize("where", ["wide", "long", "reference"])
def test_duplicates_are_found_in_every_layout(run: Run, write: Write, where: str) -> None:
    """Row 11: in a wide table, a long one, and a file of references."""
    arguments: dict[str, tuple[Any, ...]] = {
        "wide": (write("w.csv", csv("item,a,b", (1, 1, 0), (2, 0, 1), (2, 1, 1))),),
        "long": (
            write(
                "l.csv",
                csv(
                    "item,system,score",
                    (1, "a", 1),
                    (1, "b", 1),
                    (2, "a", 1),
                    (2, "a", 0),
                    (2, "b", 0),
                ),
            ),
        ),
        "reference": (
            write("a.csv", csv("item,output", (1, "x"), (2, "y"))),
            write("b.csv", csv("item,output", (1, "y"), (2, "y"))),
            "--reference",
            write("y.csv", csv("item,reference", (1, "x"), (2, "y"), (2, "y"))),
        ),
    }
    message = refused(run("compare", *arguments[where]))
    assert "'2' (2 rows)" in message


def test_an_item_under_two_filters_is_not_two_items(run: Run, answer: Answer, write: Write) -> None:
    """Row 12: two answer filters double the rows; the rows of one filter are asked for."""
    rows = [
        {"doc_id": doc, "filter": which, "acc": int(doc % 3 > shift)}
        for which, shift in (("strict", 0), ("flexible", -1))
        for doc in range(12)
    ]
    a, b = write("a.jsonl", json_lines(*rows)), write("b.jsonl", json_lines(*rows))
    message = refused(run("compare", a, b))
    assert "12 ids" in message
    one = write("one.jsonl", json_lines(*rows[:12]))
    two = write("two.jsonl", json_lines(*rows[12:]))
    assert answer("compare", one, two)["items"]["n"] == 12


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_order_of_rows_changes_nothing(
    answer: Answer, write: Write, seed: int, form: str
) -> None:
    """Row 13: systems that answered in another order are paired by id."""
    rng = random.Random(seed)
    rows = [(f"i{i}", rng.random() < 0.7, rng.random() < 0.6) for i in range(30)]
    shuffled = rng.sample(rows, len(rows))

    def file(name: str, order: list[Any], column: int) -> Any:
        scores = [(row[0], int(row[column])) for row in order]
        if form == "csv":
            return write(f"{name}.csv", csv("item,score", *scores))
        return write(f"{name}.jsonl", json_lines(*({"id": i, "score": s} for i, s in scores)))

    straight = answer("compare", file("a", rows, 1), file("b", rows, 2))
    turned = answer("compare", file("a", rows, 1), file("b", shuffled, 2))
    assert turned == straight
    assert straight["counts"]["both"] == sum(row[1] and row[2] for row in rows)


def test_the_row_set_hash_tells_other_items_under_the_same_ids(
    answer: Answer, write: Write
) -> None:
    """Row 13: ids that point at other documents have another hash, by their references."""
    hashes = []
    for right in ("xyx", "yxx"):
        table = csv("item,reference,output", *((i, r, "x") for i, r in enumerate(right)))
        hashes.append(answer("score", write("m.csv", table))["systems"][0]["items"]["hash"])
    assert hashes[0] != hashes[1]


def test_references_that_disagree_between_files_are_refused(run: Run, write: Write) -> None:
    """Row 13: the same id with another right answer is another document."""
    a = write("a.csv", csv("item,reference,output", (1, "x", "x"), (2, "y", "x")))
    b = write("b.csv", csv("item,reference,output", (1, "x", "x"), (2, "x", "x")))
    message = refused(run("compare", a, b))
    assert "disagree" in message
    assert "1 of 2 items" in message
    assert "'2'" in message


MIXED_IDS = [
    ([1, "1"], ("1", "'1'")),
    ([1, 2, "2"], ("1", "'2'")),
    ([True, "true"], ("True", "'true'")),
    (["7", 7.5], ("'7'", "7.5")),
]


@pytest.mark.parametrize(("ids", "named"), MIXED_IDS, ids=[str(ids) for ids, _ in MIXED_IDS])
def test_a_number_and_a_text_are_different_ids(
    run: Run, write: Write, ids: list[Any], named: tuple[str, str]
) -> None:
    """Row 14: 1 and "1" in one file are refused with both named."""
    a = write("a.jsonl", json_lines(*({"id": i, "score": 1} for i in ids)))
    b = write("b.jsonl", json_lines(*({"id": i, "score": 0} for i in ids)))
    message = refused(run("compare", a, b))
    assert all(name in message for name in named)


def test_numbers_and_texts_on_two_sides_do_not_match(run: Run, write: Write) -> None:
    """Row 14: typed 1 on one side and typed "1" on the other are refused, naming both types."""
    a = write("a.jsonl", json_lines(*({"id": i, "score": 1} for i in (1, 2, 3))))
    b = write("b.jsonl", json_lines(*({"id": str(i), "score": 0} for i in (1, 2, 3))))
    message = refused(run("compare", a, b))
    for word in ("0 of 3 items matched", "numbers", "text", "'1'"):
        assert word in message


def test_leading_zeros_are_part_of_an_id(run: Run, answer: Answer, write: Write) -> None:
    """Row 14: "01" and "1" are two ids, also in a format without types."""
    a = write("a.csv", csv("item,score", ("01", 1), ("1", 0)))
    b = write("b.csv", csv("item,score", ("1", 1), ("01", 0)))
    found = answer("compare", a, b)
    assert found["items"]["n"] == 2
    assert (found["counts"]["only_baseline"], found["counts"]["only_candidate"]) == (1, 1)
    c = write("c.csv", csv("item,score", ("1", 1), ("2", 0)))
    assert "not answered" in refused(run("compare", a, c))


def test_an_untyped_id_meets_a_typed_one_and_says_so(answer: Answer, write: Write) -> None:
    """Row 14: a CSV has no types, so its 1 may be the 1 of a JSON file; a note says so."""
    a = write("a.csv", csv("item,score", (1, 1), (2, 0)))
    b = write("b.jsonl", json_lines({"id": 2, "score": 1}, {"id": 1, "score": 1}))
    found = answer("compare", a, b)
    assert found["items"]["matched"] == 2
    assert "ids_compared_as_text" in codes(found)


LENGTHS = [(5, 4), (4, 5), (2, 1), (1, 2), (100, 99)]


@pytest.mark.parametrize(("n", "m"), LENGTHS)
def test_unequal_lengths_are_never_zipped(n: int, m: int) -> None:
    """Row 15: scores of n and m items are refused with both numbers."""
    with pytest.raises(deadheat.DeadheatError) as caught:
        deadheat.compare([1] * n, [1] * m)
    assert f"baseline {n}" in str(caught.value)
    assert f"candidate {m}" in str(caught.value)


@pytest.mark.parametrize(("n", "m"), LENGTHS)
def test_unequal_numbers_of_references_are_never_zipped(n: int, m: int) -> None:
    """Row 15: outputs of n items beside m references."""
    with pytest.raises(deadheat.DeadheatError) as caught:
        deadheat.compare(["x"] * n, ["x"] * n, references=["x"] * m)
    assert str(n) in str(caught.value)
    assert f"the references {m}" in str(caught.value)


def test_unequal_label_files_are_never_zipped(run: Run, write: Write) -> None:
    """Row 15: two hypotheses and one reference do not make a perfect score."""
    a, y = write("a.txt", "x\ny\n"), write("y.txt", "x\n")
    message = refused(run("score", a, "--reference", y))
    assert "a 2" in message
    assert "the references 1" in message


def test_pairing_by_order_is_said(answer: Answer, write: Write) -> None:
    """Row 15: where nobody has ids, row k is item k, and the report says so."""
    a, b, y = (write(f"{n}.txt", t) for n, t in (("a", "x\ny\n"), ("b", "x\nx\n"), ("y", "x\ny\n")))
    assert "paired_by_order" in codes(answer("compare", a, b, "--reference", y))


def test_ids_on_one_side_only_are_refused(run: Run, write: Write) -> None:
    """Row 15: rows with ids are never paired by order with rows that have none."""
    a = write("a.csv", csv("item,output", (1, "x"), (2, "y")))
    y = write("y.txt", "x\ny\n")
    assert "without ids" in refused(run("score", a, "--reference", y))


def test_ids_that_never_match_are_shown(run: Run, write: Write) -> None:
    """Row 16: "0 of N items matched" with three ids of each side, not a mean of nothing."""
    a = write("a.csv", csv("item,score", *((f"Say {i}", 1) for i in range(6))))
    b = write("b.csv", csv("item,score", *((f"say {i}", 0) for i in range(6))))
    message = refused(run("compare", a, b))
    assert "0 of 12 items matched" in message
    for i in range(3):
        assert f"'Say {i}'" in message
        assert f"'say {i}'" in message


@pytest.mark.parametrize("other", ["q{} ", "Q{}", "q{}\u00a0", "q0{}"])
def test_ids_are_compared_as_they_are_written(run: Run, write: Write, other: str) -> None:
    """Row 16: a blank, a capital or a zero makes another id, and the error shows which."""
    a = write("a.jsonl", json_lines(*({"id": f"q{i}", "score": 1} for i in range(5))))
    b = write("b.jsonl", json_lines(*({"id": other.format(i), "score": 1} for i in range(5))))
    message = refused(run("compare", a, b))
    assert "0 of 10 items matched" in message
    assert repr(other.format(1)) in message


def test_references_of_other_items_are_refused(run: Run, write: Write) -> None:
    """Row 16: a file of references for another set."""
    a = write("a.csv", csv("item,output", ("q1", "x"), ("q2", "y")))
    y = write("y.csv", csv("item,reference", ("r1", "x"), ("r2", "y")))
    message = refused(run("score", a, "--reference", y))
    assert "0 of" in message
    assert "'r1'" in message


def test_duplicate_ids_do_not_multiply_in_a_join(run: Run, write: Write) -> None:
    """Row 17: ids 1, 1, 2 on both sides would join to 5 rows with means 0.6 and 0.2."""
    a = write("a.csv", csv("item,score", (1, 1), (1, 0), (2, 1)))
    b = write("b.csv", csv("item,score", (1, 0), (1, 0), (2, 1)))
    message = refused(run("compare", a, b))
    assert "'1' (2 rows) in a; '1' (2 rows) in b" in message


def test_duplicate_outputs_do_not_raise_a_score(run: Run, write: Write) -> None:
    """Row 17: a second right answer to one item is refused by `score` as well."""
    a = write("a.csv", csv("item,output", (1, "x"), (1, "x"), (2, "y")))
    y = write("y.csv", csv("item,reference", (1, "x"), (2, "x")))
    assert "'1' (2 rows)" in refused(run("score", a, "--reference", y))
