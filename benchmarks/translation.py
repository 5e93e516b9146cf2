"""BLEU of two systems from statistics that are at hand, and from texts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import corpora
import numpy as np
from ways import RESAMPLES, Call, Way


def cases() -> Iterator[Way]:
    """Yield every way of every case."""
    for n in (2_000, 10_000):
        case = f"BLEU, {n:,} segments, from statistics"
        for name, make in (
            ("types and bootstrap", _drawn),
            ("and BCa of both and the gap, and the swap test", _inferred),
        ):
            yield Way(case=case, name=name, package="deadheat", make=partial(make, n))
        few = RESAMPLES if n == 2_000 else 2_000
        for kind in ("bs", "ar"):
            yield Way(
                case=case,
                name=f"--paired-{kind}, statistics cached",
                package="sacrebleu",
                make=partial(_sacrebleu, n, few, kind),
                scale=RESAMPLES / few,
                note="" if kind == "bs" else "the swap test alone",
            )
        yield Way(
            case=case,
            name="bleu_bootstrap_test",
            package="evaluatio",
            make=partial(_evaluatio, n, few),
            scale=RESAMPLES / few,
            note="a p-value, no interval",
        )
    case = "BLEU, 2,000 segments, from texts"
    yield Way(case=case, name="compare", package="deadheat", make=partial(_compared, 2_000))
    yield Way(
        case=case,
        name="--paired-bs",
        package="sacrebleu",
        make=partial(_sacrebleu, 2_000, RESAMPLES, "bs", cached=False),
    )


def _texts(n: int) -> corpora.Texts:
    return corpora.sentences(n, errors=0.3, seed=1)


def scored(texts: corpora.Texts, name: str = "bleu") -> Any:
    """Return the statistics of both systems as `deadheat.compare` hands them on."""
    from deadheat.alignment import align
    from deadheat.metrics import metric
    from deadheat.readers import read
    from deadheat.scores import score_items

    evaluation = read(
        texts.baseline, texts.candidate, references=texts.references, empty_texts=True
    )
    return score_items(align(evaluation, evaluation.systems), metric(name))


def drawn(scores: Any, n_resamples: int = RESAMPLES) -> Any:
    """Resample statistics, and return BLEU of both systems on every resample."""
    from deadheat.resampling.bootstrap import bootstrap

    types, multiplicities = scores.types()
    value = scores.weighing.metrics[0].value
    return bootstrap(types, multiplicities, value, n_resamples=n_resamples, seed=0, threads=1)


def _drawn(n: int) -> Call:
    scores = scored(_texts(n))

    def call() -> str:
        found = drawn(scores)
        return f"standard error {np.std(found[:, 1] - found[:, 0]):.3f}"

    return call


def _inferred(n: int) -> Call:
    from deadheat.inference import between
    from deadheat.settings import Settings

    scores = scored(_texts(n))
    settings = Settings(n_resamples=RESAMPLES)

    def call() -> str:
        (found,) = between.paired([scores], settings)
        return f"p = {found.difference.p_value:.4f}"

    return call


def _compared(n: int) -> Call:
    import deadheat

    texts = _texts(n)

    def call() -> str:
        found: Any = deadheat.compare(
            texts.baseline, texts.candidate, references=texts.references, metric="bleu"
        )
        return f"p = {found.difference.p_value:.4f}"

    return call


def _sacrebleu(n: int, n_resamples: int, kind: Any, *, cached: bool = True) -> Call:
    import text_peers
    from sacrebleu.metrics import BLEU

    texts = _texts(n)
    pair = (texts.baseline, texts.candidate)
    metric: Any = BLEU(references=[texts.references])
    if cached:
        metric = text_peers.with_statistics(metric, *pair)

    def call() -> str:
        p = text_peers.sacrebleu_paired(metric, *pair, kind, n_resamples)
        return f"p = {p:.4f}"

    return call


def _evaluatio(n: int, n_resamples: int) -> Call:
    from evaluatio import _bindings
    from evaluatio.metrics.bleu import _sentence_stats
    from sacrebleu.metrics import BLEU

    texts, bleu = _texts(n), BLEU(effective_order=False)
    sides = [
        [
            _sentence_stats(said, [wanted], bleu)
            for said, wanted in zip(side, texts.references, strict=True)
        ]
        for side in (texts.baseline, texts.candidate)
    ]

    def call() -> str:
        return f"p = {_bindings.bleu_bootstrap_test(*sides, n_resamples):.4f}"

    return call
