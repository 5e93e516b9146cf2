"""What a log of Inspect AI says of the system: model, versions, decoding, prompt, judge."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from deadheat.readers.logs.inspect_ai.shapes import Header
from deadheat.readers.structured import canonical

_DECODING = (
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "seed",
    "stop_seqs",
    "frequency_penalty",
    "presence_penalty",
    "reasoning_effort",
    "reasoning_tokens",
    "system_message",
)

_NAMES = {"stop_seqs": "stop"}

_SECRET = re.compile(r"api_?key|secret|passw|credential|auth", re.IGNORECASE)
_ADDRESS = re.compile(rb"0x[0-9a-f]{6,16}")
_LONGEST = 200


def about(header: Header) -> dict[str, str]:
    """Return what a log states, as text; what it does not state is left out.

    Parameters
    ----------
    header : Header

    Returns
    -------
    dict of str to str
        "prompt_hash" is that of the solvers with all their parameters, such as templates.
    """
    spec = header.eval
    packages = _fields(spec.packages)
    plan, dataset = _fields(header.plan), _fields(spec.dataset)
    decoding = _given(spec.model_generate_config) | _given(plan.get("config"))
    steps = [step for step in _listed(plan.get("steps")) if isinstance(step, dict)]
    found: dict[str, Any] = {
        "model": spec.model,
        "version": packages.get("inspect_ai"),
        "packages": {k: v for k, v in packages.items() if k != "inspect_ai"} or None,
        "task_version": spec.task_version,
        "task_args": spec.task_args or None,
        "date": spec.created,
        **{_NAMES.get(name, name): decoding.get(name) for name in _DECODING},
        "model_args": _without_secrets(spec.model_args) or None,
        "model_roles": _roles(spec.model_roles) or None,
        "solver": " > ".join(str(step.get("solver")) for step in steps) or None,
        "prompt_hash": _hash([[step.get("solver"), step.get("params")] for step in steps]),
        "scorers": _scorers(spec.scorers) or None,
        "dataset": dataset.get("name") or dataset.get("location"),
        "shuffled": dataset.get("shuffled"),
    }
    return {name: _said(value) for name, value in found.items() if value is not None}


def _fields(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _given(config: object) -> dict[str, Any]:
    return {name: value for name, value in _fields(config).items() if value is not None}


def _without_secrets(arguments: object) -> dict[str, Any]:
    return {k: v for k, v in _fields(arguments).items() if not _SECRET.search(k)}


def _roles(roles: object) -> dict[str, Any]:
    """Return the models by their roles, such as that of a grader."""
    found = {}
    for role, config in _fields(roles).items():
        models = [_fields(one).get("model") for one in _listed(config)]
        found[role] = models[0] if len(models) == 1 else models
    return found


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _scorers(scorers: object) -> dict[str, Any]:
    """Return the options of the scorers that were given any, such as the model that judges."""
    found = {}
    for scorer in _listed(scorers):
        if options := _fields(scorer).get("options"):
            found[str(scorer.get("name"))] = options
    return found


def _hash(steps: list[Any]) -> str | None:
    """Return the hash of the solvers; places in memory that stand in it say nothing."""
    if not steps:
        return None
    return hashlib.sha256(_ADDRESS.sub(b"0x", canonical(steps))).hexdigest()[:16]


def _said(value: object) -> str:
    if isinstance(value, Mapping):
        text = ", ".join(f"{k}={v if isinstance(v, str) else _json(v)}" for k, v in value.items())
    else:
        text = value if isinstance(value, str) else _json(value)
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}... (sha256 {hashlib.sha256(text.encode()).hexdigest()[:16]})"


def _json(value: object) -> str:
    return canonical(value).decode()
