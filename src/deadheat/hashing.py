r"""Hashes of rows and of columns, defined so that any language can recompute them.

**A value** becomes a one-letter tag, the length of its payload in bytes as a decimal number, a
colon and the payload:

======== === ===============================================================
value    tag payload
======== === ===============================================================
text     t   its UTF-8 bytes
integer  i   decimal digits, with ``-`` in front of a negative one
real     f   the 64 bits of IEEE 754 as 16 lower-case hexadecimal digits
truth    b   ``true`` or ``false``
JSON     j   canonical JSON in UTF-8, see below
list     l   the concatenation of its entries, each encoded by this table
missing  n   empty, so that ``n0:`` is all of it
======== === ===============================================================

Minus zero is hashed as zero. **JSON** stands for a list or an object that was read as the output
or the reference of an item, and for plain values in a column where others are lists or objects. It
is canonical: no blanks, fields sorted by name; in texts only ``"``, ``\`` and control characters
below U+0020 are escaped (``\b``, ``\f``, ``\n``, ``\r``, ``\t``, else such as ``\u001f``); reals by
the fewest digits that give the same number, ``1.0`` with its point, with an exponent (``1e16``,
``1e-6``) from 1e16 on and below 1e-5. **A list** is what the runs of an item have, in their order.
**A row** is the concatenation of its values.

**A column** of integers, reals or truths without missing values becomes ``I``, ``F`` or ``B``,
the number of values in decimal, a colon and the values as they lie in memory (little-endian
64-bit integers or IEEE 754 numbers, one byte 0 or 1 for a truth). Any other column becomes
``L``, the number of values, a colon and the concatenation of its values as above. A column that
was not given is ``N0:``.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import numpy as np
import polars as pl

_ROWS = 65536

_TAGS = {pl.String: "t", pl.Boolean: "b", pl.Binary: "j"}


def row_set_hash(
    items: pl.Series | None,
    references: pl.Series | None = None,
    clusters: pl.Series | None = None,
    strata: pl.Series | None = None,
    *,
    n: int,
) -> str:
    """Return the hash of a set of rows: their number, a hyphen and 64 hexadecimal digits.

    With item ids it is the sum, modulo 2 to the 256th, of the SHA-256 digests of all rows read as
    big-endian numbers; a row is (item id, reference, cluster, stratum), see the module's
    docstring. The sum does not depend on the order of the rows. Without ids there is only the
    order to go by: it is the SHA-256 digest of the reference, cluster and stratum columns, one
    after the other.

    Parameters
    ----------
    items, references, clusters, strata : polars.Series or None
        Columns of length `n` of type String, Int64 (Int128 where a number needs it), Float64,
        Boolean, Binary (canonical JSON) or List of any of these; None where not given, which in a
        row is the same as a missing value.
    n : int
        Number of rows.

    Examples
    --------
    Two questions with references, no clusters and no strata, recomputed by hand:

    >>> from hashlib import sha256
    >>> rows = b"t2:q1i1:1n0:n0:", b"t2:q2i2:-5n0:n0:"
    >>> total = sum(int.from_bytes(sha256(row).digest(), "big") for row in rows) % 2**256
    >>> got = row_set_hash(pl.Series(["q2", "q1"]), pl.Series([-5, 1]), n=2)
    >>> got == f"2-{total:064x}"
    True
    >>> got
    '2-5e2a0010459359b816c7aaa50846893cbf299723a759e5e0a7e2e5e711bb7e83'

    Without ids:

    >>> column = b"I2:" + (-5).to_bytes(8, "little", signed=True) + (1).to_bytes(8, "little")
    >>> row_set_hash(None, pl.Series([-5, 1]), n=2) == (
    ...     f"2-{sha256(column + b'N0:' + b'N0:').hexdigest()}"
    ... )
    True
    """
    if items is None:
        return f"{n}-{_columns_digest(references, clusters, strata)}"
    row = (items, references, clusters, strata)
    encoded = [_values(column) for column in row if column is not None]
    # An absent column is the constant n0: in its place.
    places = iter(range(len(encoded)))
    parts = [pl.lit("n0:") if column is None else pl.col(f"{next(places)}") for column in row]
    frame = pl.DataFrame({f"{k}": column for k, column in enumerate(encoded)})
    words = np.zeros(8, dtype=np.uint64)
    for start in range(0, n, _ROWS):
        rows = frame[start : start + _ROWS].select(
            pl.concat_str(parts).cast(pl.Binary).alias("row")
        )
        digests = b"".join([sha256(row).digest() for row in rows["row"].to_list()])
        words += np.frombuffer(digests, ">u4").reshape(-1, 8).sum(axis=0, dtype=np.uint64)
    total = sum(int(word) << (32 * (7 - place)) for place, word in enumerate(words))
    return f"{n}-{total % 2**256:064x}"


def answers_hash(
    outputs: pl.Series | None, scores: pl.Series | None, units: pl.Series | None = None
) -> str:
    """Return the hash of what one system did, 64 hexadecimal digits.

    It is the SHA-256 digest of the column of outputs followed by the column of scores, see the
    module's docstring, both in the order of the item ids (numbers by value, text by its UTF-8
    bytes) or, without ids, as given. Where rows are kinds of items, the column of how many items
    are of each kind follows.

    Examples
    --------
    >>> import struct
    >>> from hashlib import sha256
    >>> columns = b"L2:" + b"t3:yesn0:" + b"F2:" + struct.pack("<2d", 1.0, 0.5)
    >>> answers_hash(pl.Series(["yes", None]), pl.Series([1.0, 0.5])) == (
    ...     sha256(columns).hexdigest()
    ... )
    True

    Outputs that are lists of tags, and what two runs gave each of two items:

    >>> tags, runs = pl.Series([b'["B","O"]', b"[]"]), pl.Series([["x", None], ["y"]])
    >>> answers_hash(tags, None) == sha256(b'L2:j9:["B","O"]j2:[]' + b"N0:").hexdigest()
    True
    >>> answers_hash(runs, None) == sha256(b"L2:l7:t1:xn0:l4:t1:y" + b"N0:").hexdigest()
    True
    """
    return _columns_digest(outputs, scores, *(() if units is None else (units,)))


def _columns_digest(*columns: pl.Series | None) -> str:
    hasher = sha256()
    for column in columns:
        for piece in _pieces(column):
            hasher.update(piece)
    return hasher.hexdigest()


def _pieces(column: pl.Series | None) -> Iterator[Any]:
    if column is None:
        yield b"N0:"
        return
    size = f"{len(column)}:".encode()
    raw = None if column.null_count() else _in_memory(column)
    if raw is not None:
        yield raw[0] + size
        yield np.ascontiguousarray(raw[1])
        return
    yield b"L" + size
    for start in range(0, len(column), _ROWS):
        yield "".join(_values(column[start : start + _ROWS]).to_list()).encode()


def _in_memory(column: pl.Series) -> tuple[bytes, np.ndarray[Any, Any]] | None:
    if column.dtype == pl.Int64:
        return b"I", column.to_numpy().astype("<i8", copy=False)
    if column.dtype == pl.Float64:
        return b"F", (column.to_numpy() + 0.0).astype("<f8", copy=False)
    if column.dtype == pl.Boolean:
        return b"B", column.to_numpy().astype(np.uint8)
    return None


def _values(column: pl.Series) -> pl.Series:
    """Encode every value of a column as text."""
    if column.dtype == pl.Float64:
        bits = (column.fill_null(0.0).to_numpy() + 0.0).astype(">f8").tobytes().hex()
        payload = pl.Series([bits[k : k + 16] for k in range(0, len(bits), 16)], dtype=pl.String)
        payload = pl.select(pl.when(column.is_not_null()).then(payload)).to_series()
        tag = "f"
    elif isinstance(column.dtype, pl.List):
        payload = _entries(column)
        tag = "l"
    else:
        payload = column.cast(pl.String)
        tag = next((tag for dtype, tag in _TAGS.items() if column.dtype == dtype), "i")
    length = payload.str.len_bytes().cast(pl.String)
    return pl.select(
        pl.concat_str(pl.lit(tag), length, pl.lit(":"), payload).fill_null("n0:")
    ).to_series()


def _entries(column: pl.Series) -> pl.Series:
    """Encode the entries of every list, one after the other; null where there is no list."""
    lengths = column.list.len().fill_null(0)
    # An empty list has no entry to explode into, and a missing one is none.
    filled = (lengths > 0).arg_true()
    rows = np.repeat(filled.to_numpy(), lengths.gather(filled).to_numpy())
    encoded = pl.DataFrame({"row": rows, "entry": _values(column.gather(filled).explode())})
    joined = encoded.group_by("row", maintain_order=True).agg(pl.col("entry").str.join(""))
    payload = pl.select(pl.when(column.is_not_null()).then(pl.lit(""))).to_series()
    return payload.scatter(filled, joined["entry"])
