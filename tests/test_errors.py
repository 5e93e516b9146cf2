"""What errors say: what was found, where, what resolves it."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat import errors
from deadheat.errors import (
    AlignmentError,
    DeadheatError,
    FormatError,
    InferenceError,
    InputError,
    MetricError,
    UsageError,
    known,
)

KINDS = (UsageError, InputError, FormatError, AlignmentError, MetricError, InferenceError)


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_one_of_ours(kind: type[DeadheatError]) -> None:
    assert issubclass(kind, DeadheatError)
    assert kind.__name__ in str(errors.__doc__)


def test_the_tree() -> None:
    assert issubclass(FormatError, InputError)
    assert issubclass(AlignmentError, InputError)
    assert not issubclass(UsageError, InputError)
    assert not issubclass(MetricError, InputError)


@pytest.mark.parametrize(
    ("where", "fix", "said"),
    [
        ("", "", "The file is empty."),
        ("a.csv", "", "a.csv: The file is empty."),
        ("", "Give another.", "The file is empty. Give another."),
        ("a.csv, line 3", "Give another.", "a.csv, line 3: The file is empty. Give another."),
    ],
)
def test_one_paragraph(where: str, fix: str, said: str) -> None:
    error = InputError("The file is empty.", where=where, fix=fix)
    assert str(error) == said
    assert (error.found, error.where, error.fix) == ("The file is empty.", where, fix)


@pytest.mark.parametrize("kind", KINDS)
def test_errors_survive_a_process_boundary(kind: type[DeadheatError]) -> None:
    error = kind("found.", where="here", fix="fix.")
    try:
        copied = pickle.loads(pickle.dumps(error))
    except TypeError as failure:
        pytest.fail(f"{kind.__name__} cannot be pickled: {failure}")
    assert type(copied) is kind
    assert str(copied) == str(error)


def test_known_lists_in_order_and_the_nearest_first() -> None:
    assert known(["mcc", "accuracy", "f1"]) == "Known: accuracy, f1, mcc."
    assert known(["mcc", "accuracy"], "acuracy") == "Did you mean accuracy? Known: accuracy, mcc."
    assert known(["mcc", "accuracy"], "zzz") == "Known: accuracy, mcc."
    assert known([]) == "None are known."
    assert known([], "x") == "None are known."
    assert known(iter(["b", "a"])) == "Known: a, b."
    assert known(["score_a", "score_b"], "score") == (
        "Did you mean score_b or score_a? Known: score_a, score_b."
    )


@given(names=st.sets(st.text("abcde", min_size=1, max_size=6), min_size=1), wanted=st.text("abcde"))
def test_known_loses_no_name(names: set[str], wanted: str) -> None:
    said = known(names, wanted)
    listed = said.partition("Known: ")[2].removesuffix(".").split(", ")
    assert listed == sorted(names)
