"""Texts that hypothesis makes, and sacrebleu's own way from them to a score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu
from hypothesis import strategies as st

PIECES = (
    *("the", "cat", "a", "A", "b", "B2", "1", "2.5", "3,", "10-20", "x-y", "don't", "5.", ".5"),
    *(".", "..", ",", ".,", "-", "!", "(", ")", '"', "'s", "&", "@", "|", "_", "%", "€", "«"),
    *("&amp;", "&quot;", "&lt;", "&amp;lt;", "<skipped>", "<skip", "ped>", "-<skipped>", "-\n"),
    *("é", "e\u0301", "\u0301", "ß", "ﬁ", "²", "٣", "猫", "犬。", "ﾈｺ", "नमस्ते", "𝒳", "👩‍🔬", "🏳️‍🌈"),
    *("\ue000", "\ud800", "\u200b", "\x00"),
)
SPACES = (" ", "  ", "\t", "\n", "\r\n", "\x0b", "\x1c", "\x85", "\xa0", "\u2028", "\u3000", "")

Item = tuple[tuple[str, ...], str]


def texts() -> st.SearchStrategy[str]:
    """Texts that share pieces, with marks, entities and white space of every kind."""
    pieces = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(SPACES)), max_size=12)
    made = pieces.map(lambda several: "".join(piece + space for piece, space in several))
    few = st.lists(st.sampled_from("abc."), max_size=14).map(" ".join)
    return st.one_of(few, made, st.text(max_size=12))


def corpora(most: int) -> st.SearchStrategy[list[Item]]:
    """Items with an output and one reference to `most` of them, some equal to the output."""
    item = st.tuples(st.lists(texts(), min_size=1, max_size=most).map(tuple), texts())
    repeated = item.map(lambda pair: (pair[0], pair[0][-1]))
    return st.lists(st.one_of(item, item, repeated), min_size=1, max_size=5)


def parted(items: Sequence[Item]) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return the references and the outputs of items."""
    return [references for references, _ in items], [output for _, output in items]


def judged(judge: Any, items: Sequence[Item]) -> float:
    """Return the score of sacrebleu; its streams hold None where an item has fewer references."""
    references, outputs = parted(items)
    streams = [list(stream) for stream in zip_longest(*references)]
    return float(judge.corpus_score(outputs, streams).score)


def bleu(tokenize: str = "13a") -> sacrebleu.BLEU:
    return sacrebleu.BLEU(tokenize=tokenize, force=True)


def added(rows: np.ndarray) -> np.ndarray:
    """Add rows one after the other, as sacrebleu does."""
    return reduce(np.add, rows)


def lines(file: Path) -> list[str]:
    """Return the lines of a text, ended by line feeds only."""
    return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
