"""Metrics by name: the name says the family, the average, the beta and the k."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack, get_args

from deadheat import registry
from deadheat.errors import UsageError, known
from deadheat.metrics.applicable import given, refuse
from deadheat.metrics.metric import Average, Metric, OfSums, OfWeights, Settings

PACKAGE = "deadheat.metrics"

ALIASES = {"kappa": "cohen_kappa", "f": "f1", "chrf++": "chrf_plus", "rougeL": "rougel"}
COUNTED = {
    "pass@": "pass_at",
    "pass^": "pass_all",
    "ndcg@": "ndcg",
    "mrr@": "mrr",
    "recall@": "recall_at",
}
"""Families whose name ends in a number."""

SHOWN = {
    "chrf_plus": "chrf++",
    "rougel": "rougeL",
    "pass_at": "pass@k",
    "pass_all": "pass^k",
    "ndcg": "ndcg@k",
    "recall_at": "recall@k",
}
"""Names of families that cannot be the name of a module."""

AVERAGES: tuple[Average, ...] = get_args(Average)
SPANS = ("span_precision", "span_recall", "span_f1")
AVERAGED = ("precision", "recall", "f1", "f0.5", "f2", *SPANS)

_BETA = re.compile(r"f([0-9]+(?:\.[0-9]+)?)")
_COUNT = re.compile(r"([a-z_]+[@^])([0-9]+)")


class Options(TypedDict, total=False):
    """Settings of a metric that options give; see `deadheat.metrics.metric.Settings`."""

    labels: Sequence[Any] | None
    positive: Any
    zero_division: float
    greater_is_better: bool | None
    tokenize: str | None
    normalize: str | Sequence[str] | None
    normalize_map: Mapping[str, str] | None
    bins: int
    ties: str
    scheme: str


def metric(name: str, **options: Unpack[Options]) -> Metric:
    """Make a metric.

    Parameters
    ----------
    name : str
        Such as "accuracy", "macro_f1", "bleu", "wer", "auroc", "pass@5"; `names` lists them.
        "micro_", "macro_" and "weighted_" may stand before precision, recall, F and span F.
        "package.module:name" is a metric of one's own.
    **options
        See `deadheat.metrics.metric.Settings`. `labels` and `normalize` may be any sequence,
        `normalize` also one text with commas.

    Raises
    ------
    UsageError
        If there is no such metric, or a setting that it does not have was given.

    Examples
    --------
    >>> metric("macro_f1").signature
    'macro_f1|labels:0|zd:0|v:1'
    >>> metric("f").name, metric("weighted_f0.50").name
    ('f1', 'weighted_f0.5')
    """
    (made,) = metrics_of(name, **options)
    if made is None:
        raise UsageError("the metric has no name.", fix=known(names()))
    return made


def metrics_of(choice: Any, **options: Unpack[Options]) -> tuple[Metric | None, ...]:
    """Return the metrics that names and options mean, or metrics as they were given.

    An option has to be one that at least one of the metrics has. Without a choice there is no
    metric yet (the scores decide), unless lower is better, which makes it a mean.

    Parameters
    ----------
    choice : str, Metric, callable, class, a sequence of these, or None
        A text may hold several names with commas between them.

    Raises
    ------
    UsageError
        As `metric`; also if a metric is named twice, or settings are given beside no name or a
        metric already made.
    """
    settings = _settings(**options)
    if choice is None:
        if set(given(settings)) - {"greater_is_better"}:
            raise UsageError(
                "settings of a metric were given without the name of one.",
                fix="Name it with --metric, such as --metric macro_f1.",
            )
        return (_made("mean", settings),) if given(settings) else (None,)
    if isinstance(choice, str):
        choices: Sequence[Any] = choice.split(",")
    else:
        choices = choice if isinstance(choice, (list, tuple)) else [choice]
    if not choices:
        raise UsageError("no metric is named.", fix=known(names()))
    modules = [_module(one) for one in choices]
    unclaimed = set(given(settings)).difference(*(_options_of(m) for _, m in modules))
    if unclaimed or len(choices) == 1:
        # With one metric, or where no metric has the setting, the metric itself refuses it.
        applied = [settings for _ in choices]
    else:
        applied = [_limited(settings, _options_of(module)) for _, module in modules]
    made = tuple(_made(one, part) for one, part in zip(choices, applied, strict=True))
    signatures = [one.signature for one in made]
    twice = next((s for s in signatures if signatures.count(s) > 1), None)
    if twice is not None:
        raise UsageError(f"the metric {twice.partition('|')[0]} is named twice.")
    return made


def names() -> tuple[str, ...]:
    """Return the names of the metrics, each F and each average among them, sorted.

    Examples
    --------
    >>> [name for name in names() if "recall" in name]
    ['macro_recall', 'macro_span_recall', 'micro_recall', 'recall', 'recall@k', \
'span_recall', 'weighted_recall', 'weighted_span_recall']
    """
    averaged = (
        f"{a}_{name}"
        for a in AVERAGES
        for name in AVERAGED
        # Spans without an average are taken over all types, which is what micro says.
        if a != "binary" and not (a == "micro" and name in SPANS)
    )
    single = {SHOWN.get(name, name) for name in registry.names(PACKAGE)} - {"f"}
    return tuple(sorted({*single, *AVERAGED, *averaged}))


def _settings(**options: Unpack[Options]) -> Settings:
    """Bring options to the form that metrics are given them in."""
    zero_division = options.get("zero_division", 0.0)
    if isinstance(zero_division, str) and zero_division in ("0", "1", "nan"):
        zero_division = float(zero_division)
    is_number = isinstance(zero_division, (int, float))
    if not is_number or not (zero_division in (0.0, 1.0) or zero_division != zero_division):
        raise UsageError(f"zero_division is {zero_division!r}.", fix="Give 0, 1 or nan.")
    labels, steps = options.get("labels"), options.get("normalize")
    parted = steps.split(",") if isinstance(steps, str) else steps or ()
    bare = Settings(name="")
    return Settings(
        name="",
        labels=None if labels is None else tuple(labels),
        positive=options.get("positive"),
        zero_division=float(zero_division),
        greater_is_better=options.get("greater_is_better"),
        tokenize=options.get("tokenize"),
        normalize=tuple(step.strip() for step in parted),
        normalize_map=options.get("normalize_map"),
        bins=options.get("bins", bare.bins),
        ties=options.get("ties", bare.ties),
        scheme=options.get("scheme", bare.scheme),
    )


def _module(choice: Any) -> tuple[Settings | None, Any]:
    """Return what the name of a choice says and the module that makes it; None for objects."""
    if not isinstance(choice, str) or ":" in choice:
        return None, None
    family, parts = _parsed(choice.strip())
    return parts, registry.load(PACKAGE, family)


def _options_of(module: Any) -> frozenset[str]:
    """Return the settings that a module or an object of one's own takes."""
    return frozenset(getattr(module, "OPTIONS", ("greater_is_better",)))


def _limited(settings: Settings, options: frozenset[str]) -> Settings:
    bare = Settings(name=settings.name)
    return replace(settings, **{o: getattr(bare, o) for o in given(settings) if o not in options})


def _made(choice: Any, settings: Settings) -> Metric:
    parts, module = _module(choice)
    if parts is None:
        return _own(choice, settings)
    full = replace(settings, name=parts.name, average=parts.average, beta=parts.beta, k=parts.k)
    if not hasattr(module, "metric"):  # an entry point may offer a metric itself
        from deadheat.metrics import own

        return own.adapted(module, full)
    refuse(full, getattr(module, "OPTIONS", ()))
    made: Metric = module.metric(full)
    return made


def _own(choice: Any, settings: Settings) -> Metric:
    if not isinstance(choice, str) and _complete(choice):
        if given(replace(settings, name="")):
            raise UsageError(
                f"{choice.name} was given already made, and settings beside it.",
                fix="Make it with these settings, or give its name.",
            )
        made: Metric = choice
        return made
    from deadheat.metrics import own

    if isinstance(choice, str):
        return own.from_name(choice, replace(settings, name=choice))
    return own.adapted(choice, settings)


def _complete(choice: Any) -> bool:
    return (
        not isinstance(choice, type)
        and isinstance(choice, Metric)
        and isinstance(choice, (OfSums, OfWeights))
    )


def _parsed(name: str) -> tuple[str, Settings]:
    """Split a name into the module and what else it says."""
    whole = ALIASES.get(name, name)
    variants = registry.names(PACKAGE)
    counted = _COUNT.fullmatch(name)
    if counted and counted[1] in COUNTED:
        return COUNTED[counted[1]], Settings(name=name, k=int(counted[2]))
    if whole in variants and whole != "f":
        return whole, Settings(name=name)
    average: Average = "binary"
    bare = whole
    for prefix in AVERAGES:
        if prefix != "binary" and whole.startswith(f"{prefix}_"):
            average, bare = prefix, whole.removeprefix(f"{prefix}_")
    bare = ALIASES.get(bare, bare)
    written = _BETA.fullmatch(bare)
    if written:
        return "f", Settings(name=name, average=average, beta=float(written[1]))
    if bare not in variants:
        raise UsageError(f"there is no metric {name!r}.", fix=known(names(), name))
    return bare, Settings(name=name, average=average)
