"""A log read piece by piece: lines, their numbers, and the hash of the file."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import FormatError
from deadheat.readers import log as module
from deadheat.readers.log import Log


class Record(msgspec.Struct):
    n: int
    x: float | None = None


def a_log(folder: Path, data: bytes) -> Log:
    path = folder / "log.jsonl"
    path.write_bytes(data)
    return Log(path=str(path), head=data[:100])


def sha256(log: Log) -> str:
    return hashlib.sha256(Path(log.path).read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log")


@given(
    data=st.lists(st.sampled_from([b"\n", b"a", b"bc", b" ", b"\r", b"\xef\xbb\xbf"])).map(
        b"".join
    ),
    chunk=st.integers(1, 7),
)
def test_lines_are_what_stands_between_newlines(place: Path, data: bytes, chunk: int) -> None:
    log = a_log(place, data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", max(chunk, 3))  # a byte order mark is in one piece
        found = [*log.lines()]
        blocks = [*log.blocks()]
    text = data.removeprefix(b"\xef\xbb\xbf")
    expected = [(number, line) for number, line in enumerate(text.split(b"\n"), 1) if line.strip()]
    assert found == expected
    assert b"".join(block.data for block in blocks) == text
    assert all(block.data.endswith(b"\n") for block in blocks[:-1])
    assert log.source("tool").sha256 == sha256(log)


def test_records_and_the_numbers_of_their_lines(place: Path) -> None:
    log = a_log(place, b'{"n": 1}\n\n{"n": 2, "x": NaN, "y": "NaN"}\n  \r\n{"n": 3, "x": 1e3}')
    assert [*log.records(Record, "a record")] == [
        (1, Record(n=1)),
        (3, Record(n=2)),
        (5, Record(n=3, x=1000.0)),
    ]


@pytest.mark.parametrize("chunk", [4, 20, 1 << 20])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"n": 1}\n{"n": "2"}\n{"n": 3}\n', r"line 2: the line is not a record \(Expected `int`"),
        (b'{"n": 1}\n{"n": 2}\n{"n": 3', "line 3: the line is cut off"),
        (b'{"n": 1}\n{"n": 2, "x": 1.', "line 2: the line is cut off"),
        (b'{"n": 1}\n{"n": 2, "x": 1.\n', r"line 2: the line is not a record"),
        (b'{"n": 1}{"n": 2}\n', "line 1: the line is not a record"),
        (b'{"n": 1}\n{"n":\n2}\n', "line 2: the line is cut off"),
        (b'{"n": 1}\n{"n": 2, "n": true}', r"line 2: the line is not a record"),
    ],
)
def test_broken_lines_are_named(
    place: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, said: str, chunk: int
) -> None:
    monkeypatch.setattr(module, "_CHUNK", chunk)
    with pytest.raises(FormatError, match=said):
        [*a_log(place, data).records(Record, "a record")]


def test_the_longest_line(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_LINE", 50)
    monkeypatch.setattr(module, "_CHUNK", 16)
    assert len([*a_log(place, b"a" * 50 + b"\n" + b"b" * 50).lines()]) == 2
    for data in (b"\n" + b"a" * 51 + b"\n", b"\n" + b"a" * 51, b"\n" + b"a" * 200):
        with pytest.raises(FormatError, match="line 2: the line is longer"):
            [*a_log(place, data).lines()]


def test_the_hash_of_a_file_that_was_not_read_to_its_end(place: Path) -> None:
    log = a_log(place, b'{"n": 1}\n' * 10)
    next(log.records(Record, "a record"))
    assert log.source("tool").sha256 == sha256(log)


def test_no_thread_is_left_behind(place: Path) -> None:
    before = threading.active_count()
    log = a_log(place, b'{"n": 1}\n{"n": "x"}\n')
    records = log.records(Record, "a record")
    with pytest.raises(FormatError):
        next(records)
    for _ in log.lines():
        break
    assert threading.active_count() == before
