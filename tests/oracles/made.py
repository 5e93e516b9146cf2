"""Evaluated systems made up for every metric, by what it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from deadheat.metrics import metric, names

Rng = np.random.Generator
Maker = Callable[[Rng, int, Sequence[str]], dict[str, list[Any]]]
"""Columns of a table with one row for each system and item, or for each run of these."""

WORDS = ("the", "cat", "sat", "on", "a", "mat", "and", "it", "was", "not", "red")
TAGS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
DOCUMENTS = tuple("pqrstuv")

ASKED = tuple(name.replace("@k", "@2").replace("^k", "^2") for name in names())
"""Every metric there is, families with a number of runs or of documents at 2."""


def table(name: str, n: int, seed: int, systems: Sequence[str] = ("a", "b")) -> pl.DataFrame:
    """Return a long table of systems that a metric can score, the later ones mostly better."""
    columns = _maker(name)(np.random.default_rng([seed, n]), n, systems)
    return pl.DataFrame(columns)


def _maker(name: str) -> Maker:
    known: dict[str, Maker] = {
        "accuracy": _labels,
        "majority_vote": _votes,
        "win_rate": _preferences,
        **dict.fromkeys(("pearson", "spearman", "kendall"), _ratings),
        **dict.fromkeys(("f0.5", "f1", "f2", "precision", "recall"), _truths),
        **dict.fromkeys(("ndcg@2", "mrr", "recall@2"), _rankings),
    }
    takes: dict[str, Maker] = {
        "labels": _labels,
        "texts": _texts,
        "numbers": _probabilities,
        "confidences": _probabilities,
        "scores": _scores,
        "values": _tags,
        "runs": _passes,
    }
    return known.get(name) or takes[metric(name).takes]


def _long(
    n: int, systems: Sequence[str], side: str, of: Callable[[int, int], Any], **shared: list[Any]
) -> dict[str, list[Any]]:
    """Lay out what each system has of each item, and what belongs to the items themselves."""
    return {
        "item": [f"q{i:03}" for i in range(n)] * len(systems),
        "system": [name for name in systems for _ in range(n)],
        side: [of(position, i) for position in range(len(systems)) for i in range(n)],
        **{column: values * len(systems) for column, values in shared.items()},
    }


def _right(rng: Rng, position: int) -> bool:
    """Whether a system gets an item right: the second and later ones more often."""
    return bool(rng.random() < 0.55 + 0.1 * position)


def _pick(rng: Rng, among: Sequence[Any]) -> Any:
    return among[rng.integers(len(among))]


def _labels(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    """Three labels; some outputs are a label that no reference has, some are not usable."""
    wanted = rng.choice(list("xyz"), n, p=[0.5, 0.3, 0.2]).tolist()

    def output(position: int, item: int) -> str | None:
        return wanted[item] if _right(rng, position) else _pick(rng, ("x", "y", "z", "w", None))

    return _long(n, systems, "output", output, reference=wanted)


def _truths(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    wanted = (rng.random(n) < 0.4).astype(int).tolist()

    def output(position: int, item: int) -> int:
        return wanted[item] if _right(rng, position) else 1 - wanted[item]

    return _long(n, systems, "output", output, reference=wanted)


def _texts(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    """A dozen words; a system keeps most of them; now and then nothing is said or expected."""
    said = [
        [] if rng.random() < 0.05 else [_pick(rng, WORDS) for _ in range(rng.integers(4, 9))]
        for _ in range(n)
    ]

    def output(position: int, item: int) -> str:
        chance = rng.random()
        kept = [word for word in said[item] if rng.random() < 0.75 + 0.08 * position]
        more = [_pick(rng, WORDS)] if chance < 0.3 else []
        return " ".join(said[item] if chance > 0.8 else [*kept, *more])

    return _long(n, systems, "output", output, reference=[" ".join(words) for words in said])


def _probabilities(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    """Probabilities in steps of 0.05, so that some are tied, and 0 and 1 among them."""
    wanted = (rng.random(n) < 0.5).astype(int).tolist()

    def score(position: int, item: int) -> float:
        sure = wanted[item] + (1 - 2 * wanted[item]) * rng.beta(1.0, 1.2 + 0.5 * position)
        return float(np.round(np.clip(sure, 0.0, 1.0) * 20.0) / 20.0)

    return _long(n, systems, "score", score, reference=wanted)


def _ratings(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    wanted = np.round(rng.normal(size=n) * 4.0).tolist()

    def score(position: int, item: int) -> float:
        noise = rng.normal() * 4.0 / (1.0 + 0.4 * position)
        return float(np.round(wanted[item] + noise, position)) * (1.0 + position)

    return _long(n, systems, "score", score, reference=wanted)


def _scores(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    easy = rng.normal(size=n)

    def score(position: int, item: int) -> float:
        return float(easy[item] + rng.normal() + 0.3 * position)

    return _long(n, systems, "score", score)


def _preferences(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    def score(position: int, item: int) -> float:
        return 1.0 if _right(rng, position) else _pick(rng, (0.0, 0.5))

    return _long(n, systems, "score", score)


def _tags(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    """Tags of short sentences; a system changes one in five of them."""
    wanted = [[_pick(rng, TAGS) for _ in range(rng.integers(2, 7))] for _ in range(n)]

    def output(position: int, item: int) -> list[str]:
        wrong = 0.25 - 0.05 * position
        return [_pick(rng, TAGS) if rng.random() < wrong else tag for tag in wanted[item]]

    return _long(n, systems, "output", output, reference=wanted)


def _rankings(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    relevant = [sorted(rng.choice(DOCUMENTS, rng.integers(1, 4), replace=False)) for _ in range(n)]
    relevant = [[str(document) for document in some] for some in relevant]

    def output(position: int, item: int) -> list[str]:
        pull = dict.fromkeys(relevant[item], 0.5 + 0.3 * position)
        return sorted(DOCUMENTS, key=lambda document: rng.normal() - pull.get(document, 0.0))[:4]

    return _long(n, systems, "output", output, reference=relevant)


def _passes(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    ease = rng.beta(1.0, 1.0, n)

    def score(position: int, item: int) -> int:
        return int(rng.random() < ease[item] ** (1.0 / (1 + position)))

    return _runs(n, systems, "score", score)


def _votes(rng: Rng, n: int, systems: Sequence[str]) -> dict[str, list[Any]]:
    wanted = rng.choice(list("xyz"), n).tolist()

    def output(position: int, item: int) -> str:
        return wanted[item] if _right(rng, position) else _pick(rng, "xyz")

    return _runs(n, systems, "output", output, reference=wanted)


def _runs(
    n: int, systems: Sequence[str], side: str, of: Callable[[int, int], Any], **shared: list[Any]
) -> dict[str, list[Any]]:
    """Lay out three runs of each system."""
    parts = [_long(n, systems, side, of, **shared) for _ in range(3)]
    columns = {column: [v for part in parts for v in part[column]] for column in parts[0]}
    rows = len(parts[0]["item"])
    return columns | {"run": [f"r{run}" for run in range(3) for _ in range(rows)]}


def _by_table() -> tuple[tuple[str, ...], ...]:
    """Group metrics that can score one table."""
    groups: dict[Maker, list[str]] = {}
    for name in ASKED:
        groups.setdefault(_maker(name), []).append(name)
    return tuple(tuple(group) for group in groups.values())


FAMILIES = _by_table()
"""Metrics that are scored on tables of one kind, the tables of whose first serve them all."""
