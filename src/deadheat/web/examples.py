"""A worked example for each page, made by arithmetic alone."""

from __future__ import annotations

from typing import Any

LABELS = ("bug", "feature", "question")
"""Classes of the example of /compare: a request to a helpdesk."""

CELLS = ((86, True, True), (24, False, True), (8, True, False), (2, False, False))
"""Items by whether baseline and candidate are right: 94 and 110 of 120, 24 against 8."""

STEP = 49
"""Has no factor in common with 120, so that multiples of it visit every item once."""


def example(page: str) -> dict[str, Any]:
    """Return what the page is filled with at first sight: `title`, `text`, `options`, `labels`."""
    return EXAMPLES[page]()


def _compare() -> dict[str, Any]:
    """120 requests in three classes: systems differ by 24 items against 8."""
    outcomes = [right for n, *right in CELLS for _ in range(n)]
    n = len(outcomes)
    lines = ["item,reference,keywords,classifier"]
    for item in range(n):
        reference = LABELS[item % 3]
        wrong = LABELS[(item + 1 + item // 3 % 2) % 3]
        sides = (reference if right else wrong for right in outcomes[item * STEP % n])
        lines.append(",".join((f"r{item + 1:03}", reference, *sides)))
    return {
        "title": "120 requests in three classes, sorted by keywords and by a classifier",
        "text": "\n".join(lines) + "\n",
        "options": {},
    }


SHARES = (("alder", 78), ("birch", 75), ("cedar", 74), ("elm", 66), ("fir", 65), ("hazel", 52))
"""Systems of the example of /rank, and about how many percent each has right."""


def _rank() -> dict[str, Any]:
    """Six systems on 200 questions: hard items are hard for all."""
    lines = ["item," + ",".join(name for name, _ in SHARES)]
    for item in range(200):
        hardness = item * 37 % 100
        scores = (
            int((hardness + (item * (41 + 10 * k) + 17 * k) % 61 - 30) < share)
            for k, (_, share) in enumerate(SHARES)
        )
        lines.append(f"q{item + 1:03}," + ",".join(map(str, scores)))
    return {
        "title": "six systems on the same 200 questions",
        "text": "\n".join(lines) + "\n",
        "options": {},
    }


def _score() -> dict[str, Any]:
    scores = (f"q{k + 1:03},assistant,{int(k * 37 % 100 < 70)}" for k in range(100))
    lines = ["item,system,score", *scores]
    return {
        "title": "one system that has 70 of 100 questions right",
        "text": "\n".join(lines) + "\n",
        "options": {},
    }


def _plan() -> dict[str, Any]:
    return {
        "title": "what 500 items can do for two systems that are right on about three in four",
        "options": {"items": 500, "baseline": "0.72", "candidate": "0.76", "discordance": 0.3},
    }


def _claim() -> dict[str, Any]:
    """Take the published example whose interval no counts give (400 rows)."""
    return {
        "title": "a gap of 1.5 points on 400 items, printed with an interval from 1.1 to 1.9",
        "options": {"n": 400, "gap": "1.5", "interval": ["1.1", "1.9"]},
    }


def _adjust() -> dict[str, Any]:
    return {
        "title": "five comparisons of systems, each with its own p-value",
        "labels": ["ant vs bee", "ant vs cat", "bee vs cat", "ant vs dog", "cat vs dog"],
        "options": {"p_values": ["0.004", "0.012", "0.031", "0.048", "0.21"], "method": "holm"},
    }


EXAMPLES = {
    "compare": _compare,
    "rank": _rank,
    "score": _score,
    "plan": _plan,
    "claim": _claim,
    "adjust": _adjust,
}
