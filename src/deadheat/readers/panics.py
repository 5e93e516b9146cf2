"""Damaged Parquet: polars may panic, and then writes to standard error what nobody asked for."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What reading Parquet may raise."""


@contextmanager
def quiet() -> Iterator[None]:
    """Keep back what is written to standard error by a panic, and by nothing else.

    The panic itself is raised: it is no `Exception`, and one of `ERRORS`.
    """
    try:
        sys.stderr.flush()
        kept = os.dup(2)
    except (AttributeError, OSError, ValueError):  # There is no standard error.
        yield
        return
    panicked = False
    with tempfile.TemporaryFile() as held:
        os.dup2(held.fileno(), 2)
        try:
            yield
        except pl.exceptions.PanicException:
            panicked = True
            raise
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            held.seek(0)
            if not panicked and (said := held.read()):
                os.write(2, said)
