"""ZIP archives: what they hold, within bounds, and what is refused of them."""

from __future__ import annotations

import dataclasses
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import FormatError, InputError
from deadheat.readers import archives
from deadheat.readers.archives import Archive
from readers.logs.builders.zipped import Method, Packed, archive, packed, zstd

METHODS: tuple[Method, ...] = ("stored", "deflate", "zstd", "frames")


def held(path: Path) -> dict[str, bytes]:
    with path.open("rb") as file:
        found = Archive(file, str(path))
        return {name: b"".join(found.chunks(name)) for name in found.entries}


def refused(path: Path, match: str) -> None:
    with pytest.raises(FormatError, match=match):
        held(path)


def one(**fields: Any) -> Packed:
    return dataclasses.replace(packed("one.json", b"content"), **fields)


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=9).filter(str.isprintable), st.binary(), max_size=5
    ),
    st.binary(max_size=30).filter(lambda comment: b"PK" not in comment),
    st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
)
def test_what_the_standard_library_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory, content: dict[str, bytes], comment: bytes, method: int
) -> None:
    path = tmp_path_factory.mktemp("zip") / "a.zip"
    with zipfile.ZipFile(path, "w", method) as file:
        file.comment = comment
        for name, data in content.items():
            with file.open(name, "w", force_zip64=True) as entry:
                entry.write(data)
    assert held(path) == content


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("wide", [False, True])
def test_every_method_and_the_records_of_large_archives(
    tmp_path: Path, method: Method, wide: bool
) -> None:
    content = {
        "a": b"",
        "b/c.json": b"x" * (9_999 if method == "frames" else 3_000_000),
        "d": bytes(range(256)) * 11,
    }
    path = archive(
        tmp_path / "a.zip",
        [packed(n, c, method) for n, c in content.items()],
        wide=wide,
        comment=b"c",
    )
    assert held(path) == content


def test_chunks_are_bounded(tmp_path: Path) -> None:
    for method in METHODS[:3]:
        path = archive(tmp_path / "a.zip", [packed("a", bytes(5 << 20), method)])
        with path.open("rb") as file:
            sizes = [*map(len, Archive(file, "").chunks("a"))]
        assert sum(sizes) == 5 << 20
        assert max(sizes) <= 1 << 20


def test_two_entries_may_be_read_by_turns(tmp_path: Path) -> None:
    content = {"a": bytes(3 << 20), "b": b"\1" * (3 << 20)}
    path = archive(tmp_path / "a.zip", [packed(n, c, "stored") for n, c in content.items()])
    with path.open("rb") as file:
        found = Archive(file, "")
        pairs = [*zip(found.chunks("a"), found.chunks("b"), strict=True)]
    assert b"".join(b for _, b in pairs) == content["b"]


def test_the_last_of_a_name_counts(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", [packed("a", b"1"), packed("b", b"2"), packed("a", b"3")])
    assert held(path) == {"b": b"2", "a": b"3"}
    with path.open("rb") as file:
        assert Archive(file, "").replaced == ["a"]


def test_names_are_keys_and_nothing_else(tmp_path: Path) -> None:
    names = ["../../up", "/etc/passwd", "C:\\x", "a\0b", "", "con"]
    path = archive(tmp_path / "in" / "a.zip", [packed(name, b"x") for name in names])
    assert [*held(path)] == names
    assert [*tmp_path.rglob("*")] == [tmp_path / "in", path]


def test_no_prefix_of_an_archive_is_one(tmp_path: Path) -> None:
    whole = archive(tmp_path / "a.zip", [packed("a", b"content"), packed("b", b"")]).read_bytes()
    for end in range(len(whole)):
        path = tmp_path / "cut.zip"
        path.write_bytes(whole[:end])
        refused(path, "cut off, or still being written")


@pytest.mark.parametrize(
    ("entries", "match"),
    [
        ([one(flags=1)], "encrypted"),
        ([one(method=14)], r"not read \(LZMA\)"),
        ([one(method=77)], r"not read \(77\)"),
        ([one(crc=1)], "checksum"),
        ([one(size=6)], "holds more than the 6 bytes"),
        ([one(size=8)], "its size or its checksum"),
        ([one(method=93)], "damaged"),
        ([one(method=8, data=b"\xff\xff")], "damaged"),
        ([one(method=8, data=b"\3")], "damaged"),
        ([one(method=93, data=zstd(b"content" * 99, 999)[:-5])], "cut off"),
        ([one(method=8, data=one().data[:-2])], "cut off"),
        ([one(), one(at=0)], "lie over each other"),
        ([one(method=0, data=b"", size=0, crc=0, at=9_999)], "lie over each other"),
        ([one(size=3 << 30)], "250 times its size"),
    ],
)
def test_what_is_refused(tmp_path: Path, entries: Sequence[Packed], match: str) -> None:
    refused(archive(tmp_path / "a.zip", entries), match)


def test_an_entry_that_calls_itself_something_else(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", [one()])
    path.write_bytes(path.read_bytes().replace(b"one.json", b"two.json", 1))
    refused(path, "not where the directory says")


def test_an_entry_that_claims_the_bytes_of_the_next(tmp_path: Path) -> None:
    """Quoted overlap: the data of one entry are the header and the data of another."""
    inner = archive(tmp_path / "inner.zip", [one()]).read_bytes()
    outer = packed("outer", inner, "stored")
    shared = one(at=30 + len(b"outer"), data=b"", crc=zlib.crc32(b"content"))
    refused(archive(tmp_path / "a.zip", [outer, shared]), "lie over each other")


def test_a_directory_that_is_wrong_about_itself(tmp_path: Path) -> None:
    whole = archive(tmp_path / "a.zip", [one()]).read_bytes()
    end = whole.index(b"PK\5\6")
    path = tmp_path / "b.zip"
    for at, value, match in (
        (4, b"\1", "one part of several"),
        (8, b"\2", "one part of several"),
        (12, b"\1", "not where it says"),
        (16, b"\1", "not where it says"),
    ):
        path.write_bytes(whole[: end + at] + value + whole[end + at + 1 :])
        refused(path, match)
    path.write_bytes(whole.replace(b"PK\1\2", b"PK\1\3"))
    refused(path, "its directory is not one")
    path.write_bytes(b"#!stub\n" + whole)
    refused(path, "not where it says")


def test_more_entries_than_any_log_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path / "a.zip", [packed(str(k), b"") for k in range(70_000)])
    with path.open("rb") as file:
        assert len(Archive(file, "").entries) == 70_000
    monkeypatch.setattr(archives, "MOST_ENTRIES", 69_999)
    refused(path, "70,000 entries; 69,999 are read")


def test_an_archive_made_to_fill_a_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is read counts, entry after entry."""
    path = archive(tmp_path / "a.zip", [packed(name, bytes(1 << 20)) for name in "abc"])
    assert path.stat().st_size < 4_000
    monkeypatch.setattr(archives, "LEAST_ALLOWED", 5 << 19)
    monkeypatch.setattr(archives, "GROWTH", 1)
    with path.open("rb") as file:
        found = Archive(file, "")
        for name in "ab":
            assert found.data(name, 1 << 20) == bytes(1 << 20)
        with pytest.raises(FormatError, match="made to fill a memory"):
            found.data("c", 1 << 20)
        with pytest.raises(FormatError, match="more than the 0 MB"):
            found.data("a", 1_000)


def test_an_entry_of_countless_frames(tmp_path: Path) -> None:
    frames = zstd(b"", 1) * 5_000
    path = archive(tmp_path / "a.zip", [one(data=frames, method=93, size=0, crc=0)])
    refused(path, "more than 4,096 frames")


def test_a_frame_that_asks_for_more_memory_than_any_log(tmp_path: Path) -> None:
    """RFC 8878, 3.1.1.1.2: a window descriptor of 0xA0 asks for a gigabyte."""
    frame = b"\x28\xb5\x2f\xfd\x00\xa0" + b"\x01\x00\x00"
    refused(archive(tmp_path / "a.zip", [one(data=frame, method=93, size=0, crc=0)]), "damaged")


def test_without_the_module_for_zstandard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path / "a.zip", [packed("a", b"content", "zstd")])
    monkeypatch.setattr(archives, "_zstd", lambda: None)
    with pytest.raises(InputError, match=r"pip install backports\.zstd"):
        held(path)
    assert held(archive(tmp_path / "b.zip", [packed("a", b"1")])) == {"a": b"1"}


@given(st.data())
def test_no_byte_that_is_changed_does_harm(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """What comes out is what went in, or an error that says so."""
    content = {"samples/1.json": b'{"a": 1}' * 40, "b": b"x" * 9}
    entries = [packed(n, c, data.draw(st.sampled_from(METHODS))) for n, c in content.items()]
    path = archive(tmp_path_factory.mktemp("zip") / "a.zip", entries, wide=data.draw(st.booleans()))
    whole = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(whole)
    try:
        found = held(path)
    except FormatError:
        return
    assert set(found.values()) <= set(content.values())
