"""One case for each metric: items of two systems, and who else says what they are worth."""

from __future__ import annotations

import random
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any

import jiwer
import numpy as np
import sacrebleu
from rouge_score import rouge_scorer
from scipy import stats
from seqeval import metrics as spans
from sklearn import metrics as sklearn

N = 36

Column = list[Any]
Judge = Callable[[Column, Column], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Two systems on the same items, as one metric takes them.

    Attributes
    ----------
    metric : str
        Its name.
    judge : callable
        (references, outputs) -> value, by something other than deadheat.
    references : list or None
        None where there are only scores.
    systems : dict of str to list
        Outputs or scores of "a" and "b"; lists of several where an item has runs.
    role : {"output", "score"}
        What the columns of the systems are.
    has_runs : bool
        Whether an item holds the list of its runs.
    options : dict of str to str
        Of the command line, by their Python names.
    rel : float
        Relative tolerance: 0 where the judge has to agree to the last digit.
    """

    metric: str
    judge: Judge
    references: Column | None
    systems: dict[str, Column]
    role: str = "output"
    has_runs: bool = False
    options: dict[str, str] = field(default_factory=dict)
    rel: float = 1e-12

    @property
    def is_flat(self) -> bool:
        """Whether tables of texts can hold it: a run a row, and no other lists."""
        outputs = [] if self.has_runs else [*self.systems["a"], *self.systems["b"]]
        return not any(isinstance(cell, list) for cell in [*(self.references or ()), *outputs])

    def value(self, system: str) -> float:
        return float(self.judge(self.references or [], self.systems[system]))


# --- data -------------------------------------------------------------------------------------

_rng = random.Random(3)


def _changed(references: Column, right: float, others: Sequence[Any]) -> Column:
    return [r if _rng.random() < right else _rng.choice(others) for r in references]


LABELS = [_rng.choice("xxxyyz") for _ in range(N)]
LABELLED = {"a": _changed(LABELS, 0.5, "xyz"), "b": _changed(LABELS, 0.7, "xyz")}
TRUTHS = [int(_rng.random() < 0.4) for _ in range(N)]
BINARY = {"a": _changed(TRUTHS, 0.4, [0, 1]), "b": _changed(TRUTHS, 0.7, [0, 1])}
# Quarters and eighths, so that there are ties.
CONFIDENCES = {
    name: [min(15, max(1, round(8 + push * (2 * t - 1) + _rng.gauss(0, 4)))) / 16 for t in TRUTHS]
    for name, push in (("a", 1.5), ("b", 4.0))
}
NUMBERS = [_rng.randrange(12) / 4 for _ in range(N)]
NUMBERED = {
    name: [round(x + _rng.gauss(0, noise), 1) for x in NUMBERS]
    for name, noise in (("a", 1.5), ("b", 0.6))
}

WORDS = [
    *("the", "a", "cat", "Dog", "sat,", "on", "mat.", "don't", "12", "3.5%", "naïve", "猫"),
    *("Zürich", "(and)", "ran", "–", "away!"),
]
TEXTS = [" ".join(_rng.choices(WORDS, k=_rng.randint(1, 14))) for _ in range(N)]


def _edited(text: str, rate: float) -> str:
    words = []
    for word in text.split():
        draw = _rng.random()
        if draw < rate / 2:
            words.append(_rng.choice(WORDS))
        elif draw > rate:
            words.append(word)
    return " ".join(words)


WRITTEN = {
    "a": [_edited(text, 0.6) for text in TEXTS[:-1]] + [""],
    "b": [_edited(text, 0.3) for text in TEXTS],
}
"""The last output of a is the empty text."""

TYPES = ("PER", "LOC", "ORG")


def _tags(length: int) -> list[str]:
    tags: list[str] = []
    while len(tags) < length:
        if _rng.random() < 0.5:
            tags.append("O")
        else:
            kind = _rng.choice(TYPES)
            tags += [f"B-{kind}", *[f"I-{kind}"] * _rng.randrange(3)]
    return tags[:length]


TAGS = [_tags(_rng.randint(1, 12)) for _ in range(N)]
TAGGED = {
    name: [tags if _rng.random() < right else _tags(len(tags)) for tags in TAGS]
    for name, right in (("a", 0.4), ("b", 0.7))
}

DOCUMENTS = [f"d{i}" for i in range(8)]
RELEVANT = [_rng.sample(DOCUMENTS, _rng.randint(1, 4)) for _ in range(N)]
RETRIEVED = {
    "a": [_rng.sample(DOCUMENTS, 5) for _ in range(N)],
    "b": [[*r[:1], *(d for d in _rng.sample(DOCUMENTS, 5) if d != r[0])] for r in RELEVANT],
}

TRIALS = {
    name: [[int(_rng.random() < chance) for _ in range(4)] for chance in np.linspace(0, top, N)]
    for name, top in (("a", 0.7), ("b", 1.0))
}
VOTES = {
    name: [_changed([r] * 3, right, "xyz") for r in LABELS]
    for name, right in (("a", 0.3), ("b", 0.6))
}
PREFERENCES = {
    "a": [_rng.choice([0, 0.5, 1]) for _ in range(N)],
    "b": [_rng.choice([0, 0.5, 1, 1]) for _ in range(N)],
}


# --- judges -----------------------------------------------------------------------------------


def _corpus(make: Callable[[], Any], references: Column, outputs: Column) -> float:
    return float(make().corpus_score(outputs, [references]).score)


def _rouge(kind: str, references: Column, outputs: Column) -> float:
    scorer = rouge_scorer.RougeScorer([kind], use_stemmer=False)
    pairs = zip(references, outputs, strict=True)
    return float(np.mean([scorer.score(r, o)[kind].fmeasure for r, o in pairs]))


def _squad_words(text: str) -> list[str]:
    """Return the words that SQuAD's evaluation compares."""
    bare = "".join(c for c in text.lower() if c not in set(string.punctuation))
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


def _squad_em(reference: str, output: str) -> float:
    return float(_squad_words(reference) == _squad_words(output))


def _squad_f1(reference: str, output: str) -> float:
    wanted, given = _squad_words(reference), _squad_words(output)
    if not wanted or not given:
        return float(wanted == given)
    same = sum((Counter(wanted) & Counter(given)).values())
    return 2 * same / (len(wanted) + len(given))


def _ece(references: Column, outputs: Column, bins: int = 15) -> float:
    truths, given = np.array(references, float), np.array(outputs, float)
    total = 0.0
    for low in range(bins):
        inside = (given > low / bins) & (given <= (low + 1) / bins)
        if inside.any():
            total += inside.mean() * abs(truths[inside].mean() - given[inside].mean())
    return float(total)


def _statistic(function: Callable[..., Any], references: Column, outputs: Column) -> float:
    return float(function(references, outputs)[0])


def _ndcg(k: int, relevant: list[str], ranking: list[str]) -> float:
    # A document that was not retrieved gains nothing, even where fewer than k were.
    wanted = [float(d in relevant) for d in DOCUMENTS]
    found = [float(d in relevant and d in ranking) for d in DOCUMENTS]
    place = [-ranking.index(d) if d in ranking else -len(DOCUMENTS) for d in DOCUMENTS]
    gain, most = (
        sklearn.dcg_score([truth], [scores], k=k)
        for truth, scores in ((found, place), (wanted, wanted))
    )
    return float(gain / most)


def _mrr(relevant: list[str], ranking: list[str]) -> float:
    return next((1 / rank for rank, d in enumerate(ranking, start=1) if d in relevant), 0.0)


def _recall_at(k: int, relevant: list[str], ranking: list[str]) -> float:
    return len(set(ranking[:k]) & set(relevant)) / len(relevant)


def _passes(of: Callable[[Sequence[int]], bool], k: int, _: None, runs: list[int]) -> float:
    """Return the share of all choices of k runs that pass."""
    return float(np.mean([of(chosen) for chosen in combinations(runs, k)]))


def _vote(reference: str, runs: list[str]) -> float:
    votes = Counter(runs)
    ahead = [answer for answer, n in votes.items() if n == max(votes.values())]
    return (reference in ahead) / len(ahead)


def _averaged(of_item: Callable[[Any, Any], float], references: Column, outputs: Column) -> float:
    wanted = references or [None] * len(outputs)
    return float(np.mean([of_item(r, o) for r, o in zip(wanted, outputs, strict=True)]))


def _mean(references: Column, outputs: Column) -> float:
    return float(np.mean(outputs))


# --- cases ------------------------------------------------------------------------------------

RATES: dict[str, Callable[..., float]] = {
    "precision": sklearn.precision_score,
    "recall": sklearn.recall_score,
    "f1": sklearn.f1_score,
    "f2": partial(sklearn.fbeta_score, beta=2),
    "f0.5": partial(sklearn.fbeta_score, beta=0.5),
}
OF_SPANS = {
    "span_precision": spans.precision_score,
    "span_recall": spans.recall_score,
    "span_f1": spans.f1_score,
}


def _cases(
    judges: dict[str, Judge], references: Column | None, systems: dict[str, Column], **rest: Any
) -> list[Case]:
    return [
        Case(metric=name, judge=judge, references=references, systems=systems, **rest)
        for name, judge in judges.items()
    ]


CASES = [
    *_cases(
        {
            "accuracy": sklearn.accuracy_score,
            "balanced_accuracy": sklearn.balanced_accuracy_score,
            "mcc": sklearn.matthews_corrcoef,
            "cohen_kappa": sklearn.cohen_kappa_score,
            **{
                f"{average}_{name}": partial(rate, average=average, zero_division=0)
                for name, rate in RATES.items()
                for average in ("macro", "micro", "weighted")
            },
        },
        LABELS,
        LABELLED,
    ),
    *_cases(
        {name: partial(rate, pos_label="y", zero_division=0) for name, rate in RATES.items()},
        ["y" if label == "y" else "n" for label in LABELS],
        {
            name: ["y" if label == "y" else "n" for label in column]
            for name, column in LABELLED.items()
        },
        options={"positive": "y"},
    ),
    *_cases(
        {
            "bleu": partial(_corpus, sacrebleu.BLEU),
            "chrf": partial(_corpus, sacrebleu.CHRF),
            "chrf++": partial(_corpus, partial(sacrebleu.CHRF, word_order=2)),
            "ter": partial(_corpus, sacrebleu.TER),
        },
        TEXTS,
        WRITTEN,
        rel=0.0,
    ),
    *_cases(
        {
            **{f"rouge{kind}": partial(_rouge, f"rouge{kind}") for kind in "12L"},
            "wer": jiwer.wer,
            "cer": jiwer.cer,
            "exact_match": sklearn.accuracy_score,
            "squad_em": partial(_averaged, _squad_em),
            "squad_f1": partial(_averaged, _squad_f1),
        },
        TEXTS,
        WRITTEN,
    ),
    *_cases(
        {
            **OF_SPANS,
            **{
                f"{average}_{name}": partial(judge, average=average)
                for name, judge in OF_SPANS.items()
                for average in ("macro", "weighted")
            },
        },
        TAGS,
        TAGGED,
    ),
    *_cases(
        {
            "auroc": sklearn.roc_auc_score,
            "average_precision": sklearn.average_precision_score,
            "brier": sklearn.brier_score_loss,
            "log_loss": sklearn.log_loss,
            "ece": _ece,
        },
        TRUTHS,
        CONFIDENCES,
        role="score",
    ),
    *_cases(
        {
            "pearson": partial(_statistic, stats.pearsonr),
            "spearman": partial(_statistic, stats.spearmanr),
            "kendall": partial(_statistic, stats.kendalltau),
        },
        NUMBERS,
        NUMBERED,
        role="score",
    ),
    *_cases(
        {
            "ndcg@3": partial(_averaged, partial(_ndcg, 3)),
            "mrr": partial(_averaged, _mrr),
            "recall@3": partial(_averaged, partial(_recall_at, 3)),
        },
        RELEVANT,
        RETRIEVED,
    ),
    *_cases(
        {
            "pass@2": partial(_averaged, partial(_passes, any, 2)),
            "pass^3": partial(_averaged, partial(_passes, all, 3)),
        },
        None,
        TRIALS,
        role="score",
        has_runs=True,
    ),
    *_cases({"majority_vote": partial(_averaged, _vote)}, LABELS, VOTES, has_runs=True),
    *_cases({"mean": _mean, "win_rate": _mean}, None, PREFERENCES, role="score"),
]

NAMED = {"ndcg@3": "ndcg@k", "recall@3": "recall@k", "pass@2": "pass@k", "pass^3": "pass^k"}
"""Under which name the list of metrics has those whose name holds a number."""

BY_METRIC = {case.metric: case for case in CASES}

DISTINCT = [
    case for case in CASES if not case.metric.startswith(("micro_", "weighted_", "macro_f"))
]
"""Without those that are other values of the same sums."""


def groups() -> dict[str, list[Case]]:
    """Return the cases that share items, and so can be asked for in one call."""
    found: dict[tuple[int, str], list[Case]] = {}
    for case in CASES:
        found.setdefault((id(case.systems), str(case.options)), []).append(case)
    return {f"{cases[0].metric}...": cases for cases in found.values()}
