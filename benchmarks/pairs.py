"""Two systems: the difference of accuracies and of means, with its interval.

Each peer is called as its careful user would; what answers another question says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import inputs
import numpy as np
from inputs import Floats
from ways import RESAMPLES, Call, Way, interval

BLOCK_BYTES = 16_000_000
"""Of one batch of resamples: the batch at which scipy is at its fastest here."""

PAIRED, DIFFERENCES = "paired", "differences"


def cases() -> Iterator[Way]:
    """Yield every way of every case."""
    for n, few in ((10_000, RESAMPLES), (1_000_000, 50)):
        yield from _means(f"accuracy, {n:,} items", "accuracy", n, few)
    yield from _means("mean of real scores, 100,000 items", "mean", 100_000, 500)


def _scores(metric: str, n: int) -> tuple[Floats, Floats]:
    return inputs.right_or_wrong(n) if metric == "accuracy" else inputs.real_scores(n)


def _means(case: str, metric: str, n: int, few: int) -> Iterator[Way]:
    """Yield ways to compare means; peers draw `few` resamples and are scaled."""
    data = partial(_scores, metric, n)
    yield Way(case=case, name="compare", package="deadheat", make=partial(_ours, data, metric))
    scale = RESAMPLES / few
    scipy, arch = partial(_scipy, data, few), partial(_arch, data, few)
    yield Way(
        case=case,
        name="IIDBootstrap, paired, percentile",
        package="arch",
        make=partial(_arch_paired, data, few),
        scale=scale,
    )
    yield Way(
        case=case,
        name="bootstrap, paired, percentile",
        package="scipy",
        make=partial(scipy, PAIRED, "percentile"),
        scale=scale,
    )
    yield Way(
        case=case,
        name="bootstrap, differences, percentile",
        package="scipy",
        make=partial(scipy, DIFFERENCES, "percentile"),
        scale=scale,
    )
    yield Way(
        case=case,
        name="IIDBootstrap, differences, percentile",
        package="arch",
        make=partial(arch, "percentile"),
        scale=scale,
    )
    if few == RESAMPLES:
        yield Way(
            case=case,
            name="bootstrap, paired, BCa",
            package="scipy",
            make=partial(scipy, PAIRED, "BCa"),
        )
        yield Way(
            case=case,
            name="IIDBootstrap, differences, BCa",
            package="arch",
            make=partial(arch, "bca"),
        )
    fast = min(RESAMPLES, 10 * few)
    yield Way(
        case=case,
        name="bootstrap of differences, and its test",
        package="evaluatio",
        make=partial(_evaluatio, data, fast),
        scale=RESAMPLES / fast,
    )
    if n > 100_000:
        return
    for package, name, made in (
        ("deltagate", "bootstrap_delta_ci, BCa", _deltagate),
        ("confidence-intervals", "evaluate_with_conf_int of differences", _confidence_intervals),
        ("mlxtend", "bootstrap of differences", _mlxtend),
        ("torchmetrics", "BootStrapper of the mean of differences", _torchmetrics),
        ("honestboard", "Board.compare", _honestboard),
    ):
        if package == "honestboard" and metric != "accuracy":
            continue
        timed = min(few, 10_000_000 // n) if package == "torchmetrics" else few
        yield Way(
            case=case,
            name=name,
            package=package,
            make=partial(made, data, timed),
            scale=RESAMPLES / timed,
        )
    if metric == "accuracy":
        yield Way(
            case=case,
            name="run_audit, 10,000 resamples",
            package="evaltrust",
            make=partial(_evaltrust, data),
            note="a verdict, with two bootstraps and a permutation test",
        )
        yield Way(
            case=case,
            name="accuracy_score, difference",
            package="CompStats",
            make=partial(_compstats_accuracy, data, 500),
            scale=RESAMPLES / 500,
            note="standard errors and p-values",
        )


def _ours(data: Any, metric: str) -> Call:
    import deadheat

    baseline, candidate = data()

    def call() -> str:
        found = deadheat.compare(baseline, candidate, metric=metric, n_resamples=RESAMPLES)
        return shown(found)

    return call


def shown(found: Any) -> str:
    """Show the interval of a comparison, and its method."""
    ends = found.to_dict()["difference"]["interval"]
    return f"{interval(ends['low'], ends['high'])} ({ends['method']})"


def _gap(baseline: Floats, candidate: Floats, axis: int = -1) -> Floats:
    return np.asarray(candidate.mean(axis=axis) - baseline.mean(axis=axis))


def _scipy(data: Any, n_resamples: int, form: str, method: str) -> Call:
    from scipy import stats

    baseline, candidate = data()
    paired = form == PAIRED
    given = (baseline, candidate) if paired else (candidate - baseline,)

    def call() -> str:
        found = stats.bootstrap(
            given,
            _gap if paired else np.mean,
            paired=paired,
            vectorized=True,
            n_resamples=n_resamples,
            batch=max(1, BLOCK_BYTES // baseline.nbytes),
            method=method,
            rng=0,
        ).confidence_interval
        return interval(found.low, found.high)

    return call


def _arch(data: Any, n_resamples: int, method: str) -> Call:
    from arch.bootstrap import IIDBootstrap

    baseline, candidate = data()
    differences = candidate - baseline

    def call() -> str:
        bootstrap = IIDBootstrap(differences, seed=0)
        low, high = bootstrap.conf_int(np.mean, reps=n_resamples, method=method).ravel()
        return interval(low, high)

    return call


def _arch_paired(data: Any, n_resamples: int) -> Call:
    from arch.bootstrap import IIDBootstrap

    baseline, candidate = data()

    def call() -> str:
        bootstrap = IIDBootstrap(baseline, candidate, seed=0)
        found = bootstrap.conf_int(
            lambda first, second: second.mean() - first.mean(),
            reps=n_resamples,
            method="percentile",
        )
        return interval(*found.ravel())

    return call


def _evaluatio(data: Any, n_resamples: int) -> Call:
    from evaluatio.inference.ci import bootstrap_confidence_interval
    from evaluatio.inference.hypothesis import paired_bootstrap_test

    baseline, candidate = data()
    differences = candidate - baseline

    def call() -> str:
        found = bootstrap_confidence_interval(differences, n_resamples, 0.05)
        p = paired_bootstrap_test(candidate, baseline, n_resamples)
        return f"{interval(found.lower, found.upper)}, p = {p:.4f}"

    return call


def _deltagate(data: Any, n_resamples: int) -> Call:
    import deltagate

    baseline, candidate = (scores.tolist() for scores in data())

    def call() -> str:
        found = deltagate.bootstrap_delta_ci(candidate, baseline, n_boot=n_resamples)
        return interval(found["lower"], found["upper"])

    return call


def _confidence_intervals(data: Any, n_resamples: int) -> Call:
    from confidence_intervals import evaluate_with_conf_int

    baseline, candidate = data()
    differences = candidate - baseline

    def call() -> str:
        _, ends = evaluate_with_conf_int(differences, np.mean, num_bootstraps=n_resamples)
        return interval(*ends)

    return call


def _mlxtend(data: Any, n_resamples: int) -> Call:
    from mlxtend.evaluate import bootstrap

    baseline, candidate = data()
    differences = candidate - baseline

    def call() -> str:
        _, _, ends = bootstrap(differences, np.mean, num_rounds=n_resamples, seed=0)
        return interval(*ends)

    return call


def _torchmetrics(data: Any, n_resamples: int) -> Call:
    """Wrap a mean: it resamples one metric of one system, a copy of it for each resample."""
    import torch
    from torchmetrics import MeanMetric
    from torchmetrics.wrappers import BootStrapper

    baseline, candidate = data()
    differences = torch.from_numpy(candidate - baseline)

    def call() -> str:
        metric = BootStrapper(
            MeanMetric(),
            num_bootstraps=n_resamples,
            quantile=torch.tensor([0.025, 0.975]),
            sampling_strategy="multinomial",
        )
        metric.update(differences)
        return interval(*metric.compute()["quantile"].tolist())

    return call


def _honestboard(data: Any, n_resamples: int) -> Call:
    from honestboard import Board

    board = Board(["baseline", "candidate"], np.stack(data()))

    def call() -> str:
        found = board.compare("baseline", "candidate", B=n_resamples)
        return f"{interval(*found['ci'])}, p = {found['p_two_sided']:.4f}"

    return call


def _evaltrust(data: Any) -> Call:
    from evaltrust import EvalData, Example, run_audit

    baseline, candidate = data()
    examples = [
        Example(id=str(at), scores={"baseline": float(b), "candidate": float(c)})
        for at, (b, c) in enumerate(zip(baseline, candidate, strict=True))
    ]
    held = EvalData(models=["baseline", "candidate"], examples=examples, source_format="python")

    def call() -> str:
        return str(run_audit(held).verdict.level)

    return call


def _compstats_accuracy(data: Any, n_resamples: int) -> Call:
    from CompStats.metrics import accuracy_score

    baseline, candidate = (scores.astype(int) for scores in data())
    right = np.ones_like(baseline)

    def call() -> str:
        board = accuracy_score(
            right, baseline, candidate, num_samples=n_resamples, n_jobs=1, use_tqdm=False
        )
        return told(board.difference())

    return call


def told(found: Any) -> str:
    """Return the last line of what a peer prints."""
    text = str(found).splitlines()
    return text[-1].strip() if text else ""
