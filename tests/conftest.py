"""Fixtures that every test may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of the real data sets, where it lies beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("the shared data sets are not beside this checkout")
    return SHARED
