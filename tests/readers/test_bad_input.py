"""What cannot be read: one clear error each, never an exception of a library, never much memory."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import tracemalloc
import zipfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from deadheat.errors import DeadheatError, FormatError, InputError, UsageError
from deadheat.readers import read

TABLE = "item,score\nq1,1\nq2,0\n"
POINTER = (
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
)


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.csv", TABLE)
    return file.getvalue()


def parquet(frame: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


SCORES = pl.DataFrame({"item": ["q1"], "score": [1.0]})

BAD = {
    "empty": (b"", "empty (0 bytes)"),
    "blank": (b" \n\n", "nothing but white space"),
    "only a byte order mark": (b"\xef\xbb\xbf", "empty"),
    "binary": (bytes(range(256)) * 8, "binary"),
    "binary late": (b"item,score\n" + b"q,1\n" * 400_000 + b"\0", "binary"),
    "gzip": (gzip.compress(TABLE.encode()), "compressed with gzip"),
    "zip": (zipped(), "ZIP archive"),
    "UTF-16 with mark": (TABLE.encode("utf-16"), "UTF-16"),
    "UTF-16 without mark": (TABLE.encode("utf-16-le"), "UTF-16"),
    "UTF-32": (TABLE.encode("utf-32"), "UTF-32"),
    "Latin-1": ("item,output\nq1,oui\nq2,café\n".encode("latin-1"), "line 3 holds byte 0xe9"),
    "cp1252 in JSON lines": (b'{"id":1,"score":1}\n{"id":"\x81","score":1}', "line 2 holds byte"),
    "LFS pointer": (POINTER.encode(), "Git LFS pointer"),
    "web page": (b"<!DOCTYPE html><html></html>", "web page"),
    "empty array": (b"[]", "0 rows"),
    "array of objects and lists": (b'[{"score": 1}, [2]]', "row 2: the row is a list"),
    "array of lists and objects": (b'[[2], {"score": 1}]', "row 2: the row is a dict"),
    "array of both": (b'[{"score": 1}, 2]', "row 2: the row is a int"),
    "array cut off": (b'[{"id": 1, "score": 1},\n{"id": 2, "sc', "cut off in line 2"),
    "array with more": (b'[{"id": 1, "score": 1}] x', "none"),
    "lines cut off": (b'{"id": 1, "score": 1}\n{"id": 2, "sc', "line 2: the last line is cut"),
    "lines broken": (b'{"id": 1}\n{"id": }\n{"id": 3}', "line 2: the line is not JSON"),
    "lines of other kinds": (b'{"id": 1}\n[1]\n', "line 2: the line holds a list"),
    "one object": (b'{\n "results": [1],\n "n": 3\n}', "one JSON object (with the fields results"),
    "deep": (b'{"a":' + b"[" * 100_000, "line 1: the line is not JSON (nested too deeply)"),
    "deep array": (b"[" * 100_000, "nested too deeply"),
    "number too large": (b'{"id": 1, "score": 1e999}', "line 1: the line is not JSON"),
    "huge id": (b'{"id": %d, "score": 1}' % 10**40, "beyond 128 bits"),
    "parquet cut off": (parquet(SCORES)[:-9], "Parquet file cannot be read"),
    "parquet head only": (b"PAR1", "Parquet file cannot be read"),
    "parquet without rows": (parquet(SCORES.clear()), "no rows"),
    "two blanks": (b"item,score\nq1,\n,1\n", "line 3, column 'item': the cell is empty"),
    "word for a score": (b"item,score\nq1,1\nq2,yes\n", "line 3, column 'score': 'yes' is not"),
    "decimal comma": (b'item,score\nq1,"0,5"\n', "'0,5' is not a number"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_content(tmp_path: Path, name: str) -> None:
    content, words = BAD[name]
    path = tmp_path / "a.dat"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(path) in str(caught.value)
    # The folder is named after the test and could hold the words too.
    assert words in str(caught.value).replace(str(tmp_path), "")


def test_a_folder(tmp_path: Path) -> None:
    table = tmp_path / "answers.csv"
    table.write_text(TABLE)
    with pytest.raises(InputError, match="folder, not a file"):
        read(table, references=tmp_path)


def test_no_such_file_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text(TABLE)
    with pytest.raises(InputError, match=r"no such file. Did you mean answers.csv\?"):
        read(tmp_path / "answer.csv")
    with pytest.raises(InputError, match=r"no such file. Check the path"):
        read(tmp_path / "nowhere" / "x.csv")
    with pytest.raises(InputError, match="cannot be opened"):
        read("a\0b")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes of this kind")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read all")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(TABLE)
    path.chmod(0)
    with pytest.raises(InputError, match="permission denied"):
        read(path)


@pytest.mark.parametrize("start", [b"", b"item,score\nq1,1\n", b'{"id": 1, "score": "'])
def test_an_endless_line_is_refused_before_it_is_held(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "long.csv"
    with path.open("wb") as file:
        file.write(start)
        for _ in range(30):
            file.write(b"a" * (5 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="one line is longer than 64 MB"):
            read(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 80 << 20  # of 150 MB


FIRST = "{" + ", ".join(f'"q{i}": 1' for i in range(2_000)) + "}\n"


@pytest.mark.parametrize(
    "text",
    ["".join(f'{{"q{i}": 1}}\n' for i in range(4_000)), FIRST + '{"q1": 1}\n' * 4_000],
    ids=["ids as names", "a first row like no other"],
)
def test_fields_that_differ_from_row_to_row_do_not_fill_the_memory(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "keys.jsonl"
    path.write_text(text)
    with pytest.raises(FormatError, match="different fields"):
        read(path)


def test_ids_of_two_types_are_named(tmp_path: Path) -> None:
    # CASES 14: 1 and "1" are different ids.
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "score": 1}\n\n{"id": "1", "score": 0}\n')
    with pytest.raises(InputError) as caught:
        read(path)
    assert "1 (number, line 1) and '1' (text, line 3)" in str(caught.value)


def test_two_systems_of_one_name(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.csv").write_text(TABLE)
    with pytest.raises(InputError, match=r"two systems are called 'a'.*NAME=PATH"):
        read(tmp_path / "x" / "a.csv", tmp_path / "y" / "a.csv")
    named = read(f"first={tmp_path}/x/a.csv", f"second={tmp_path}/y/a.csv")
    assert named.systems == ("first", "second")


def test_a_missing_column_lists_those_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(TABLE)
    with pytest.raises(InputError) as caught:
        read(path, score="scores")
    message = str(caught.value)
    assert "no column 'scores' (--score)" in message
    assert "Did you mean score? Known: item, score." in message


@pytest.mark.parametrize("text", ["=a.csv", "name=", " =a.csv"])
def test_half_a_name_and_path(text: str) -> None:
    with pytest.raises(UsageError, match="neither a path nor NAME=PATH"):
        read(text)


def test_what_is_no_source() -> None:
    with pytest.raises(UsageError, match="nothing to read"):
        read()
    with pytest.raises(UsageError, match="a source is int"):
        read(3)
    with pytest.raises(UsageError, match="references are int"):
        read([1, 0], references=3)
    with pytest.raises(UsageError, match="1 names for 2 sources"):
        read([1, 0], [0, 1], names=["a"])


def test_a_list_of_paths_is_no_array_of_outputs(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(TABLE)
    with pytest.raises(UsageError, match="list of paths"):
        read([str(path), str(path)], references=["x", "y"])


SEEDS = [
    b"item,score\nq1,1\nq2,0\n",
    b'item;system A\n"1;0,5"\n"2;0,5"\n',
    b'id\toutput\n1\t"a\n2\tb"\n',
    b'{"id": 1, "score": NaN}\n{"id": 2, "score": 1}\n',
    b'[{"id": 1, "output": "x"}, {"id": 2}]',
    b"positive\nnegative\n",
    parquet(SCORES),
]


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300
)
@given(
    seed=st.sampled_from(SEEDS),
    at=st.integers(0, 400),
    cut=st.integers(0, 6),
    put=st.binary(max_size=4)
    | st.sampled_from([b'"', b"\n", b",", b"\r", b";", b"\t", b'""', b"NaN", b"{", b"[", b"\\u"]),
)
@example(seed=SEEDS[0], at=11, cut=0, put=b'"')
def test_a_damaged_file_is_read_or_refused(
    tmp_path: Path, seed: bytes, at: int, cut: int, put: bytes
) -> None:
    path = tmp_path / "a.dat"
    path.write_bytes(seed[:at] + put + seed[at + cut :])
    with contextlib.suppress(DeadheatError):
        assert read(path).answers


def test_a_carriage_return_in_a_header_is_said(tmp_path: Path) -> None:
    path = tmp_path / "cr.csv"
    path.write_bytes(b'id,"a",b\rc,score\n1,2,3,4\n')
    with pytest.raises(FormatError, match="header cannot be read"):
        read(path)
