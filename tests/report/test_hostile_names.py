"""Names and labels come from data: they are shown as text and act on nothing."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import html5lib
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.cells import cell_len

import deadheat
from deadheat import report
from deadheat.cli import main
from report.results import outcomes

SHOWN_AS_THEY_ARE = {
    "pipe": "a|b||c",
    "escaped pipe": "a\\|b",
    "backslash": "ends\\",
    "code": "`rm -rf` ``x``",
    "emphasis": "*b* _i_ __b__ ~~s~~",
    "link": "[x](javascript:alert(1))",
    "picture": "![i](u)",
    "html": "<script>alert('x')</script>",
    "entity": "&lt;b&gt; &amp; &#124;",
    "entity that acts": "a&rlm;b&#x202e;c&zwnj;",
    "heading": "# h",
    "list": "- l",
    "number": "1. l",
    "rule": "---",
    "template": "{{7*7}} ${x} %s {0}",
    "markup": "[bold red]x[/]",
    "emoji name": ":smile:",
    "emoji": "🙂🚀",
    "Arabic": "مرحبا",
    "CJK": "模型",
    "long": "x" * 300,
    "spaced": "a  b",
}
ESCAPED = {
    "terminal colour": "\x1b[31mred\x1b[0m",
    "C1 control": "\x9b31mred",
    "title of the terminal": "\x1b]0;owned\x07",
    "right to left": "\u202eabc\u202c",
    "isolate": "\u2066abc\u2069",
    "zero width": "a\u200bb",
    "joined emoji": "👩\u200d👧",
    "newline": "two\nlines",
    "return": "two\rlines",
    "both": "two\r\n| lines |",
    "tab": "a\tb",
    "line separator": "a\u2028b\u2029c\x85d\x0be\x0cf",
    "null": "a\0b",
    "backspace": "abc\b\b\bxyz",
}
NAMES = SHOWN_AS_THEY_ARE | ESCAPED

any_name = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)


@cache
def reports(name: str) -> tuple[Any, ...]:
    """A result of every kind with `name` wherever data can put it."""
    a, b = outcomes(5, 2, 3, 1).values()
    return (
        deadheat.compare({name: a, "other": b}, about={name: {"checkpoint": name}}),
        deadheat.score({name: a, "other": b}),
        deadheat.adjust([0.01, float("nan")], labels=[name, name + "2"]),
        deadheat.compare(
            {name: ["x", "y", name], "other": ["x", "x", name]},
            references=["x", "y", "x"],
            metric="macro_f1",
            n_resamples=99,
            method="percentile",
            confidence_level=0.8,
        ),
        deadheat.rank({name: a, "other": b, "third": [1, 0] * 5 + [1]}, n_resamples=99),
    )


def acting(text: str) -> set[str]:
    """Characters that move the cursor, change direction or cannot be seen."""
    return {
        c for c in text if c != "\n" and unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    }


@any_name
def test_text_holds_no_character_that_acts(name: str) -> None:
    for result in reports(name):
        assert not acting(report.render(result, "text"))


@any_name
def test_colours_are_only_our_own(name: str) -> None:
    for result in reports(name):
        coloured = report.render(result, "text", color=True)
        assert not acting(re.sub(r"\x1b\[[0-9;]*m", "", coloured))
        assert set(re.findall(r"\x1b\[([0-9;]*)m", coloured)) <= {"0", "1", "2", "1;2", "2;1"}


@any_name
def test_tables_of_text_keep_their_width(name: str) -> None:
    for result in reports(name):
        *lines, signature = report.render(result, "text").rstrip("\n").split("\n")
        # A word that is longer than a line stands alone on one, whole.
        assert all(cell_len(line) <= 100 or len(line.split()) == 1 for line in lines), signature


@pytest.mark.parametrize("name", SHOWN_AS_THEY_ARE.values(), ids=SHOWN_AS_THEY_ARE)
def test_text_shows_the_name_as_it_is(name: str) -> None:
    for result in reports(name):
        assert name in report.render(result, "text", width=2_000)


@any_name
def test_json_keeps_the_name(name: str) -> None:
    comparison, scorecard, adjustment, _, board = (json.loads(r.to_json()) for r in reports(name))
    assert comparison["baseline"]["system"] == name
    assert comparison["baseline"]["about"] == {"checkpoint": name}
    assert scorecard["systems"][0]["system"] == name
    assert adjustment["p_values"][0]["label"] == name
    assert name in {row["system"] for row in board["systems"]}
    assert board["pairs"][0]["baseline"] == name


# -- Markdown, as another reader of it sees it ----------------------------------------------------


def tokens(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def inline(parsed: list[Token]) -> Iterator[Token]:
    for token in parsed:
        yield from token.children or ()


def cells(parsed: list[Token]) -> list[list[str]]:
    """Text of the cells of all tables, row by row."""
    rows: list[list[str]] = []
    for opened, content in pairwise(parsed):
        if opened.type == "tr_open":
            rows.append([])
        if opened.type in ("td_open", "th_open"):
            rows[-1].append("".join(child.content for child in content.children or ()))
    return rows


@any_name
def test_markdown_keeps_its_shape(name: str) -> None:
    """The same blocks and cells as with a harmless name."""
    for hostile, tame in zip(reports(name), reports("tame"), strict=True):
        shapes = [
            [token.type for token in tokens(report.render(result, "markdown"))]
            for result in (hostile, tame)
        ]
        assert shapes[0] == shapes[1]


@any_name
def test_markdown_reads_names_as_text(name: str) -> None:
    for result in reports(name):
        kinds = {token.type for token in inline(tokens(report.render(result, "markdown")))}
        assert kinds <= {"text", "text_special", "strong_open", "strong_close", "code_inline"}


@any_name
def test_markdown_holds_no_character_that_acts(name: str) -> None:
    """Neither in the source nor after a reader has resolved entities."""
    for result in reports(name):
        source = report.render(result, "markdown")
        assert not acting(source)
        assert not acting("".join(token.content for token in inline(tokens(source))))


@pytest.mark.parametrize("name", SHOWN_AS_THEY_ARE.values(), ids=SHOWN_AS_THEY_ARE)
def test_markdown_shows_the_name_as_it_is(name: str) -> None:
    for result in reports(name)[:3]:
        shown = [cell for row in cells(tokens(report.render(result, "markdown"))) for cell in row]
        assert name in shown


def test_file_whose_name_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes of a file name that are not UTF-8 reach Python as lone surrogates."""
    paths = [os.fsencode(tmp_path) + b"/" + stem + b".csv" for stem in (b"a\xff", b"b")]
    try:
        for path in paths:
            Path(os.fsdecode(path)).write_text("item,score\n1,1\n2,0\n", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes only names that are text")
    for form in ("text", "markdown", "json"):
        written = tmp_path / f"report.{form}"
        arguments = ["compare", *map(os.fsdecode, paths), "--format", form]
        with pytest.raises(SystemExit) as left:
            main([*arguments, "--output", str(written)])
        assert left.value.code in (0, 2), capsys.readouterr().err
        assert written.exists() == (left.value.code == 0)


# -- HTML, as a browser would see it ---------------------------------------------------------------


XHTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"


def pages(name: str) -> Iterator[str]:
    for result in reports(name):
        yield result.to_html()


def elements(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Tags with the names of their attributes, in order; what stands between tags is left out."""
    tree = html5lib.HTMLParser(strict=True).parse(text)
    return [(str(e.tag), tuple(sorted(map(str, e.attrib)))) for e in tree.iter()]


@any_name
def test_html_keeps_its_shape(name: str) -> None:
    """The same elements as with a harmless name, but for what shows the whole of a long one."""
    for hostile, tame in zip(map(elements, pages(name)), map(elements, pages("tame")), strict=True):
        tags = [Counter(tag for tag, _ in found) for found in (hostile, tame)]
        assert {tag for tag in tags[0] - tags[1] if "xhtml" in tag} <= {f"{XHTML}span"}
        # A figure cuts a long label, which may move others.
        assert {tag for tag in tags[0].keys() - tags[1].keys() if "svg" in tag} <= {f"{SVG}title"}
        for _, attributes in hostile:
            assert not any(attribute.startswith("on") for attribute in attributes)
            assert not {"src", "href", "style"} & set(attributes)


@any_name
def test_html_holds_no_character_that_acts(name: str) -> None:
    for text in pages(name):
        assert not acting(text)
        tree = html5lib.HTMLParser(strict=True).parse(text)
        assert not acting("".join(tree.itertext()))


@pytest.mark.parametrize("name", SHOWN_AS_THEY_ARE.values(), ids=SHOWN_AS_THEY_ARE)
def test_html_shows_the_name_as_it_is(name: str) -> None:
    for text in pages(name):
        tree = html5lib.HTMLParser(strict=True).parse(text)
        assert name in "".join(tree.itertext())


def test_a_name_of_10_000_characters_is_cut_and_whole_when_pointed_at() -> None:
    name = "<b>" + "x" * 10_000
    a, b = outcomes(5, 2, 3, 1).values()
    tree = html5lib.HTMLParser(strict=True).parse(deadheat.score({name: a, "b": b}).to_html())
    heads = [e for e in tree.iter() if e.attrib.get("title") == name]
    assert heads
    assert "".join(heads[0].itertext()) == name[:320] + "…"


# -- LaTeX -----------------------------------------------------------------------------------------


@any_name
def test_latex_keeps_its_shape(name: str) -> None:
    """The same environments, rules and rows as with a harmless name; all of it ASCII."""
    shape = re.compile(r"\\(?:begin|end|toprule|midrule|bottomrule|caption|label)\b")
    for hostile, tame in zip(reports(name), reports("tame"), strict=True):
        one, other = hostile.to_latex(), tame.to_latex()
        assert one.isascii()
        assert shape.findall(one) == shape.findall(other)
        lines = [
            [line for line in text.splitlines() if not line.startswith("%")]
            for text in (one, other)
        ]
        assert len(lines[0]) == len(lines[1])
        for line, plain in zip(*lines, strict=True):
            assert len(re.findall(r"(?<!\\)&", line)) == len(re.findall(r"(?<!\\)&", plain))
            assert line.count("{") - line.count(r"\{") == line.count("}") - line.count(r"\}")
