"""Hashes against a second implementation, written from the definition with hashlib and struct."""

from __future__ import annotations

import json
import struct
from hashlib import sha256

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.hashing import answers_hash, row_set_hash

INT64 = st.integers(-(2**63), 2**63 - 1)
REAL = st.floats(allow_nan=False)
JSON = st.recursive(
    st.none() | st.text() | st.integers() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
).map(
    lambda tree: json.dumps(
        tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()
)
PLAIN = {
    pl.String: st.text(),
    pl.Int64: INT64,
    pl.Float64: REAL,
    pl.Boolean: st.booleans(),
    pl.Binary: JSON,
}
COLUMNS = PLAIN | {
    pl.List(dtype): st.lists(st.none() | values, max_size=3) for dtype, values in PLAIN.items()
}


def value(x: object) -> bytes:
    if x is None:
        tag, payload = b"n", b""
    elif isinstance(x, bool):
        tag, payload = b"b", b"true" if x else b"false"
    elif isinstance(x, bytes):
        tag, payload = b"j", x
    elif isinstance(x, list):
        tag, payload = b"l", b"".join(map(value, x))
    elif isinstance(x, int):
        tag, payload = b"i", str(x).encode()
    elif isinstance(x, float):
        tag, payload = b"f", struct.pack(">d", 0.0 if x == 0.0 else x).hex().encode()
    else:
        tag, payload = b"t", str(x).encode()
    return tag + str(len(payload)).encode() + b":" + payload


def row_sum(rows: list[tuple[object, ...]]) -> str:
    total = sum(int.from_bytes(sha256(b"".join(map(value, r))).digest(), "big") for r in rows)
    return f"{len(rows)}-{total % 2**256:064x}"


@st.composite
def columns(draw: st.DrawFn, n: int) -> pl.Series:
    dtype = draw(st.sampled_from(sorted(COLUMNS, key=str)))
    values = draw(st.lists(st.none() | COLUMNS[dtype], min_size=n, max_size=n))
    return pl.Series(values, dtype=dtype)


@st.composite
def row_sets(draw: st.DrawFn) -> list[pl.Series | None]:
    n = draw(st.integers(1, 8))
    ids = pl.Series(draw(st.lists(st.text(), min_size=n, max_size=n)))
    return [ids, *(draw(st.none() | columns(n)) for _ in range(3))]


@given(row_sets())
def test_rows_follow_the_definition(row_set):
    n = len(row_set[0])
    lists = [[None] * n if c is None else c.to_list() for c in row_set]
    assert row_set_hash(*row_set, n=n) == row_sum(list(zip(*lists, strict=True)))


@given(row_sets(), st.randoms())
def test_order_of_rows_is_free(row_set, random):
    n = len(row_set[0])
    order = list(range(n))
    random.shuffle(order)
    shuffled = [None if c is None else c.gather(order) for c in row_set]
    assert row_set_hash(*shuffled, n=n) == row_set_hash(*row_set, n=n)


@pytest.mark.parametrize("n", [65535, 65536, 65537, 131073])
def test_blocks_of_rows_leave_no_seam(n):
    ids = pl.int_range(n, eager=True)
    assert row_set_hash(ids, n=n) == row_sum([(i, None, None, None) for i in range(n)])


def test_integers_beyond_64_bits():
    ids = pl.Series([2**64, 2**64 + 1], dtype=pl.Int128)
    assert row_set_hash(ids, n=2) == row_sum([(2**64 + k, None, None, None) for k in (0, 1)])


def test_fields_and_types_are_kept_apart():
    one, text, truth = pl.Series([1]), pl.Series(["1"]), pl.Series([True])
    hashes = {
        row_set_hash(one, n=1),
        row_set_hash(text, n=1),
        row_set_hash(truth, n=1),
        row_set_hash(pl.Series([1.0]), n=1),
        row_set_hash(one, one, n=1),
        row_set_hash(one, None, one, n=1),
        row_set_hash(one, None, None, one, n=1),
        row_set_hash(pl.Series(["ab"]), pl.Series(["c"]), n=1),
        row_set_hash(pl.Series(["a"]), pl.Series(["bc"]), n=1),
        row_set_hash(pl.Series([b"1"]), n=1),
        row_set_hash(pl.Series([["1"]]), n=1),
        row_set_hash(pl.Series([[1]]), n=1),
        row_set_hash(pl.Series([["1"], []])[:1], pl.Series([["1"], []])[1:], n=1),
    }
    assert len(hashes) == 13


def test_a_row_twice_is_not_no_row():
    assert row_set_hash(pl.Series(["a", "a"]), n=2) != row_set_hash(pl.Series(["b", "b"]), n=2)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (None, b"N0:"),
        (pl.Series([1, -2]), b"I2:" + struct.pack("<2q", 1, -2)),
        (pl.Series([0.5, -0.0]), b"F2:" + struct.pack("<2d", 0.5, 0.0)),
        (pl.Series([True, False]), b"B2:\x01\x00"),
        (pl.Series([1, None]), b"L2:i1:1n0:"),
        (pl.Series([None, -0.0]), b"L2:n0:f16:0000000000000000"),
        (pl.Series([True, None]), b"L2:b4:truen0:"),
        (pl.Series(["ä", ""]), "L2:t2:ät0:".encode()),
        (pl.Series([None, None]), b"L2:n0:n0:"),
        (pl.Series([b'["B","O"]', None]), b'L2:j9:["B","O"]n0:'),
        (pl.Series(['{"ä":1}'.encode()]), 'L1:j8:{"ä":1}'.encode()),
        (pl.Series([["x", None], [], None, ["y"]]), b"L4:l7:t1:xn0:l0:n0:l4:t1:y"),
        (pl.Series([[1, 2], [-3]]), b"L2:l8:i1:1i1:2l5:i2:-3"),
        (pl.Series([[0.5], [-0.0]]), b"L2:l20:f16:3fe0000000000000l20:f16:0000000000000000"),
        (pl.Series([[b"[]"], [None]]), b"L2:l5:j2:[]l3:n0:"),
        (pl.Series([[], None], dtype=pl.List(pl.Boolean)), b"L2:l0:n0:"),
    ],
    ids=str,
)
def test_columns_follow_the_definition(column, expected):
    assert answers_hash(column, None) == sha256(expected + b"N0:").hexdigest()
    assert answers_hash(None, column) == sha256(b"N0:" + expected).hexdigest()
    if column is not None:
        digest = sha256(expected + b"N0:N0:").hexdigest()
        assert row_set_hash(None, column, n=len(column)) == f"{len(column)}-{digest}"


def test_long_text_columns_leave_no_seam():
    labels = [f"label {k}" for k in range(65537)]
    expected = b"L65537:" + b"".join(map(value, labels)) + b"N0:"
    assert answers_hash(pl.Series(labels), None) == sha256(expected).hexdigest()


def test_without_ids_the_order_counts():
    forth, back = pl.Series([1, 2]), pl.Series([2, 1])
    assert row_set_hash(None, forth, n=2) != row_set_hash(None, back, n=2)
