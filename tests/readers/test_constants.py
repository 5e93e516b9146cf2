"""NaN and Infinity, which JSON does not have, beside texts that only look like them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.readers.records import without_constants

TEXTS = st.text(alphabet=st.sampled_from('NaInfty-"\\, :[]{}é\n'), max_size=8) | st.sampled_from(
    ["NaN", "-Infinity", '"NaN', "Infinity\\", "-NaN,NaN"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_they_become_null_and_nothing_else_changes(
    value: Any, indent: int | None, plain: bool
) -> None:
    document = json.dumps(value, indent=indent, ensure_ascii=plain)
    expected = json.loads(document, parse_constant=lambda constant: None)
    assert json.loads(without_constants(document.encode()), parse_constant=pytest.fail) == expected
