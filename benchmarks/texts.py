"""Metrics of texts, tags and confidences beside sacrebleu, rapidfuzz, jiwer, seqeval and others.

Run as ``python benchmarks/texts.py [--quick]``. Of several calls the least CPU seconds, all
threads and processes together, and the least wall seconds are shown; those who are compared take
turns. Texts come from a seeded generator.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import corpora
import jiwer
import numpy as np
import text_peers
from corpora import Texts
from sacrebleu.metrics import BLEU, CHRF, TER
from timing import least_seconds
from translation import scored

import deadheat
from deadheat.inference import between
from deadheat.metrics import metric as metric_named
from deadheat.metrics.texts.edits import edit_counts
from deadheat.resampling.bootstrap import bootstrap
from deadheat.resampling.exchange import exchange
from deadheat.settings import Settings
from tables import seconds_of, table, times, versions

RESAMPLES = 9_999
SEGMENTS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way to do some work.

    Attributes
    ----------
    name : str
        By whom; what is timed.
    call : callable
        Does it, and returns what may be shown to be equal.
    scale : float
        By how much fewer resamples it does than the others.
    """

    name: str
    call: Callable[[], str]
    scale: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The same work, ours first."""

    name: str
    ways: Sequence[Way]


def whole(metric: str, judge: Any, texts: Texts) -> Work:
    """Compare two systems, from lists of texts to intervals and p-values."""
    pair = (texts.baseline, texts.candidate)

    def ours() -> str:
        found = deadheat.compare(*pair, references=texts.references, metric=metric)
        assert isinstance(found, deadheat.Comparison)
        return (
            f"{found.baseline.value:.2f}, {found.candidate.value:.2f}; "
            f"p = {found.difference.p_value:.3f}, {found.difference.tests[0].p_value:.3f}"
        )

    def theirs(kind: text_peers.Kind) -> Way:
        return Way(
            name=f"sacrebleu --paired-{kind}",
            call=lambda: f"p = {text_peers.sacrebleu_paired(judge, *pair, kind, RESAMPLES):.3f}",
        )

    return Work(
        name=f"{metric}, {len(texts.references):,} segments",
        ways=[Way(name="**deadheat.compare**", call=ours), theirs("bs"), theirs("ar")],
    )


def ready(metric: str, judge: Any, texts: Texts, few: int) -> Iterator[Work]:
    """Resample statistics that are ready: bootstrap and all that follows, then the exchange."""
    pair = (texts.baseline, texts.candidate)
    scores = scored(texts, metric)
    value = scores.weighing.metrics[0].value
    settings = Settings(n_resamples=RESAMPLES, threads=1)

    def drawn() -> str:
        types, multiplicities = scores.types()
        found = bootstrap(types, multiplicities, value, n_resamples=RESAMPLES, seed=0)
        spread = np.std(found[:, 1] - found[:, 0])
        return f"standard error {spread:.3f}"

    def inferred() -> str:
        (found,) = between.paired([scores], settings)
        return f"p = {found.difference.p_value:.3f}, {found.difference.tests[0].p_value:.3f}"

    def exchanged() -> str:
        types, multiplicities = scores.types()
        null = exchange(
            types[:, 0], types[:, 1], multiplicities, value, n_resamples=RESAMPLES, seed=0
        )
        gap = float(scores.values[1] - scores.values[0])
        return f"p = {null.at_most(-abs(gap)) + null.at_least(abs(gap)):.3f}"

    known = text_peers.with_statistics(judge, *pair)

    def theirs(name: str, call: Callable[..., float], *kind: str) -> Way:
        return Way(
            name=name,
            call=lambda: f"p = {call(known, *pair, *kind, few):.3f}",
            scale=RESAMPLES / few,
        )

    name = f"{metric}, {len(texts.references):,} segments"
    yield Work(
        name=f"{name}, bootstrap",
        ways=[
            Way(name="**deadheat**, types and bootstrap", call=drawn),
            Way(name="deadheat, with BCa of sides and gap, and the swap test", call=inferred),
            theirs("sacrebleu --paired-bs", text_peers.sacrebleu_paired, "bs"),
            theirs("sacrebleu, two of its three bootstraps", text_peers.sacrebleu_two_bootstraps),
        ],
    )
    yield Work(
        name=f"{name}, exchange",
        ways=[
            Way(name="**deadheat**, types and exchange", call=exchanged),
            theirs("sacrebleu --paired-ar", text_peers.sacrebleu_paired, "ar"),
        ],
    )


def word_errors(n: int) -> Work:
    """Count edits of words."""
    texts = corpora.sentences(n, errors=0.1, seed=2, plain=True)
    references = [(text,) for text in texts.references]
    split = [[text.split() for text in side] for side in (texts.references, texts.baseline)]

    def ours() -> str:
        wer = metric_named("wer")
        return f"{wer.value(wer.statistics(references, texts.baseline).sum(axis=0)):.6f}"

    def counted() -> str:
        substituted, deleted, inserted, hit = edit_counts(*split).sum(axis=0)
        return f"{(substituted + deleted + inserted) / (substituted + deleted + hit):.6f}"

    def operations() -> str:
        return f"{text_peers.rapidfuzz_operations(*split) / sum(map(len, split[0])):.6f}"

    def splitting() -> str:
        sides = [[text.split() for text in side] for side in (texts.references, texts.baseline)]
        return f"{sum(map(len, sides[0])):,} words"

    def theirs() -> str:
        return f"{jiwer.process_words(texts.references, texts.baseline).wer:.6f}"

    return Work(
        name=f"wer, {n:,} utterances",
        ways=[
            Way(name="**deadheat**, statistics from texts", call=ours),
            Way(name="str.split alone", call=splitting),
            Way(name="deadheat, substitutions, deletions, insertions of words", call=counted),
            Way(name="rapidfuzz editops alone, of words", call=operations),
            Way(name="jiwer.process_words", call=theirs),
        ],
    )


def translation_edits(n: int) -> Work:
    """Extract TER's statistics on one core and on all."""
    texts = corpora.sentences(n, errors=0.3, seed=3)
    references = [(text,) for text in texts.references]
    judge = TER(references=[texts.references])

    def ours() -> str:
        ter = metric_named("ter")
        return f"{ter.value(ter.statistics(references, texts.baseline).sum(axis=0)):.4f}"

    def alone() -> str:
        with one_core():
            return ours()

    def theirs() -> str:
        return f"{judge.corpus_score(texts.baseline, None).score:.4f}"

    return Work(
        name=f"ter, {n:,} segments",
        ways=[
            Way(name=f"**deadheat**, all {os.cpu_count()} cores", call=ours),
            Way(name="deadheat, one core", call=alone),
            Way(name="sacrebleu", call=theirs),
        ],
    )


@contextmanager
def one_core() -> Iterator[None]:
    """Let this process have a single core, where the system can be told so."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def spans(n: int) -> Work:
    """Count spans of BIO tags."""
    references, outputs = corpora.tags(n, seed=4)

    def ours() -> str:
        f1 = metric_named("span_f1")
        bound = f1.bind_values(references, [outputs]) if hasattr(f1, "bind_values") else f1
        return f"{float(bound.value(bound.statistics(references, outputs).sum(axis=0))):.6f}"

    return Work(
        name=f"span_f1, {n:,} sentences",
        ways=[
            Way(name="**deadheat**, statistics", call=ours),
            Way(
                name="seqeval f1_score",
                call=lambda: f"{text_peers.seqeval_f1(references, outputs):.6f}",
            ),
        ],
    )


def areas(n: int, few: int) -> Work:
    """Compare two areas under ROC curves."""
    truths, *pair = corpora.confidences(n, seed=5)

    def ours() -> str:
        found = deadheat.compare(*pair, references=truths, metric="auroc")
        assert isinstance(found, deadheat.Comparison)
        assert found.difference.interval is not None
        return f"from {found.difference.interval.low:+.5f}"

    def theirs(name: str, call: Callable[..., float]) -> Way:
        return Way(
            name=name, call=lambda: f"from {call(truths, *pair, few):+.4f}", scale=RESAMPLES / few
        )

    return Work(
        name=f"auroc, {n:,} items",
        ways=[
            Way(name="**deadheat.compare**", call=ours),
            theirs("scipy.stats.bootstrap, vectorised, percentile", text_peers.scipy_auroc),
            theirs("loop over scikit-learn roc_auc_score", text_peers.sklearn_auroc),
        ],
    )


def show(works: Sequence[Work], *, repeats: int) -> None:
    """Print the seconds of every way and how many times ours each takes."""
    rows: list[tuple[object, ...]] = []
    for work in works:
        shown = [way.call() for way in work.ways]
        found = least_seconds([way.call for way in work.ways], repeats=repeats)
        first = found[0]
        for way, seconds, result in zip(work.ways, found, shown, strict=True):
            cpu, wall = way.scale * seconds.cpu, way.scale * seconds.wall
            few = round(RESAMPLES / way.scale)
            rows.append(
                (
                    work.name,
                    way.name,
                    seconds_of(cpu),
                    seconds_of(wall),
                    times(cpu / first.cpu),
                    times(wall / first.wall),
                    result,
                    "" if way.scale == 1 else f"scaled from {few:,} resamples",
                )
            )
    table("work | by | CPU s | wall s | times ours, CPU | wall | found | note", rows)


def main() -> None:
    """Print every table."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repeats, peers scaled")
    quick = parser.parse_args().quick
    repeats, few, fewest = (1, 500, 20) if quick else (3, RESAMPLES, 100)
    texts = corpora.sentences(SEGMENTS, errors=0.3, seed=1)
    bleu, chrf = BLEU(references=[texts.references]), CHRF(references=[texts.references])
    packages = ("deadheat", "numpy", "scipy", "sacrebleu", "rapidfuzz", "jiwer", "seqeval")
    print("# Texts, tags and confidences\n")
    print(f"{versions(*packages, 'scikit-learn')};")
    print(f"{RESAMPLES:,} resamples where a method draws them.\n")
    print("## Whole comparisons\n")
    show(
        [
            whole("bleu", bleu, texts),
            whole("chrf", chrf, texts),
            areas(10_000, fewest),
        ],
        repeats=repeats,
    )
    print("## Resampling once statistics are extracted, on one thread\n")
    show([*ready("bleu", bleu, texts, few), *ready("chrf", chrf, texts, few)], repeats=repeats)
    print("## Statistics\n")
    show([word_errors(10_000), translation_edits(2_000), spans(5_000)], repeats=repeats)


if __name__ == "__main__":
    main()
