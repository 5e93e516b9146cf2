"""Delimited text: separators, quotes, line ends, headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadheat.errors import FormatError, UsageError
from deadheat.readers.formats import read_table
from deadheat.readers.table import Table


def table(tmp_path: Path, data: bytes | str, *wanted: str | int, name: str = "t.csv") -> Table:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_table(str(path), wanted)


def rows(found: Table) -> list[tuple[str | None, ...]]:
    columns = [column.to_list() for column in found.columns.values()]
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.txt", "t"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_content_decides_the_separator(tmp_path: Path, delimiter: str, name: str) -> None:
    text = "item,score\nq1,1\nq2,0\n".replace(",", delimiter)
    found = table(tmp_path, text, name=name)
    assert list(found.columns) == ["item", "score"]
    assert rows(found) == [("q1", "1"), ("q2", "0")]
    assert found.decimal_comma == (delimiter != ",")
    assert found.source.format == "csv"


def test_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    # CASES 62: bytes EF BB BF, then id,score.
    found = table(tmp_path, b"\xef\xbb\xbfid,score\nq1,1\n")
    assert list(found.columns) == ["id", "score"]


def test_the_hash_is_of_the_bytes_on_disk(tmp_path: Path) -> None:
    # printf '\xef\xbb\xbfid,score\nq1,1\n' | sha256sum
    found = table(tmp_path, b"\xef\xbb\xbfid,score\nq1,1\n")
    known = "57877cfc81561ed27c12a5cef8f4d40a5a70e35aa7f2ce2c5b1644aaf8caa339"
    assert found.source.sha256 == known


def test_lines_end_in_line_feeds_only(tmp_path: Path) -> None:
    # CASES 64, 65: U+2028, U+0085, VT and FF are characters, and \r before \n is not one.
    text = "id,output\r\n1,a\u2028b\r\n2,c\x85d\r\n3,e\x0b\x0cf\r\n"
    assert rows(table(tmp_path, text)) == [("1", "a\u2028b"), ("2", "c\x85d"), ("3", "e\x0b\x0cf")]


def test_ids_stay_as_they_are_written(tmp_path: Path) -> None:
    found = table(tmp_path, "id,score\n01,1\n1,0\n1.0,1\n")
    assert found.columns["id"].to_list() == ["01", "1", "1.0"]


def test_stray_quotes_in_tab_separated_text_swallow_no_rows(tmp_path: Path) -> None:
    text = 'text\tlabel\n" a film\tpos\nno " film\tneg\n"\tpos\n'
    found = table(tmp_path, text)
    assert rows(found) == [('" a film', "pos"), ('no " film', "neg"), ('"', "pos")]
    assert [note.code for note in found.notes] == ["quotes_kept"]


def test_quotes_that_would_join_lines_of_text_are_kept(tmp_path: Path) -> None:
    # By RFC 4180 this is one row with a line break in its text; as tab-separated text, two rows.
    text = 'id\toutput\n1\t"good\n2\tbad"\n'
    assert rows(table(tmp_path, text)) == [("1", '"good'), ("2", 'bad"')]


def test_a_tab_separated_field_may_hold_a_line_break(tmp_path: Path) -> None:
    text = 'id\toutput\ttext\n1\tyes\t"two\nlines"\n2\tno\tone\n'
    found = table(tmp_path, text)
    assert rows(found) == [("1", "yes", "two\nlines"), ("2", "no", "one")]
    assert found.rows.name(1) == "line 4"


def test_whole_lines_in_quotes_are_unpacked_with_a_note(tmp_path: Path, shared: Path) -> None:
    path = shared / "formats" / "csv" / "wide_semicolon_decimal_comma.csv"
    found = read_table(str(path), [])
    assert rows(found) == [("1", "0,75", "0,8"), ("2", "0,5", "0,25")]
    assert [note.code for note in found.notes] == ["quoted_lines"]


def test_a_number_that_is_no_name_means_that_there_is_no_header(tmp_path: Path) -> None:
    found = table(tmp_path, "q1,1\nq2,0\n", "1", 2)
    assert (found.named, list(found.columns), found.height) == (False, ["1", "2"], 2)
    assert found.rows.name(0) == "line 1"
    # Also where the first row happens to hold that number.
    assert table(tmp_path, "q1,2\nq2,1\n", "2").height == 2


def test_numbers_and_names_do_not_mix(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'score' is a name"):
        table(tmp_path, "q1,1\nq2,0\n", 1, "score")


def test_a_blank_column_without_name_is_dropped(tmp_path: Path) -> None:
    assert list(table(tmp_path, "id,score,,\n1,1,,\n2,0,,\n").columns) == ["id", "score"]


def test_empty_lines_at_the_end_are_no_rows(tmp_path: Path) -> None:
    assert table(tmp_path, "id,score\n1,1\n\n\n").height == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,score\n1,1\n2,1,5\n", "line 3 has 3 fields and the first line 2"),
        ("id,score,run\n1,1,0\n2,1\n", "line 3 has 2 fields and the first line 3"),
        ("id,score\n1,1\n\n2,0\n", "line 3 is empty"),
        ('id,output\n1,"yes\n2,no\n3,"a, b"\n', "a quote in line 4 does not enclose"),
        ('id,output\n1,"a,b\n2,no\n', "a quote in line 2 does not enclose a whole field"),
        ("id,score\n", "a header (id, score) and no row"),
        ("id,score,score\n1,1,0\n", "names 1 column(s) more than once: 'score'"),
        ("id,,\n1,1,0\n", "names 1 column(s) more than once: ''"),
        ("id,score\r1,1\r2,0\r", "carriage returns alone"),
    ],
)
def test_what_is_no_table_is_refused_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        table(tmp_path, text)
    assert words in str(caught.value)
    assert str(tmp_path / "t.csv") in str(caught.value)


def test_a_name_in_quotes_that_is_too_long_for_a_header_is_said(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="131,072 characters"):
        table(tmp_path, f'item,score,"{"x" * 200_000}"\n1,1,2\n2,0,3\n')
