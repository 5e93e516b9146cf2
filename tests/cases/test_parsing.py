"""Class H of the faults of other tools: parsing and types."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import deadheat
from cases.data import Answer, Write, codes, csv, json_lines, said
from processes import Run, refused

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize("form", ["csv", "tsv", "semicolon", "jsonl", "json"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_byte_order_mark_is_not_part_of_the_first_name(
    answer: Answer, write: Write, form: str, line_end: str
) -> None:
    """Row 62: EF BB BF before `id` or before the first bracket."""
    rows = [("a", 1), ("b", 0), ("c", 1)]
    separator = {"csv": ",", "tsv": "\t", "semicolon": ";"}.get(form)
    if separator:
        text = "".join(f"{i}{separator}{s}{line_end}" for i, s in [("id", "score"), *rows])
    elif form == "jsonl":
        text = "".join(json.dumps({"id": i, "score": s}) + line_end for i, s in rows)
    else:
        text = json.dumps([{"id": i, "score": s} for i, s in rows], indent=1).replace(
            "\n", line_end
        )
    marked = write("marked.txt", BOM + text.encode())
    plain = write("plain.txt", text)
    found = answer("compare", marked, plain)
    assert found["items"]["n"] == 3
    assert found["counts"]["both"] == 2
    assert "paired_by_order" not in codes(found)


def test_a_byte_order_mark_is_not_part_of_a_label(answer: Answer, write: Write) -> None:
    """Row 62: the first label of a file of labels, of outputs or references."""
    marked, plain = write("m.txt", BOM + b"x\ny\nx\n"), write("p.txt", "x\ny\nx\n")
    for outputs, right in ((marked, plain), (plain, marked)):
        found = answer("score", outputs, "--reference", right)
        assert found["systems"][0]["value"] == 1.0


def test_a_byte_order_mark_before_a_quoted_name(answer: Answer, write: Write) -> None:
    """Row 62: spreadsheets write the mark and then a quote."""
    table = write("t.csv", BOM + b'"id","score"\r\n"a","1"\r\n"b","0"\r\n')
    assert answer("score", table)["systems"][0]["items"]["n"] == 2


CURLY = [
    "\u201dquoted\u201d",
    "\u0141\u00f3d\u017a",
    "\u0441\u0430\u0440\u0430\u0442\u043e\u0432",
    "\U0001f41d",
    "naïve café",
]


@pytest.mark.parametrize("text", CURLY)
@pytest.mark.parametrize("form", ["csv", "jsonl", "lines"])
def test_files_are_utf_8_whatever_the_code_page(
    answer: Answer, write: Write, text: str, form: str
) -> None:
    """Row 63: bytes that the Windows code page does not have (0x81, 0x8d, 0x9d) are plain UTF-8."""
    outputs = [text, "other", text]
    right = write("y.txt", f"{text}\nx\n{text}\n")
    if form == "lines":
        found = answer("score", write("a.txt", "\n".join(outputs) + "\n"), "--reference", right)
    elif form == "csv":
        rows = [(i, f'"{o}"', f'"{text}"') for i, o in enumerate(outputs)]
        found = answer("score", write("a.csv", csv("item,output,reference", *rows)))
    else:
        rows_json = [{"id": i, "output": o, "reference": text} for i, o in enumerate(outputs)]
        found = answer("score", write("a.jsonl", json_lines(*rows_json)))
    assert found["systems"][0]["value"] == pytest.approx(2 / 3)


def test_the_locale_does_not_decide(tmp_path: Path) -> None:
    """Row 63: the same in a process whose locale is plain ASCII."""
    table = tmp_path / "t.jsonl"
    table.write_bytes(
        json_lines(
            *({"id": i, "output": o, "reference": CURLY[0]} for i, o in enumerate(CURLY))
        ).encode("utf-8")
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-m", "deadheat", "score", str(table), "--format", "json"],
        env={**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["systems"][0]["value"] == 0.2


@pytest.mark.parametrize("byte", [0x81, 0x9D, 0xE9, 0xFF])
@pytest.mark.parametrize("form", ["csv", "jsonl", "lines"])
def test_bytes_that_are_not_utf_8_are_refused_with_their_line(
    run: Run, write: Write, byte: int, form: str
) -> None:
    """Row 63: a file in another code page is never guessed at; line 5 is named."""
    good, bad = {
        "csv": (b"%d,1,ok\n", b"%d,1,caf" + bytes([byte]) + b"\n"),
        "jsonl": (
            b'{"id": %d, "score": 1}\n',
            b'{"id": %d, "score": 1, "t": "' + bytes([byte]) + b'"}\n',
        ),
        "lines": (b"ok %d\n", b"caf" + bytes([byte]) + b" %d\n"),
    }[form]
    head = b"item,score,text\n" if form == "csv" else good % 1
    body = head + b"".join(good % i for i in (2, 3, 4)) + bad % 5 + good % 6
    arguments = [write("t.x", body)]
    if form == "lines":
        arguments += ["--reference", write("y.txt", "ok\n" * 6)]
    message = refused(run("score", *arguments))
    assert "line 5" in message
    assert f"0x{byte:02x}" in message
    assert "UTF-8" in message


BREAKS = ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"]


@pytest.mark.parametrize("break_", BREAKS, ids=[f"U+{ord(b):04X}" for b in BREAKS])
@pytest.mark.parametrize("form", ["lines", "jsonl", "csv", "json"])
def test_lines_end_at_line_feeds_alone(
    answer: Answer, write: Write, break_: str, form: str
) -> None:
    """Row 64: str.splitlines would find 5 lines in these 3."""
    outputs = [f"a{break_}b", f"c{break_}d", "e"]
    if form == "lines":
        a = write("a.txt", "\n".join(outputs) + "\n")
        found = answer("score", a, "--reference", write("y.txt", "\n".join(outputs) + "\n"))
    elif form == "csv":
        rows = [(i, o, o) for i, o in enumerate(outputs)]
        found = answer("score", write("a.csv", csv("item,output,reference", *rows)))
    else:
        records = [{"id": i, "output": o, "reference": o} for i, o in enumerate(outputs)]
        # JSON escapes control characters; the other breaks may stand as they are.
        whole = json.dumps(records, ensure_ascii=False)
        text = json_lines(*records) if form == "jsonl" else whole
        found = answer("score", write("a.txt", text))
    assert found["systems"][0]["items"]["n"] == 3
    assert found["systems"][0]["value"] == 1.0


@pytest.mark.parametrize("form", ["lines", "csv", "jsonl"])
@pytest.mark.parametrize("side", ["outputs", "references"])
def test_carriage_returns_at_line_ends_are_no_part_of_an_answer(
    answer: Answer, write: Write, form: str, side: str
) -> None:
    """Row 65: CRLF on one side and LF on the other."""
    ends = ("\r\n", "\n") if side == "outputs" else ("\n", "\r\n")

    def file(name: str, role: str, end: str) -> Path:
        values = ["4", "5", "6"]
        if form == "lines":
            return write(f"{name}.txt", "".join(v + end for v in values))
        if form == "csv":
            rows = [f"item,{role}", *(f"{i},{v}" for i, v in enumerate(values))]
            return write(f"{name}.csv", "".join(row + end for row in rows))
        records = [json.dumps({"item": i, role: v}) for i, v in enumerate(values)]
        return write(f"{name}.jsonl", "".join(record + end for record in records))

    found = answer(
        "score", file("a", "output", ends[0]), "--reference", file("y", "reference", ends[1])
    )
    assert found["systems"][0]["value"] == 1.0


@pytest.mark.parametrize("tail", ["\r", "\n", "\r\n", " "], ids=["CR", "LF", "CRLF", "blank"])
def test_answers_that_differ_by_an_invisible_end_are_not_wrong_in_silence(
    answer: Answer, write: Write, tail: str
) -> None:
    """Row 65: "4\\r" against "4" inside JSON: equal, or all of them are said to end so."""
    records = [{"id": i, "output": f"{i}{tail}", "reference": f"{i}"} for i in range(20)]
    found = answer("score", write("a.jsonl", json_lines(*records)))
    assert found["systems"][0]["value"] == 1.0 or any(
        word in said(found) for word in ("white space", "whitespace", "end in", "ends in")
    )


CLASHES: list[tuple[str, list[Any], list[Any], tuple[str, str]]] = [
    ("text and numbers", ["1", "0", "1"], [1, 0, 1], ("text", "numbers")),
    ("numbers and text", [1, 0, 1], ["1", "0", "1"], ("numbers", "text")),
    ("truths and text", [True, False, True], ["true", "false", "true"], ("true/false", "text")),
    ("text and truths", ["True", "False", "True"], [True, False, True], ("text", "true/false")),
    ("reals and text", [1.5, 2.5, 0.5], ["1.5", "2.5", "0.5"], ("numbers", "text")),
]


@pytest.mark.parametrize(("name", "y", "p", "words"), CLASHES, ids=[name for name, *_ in CLASHES])
@pytest.mark.parametrize("door", ["arrays", "jsonl"])
def test_labels_of_two_types_are_never_an_accuracy_of_0(
    run: Run, write: Write, name: str, y: list[Any], p: list[Any], words: tuple[str, str], door: str
) -> None:
    """Row 66: "1" is not 1: an error that names both types and shows values of both."""
    if door == "arrays":
        with pytest.raises(deadheat.DeadheatError) as caught:
            deadheat.compare(p, p, references=y)
        message = str(caught.value)
    else:
        pairs = enumerate(zip(p, y, strict=True))
        rows = [{"id": i, "output": output, "reference": right} for i, (output, right) in pairs]
        message = refused(run("score", write("a.jsonl", json_lines(*rows))))
    assert all(word in message for word in words)
    assert repr(sorted(set(y))[0]) in message
    assert repr(sorted(set(p))[0]) in message


@pytest.mark.parametrize(
    ("y", "p"),
    [
        ([1, 0, 1], [1.0, 0.0, 1.0]),
        ([1, 0, 1], [True, False, True]),
        ([1.0, 0.0, 1.0], [True, False, True]),
    ],
    ids=["1 and 1.0", "1 and True", "1.0 and True"],
)
def test_one_is_one_in_every_type_of_number(y: list[Any], p: list[Any]) -> None:
    """Row 66: 1, 1.0 and True are equal, as in Python."""
    for references, outputs in ((y, p), (p, y)):
        found = deadheat.score(outputs, references=references)
        assert found.systems[0].value == 1.0


def test_none_is_no_label(answer: Answer, write: Write) -> None:
    """Row 66: None as an output is wrong and counted; as text it is a label like any other."""
    found = deadheat.score([None, "x", "x"], references=["x", "x", "x"]).systems[0]
    assert (found.value, found.unparseable) == (pytest.approx(2 / 3), 1)
    text = deadheat.score(["None", "x", "x"], references=["None", "x", "x"]).systems[0]
    assert (text.value, text.unparseable) == (1.0, 0)


def test_labels_of_one_column_have_one_type(run: Run, write: Write) -> None:
    """Row 66: 1 and "1" among the outputs of one system are refused with both named."""
    rows = [{"id": i, "output": o, "reference": 1} for i, o in enumerate([1, "1", 1])]
    message = refused(run("score", write("a.jsonl", json_lines(*rows))))
    assert "'1'" in message
    assert "two types" in message


@pytest.mark.parametrize("right", [["1", "0", "1"], [1, 0, 1], [True, False, True]], ids=str)
def test_a_format_without_types_is_compared_as_text_and_says_so(
    answer: Answer, write: Write, right: list[Any]
) -> None:
    """Row 66: a CSV of 1 and 0, or true and false, beside typed references: stated, not silent."""
    words = {True: "true", False: "false"}
    cells = [words[r] if isinstance(r, bool) else r for r in right]
    a = write("a.csv", csv("item,output", *enumerate(cells)))
    y = write("y.json", json.dumps([{"item": i, "reference": r} for i, r in enumerate(right)]))
    found = answer("score", a, "--reference", y)
    assert found["systems"][0]["value"] == 1.0
    assert ("labels_compared_as_text" in codes(found)) == (not isinstance(right[0], str))


UNDEFINED: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("one item", ([0.5], [0.75]), {}),
    ("constant difference", ([0.5, 0.25] * 20, [0.75, 0.5] * 20), {}),
    ("one-sided", ([0, 1, 1] * 20, [1, 1, 0] * 20), {"alternative": "greater"}),
    (
        "kappa of one label",
        (["x"] * 30, ["x"] * 30),
        {"references": ["x"] * 30, "metric": "cohen_kappa", "n_resamples": 99},
    ),
    (
        "F1 of nothing",
        ([0] * 30, [0] * 30),
        {
            "references": [0] * 30,
            "metric": "f1",
            "positive": 1,
            "zero_division": float("nan"),
            "n_resamples": 99,
        },
    ),
]


def no_constant(name: str) -> None:
    pytest.fail(f"{name} is not JSON")


@pytest.mark.parametrize(("name", "sources", "options"), UNDEFINED, ids=[n for n, *_ in UNDEFINED])
def test_undefined_numbers_are_null_with_a_reason(
    name: str, sources: tuple[Any, ...], options: dict[str, Any]
) -> None:
    """Row 67: no bare NaN or Infinity in JSON; what is null is explained."""
    result = deadheat.compare(*sources, **options)
    found = json.loads(result.to_json(), parse_constant=no_constant)
    difference = found["difference"]
    assert None in (*difference["interval"].values(), difference["p_value"], difference["estimate"])
    if name == "one-sided":
        assert difference["alternative"] == "greater"
        assert difference["interval"]["high"] is None
        return
    reasons = [found["reading"]["text"], difference["interval"].get("note", "")]
    reasons += [note["message"] for note in found["notes"]]
    assert any(
        word in reason
        for reason in reasons
        for word in ("no measure", "one item", "varies", "undefined", "0/0")
    )
    for test in found["tests"]:
        assert test["p_value"] is not None or test["note"]


@pytest.mark.parametrize(("name", "sources", "options"), UNDEFINED, ids=[n for n, *_ in UNDEFINED])
@pytest.mark.parametrize("form", ["to_text", "to_markdown"])
def test_no_page_prints_nan(
    name: str, sources: tuple[Any, ...], options: dict[str, Any], form: str
) -> None:
    """Row 67: a reader of the page sees "undefined", never "nan"."""
    page = getattr(deadheat.compare(*sources, **options), form)()
    # The zero division may be told as nan: it is a setting, not a number.
    words = page.replace("zd:nan", "").lower().replace(",", " ").split()
    assert "nan" not in words
    assert "nan%" not in words
    assert "+nan" not in words


def test_a_record_of_undefined_numbers_is_json_and_holds(
    run: Run, tmp_path: Path, write: Write
) -> None:
    """Row 67: the record is read by strict parsers, and verify finds nothing changed."""
    table = write("t.csv", csv("item,a,b", (1, 0.5, 0.75)))
    record = tmp_path / "r.json"
    assert run("compare", table, "--record", record).returncode == 0
    json.loads(record.read_text(encoding="utf-8"), parse_constant=no_constant)
    assert run("verify", record).returncode == 0


@pytest.mark.parametrize("written", ["1.0", "01", "1e0", " 1"])
def test_numbers_written_in_two_ways_are_not_wrong_in_silence(
    answer: Answer, write: Write, written: str
) -> None:
    """Row 66: in a text format "1.0" is not "1"; that all of them differ so is said."""
    rows = [(f"q{i}", "1", written) for i in range(12)]
    found = answer("score", write("a.csv", csv("id,reference,output", *rows)))
    assert found["systems"][0]["value"] == 0.0
    assert "12 of" in said(found)
    assert "written" in said(found)
