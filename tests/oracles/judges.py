"""Judges: what other libraries say of a list of references and a list of outputs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import jiwer
import numpy as np
import sacrebleu
from scipy import stats
from seqeval.metrics import classification_report
from seqeval.metrics import f1_score as span_f1
from sklearn import metrics as sklearn

Judge = Callable[[Sequence[Any], Sequence[Any]], float]
"""Maps references and outputs to a value, NaN where there is none."""


def _translation(judge: Any, references: Sequence[str], outputs: Sequence[str]) -> float:
    return float(judge.corpus_score(list(outputs), [list(references)]).score)


def _errors(of: Callable[[list[str], list[str]], Any], references: Any, outputs: Any) -> float:
    """Take edits from jiwer and divide them here: it refuses references that are all empty."""
    found = of(list(references), list(outputs))
    edits = found.substitutions + found.deletions + found.insertions
    units = found.substitutions + found.deletions + found.hits
    return edits / units if units else math.nan


def _area(of: Callable[..., Any], references: Sequence[int], outputs: Sequence[float]) -> float:
    enough = {0, 1} if of is sklearn.roc_auc_score else {1}
    return float(of(references, outputs)) if enough <= set(references) else math.nan


def _correlation(
    of: Callable[..., Any], references: Sequence[Any], outputs: Sequence[Any]
) -> float:
    if len(set(references)) == 1 or len(set(outputs)) == 1:
        return math.nan
    return float(of(references, outputs)[0])


def _macro_f1(references: Any, outputs: Any, labels: Sequence[str] | None = None) -> float:
    return float(
        sklearn.f1_score(references, outputs, labels=labels, average="macro", zero_division=0)
    )


def _types(tags: Iterable[Sequence[str]]) -> set[str]:
    return {tag[2:] for some in tags for tag in some if tag != "O"}


def _macro_span_f1(references: Any, outputs: Any, types: Iterable[str] | None = None) -> float:
    """Average seqeval's F1 of each type; one that it does not meet counts 0."""
    report = classification_report(references, outputs, output_dict=True, zero_division=0)
    over = types or _types([*references, *outputs])
    return float(np.mean([report.get(name, {"f1-score": 0.0})["f1-score"] for name in over]))


def _calibration_error(references: Sequence[int], outputs: Sequence[float]) -> float:
    """Naeini et al. (2015): bins (0, 1/15], (1/15, 2/15], ..., 0 in the first of them."""
    right, sure = np.array(references, dtype=float), np.array(outputs)
    edges = [b / 15 for b in range(16)]
    error = 0.0
    for low, high in pairwise(edges):
        inside = (sure > low) & (sure <= high) | (sure == 0.0) & (low == 0.0)
        if inside.any():
            error += inside.mean() * abs(right[inside].mean() - sure[inside].mean())
    return float(error)


def _ndcg(references: Sequence[list[str]], outputs: Sequence[list[str]], k: int = 2) -> float:
    """Give scikit-learn every document by name, those not retrieved below all others."""
    documents = sorted({d for some in (*references, *outputs) for d in some})
    relevance = [[float(d in wanted) for d in documents] for wanted in references]
    order = [[-float([*found, d].index(d)) for d in documents] for found in outputs]
    pairs = zip(relevance, order, strict=True)
    return float(np.mean([sklearn.ndcg_score([t], [s], k=k) for t, s in pairs]))


JUDGES: dict[str, Judge] = {
    "bleu": partial(_translation, sacrebleu.BLEU()),
    "chrf": partial(_translation, sacrebleu.CHRF()),
    "ter": partial(_translation, sacrebleu.TER()),
    "wer": partial(_errors, jiwer.process_words),
    "cer": partial(_errors, jiwer.process_characters),
    "span_f1": lambda y, x: float(span_f1(list(y), list(x), zero_division=0)),
    "macro_span_f1": _macro_span_f1,
    "macro_f1": _macro_f1,
    "weighted_precision": lambda y, x: float(
        sklearn.precision_score(y, x, average="weighted", zero_division=0)
    ),
    "mcc": lambda y, x: float(sklearn.matthews_corrcoef(y, x)),
    "f1": lambda y, x: float(sklearn.f1_score(y, x, zero_division=0)),
    "auroc": partial(_area, sklearn.roc_auc_score),
    "average_precision": partial(_area, sklearn.average_precision_score),
    "ece": _calibration_error,
    "pearson": partial(_correlation, stats.pearsonr),
    "spearman": partial(_correlation, stats.spearmanr),
    "kendall": partial(_correlation, stats.kendalltau),
    "accuracy": lambda y, x: float(sklearn.accuracy_score(y, x)),
    "brier": lambda y, x: float(sklearn.brier_score_loss(y, x, labels=[0, 1])),
    "ndcg@2": _ndcg,
}


def judge_of(name: str, references: Sequence[Any], outputs: Sequence[Any]) -> Judge:
    """Return a judge of resamples of these items: no label can vanish from an average."""
    if name == "macro_f1":
        return partial(_macro_f1, labels=sorted({*references, *outputs}))
    if name == "macro_span_f1":
        return partial(_macro_span_f1, types=_types([*references, *outputs]))
    return JUDGES[name]


def quietly(judge: Judge, references: Sequence[Any], outputs: Sequence[Any]) -> float:
    """Ask a judge, which may warn of what it sets by convention."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return judge(references, outputs)
