"""Texts, tags and scores made by a seeded generator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

VOCABULARY = 20_000
ONSETS = ("b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "tr", "v", "w", "")
NUCLEI = ("a", "e", "i", "o", "u", "ei", "ou", "ea")
CODAS = ("", "", "n", "r", "s", "t", "l", "nd")
TYPES = ("LOC", "MISC", "ORG", "PER")


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """One reference for each item and what two systems made of it."""

    references: list[str]
    baseline: list[str]
    candidate: list[str]


def sentences(n: int, *, errors: float, seed: int, plain: bool = False) -> Texts:
    """Make sentences of some 22 words whose frequencies follow Zipf's law.

    Parameters
    ----------
    n : int
        Number of items.
    errors : float
        Share of words that the baseline replaces; it drops, adds and swaps fewer. The candidate
        makes 3% fewer errors.
    seed : int
    plain : bool
        Without capitals, commas and full stops, as speech recognisers are scored.
    """
    rng = np.random.default_rng(seed)
    words = _words(rng)
    share = 1.0 / (np.arange(VOCABULARY) + 2.7)
    share /= share.sum()
    lengths = np.clip(np.rint(rng.lognormal(2.95, 0.5, n)), 3, 120).astype(int)
    wanted = [rng.choice(VOCABULARY, size, p=share) for size in lengths]

    def output(rate: float) -> list[str]:
        return [_written(words[_garbled(ids, rate, share, rng)], plain) for ids in wanted]

    return Texts(
        references=[_written(words[ids], plain) for ids in wanted],
        baseline=output(errors),
        candidate=output(0.97 * errors),
    )


def tags(n: int, *, seed: int) -> tuple[list[list[str]], list[list[str]]]:
    """Make the BIO tags of `n` sentences, and what a tagger that errs on 4% of them says."""
    rng = np.random.default_rng(seed)
    wanted = [list(_tagged(rng, int(size))) for size in rng.integers(5, 30, n)]
    kinds = ["O", *(f"{part}-{name}" for part in "BI" for name in TYPES)]

    def said(tag: str) -> str:
        return str(rng.choice(kinds)) if rng.random() < 0.04 else tag

    return wanted, [[said(tag) for tag in sentence] for sentence in wanted]


def confidences(
    n: int, *, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Make truths, three in ten of them 1, and the scores that two systems give the items."""
    rng = np.random.default_rng(seed)
    truths = (rng.random(n) < 0.3).astype(np.int64)
    shared = rng.standard_normal(n)
    baseline, candidate = (
        gain * truths + 0.7 * shared + 0.7 * rng.standard_normal(n) for gain in (1.20, 1.25)
    )
    return truths, baseline, candidate


def _words(rng: np.random.Generator) -> NDArray[np.str_]:
    """Make different words, the frequent ones short."""
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        n_syllables = 1 + (len(found) > 300) + (len(found) > 5_000) * int(rng.integers(2))
        found["".join(_syllable(rng) for _ in range(n_syllables))] = None
    return np.array(list(found))


def _syllable(rng: np.random.Generator) -> str:
    return "".join(parts[rng.integers(len(parts))] for parts in (ONSETS, NUCLEI, CODAS))


def _garbled(
    ids: NDArray[np.int64], rate: float, share: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Replace, swap, drop and add words."""
    drawn = rng.choice(VOCABULARY, ids.size, p=share)
    found = np.where(rng.random(ids.size) < rate, drawn, ids)
    if found.size > 3 and rng.random() < rate:
        at = int(rng.integers(found.size - 1))
        found[[at, at + 1]] = found[[at + 1, at]]
    repeats = np.where(rng.random(found.size) < rate / 8, 2, 1)
    repeats[rng.random(found.size) < rate / 4] = 0
    return np.repeat(found, repeats)


def _written(words: NDArray[np.str_], plain: bool) -> str:
    text = " ".join(words)
    if plain:
        return text
    # A comma after each ninth word, so that there is something for a tokeniser to do.
    parts = [f"{word}," if at % 9 == 8 else str(word) for at, word in enumerate(words)]
    return f"{' '.join(parts).capitalize()}."


def _tagged(rng: np.random.Generator, n: int) -> Iterator[str]:
    inside = None
    for _ in range(n):
        if inside is not None and rng.random() < 0.4:
            yield f"I-{inside}"
        elif rng.random() < 0.12:
            inside = TYPES[rng.integers(len(TYPES))]
            yield f"B-{inside}"
        else:
            inside = None
            yield "O"
