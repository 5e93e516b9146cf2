"""Parts of a table that is counted in passing: files here, or objects in a store."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

from deadheat.errors import InputError

STORE = "://"
"""What an address in a store has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a table.

    Attributes
    ----------
    path : str
        File, or address of an object in a store that fsspec knows.
    size : int or None
        Bytes that it has where it was listed; None where the store does not say.
    """

    path: str
    size: int | None


def part_of(path: str) -> Part:
    """Return the file at a path."""
    return Part(path=path, size=os.path.getsize(path))


def parts_in_store(address: str) -> tuple[Part, ...]:
    """Return the Parquet files below an address, in order.

    Raises
    ------
    InputError
        If there are none, or the store cannot be listed.
    """
    try:
        import fsspec
    except ImportError:
        raise InputError(
            "addresses in a store need the package fsspec, which is not installed.",
            where=address,
            fix="pip install 'deadheat[cluster]'",
        ) from None
    try:
        system, root = fsspec.core.url_to_fs(address)
        found = system.find(root, detail=True)
    # Each store has errors of its own: of rights, of the network, of a package that it needs.
    except Exception as error:
        raise InputError(f"the store cannot be listed: {error}.", where=address) from None
    names = sorted(name for name in found if name.endswith(".parquet"))
    if not names:
        raise InputError("there is no Parquet file there.", where=address, fix="Check the address.")
    return tuple(
        Part(path=system.unstrip_protocol(name), size=found[name].get("size")) for name in names
    )


@contextmanager
def on_disk(part: Part) -> Iterator[tuple[str, str]]:
    """Give the path of a file with a part in it, and the SHA-256 of its bytes.

    An object in a store is brought to a temporary file piece by piece, so that none has to fit
    into memory.

    Raises
    ------
    InputError
        If it is not as long as where it was listed, or is written to meanwhile.
    """
    if STORE in part.path:
        import fsspec

        system, name = fsspec.core.url_to_fs(part.path)
        with TemporaryDirectory(prefix="deadheat-") as folder:
            file = os.path.join(folder, "part.parquet")
            system.get_file(name, file)
            _check_size(part, os.path.getsize(file))
            yield file, digest(file)
        return
    before = _stamp(part.path)
    _check_size(part, os.path.getsize(part.path))
    yield part.path, digest(part.path)
    if _stamp(part.path) != before:
        raise InputError(
            "the file was written to while it was counted.",
            where=part.path,
            fix="Try again when it is whole.",
        )


def _check_size(part: Part, size: int) -> None:
    if part.size is not None and size != part.size:
        raise InputError(
            f"it has {size:,} bytes where it was to be counted, and had {part.size:,} where it was "
            "listed.",
            where=part.path,
            fix="Wait until it is whole, and see that all workers see the same files.",
        )


def _stamp(path: str) -> tuple[int, int, int]:
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns


def check_alike(first: str, wanted: Mapping[str, Any], path: str, found: Mapping[str, Any]) -> None:
    """Refuse a part whose columns are of other types than those of the first.

    Raises
    ------
    InputError
        If one of the columns that are wanted is missing, or of another type.
    """
    for name, kind in wanted.items():
        if name not in found:
            what = f"there is no column {name!r}, which {first} has."
        elif found[name] != kind:
            what = f"the column {name!r} is of {found[name]}, and in {first} of {kind}."
        else:
            continue
        raise InputError(
            what, where=path, fix="Write all parts with the same columns of the same types."
        )


def digest(path: str) -> str:
    """Return the SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
