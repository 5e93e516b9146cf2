"""Texts of items: where they come from, duplicates among them, overlap with training texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import deadheat
from benchmark.boards import codes, found
from deadheat.benchmark import training as training_module
from deadheat.errors import DeadheatError, FormatError, InputError, UsageError
from deadheat.similarity import Overlap

LONG = "How many of the twelve apples are left when five of them are eaten by the dog?"
TEXTS = [
    LONG,
    LONG.upper(),
    LONG.replace("?", ""),
    "Why?",
    "why?  ",
    "",
    "Name the river that runs through the capital of the country north of Spain.",
    "Something else that has not been asked anywhere at all so far.",
]
TRUTH = ["7", "7", "7", "b", "c", "d", "e", "f"]
ITEMS = [f"q{k}" for k in range(8)]
SCORES = {
    "a": [1, 1, 1, 0, 1, 0, 1, 0],
    "b": [1, 0, 1, 0, 1, 1, 0, 0],
    "c": [0, 1, 1, 1, 1, 0, 0, 1],
}


def table(**more: Any) -> pl.DataFrame:
    return pl.DataFrame({"item": ITEMS, "question": TEXTS, **more, **SCORES})


def wide(**more: Any) -> deadheat.Benchmark:
    return deadheat.check(table(), systems=[*SCORES], **more)


def test_duplicates_by_hand() -> None:
    """Items 0 and 1 are one text and 2 is nearly it; 3 and 4 are one; 5 has none."""
    result = wide(text_column="question")
    part = result.duplicates
    assert part is not None
    assert (part.n_texts, part.n_empty) == (7, 1)
    assert (part.exact_groups, part.exact_items) == (2, 4)
    assert (part.near_groups, part.near_items) == (2, 5)
    assert part.redundant == 3
    assert part.groups == (("q0", "q1", "q2"), ("q3", "q4"))
    assert found("duplicates", result).severity == "warning"
    flags = dict(zip(ITEMS, result.items_frame()["flags"].to_list(), strict=True))
    assert [item for item in ITEMS if "duplicate" in (flags[item] or "")] == ITEMS[:5]


def test_one_text_with_two_references() -> None:
    result = deadheat.check(
        pl.DataFrame({"item": ITEMS, "question": TEXTS, "reference": TRUTH, "output": TRUTH}),
        text_column="question",
    )
    assert result.duplicates is not None
    # "Why?" is to be answered by b and by c; the apples by 7 both times.
    assert result.duplicates.conflicting == 1
    assert found("conflicts", result).severity == "problem"


def test_no_duplicates() -> None:
    result = deadheat.check([1, 0, 1], [0, 1, 1], texts=["one", "two", "three"])
    assert result.duplicates is not None
    assert result.duplicates.redundant == result.duplicates.exact_items == 0
    assert found("duplicates", result).severity == "ok"
    assert result.duplicates.groups == ()


@pytest.mark.parametrize("texts", [["", "", ""], [None, None, " \n"]], ids=repr)
def test_items_without_any_text(texts: list[Any]) -> None:
    result = deadheat.check([1, 0, 1], [0, 1, 1], texts=pl.Series(texts, dtype=pl.String))
    assert result.duplicates is not None
    assert (result.duplicates.n_texts, result.duplicates.n_empty) == (0, 3)
    assert found("duplicates", result).severity == "notice"
    assert "3 items have no text and were not looked at" in found("duplicates", result).found


def test_fifty_thousand_equal_texts() -> None:
    n = 50_000
    result = deadheat.check(
        {"a": [1, 0] * (n // 2), "b": [1, 1, 0, 0] * (n // 4)}, texts=["the same text"] * n
    )
    assert result.duplicates is not None
    assert result.duplicates.redundant == n - 1
    assert (result.duplicates.exact_groups, result.duplicates.near_groups) == (1, 1)
    assert [len(group) for group in result.duplicates.groups] == [10]


def test_too_much_alike_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deadheat.similarity.duplicates.MOST_CANDIDATES", 0)
    result = wide(text_column="question")
    assert result.duplicates is not None
    assert result.duplicates.near_groups is result.duplicates.near_items is None
    assert result.duplicates.redundant == 2
    assert "Near duplicates were not looked for" in found("duplicates", result).found


def test_nothing_is_ok_that_was_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """No duplicates and no overlap among what was looked at says nothing of the rest."""
    long = ["one two three four five six seven eight", "no word of the other is in this long text"]
    cases = [(long, 10**9), (long, 0), ([*long, ""], 10**9), ([*long, "short"], 10**9)]
    severities = []
    for texts, most in cases:
        monkeypatch.setattr("deadheat.similarity.duplicates.MOST_CANDIDATES", most)
        scores = {"a": [1, 0, 1][: len(texts)], "b": [0, 1, 1][: len(texts)]}
        result = deadheat.check(scores, texts=texts, training=["Something else altogether."])
        assert result.duplicates is not None
        assert result.duplicates.redundant == 0
        both = found("duplicates", result), found("overlap", result)
        severities.append(tuple(one.severity for one in both))
        for one in both:
            assert (one.severity == "ok") == (not one.action), one
    assert severities == [("ok", "ok"), ("notice", "ok"), ("notice", "notice"), ("ok", "notice")]


# -- where texts come from -------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    table().write_csv("wide.csv")
    for name, scores in SCORES.items():
        pl.DataFrame({"item": ITEMS, "score": scores}).write_csv(f"{name}.csv")
    order = [5, 3, 0, 7, 1, 2, 6, 4]
    shuffled = pl.DataFrame({"item": ITEMS, "question": TEXTS, "topic": ITEMS})[order]
    shuffled.write_csv("texts.csv")
    shuffled.write_ndjson("texts.jsonl")
    shuffled.write_parquet("texts.parquet")
    pl.DataFrame({"item": ITEMS, "reference": TRUTH, "prompt": TEXTS}).write_csv("truth.csv")
    for name in SCORES:
        pl.DataFrame({"item": ITEMS, "output": [*TRUTH[:6], "x", "y"]}).write_csv(f"{name}_out.csv")
    return tmp_path


@pytest.mark.parametrize("file", ["texts.csv", "texts.jsonl", "texts.parquet"])
@pytest.mark.parametrize("column", [None, "question"])
def test_a_file_of_texts_is_paired_by_item(files: Path, file: str, column: str | None) -> None:
    result = deadheat.check("a.csv", "b.csv", "c.csv", texts=file, text_column=column)
    assert result.duplicates == wide(text_column="question").duplicates
    assert file in result.recipe.files
    assert len(result.recipe.files[file]) == 64
    assert result.recipe.repeatable


@pytest.mark.parametrize("source", ["wide.csv", "long"])
def test_a_column_of_the_sources(files: Path, source: str) -> None:
    if source == "long":
        table().unpivot(
            [*SCORES], index=["item", "question"], variable_name="system", value_name="score"
        ).write_csv("long")
        result = deadheat.check("long", text_column="question")
    else:
        result = deadheat.check(source, systems=[*SCORES], text_column="question")
    assert result.duplicates == wide(text_column="question").duplicates


def test_a_column_of_the_references(files: Path) -> None:
    result = deadheat.check(
        "a_out.csv", "b_out.csv", references="truth.csv", reference_column="reference",
        text_column="prompt",
    )  # fmt: skip
    assert result.duplicates is not None
    assert result.duplicates.redundant == 3


def test_lines_are_paired_by_order(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(text.replace("\n", " ") for text in TEXTS) + "\n")
    result = deadheat.check(*SCORES.values(), texts=path)
    assert result.duplicates is not None
    assert result.duplicates.redundant == 3


def test_texts_of_items_that_were_dropped_are_left_out(tmp_path: Path) -> None:
    a = [float("nan"), *SCORES["a"][1:]]
    result = deadheat.check(a, SCORES["b"], texts=TEXTS, missing="drop")
    assert result.items.n == 7
    assert result.duplicates is not None
    assert result.duplicates.exact_items == 2
    assert result.duplicates.near_items == 4


def test_items_that_the_file_does_not_have_have_no_text(files: Path) -> None:
    pl.DataFrame({"item": ["q0", "q1", "zz"], "text": ["x", "X", "x"]}).write_csv("few.csv")
    result = deadheat.check("a.csv", "b.csv", texts="few.csv")
    assert result.duplicates is not None
    assert (result.duplicates.n_texts, result.duplicates.n_empty) == (2, 6)
    assert result.duplicates.groups == (("q0", "q1"),)


def test_numbers_and_lists_are_texts_too() -> None:
    for texts in ([7, 8, 7], [["a", "b"], ["b"], ["a", "b"]]):
        result = deadheat.check([1, 0, 1], [0, 1, 1], texts=texts)
        assert result.duplicates is not None
        assert result.duplicates.groups == (("1", "3"),)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text_column": "nope"}, r"wide.csv: there is no column 'nope' \(--text-column\)"),
        ({"texts": "none.csv"}, "none.csv: there is no such file"),
        ({"texts": "texts.csv", "text_column": "nope"}, r"'nope' \(--text-column\)"),
        ({"texts": "two.txt"}, "2 values .* cannot be paired"),
        ({"texts": "unclear.csv"}, "not clear which column holds the texts"),
        ({"texts": 3}, "texts .--texts. are int"),
        ({"texts": "binary"}, "binary"),
        ({"text_column": "question", "training": "none.txt"}, "none.txt: there is no such file"),
        ({"text_column": "question", "training": "."}, "this is a folder"),
        ({"text_column": "question", "training": "binary"}, "the file is binary"),
        ({"text_column": "question", "training": "late"}, "late, line 2: the file is binary"),
        ({"text_column": "question", "training": "latin"}, "latin, line 2: byte 0xe9 is not UTF-8"),
        ({"text_column": "question", "training": "empty"}, "the file is empty"),
        ({"text_column": "question", "training": "broken.jsonl"}, "line 2: this is no JSON"),
        ({"text_column": "question", "training": "list.jsonl"}, "line 2: the line holds a list"),
        (
            {"text_column": "question", "training": "t.jsonl", "training_column": "x"},
            "no object has a field 'x'",
        ),
        ({"text_column": "question", "training": "t2.jsonl"}, "not clear which field"),
        ({"text_column": "question", "training": "unclear.csv"}, "Name it with --training-column"),
        ({"text_column": "question", "training": 7}, "--training. are int"),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else "",
)
def test_what_cannot_be_read(files: Path, options: dict[str, Any], message: str) -> None:
    Path("two.txt").write_text("one\ntwo\n")
    Path("unclear.csv").write_text("item,x,y\nq1,a,b\nq2,c,d\n")
    Path("binary").write_bytes(b"\x00\x01\x02" * 50)
    # Beyond the first megabyte, by which a format is recognised.
    Path("late").write_bytes(b"fine" + b" x" * 600_000 + b"\nnot \x00 fine\n")
    Path("latin").write_bytes(b"fine\ncaf\xe9\n")
    Path("empty").write_text("")
    Path("broken.jsonl").write_text('{"text": "a"}\n{"text": \n')
    Path("list.jsonl").write_text('{"text": "a"}\n["b"]\n')
    Path("t.jsonl").write_text('{"text": "a"}\n{"text": "b"}\n')
    Path("t2.jsonl").write_text('{"p": "a", "q": "b"}\n{"p": "a", "q": "b"}\n')
    with pytest.raises(DeadheatError, match=message):
        deadheat.check("wide.csv", systems=[*SCORES], **options)


@pytest.mark.parametrize("options", [{"training": "x"}, {"training_column": "x"}], ids=repr)
def test_options_that_need_others(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="--training"):
        deadheat.check([1, 0], [0, 1], **options)


# -- training --------------------------------------------------------------------------------------

TRAINED = [
    "nothing to see",
    f"Question: {LONG} Answer: seven.",
    "WHY?",
    "name the river that runs through",
]
"""Holds items 0 and 1 by their passages (and most of item 2), and 3 and 4 as a whole."""


def test_overlap_by_hand() -> None:
    result = wide(text_column="question", training=TRAINED)
    part = result.overlap
    assert part is not None
    assert (part.n_training, part.exact, part.short) == (4, 2, 2)
    # Item 2 is item 0 without its last sign: all of its passages are there.
    assert part.items == ("q0", "q1", "q2", "q3", "q4")
    assert found("overlap", result).severity == "problem"
    flags = dict(zip(ITEMS, result.items_frame()["flags"].to_list(), strict=True))
    assert [i for i in ITEMS if "in_training" in (flags[i] or "")] == ITEMS[:5]
    values = {row.system: (row.overlapping, row.rest) for row in part.systems}
    assert values == {
        name: (pytest.approx(sum(s[:5]) / 5), pytest.approx(sum(s[5:]) / 3))
        for name, s in SCORES.items()
    }


def test_no_overlap() -> None:
    result = wide(text_column="question", training=["nothing to see", "at all"])
    assert result.overlap is not None
    assert (result.overlap.contained, result.overlap.systems) == (0, ())
    # One text is short and one empty, so that not all was looked at.
    assert found("overlap", result).severity == "notice"


@pytest.mark.parametrize("batch", [1, 2_000])
@pytest.mark.parametrize(
    "form", ["lines", "crlf", "csv", "jsonl", "nested", "json", "parquet", "frame", "list"]
)
def test_every_form_of_training_texts(
    form: str, batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_module, "_BATCH", batch)
    monkeypatch.setattr(training_module, "_CHUNK", 64)
    path: Any = tmp_path / form
    rows = [{"id": k, "text": text} for k, text in enumerate(TRAINED)]
    column = None
    if form in ("lines", "crlf"):
        path.write_bytes(("\n" if form == "lines" else "\r\n").join(TRAINED).encode())
    elif form == "csv":
        path = path.with_suffix(".csv")
        pl.DataFrame(rows).write_csv(path)
    elif form == "jsonl":
        path.write_text("\n\n".join(map(json.dumps, rows)))
    elif form == "nested":
        path.write_text("\n".join(json.dumps({"id": 1, "row": row}) for row in rows))
        column = "row.text"
    elif form == "json":
        path.write_text(json.dumps(rows, indent=1))
    elif form == "parquet":
        pl.DataFrame(rows).write_parquet(path)
    else:
        path = pl.DataFrame(rows) if form == "frame" else TRAINED
    one = wide(text_column="question", training=path, training_column=column)
    assert one.overlap == wide(text_column="question", training=TRAINED).overlap
    if not isinstance(path, (list, pl.DataFrame)):
        assert len(one.recipe.files[str(path)]) == 64


def test_a_training_file_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No piece is ever larger than a chunk and the rest of a line."""
    path = tmp_path / "large.txt"
    path.write_text("".join(f"line {k} of many\n" for k in range(20_000)) + f"{LONG}\n")
    monkeypatch.setattr(training_module, "_CHUNK", 1_000)
    sizes: list[int] = []
    see = Overlap.see

    def spied(self: Any, texts: list[str]) -> None:
        sizes.append(sum(map(len, texts)))
        see(self, texts)

    monkeypatch.setattr("deadheat.similarity.Overlap.see", spied)
    result = wide(text_column="question", training=str(path))
    assert result.overlap is not None
    assert result.overlap.n_training == 20_001
    assert result.overlap.exact == 2
    assert max(sizes) < 1_200
    assert len(sizes) > 200


def test_one_line_without_an_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "long.txt"
    path.write_text("x" * 5_000)
    monkeypatch.setattr(training_module, "_CHUNK", 1_000)
    monkeypatch.setattr(training_module, "LONGEST_LINE", 2_000)
    with pytest.raises(FormatError, match="one line is longer"):
        wide(text_column="question", training=path)


def test_the_first_row_of_an_item_counts() -> None:
    frame = pl.DataFrame(
        {
            "item": ["q1", "q2", "q1", "q2"],
            "system": ["a", "a", "b", "b"],
            "score": [1, 0, 1, 1],
            "question": ["x", "y", "z", "z"],
        }
    )
    result = deadheat.check(frame, text_column="question")
    assert result.duplicates is not None
    assert result.duplicates.exact_items == 0


def test_options_are_found_where_texts_are(files: Path) -> None:
    pl.DataFrame({"item": ITEMS, "reference": TRUTH, "n": [2, 4] * 4}).write_csv("with_n.csv")
    result = deadheat.check(
        "a_out.csv", "b_out.csv", references="with_n.csv", reference_column="reference", options="n"
    )
    assert result.baselines is not None
    assert {row.kind: row.value for row in result.baselines.rows}["random"] == pytest.approx(0.375)
    with pytest.raises(InputError, match=r"'q0'.*--options"):
        deadheat.check("wide.csv", systems=[*SCORES], options="question")


def test_without_texts_nothing_is_looked_for() -> None:
    result = wide()
    assert result.duplicates is result.overlap is None
    assert not {"duplicates", "overlap", "conflicts"} & codes(result)
    (note,) = (note.message for note in result.notes if note.code == "not_asked")
    for option in ("--text-column", "--training", "--label-error"):
        assert option in note


@pytest.mark.parametrize(
    ("option", "spelled"), [("options", "--options"), ("text_column", "--text-column")]
)
def test_a_column_that_is_missing_is_asked_for_by_its_own_option(
    tmp_path: Path, option: str, spelled: str
) -> None:
    """In the file of references, where the systems are in memory and have no columns."""
    path = tmp_path / "right.csv"
    path.write_text("reference,kind\nx,1\ny,2\nx,1\n", encoding="utf-8")
    answers = {"a": ["x", "y", "x"], "b": ["x", "x", "x"]}
    given = {"references": str(path), "reference_column": "reference", "n_resamples": 99}
    with pytest.raises(DeadheatError) as caught:
        deadheat.check(answers, **given, **{option: "nowhere"})
    said = str(caught.value)
    assert spelled in said
    assert {"--options", "--text-column"} & set(
        said.replace("(", " ").replace(")", " ").split()
    ) == {spelled}
