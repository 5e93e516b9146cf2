"""Fixtures that every test may ask for."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# The suite has to say the same thing every time it runs, on machines of any speed.
settings.register_profile("deadheat", deadline=None, derandomize=True)
settings.load_profile("deadheat")

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of the real data sets, where it lies beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("the shared data sets are not beside this checkout")
    return SHARED


@pytest.fixture(scope="module")
def cheap_collection() -> Iterator[None]:
    """Leave what is there out of collections: statsmodels collects garbage at every call."""
    gc.freeze()
    yield
    gc.unfreeze()
