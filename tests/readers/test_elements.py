"""Elements of a long JSON array, one by one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import FormatError
from deadheat.readers import elements as module
from deadheat.readers.elements import elements

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(alphabet=st.sampled_from('{}[]",\\: aé\n\u2028')),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def pieces(document: bytes, size: int) -> list[bytes]:
    return [document[at : at + size] for at in range(0, len(document), size)]


@given(
    st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=4), max_size=5),
    st.integers(1, 40),
    st.sampled_from([None, 2]),
    st.booleans(),
)
def test_they_are_those_that_json_finds(
    array: list[dict[str, Any]], size: int, indent: int | None, plain: bool
) -> None:
    document = json.dumps(array, indent=indent, ensure_ascii=plain).encode()
    found = [json.loads(one) for one in elements(pieces(document, size), "")]
    assert repr(found) == repr(array)


NO_ARRAYS = """
{}  [1]  ["a"]  [{}{}]  [{},,{}]  [,{}]  [{},]  [{}]x  [{}][{}]  x[{}]  [{}]]  [{},1]
[1,{"a":1}]  "[{}]"[{}]
"""


@pytest.mark.parametrize("document", NO_ARRAYS.split())
def test_anything_else_is_refused(document: str) -> None:
    for size in (1, 100):
        with pytest.raises(FormatError, match="an array of objects is expected"):
            [*elements(pieces(document.encode(), size), "f.json")]


def test_what_is_cut_off_is_refused() -> None:
    document = b' [{"a": "}]"}, {"b": [1, {}]}\n] '
    for end in range(1, len(document) - 2):
        with pytest.raises(FormatError, match=r"f\.json: the array is not closed"):
            [*elements([document[:end]], "f.json")]


def test_nested_too_deeply() -> None:
    for document in (b"[" * 2_000, b'[{"a":' + b"[" * 2_000):
        with pytest.raises(FormatError, match=r"expected|nested more than 1,000 deep"):
            [*elements([document], "")]


def test_an_element_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 50)
    document = b'[{"a": "' + b"x" * 100 + b'"}]'
    with pytest.raises(FormatError, match="longer than"):
        [*elements(pieces(document, 10), "")]
    many = b"[" + b",".join([b'{"a": 1}'] * 100) + b"]"
    assert len([*elements(pieces(many, 10), "")]) == 100
