"""Ways to damage a file: bytes, values of JSON, entries and headers of archives, columns."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import polars as pl

DEEP = 20_000
"""Levels of nesting that are put in; Python's own limit is 1,000."""

NUMBERS = ("NaN", "Infinity", "-Infinity", "1e400", "-0", "9" * 400, "1e-400", "-1", "0", "1",
           "2147483648", "9223372036854775808", "0.1", "18446744073709551616")  # fmt: skip
TEXTS = ("", "\x00", "\ud800", "é" * 3, "\u2028", "../../etc/passwd", "NaN", "a" * 10_000, "1",
         "$ERROR$", "\ufeff", "2025-01-01T00:00:00", "/", "C", "0.5", "-1")  # fmt: skip


class Written:
    """A number as it is to be written, whatever JSON says of it."""

    def __init__(self, text: str) -> None:
        self.text = text


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return a file with one to three things changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = _once(data, rng)
    return data


def _once(data: bytes, rng: random.Random) -> bytes:
    ways: list[Callable[[bytes, random.Random], bytes | None]] = [of_bytes]
    if data.startswith(b"PK"):
        ways += [of_archive, of_archive, of_archive]
    elif data.startswith(b"PAR1"):
        ways += [of_columns, of_columns]
    elif data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        ways += [of_json, of_json, of_json]
    for _ in range(4):
        found = rng.choice(ways)(data, rng)
        if found is not None:
            return found
    return of_bytes(data, rng)


def of_bytes(data: bytes, rng: random.Random) -> bytes:
    """Flip, cut, repeat, leave out or move bytes, or change what looks like a number."""
    n = len(data)
    start = rng.randrange(n + 1)
    end = min(n, start + rng.choice((1, 2, 8, 64, 512, n)))
    way = rng.randrange(9)
    if way == 0 and n:
        flipped = bytearray(data)
        for _ in range(rng.choice((1, 1, 4, 32))):
            flipped[rng.randrange(n)] ^= 1 << rng.randrange(8)
        return bytes(flipped)
    if way == 1:
        return data[:start]
    if way == 2:
        return data[:end] + data[start:]
    if way == 3:
        return data[:start] + data[end:]
    if way == 4:
        other = rng.randrange(n + 1)
        return data[:other] + data[start:end] + data[other:]
    if way == 5:
        return data[:start] + rng.choice(NUMBERS).encode() + data[start:]
    if way == 6:
        return data[:start] + b"[" * DEEP + data[start:]
    if way == 7:
        lines = data.split(b"\n")
        rng.shuffle(lines)
        return b"\n".join(lines[: rng.randrange(len(lines) + 1)])
    digits = [at for at, byte in enumerate(data[:20_000]) if 48 <= byte <= 57]
    if not digits:
        return data[:start]
    at = rng.choice(digits)
    return data[:at] + rng.choice(NUMBERS).encode() + data[at + 1 :]


# JSON


def of_json(data: bytes, rng: random.Random) -> bytes | None:
    """Change a value of a document, or of one of its lines; None where it is no JSON."""
    try:
        return written(_changed(json.loads(data), rng))
    except (ValueError, RecursionError):
        pass
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        lines[at] = written(_changed(json.loads(lines[at]), rng))
    except (ValueError, RecursionError):
        return None
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines) + 1), lines[at])
    return b"\n".join(lines)


def _changed(tree: Any, rng: random.Random) -> Any:
    """Change one value, or the whole."""
    places = list(_places(tree))
    if not places or rng.random() < 0.02:
        return _other(tree, rng)
    # Places near the root are few and decide most.
    depth = rng.randrange(max(len(path) for path in places)) + 1
    near = [path for path in places if len(path) <= depth]
    path = rng.choice(near)
    holder = tree
    for step in path[:-1]:
        holder = holder[step]
    key = path[-1]
    way = rng.randrange(6)
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), holder[key])
    elif way == 1 and isinstance(holder, dict):
        holder[rng.choice([*holder, "new", ""])] = holder[key]
    elif way == 2 and isinstance(holder, dict):
        holder[str(key) + rng.choice(("", "_", "2", "\x00"))] = holder.pop(key)
    elif way == 3:
        other = tree
        for step in (other_path := rng.choice(places)):
            other = other[step]
        if len(other_path) >= len(path):
            holder[key] = other
        else:
            holder[key] = None
    else:
        holder[key] = _other(holder[key], rng)
    return tree


def _other(value: Any, rng: random.Random) -> Any:
    """Return a value of another kind, or another one of the same."""
    made: list[Callable[[], Any]] = [
        lambda: None,
        lambda: rng.random() < 0.5,
        lambda: Written(rng.choice(NUMBERS)),
        lambda: Written(rng.choice(NUMBERS)),
        lambda: rng.choice(TEXTS),
        list,
        dict,
        lambda: [value],
        lambda: {"value": value},
        lambda: [value] * 3,
        lambda: str(value)[:100],
        lambda: Written("[" * DEEP + "]" * DEEP),
        lambda: Written('{"a":' * DEEP + "1" + "}" * DEEP),
    ]
    return rng.choice(made)()


def _places(tree: Any, most: int = 4_000) -> list[tuple[Any, ...]]:
    """Return the paths of values, the outer ones first."""
    found: list[tuple[Any, ...]] = []
    level: list[tuple[tuple[Any, ...], Any]] = [((), tree)]
    while level and len(found) < most:
        below = []
        for path, value in level:
            if isinstance(value, dict):
                inner = [((*path, key), kept) for key, kept in value.items()]
            elif isinstance(value, list):
                inner = [((*path, at), kept) for at, kept in enumerate(value)]
            else:
                continue
            found.extend(path for path, _ in inner)
            below.extend(inner)
        level = below
    return found[:most]


def written(tree: Any) -> bytes:
    """Return JSON in which `Written` numbers stand as they are."""
    kept: list[str] = []

    def mark(value: Any) -> Any:
        if isinstance(value, Written):
            kept.append(value.text)
            return f"\x01{len(kept) - 1}\x01"
        raise TypeError(type(value).__name__)

    text = json.dumps(tree, default=mark)
    for number, what in enumerate(kept):
        text = text.replace(f'"\\u0001{number}\\u0001"', what)
    return text.encode("utf-8", "surrogatepass")


# Archives

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)
NAMES = ("../../out.json", "/abs.json", "samples/../x.json", "header.json", "summaries.json", "",
         "samples/1_epoch_1.json", "a\\..\\b.json", "samples/" + "x" * 5_000)  # fmt: skip


def of_archive(data: bytes, rng: random.Random) -> bytes | None:
    """Change an entry, its name or its packing, or a number in a header."""
    if rng.random() < 0.4:
        return _header_changed(data, rng)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except (zipfile.BadZipFile, NotImplementedError, OSError, RuntimeError, ValueError,
            EOFError, struct.error, zlib.error):  # fmt: skip
        return None
    if not entries:
        return None
    at = rng.randrange(len(entries))
    name, content = entries[at]
    way = rng.randrange(8)
    if way == 0:
        del entries[at]
    elif way == 1:
        entries.insert(rng.randrange(len(entries) + 1), (name, content))
    elif way == 2:
        entries[at] = (rng.choice(NAMES), content)
    elif way == 3:
        entries.append((rng.choice(NAMES), content))
    elif way == 4:
        entries[at] = (name, b"0" * (1 << 26) if rng.random() < 0.05 else content * 20)
    else:
        entries[at] = (name, of_json(content, rng) or of_bytes(content, rng))
    packed = io.BytesIO()
    method = rng.choice(METHODS)
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            try:
                archive.writestr(info, content)
            except (ValueError, struct.error, UnicodeError):
                continue
    return packed.getvalue()


def _header_changed(data: bytes, rng: random.Random) -> bytes | None:
    """Change a number in the header of an entry, in the directory or at its end."""
    marks = []
    for signature, size in ((b"PK\x03\x04", 30), (b"PK\x01\x02", 46), (b"PK\x05\x06", 22)):
        at = data.find(signature)
        while at >= 0:
            marks.append((at, size))
            at = data.find(signature, at + 1)
    if not marks:
        return None
    at, size = rng.choice(marks)
    where = at + rng.randrange(4, size)
    value = rng.choice((b"\x00", b"\xff", b"\xff\xff", b"\xff\xff\xff\xff", b"\x00\x00\x00\x00",
                        rng.randbytes(1), rng.randbytes(4)))  # fmt: skip
    return data[:where] + value + data[where + len(value) :]


# Parquet


def of_columns(data: bytes, rng: random.Random) -> bytes | None:
    """Leave out, rename, empty or retype a column, or repeat or leave out rows."""
    try:
        frame = pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError):
        return None
    if not frame.width:
        return None
    name = rng.choice(frame.columns)
    n = len(frame)
    changed: dict[int, Callable[[], pl.DataFrame]] = {
        0: lambda: frame.drop(name),
        1: lambda: frame.rename({name: rng.choice(("new", name + "_", "metrics", "doc"))}),
        2: lambda: frame.with_columns(pl.lit(None, dtype=frame[name].dtype).alias(name)),
        3: lambda: frame.with_columns(pl.lit(rng.choice(TEXTS[3:])).alias(name)),
        4: lambda: frame.with_columns(pl.lit(rng.choice((1, -1.5, True, None))).alias(name)),
        5: lambda: frame.with_columns(pl.Series(name, [[k] for k in range(n)], pl.List(pl.Int64))),
        6: lambda: frame.head(rng.randrange(n + 1)),
        7: lambda: pl.concat([frame, frame]),
        8: lambda: frame.with_columns(pl.Series(name, [{"acc": float("nan")}] * n)),
        9: lambda: frame.select(rng.sample(frame.columns, frame.width)),
    }
    packed = io.BytesIO()
    try:
        changed[rng.randrange(len(changed))]().write_parquet(packed)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError):
        return None
    return packed.getvalue()
