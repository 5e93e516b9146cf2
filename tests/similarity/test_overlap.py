"""Overlap with other texts against sets of passages."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from deadheat.similarity import CONTAINED, PASSAGE, Overlap, normal, words
from similarity.brute import grams


def brute(texts: list[str], others: list[str]) -> tuple[list[bool], list[float]]:
    """Exact overlap, and the share of passages that occur in any other text."""
    whole = {normal(other) for other in others}
    passages = {gram for other in whole for gram in grams(other, PASSAGE) if len(gram) == PASSAGE}
    shares = [
        len(grams(text, PASSAGE) & passages) / len(grams(text, PASSAGE))
        if len(words(text)) >= PASSAGE
        else math.nan
        for text in texts
    ]
    return [text in whole and bool(text) for text in texts], shares


@pytest.mark.parametrize("seed", range(5))
def test_against_sets_of_passages(seed: int) -> None:
    rng = random.Random(seed)
    vocabulary = [f"w{k}" for k in range(30)]
    others = [" ".join(rng.choices(vocabulary, k=rng.randint(0, 60))) for _ in range(40)]
    texts = []
    for _ in range(60):
        piece = rng.choice(others).split()
        cut = piece[rng.randint(0, len(piece)) :] if rng.random() < 0.7 else piece
        texts.append(normal(" ".join([*cut, *rng.choices(vocabulary, k=rng.randint(0, 5))])))
    overlap = Overlap(texts)
    for start in range(0, 40, 7):
        overlap.see(others[start : start + 7])
    exact, shares = brute(texts, others)
    assert overlap.exact.tolist() == exact
    assert overlap.shares == pytest.approx(shares, nan_ok=True)
    wanted = [e or s >= CONTAINED - 1e-9 for e, s in zip(exact, shares, strict=True)]
    assert overlap.contained.tolist() == wanted
    assert overlap.n_seen == 40
    assert any(wanted)
    assert not all(wanted)


def test_case_space_and_what_stands_around_do_not_matter() -> None:
    question = "Which of these eight words is not the last one of them all?"
    overlap = Overlap([normal(question)])
    overlap.see([f"Q7:  {question.upper()} -- A: no"])
    assert overlap.shares.tolist() == [1.0]
    assert overlap.exact.tolist() == [False]
    assert overlap.contained.tolist() == [True]


def test_short_and_empty_texts() -> None:
    overlap = Overlap(["", "yes", "seven words are no passage of eight"])
    overlap.see(["", "Yes", "yes no", "and seven words are no passage of eight here"])
    assert overlap.exact.tolist() == [False, True, False]
    assert np.isnan(overlap.shares).all()
    assert overlap.contained.tolist() == [False, True, False]


def test_nothing_to_look_for_or_to_look_at() -> None:
    nothing = Overlap([])
    nothing.see(["a text"])
    assert nothing.contained.tolist() == []
    unseen = Overlap(["a b c d e f g h i"])
    unseen.see([])
    assert unseen.shares.tolist() == [0.0]


def test_passages_of_several_texts_add_up() -> None:
    """Both halves of a text that stand apart hold all passages but those across the cut."""
    text = " ".join(f"w{k}" for k in range(24))
    overlap = Overlap([text])
    overlap.see([text[: len(text) // 2 - 5], "unrelated"])
    first = overlap.shares[0]
    overlap.see([text])
    assert 0.0 < first < 1.0
    assert overlap.shares.tolist() == [1.0]


def test_what_is_held_depends_on_the_set_alone() -> None:
    """Words that the set does not have are not kept."""
    overlap = Overlap(["a b c d e f g h"])
    for k in range(50):
        overlap.see([" ".join(f"new{k}x{i}" for i in range(200))])
    assert len(overlap._vocabulary._numbers) == 8
