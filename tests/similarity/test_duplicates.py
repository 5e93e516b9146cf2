"""Groups of texts against all pairs by sets."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.similarity import SHINGLE, duplicates, exact_groups, near_groups, normal
from deadheat.similarity.shingles import Vocabulary, shingled
from similarity.brute import grams, groups, near_pairs

TEXTS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d", "e", "?"]), max_size=14).map(" ".join),
    max_size=14,
    unique=True,
)


def as_first_members(of_text: np.ndarray) -> list[int]:
    """Groups named by their first text."""
    first = {}
    return [first.setdefault(group, at) for at, group in enumerate(of_text.tolist())]


@given(TEXTS, st.sampled_from([0.3, 0.5, 0.8, 1.0]))
def test_all_near_duplicates_are_found_and_no_others(texts: list[str], threshold: float) -> None:
    found = near_groups(texts, threshold=threshold)
    assert found is not None
    pairs = near_pairs(texts, threshold)
    assert found.n_pairs == len(pairs)
    assert as_first_members(found.of_text) == groups(len(texts), pairs)
    # Groups are numbered in the order of their first texts.
    _, first = np.unique(found.of_text, return_index=True)
    assert (np.diff(first) > 0).all()


def sentence(rng: random.Random, vocabulary: list[str]) -> list[str]:
    return rng.choices(vocabulary, k=rng.randint(12, 60))


def edited(rng: random.Random, words: list[str], vocabulary: list[str]) -> list[str]:
    """A copy, with a word changed or not."""
    copy = list(words)
    for _ in range(rng.randint(0, 1)):
        copy[rng.randrange(len(copy))] = rng.choice(vocabulary)
    return copy


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("block", [50, 2_000_000])
def test_a_larger_set_with_copies(seed: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of few pairs, too, so that edges are merged on the way."""
    monkeypatch.setattr(duplicates, "_BLOCK", block)
    rng = random.Random(seed)
    vocabulary = [f"w{k}" for k in range(60)] + ["der", "die"] * 20
    texts = [sentence(rng, vocabulary) for _ in range(60)]
    texts += [edited(rng, rng.choice(texts), vocabulary) for _ in range(300)]
    distinct = list(dict.fromkeys(" ".join(words) for words in texts))
    found = near_groups(distinct)
    pairs = near_pairs(distinct, 0.8)
    assert found is not None
    assert len(pairs) > 60
    assert found.n_pairs == len(pairs)
    assert as_first_members(found.of_text) == groups(len(distinct), pairs)


def test_the_threshold_is_reached_by_equality() -> None:
    """Ten words have 8 shingles; cut by two words 6 of 8 stay (0.75), by one 7 of 8 (0.875)."""
    whole = "a b c d e f g h i j"
    for text, threshold, same in (
        (whole[:-2], 7 / 8, True),
        (whole[:-4], 6 / 8, True),
        (whole[:-4], 6 / 8 + 1e-6, False),
    ):
        found = near_groups([whole, text], threshold=threshold)
        assert found is not None
        assert (found.of_text[0] == found.of_text[1]) is np.bool_(same)


def test_exact_groups() -> None:
    assert exact_groups([]).tolist() == []
    assert exact_groups(["b", "a", "b", "", ""]).tolist() == [0, 1, 0, 2, 2]


@pytest.mark.parametrize(
    "texts", [[], [""], ["", "x"], ["x"], ["x", "y", "z"], ["?", "!"]], ids=repr
)
def test_texts_of_one_word_and_none(texts: list[str]) -> None:
    found = near_groups(texts)
    assert found is not None
    assert found.of_text.tolist() == list(range(len(texts)))
    assert found.n_pairs == 0


def test_many_texts_that_are_all_alike_are_refused() -> None:
    """Each pair of 20,000 shares 57 of 60 shingles: more pairs than are looked at."""
    rest = " ".join(f"w{k}" for k in range(58))
    assert near_groups([f"x{k} {rest}" for k in range(20_000)]) is None


def test_too_much_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "MOST_SHINGLES", 20)
    assert near_groups(["a b c d e f g h", "a b c d e f g h i j k l m n"]) is not None
    assert near_groups(["a b c d e f g h", "a b c d e f g h i j k l m n o p q r s t"]) is None
    assert near_groups([f"{'long ' * 20}{k}" for k in range(9)]) is None


def test_similar_and_not_by_order() -> None:
    """The order of texts changes no pair."""
    texts = ["one two three four five six", "one two three four five six seven", "nine ten"]
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        found = near_groups([texts[at] for at in order], threshold=0.8)
        assert found is not None
        labels = dict(zip(order, found.of_text.tolist(), strict=True))
        assert labels[0] == labels[1] != labels[2]


@given(st.lists(st.text(max_size=30).map(normal), max_size=6), st.integers(1, 9))
def test_shingles_are_the_different_runs(texts: list[str], size: int) -> None:
    found = shingled(texts, size, Vocabulary())
    assert found.sizes.tolist() == [len(grams(text, size)) for text in texts]
    # Fingerprints are equal where runs are.
    wanted = {gram for text in texts for gram in grams(text, size)}
    assert len(set(found.fingerprints.tolist())) == len(wanted)


def test_the_usual_shingle() -> None:
    assert SHINGLE == 3
    assert shingled(["a b c d"], SHINGLE, Vocabulary()).sizes.tolist() == [2]
