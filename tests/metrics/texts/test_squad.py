"""SQuAD's exact match and F1 by hand and by algebra."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.metrics import squad_em, squad_f1
from deadheat.metrics.metric import OfSums, Settings
from vectors import close, vectors

MODULES = {"squad_em": squad_em, "squad_f1": squad_f1}

answers = st.lists(
    st.sampled_from(["td", "Goal", "the", "A", "x.", "-", "won", " "]), max_size=6
).map(" ".join)


def made(name, *steps):
    return MODULES[name].metric(Settings(name=name, normalize=steps))


def scored(name, references, output, *steps):
    ((score, one),) = made(name, *steps).statistics([tuple(references)], [output])
    assert one == 1.0
    return float(score)


@pytest.mark.parametrize("vector", vectors("metrics.qa"), ids=lambda vector: vector["name"])
def test_vectors(vector):
    given = vector["input"]
    for field in ("em", "f1"):
        assert close(vector, field, scored(f"squad_{field}", given["golds"], given["pred"]))


@pytest.mark.parametrize(
    ("references", "output", "em", "f1"),
    [
        (["Denver Broncos"], "the Denver Broncos.", 1, 1),
        (["Denver Broncos"], "Broncos Denver", 0, 1),
        (["Denver Broncos"], "Broncos", 0, 2 / 3),
        (["Denver Broncos", "Broncos"], "BRONCOS", 1, 1),
        (["1 2 3 4"], "3 4 5 6 7 8", 0, 0.4),
        # Marks are deleted, not made spaces.
        (["well-known"], "wellknown", 1, 1),
        (["U.S."], "US", 1, 1),
        # Only those of ASCII.
        (["“yes”"], "yes", 0, 0),
        # Articles are left out as words only.
        (["theme"], "the me", 0, 0),
        (["an a the"], "", 1, 1),
        ([""], "no", 0, 0),
        (["no"], "", 0, 0),
        (["no", ""], "", 1, 1),
        # CASES row 60: what is said twice is counted twice.
        (["td"], "td td", 0, 2 / 3),
        (["td td"], "td", 0, 2 / 3),
        (["td goal"], "td td td td", 0, 1 / 3),
    ],
)
def test_by_hand(references, output, em, f1):
    assert scored("squad_em", references, output) == em
    assert scored("squad_f1", references, output) == pytest.approx(f1, abs=1e-15)


def test_steps_come_before_the_rules():
    assert scored("squad_em", ["café"], "cafe") == 0
    assert scored("squad_em", ["café"], "cafe", "accents") == 1
    assert scored("squad_em", ["cafe"], "café", "accents") == 1
    assert made("squad_em", "accents").signature == "squad_em|norm:accents|v:1"


@pytest.mark.parametrize("name", MODULES)
def test_what_it_is(name):
    metric = made(name)
    assert isinstance(metric, OfSums)
    assert (metric.name, metric.takes, metric.is_mean) == (name, "texts", True)
    assert (metric.bounds, metric.greater_is_better) == ((0.0, 1.0), True)
    assert metric.signature == f"{name}|v:1"
    assert metric.statistics([], []).shape == (0, 2)


@given(reference=answers, output=answers)
@settings(max_examples=200)
def test_f1_by_crossing_out(reference, output):
    def parts(text):
        kept = "".join(c for c in text.lower() if c not in ".-").split()
        return [word for word in kept if word not in ("a", "the")]

    left, said = parts(reference), parts(output)
    total = len(left) + len(said)
    for word in said:
        if word in left:
            left.remove(word)
    crossed = len(parts(reference)) - len(left)
    right = 2 * crossed / total if total else 1.0
    assert scored("squad_f1", [reference], output) == pytest.approx(right, abs=1e-12)
    assert scored("squad_em", [reference], output) == (parts(reference) == said)


@given(references=st.lists(answers, min_size=1, max_size=4), output=answers)
@settings(max_examples=100)
def test_the_best_reference_counts(references, output):
    for name in MODULES:
        each = [scored(name, [reference], output) for reference in references]
        assert scored(name, references, output) == max(each)
    assert scored("squad_em", references, output) <= scored("squad_f1", references, output)
