"""What other libraries do with the same texts, tags and scores, each as its careful user would."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sacrebleu import significance

Floats = NDArray[np.float64]
Kind = Literal["bs", "ar"]
SEED = 12345


def sacrebleu_paired(
    metric: Any, baseline: Sequence[str], candidate: Sequence[str], kind: Kind, n_samples: int
) -> float:
    """Run `sacrebleu --paired-bs` or `--paired-ar` on lists; return the p-value.

    Parameters
    ----------
    metric : sacrebleu.metrics.BLEU or another of its metrics
        That knows its references.
    """
    systems = [("baseline", baseline), ("candidate", candidate)]
    name = type(metric).__name__
    test = significance.PairedTest(
        systems, {name: metric}, None, test_type=kind, n_samples=n_samples
    )
    _, found = test()
    return float(next(column[1].p_value for key, column in found.items() if key != "System"))


def with_statistics(metric: Any, *systems: Sequence[str]) -> Any:
    """Extract the statistics of systems; return a metric that has them at hand."""
    known = {id(outputs): metric._extract_corpus_statistics(outputs, None) for outputs in systems}
    ready = copy(metric)
    ready._extract_corpus_statistics = lambda outputs, references: known[id(outputs)]
    return ready


def sacrebleu_two_bootstraps(
    ready: Any, baseline: Sequence[str], candidate: Sequence[str], n_samples: int
) -> float:
    """Bootstrap the pair by the function that PairedTest calls; return the p-value.

    PairedTest bootstraps the baseline a third time before, for its interval.
    """
    known = ready._extract_corpus_statistics(baseline, None)
    score = ready._aggregate_and_compute(known).score
    _, found = significance._paired_bs_test(
        {"metric": (known, significance.Result(score))},
        "candidate",
        candidate,
        None,
        {"metric": ready},
        n_samples=n_samples,
        seed=SEED,
    )
    return float(found["metric"].p_value)


def rapidfuzz_operations(
    references: Sequence[Sequence[str]], outputs: Sequence[Sequence[str]]
) -> int:
    """Count the edits of words, each found by `editops`."""
    from rapidfuzz.distance import Levenshtein

    return sum(
        len(Levenshtein.editops(wanted, said))
        for wanted, said in zip(references, outputs, strict=True)
    )


def seqeval_f1(references: list[list[str]], outputs: list[list[str]]) -> float:
    """Return micro-averaged F1 of spans."""
    from seqeval.metrics import f1_score

    return float(f1_score(references, outputs))


def scipy_auroc(truths: NDArray[np.int64], baseline: Floats, candidate: Floats, n: int) -> float:
    """Bootstrap the difference with Mann & Whitney's U from ranks, vectorised; return its low end.

    The batch is the one at which it was fastest.
    """
    from scipy import stats

    def area(truths: NDArray[np.int64], scores: Floats) -> Floats:
        ranks = stats.rankdata(scores, axis=-1)
        positive = truths.sum(axis=-1)
        above = (ranks * truths).sum(axis=-1) - positive * (positive + 1) / 2
        return np.asarray(above / (positive * (truths.shape[-1] - positive)))

    def gap(truths: Any, baseline: Any, candidate: Any, axis: int = -1) -> Floats:
        return area(truths, candidate) - area(truths, baseline)

    found = stats.bootstrap(
        (truths, baseline, candidate),
        gap,
        paired=True,
        vectorized=True,
        n_resamples=n,
        batch=10,
        method="percentile",
        rng=0,
    )
    return float(found.confidence_interval.low)


def sklearn_auroc(truths: NDArray[np.int64], baseline: Floats, candidate: Floats, n: int) -> float:
    """Bootstrap the difference in a loop over `roc_auc_score`; return its low end."""
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(0)
    found = []
    for _ in range(n):
        drawn = rng.integers(0, truths.size, truths.size)
        first, second = (roc_auc_score(truths[drawn], s[drawn]) for s in (baseline, candidate))
        found.append(second - first)
    return float(np.percentile(found, 2.5))
