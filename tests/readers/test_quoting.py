"""Records and fields of delimited text, judged by Python's csv module."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deadheat.readers.formats import read_table
from deadheat.readers.quoting import records

HEADER = ["item", "output", "text"]
CELLS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=8
)


def written(rows: list[list[str]], delimiter: str, quoting: int, end: str) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)
    return file.getvalue().encode()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    rows=st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=6),
    delimiter=st.sampled_from(",;"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_reads_back_what_the_csv_module_wrote(
    tmp_path: Path, rows: list[list[str]], delimiter: str, quoting: int, end: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(written([HEADER, *rows], delimiter, quoting, end))
    table = read_table(str(path), [])
    assert list(table.columns) == HEADER
    got = zip(*(table.columns[name].fill_null("").to_list() for name in HEADER), strict=True)
    assert [list(row) for row in got] == rows


@given(
    st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=5),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_counts_fields_as_the_csv_module_does(rows: list[list[str]], quoting: int) -> None:
    data = written(rows, ",", quoting, "\n")
    # Trailing empty lines are no records for us; the csv module yields them as empty lists.
    parsed = list(csv.reader(io.StringIO(data.decode(), newline="")))
    while parsed and not parsed[-1]:
        parsed.pop()
    found = records(data, ord(","), quoted=True)
    assert found.bad_quote is None
    assert found.fields.tolist() == [max(len(row), 1) for row in parsed] or not parsed


@pytest.mark.parametrize(
    ("data", "at"),
    [
        (b'a,b\n1,"x"y\n', 8),  # closes in the middle of a field
        (b'a,b\n1,x"y"\n', 7),  # opens in the middle
        (b'a,b\n1,"xy\n2,z\n', 6),  # never closes
        (b'a,b\n1, "xy"\n', 7),  # a blank stands before it
    ],
)
def test_finds_a_quote_that_encloses_no_field(data: bytes, at: int) -> None:
    assert records(data, ord(","), quoted=True).bad_quote == at


def test_a_field_across_the_chunks_in_which_files_are_scanned() -> None:
    inside = b"x,\n" * (3 << 20)  # 9 MB between the quotes
    found = records(b'a,b\n1,"' + inside + b'"\n2,y\n', ord(","), quoted=True)
    assert found.fields.tolist() == [2, 2, 2]
    assert found.ends[1] == 7 + len(inside) + 1
    assert found.bad_quote is None
