"""Our copy of the vectors is the shared one, word for word, wherever both are there."""

from __future__ import annotations

import json

import pytest

from vectors import HERE, SHARED


@pytest.mark.skipif(not SHARED.exists(), reason="the shared vectors are not beside this checkout")
def test_copy_equals_shared_vectors() -> None:
    shared = {v["name"]: v for v in json.loads(SHARED.read_text(encoding="utf-8"))["vectors"]}
    copy = json.loads((HERE / "vectors.json").read_text(encoding="utf-8"))["vectors"]
    assert copy == [shared[v["name"]] for v in copy]
