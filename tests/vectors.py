"""Right values from independent sources, by topic.

`tests/vectors.json` is our own copy of the vectors that the suite needs; where the shared file
lies beside the checkout, `test_vectors_copy.py` holds the copy against it.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SHARED = HERE.parents[1] / "shared" / "vectors.json"


@cache
def _all() -> list[dict[str, Any]]:
    return list(json.loads((HERE / "vectors.json").read_text(encoding="utf-8"))["vectors"])


def vectors(topic: str, function: str | None = None) -> list[dict[str, Any]]:
    """Vectors whose topic starts with `topic`, of one function when it is named."""
    found = [
        v for v in _all() if v["topic"].startswith(topic) and function in (None, v["function"])
    ]
    assert found, f"no vectors of topic {topic!r} and function {function!r}"
    return found


def close(vector: dict[str, Any], field: str, got: float) -> bool:
    """Whether `got` is the expected value of a field, within the vector's own tolerance."""
    expected = vector["expected"][field]
    if expected is None:
        return math.isnan(got)
    tolerance = vector["tolerance"]
    return abs(got - expected) <= tolerance["abs"] + tolerance["rel"] * abs(expected)
