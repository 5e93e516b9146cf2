"""How the order of systems depends on what is made of missing and unusable answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from deadheat.alignment import Alignment
from deadheat.alignment.policies import other_policy
from deadheat.errors import AlignmentError, MetricError
from deadheat.notes import Note
from deadheat.scale import Scale
from deadheat.scores import Scores

Scored = Callable[[Alignment], Scores]
"""Scores the items of an alignment as the result at hand was scored."""

EQUAL = 1e-12
"""Values that differ by less, in parts of their size, are one."""

LISTED = 8
"""Systems or pairs that a note spells out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Values and ranks under one way to treat what is missing or unusable.

    Attributes
    ----------
    name : {"current", "wrong", "drop", "answered"}
        As asked for; all scored wrong; the items for which every system has a usable answer;
        each system on the items that it answered.
    values : tuple of float
    ranks : tuple of int
        1 for the best; equal values share a rank.
    n : tuple of int
        Items of each system.
    """

    name: str
    values: tuple[float, ...]
    ranks: tuple[int, ...]
    n: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Two systems whose order depends on the policy: `ahead` leads under it, and not as asked."""

    policy: str
    ahead: str
    behind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRanks:
    """How the order of systems depends on the treatment of what is missing or unusable.

    Attributes
    ----------
    systems : tuple of str
    policies : tuple of Policy
        The first is the current one.
    swaps : tuple of Swap
    unavailable : dict of str to str
        Policies under which there are no values, and why.
    missing, unusable : tuple of int
        Per system: items without an answer or a score, and null outputs among the rest.
    """

    systems: tuple[str, ...]
    policies: tuple[Policy, ...]
    swaps: tuple[Swap, ...]
    unavailable: Mapping[str, str]
    missing: tuple[int, ...]
    unusable: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "policies": [
                {
                    "name": policy.name,
                    "systems": [
                        {"system": system, "value": value, "rank": rank, "n": n}
                        for system, value, rank, n in zip(
                            self.systems, policy.values, policy.ranks, policy.n, strict=True
                        )
                    ],
                }
                for policy in self.policies
            ],
            "swaps": [
                {"policy": swap.policy, "ahead": swap.ahead, "behind": swap.behind}
                for swap in self.swaps
            ],
            "unavailable": dict(self.unavailable),
        }

    def note(self, scale: Scale) -> Note:
        """Say which ranks move, in a note "policy_ranks"."""
        counts = [
            f"{system} {k:,}"
            for system, *gaps in zip(self.systems, self.missing, self.unusable, strict=True)
            if (k := sum(gaps))
        ]
        head = (
            f"Some answers are missing or unusable ({_listed(counts)}). "
            if counts
            else "Some answers are missing or unusable. "
        )
        others = [_words(policy) for policy in self.policies[1:]]
        if not self.swaps:
            return Note(
                code="policy_ranks",
                message=f"{head}No two systems change places under the other ways to treat them: "
                f"{'; '.join(others)}.",
            )
        said = []
        for policy in self.policies[1:]:
            swaps = [swap for swap in self.swaps if swap.policy == policy.name]
            if swaps:
                of = dict(zip(self.systems, policy.values, strict=True))
                pairs = [
                    f"{s.ahead} ({scale.value(of[s.ahead])}) is ahead of {s.behind} "
                    f"({scale.value(of[s.behind])})"
                    for s in swaps
                ]
                said.append(f"{_words(policy)}, {_listed(pairs)}")
        return Note(
            code="policy_ranks",
            message=f"{head}How they are treated decides ranks. Unlike here, {'; '.join(said)}.",
        )


def _words(policy: Policy) -> str:
    if policy.name == "wrong":
        return "with all of them scored wrong"
    if policy.name == "drop":
        return f"on the {policy.n[0]:,} items to which every system has a usable answer"
    return "with each system on the items that it answered"


def policy_ranks(alignment: Alignment, scored: Scored) -> PolicyRanks | None:
    """Return values and ranks under every policy on what is missing or unusable.

    Parameters
    ----------
    alignment : Alignment
        Of the systems to rank.
    scored : callable
        Scores an alignment, as `deadheat.scores.score_items` with the metric does.

    Returns
    -------
    PolicyRanks or None
        None where nothing is missing and no output is null.
    """
    whole = _whole(alignment)
    missing, unusable = whole.absent, whole.unparseable
    if not (alignment.dropped or any(missing) or any(unusable)):
        return None
    systems = alignment.systems
    policies: list[Policy] = []
    unavailable: dict[str, str] = {}
    for name in ("current", "wrong", "drop", "answered"):
        if _is_current(name, alignment):
            continue
        try:
            policies.append(_policy(name, alignment, scored))
        except (AlignmentError, MetricError) as error:
            if name == "current":
                raise
            unavailable[name] = str(error)
    current = policies[0]
    swaps = tuple(
        Swap(policy=policy.name, ahead=systems[ahead], behind=systems[behind])
        for policy in policies[1:]
        for one, other in combinations(range(len(systems)), 2)
        for ahead, behind in ((one, other), (other, one))
        if policy.ranks[ahead] < policy.ranks[behind]
        and current.ranks[ahead] > current.ranks[behind]
    )
    return PolicyRanks(
        systems=systems,
        policies=tuple(policies),
        swaps=swaps,
        unavailable=unavailable,
        missing=missing,
        unusable=unusable,
    )


def _policy(name: str, alignment: Alignment, scored: Scored) -> Policy:
    if name == "answered":
        parts = [
            other_policy(alignment, (system,), missing="drop", unparseable="missing")
            for system in alignment.systems
        ]
    elif name == "current":
        parts = [alignment]
    else:
        parts = [
            other_policy(
                alignment,
                missing="drop" if name == "drop" else "wrong",
                unparseable="missing" if name == "drop" else "wrong",
            )
        ]
    scores = [scored(part) for part in parts]
    values = np.concatenate([group.values for group in scores])
    ordered = values if scores[0].metrics[0].greater_is_better else -values
    ranks = [1 + int((ordered > value + EQUAL * max(1.0, abs(value))).sum()) for value in ordered]
    return Policy(
        name=name,
        values=tuple(values.tolist()),
        ranks=tuple(ranks),
        n=tuple(part.n for part in parts for _ in part.systems),
    )


def _is_current(name: str, alignment: Alignment) -> bool:
    """Whether a policy has the name of another and is the current one."""
    current = alignment.missing, alignment.unparseable_policy
    if name == "wrong":
        return current in (("wrong", "wrong"), ("error", "wrong"))
    return name == "drop" and current == ("drop", "missing")


def _whole(alignment: Alignment) -> Alignment:
    """Return an alignment that keeps all items, for its counts; itself where that cannot be."""
    try:
        return other_policy(alignment, missing="wrong", unparseable="wrong")
    except AlignmentError:
        return alignment


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - LISTED} more" if len(texts) > LISTED else ""
    return ", ".join(texts[:LISTED]) + more
