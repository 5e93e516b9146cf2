"""What is read of a log of Inspect AI; fields that are not named here are skipped undecoded."""

from __future__ import annotations

from typing import Any

import msgspec

NOTHING = msgspec.Raw(b"null")
"""A field that is not there."""


class Score(msgspec.Struct):
    """What a scorer made of a sample."""

    value: Any = None
    answer: Any = None


class Sample(msgspec.Struct):
    """A sample in one epoch, or its summary: they have these fields in common."""

    id: int | str
    epoch: int = 1
    input: msgspec.Raw = NOTHING
    target: msgspec.Raw = NOTHING
    output: msgspec.Raw = NOTHING
    metadata: msgspec.Raw = NOTHING
    scores: dict[str, Score] | None = None
    score: Score | None = None
    error: Any = None
    invalidation: Any = None
    model_usage: msgspec.Raw = NOTHING
    total_time: Any = None


class Metric(msgspec.Struct):
    """A published value."""

    name: str = ""
    value: float | None = None
    group: str | None = None


class Published(msgspec.Struct):
    """The published values of one scorer, or of one entry of its values."""

    name: str
    scorer: str | None = None
    reducer: str | None = None
    metrics: dict[str, Metric] = {}


class Headline(msgspec.Struct):
    """The metric that the task calls its main one."""

    scorer: str | None = None
    score: str | None = None


class Results(msgspec.Struct):
    """What was published of a log; the first versions had one scorer."""

    scores: list[Published] = []
    scorer: Published | None = None
    metrics: dict[str, Metric] = {}
    headline: Headline | None = None
    total_samples: Any = None


class ReducedScore(msgspec.Struct):
    """The score of a sample over all epochs."""

    value: Any = None
    sample_id: int | str | None = None


class Reduction(msgspec.Struct):
    """The scores of all samples over all epochs, by one rule."""

    scorer: str
    samples: list[ReducedScore]
    reducer: str | None = None


class Spec(msgspec.Struct):
    """What was evaluated, and how."""

    model: str
    task: str
    task_id: Any = None
    created: Any = None
    task_version: Any = None
    task_args: Any = None
    dataset: Any = None
    model_args: Any = None
    model_roles: Any = None
    model_generate_config: Any = None
    config: Any = None
    packages: Any = None
    scorers: Any = None


class Header(msgspec.Struct):
    """A log without its samples."""

    eval: Spec
    status: str = "started"
    plan: Any = None
    results: Results | None = None
    invalidated: Any = None


class Document(Header):
    """A log that is one JSON document."""

    samples: list[msgspec.Raw] | None = None
    reductions: list[Reduction] | None = None
