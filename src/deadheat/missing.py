"""What missing answers could do: to each value and difference, and to the order of systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.alignment import Alignment, Missing, Unparseable, align
from deadheat.errors import AlignmentError, MetricError
from deadheat.evaluation import Evaluation
from deadheat.notes import Note
from deadheat.scale import Scale
from deadheat.scores import Scores
from deadheat.scores.given import absent_shares, given_scores, present_range, range_of

Floats = NDArray[np.float64]

EQUAL = 1e-12
"""Values that differ by less, in parts of their size, are one."""

Scored = Callable[[Alignment], Scores]
"""Scores the items of an alignment as the result at hand was scored."""

LISTED = 8
"""Systems or pairs that a note spells out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Between which a value lies whatever the missing answers are.

    Attributes
    ----------
    system : str
    low, high : float
    missing : float
        Items without an answer or a score; a share of one where only some of its runs lack one.
    n : int
        Items with a place in the value.
    """

    system: str
    low: float
    high: float
    missing: float
    n: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "system": self.system,
            "low": self.low,
            "high": self.high,
            "missing": self.missing,
            "n": self.n,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingBounds:
    """Worst cases over all that missing answers could have been (Manski 1989).

    Attributes
    ----------
    systems : tuple of Bounds
    difference : tuple of float, or None
        Least and greatest candidate - baseline, where there are two systems.
    """

    systems: tuple[Bounds, ...]
    difference: tuple[float, float] | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        ends = None
        if self.difference is not None:
            ends = {"low": self.difference[0], "high": self.difference[1]}
        return {"systems": [bounds.to_dict() for bounds in self.systems], "difference": ends}

    def note(self, metric: str, scale: Scale) -> Note:
        """Say the bounds in a note "missing_bounds".

        Examples
        --------
        >>> a = Bounds(system="a", low=0.70, high=0.70, missing=0.0, n=100)
        >>> b = Bounds(system="b", low=0.68, high=0.73, missing=5.0, n=100)
        >>> found = MissingBounds(systems=(a, b), difference=(b.low - a.high, b.high - a.low))
        >>> print(found.note("accuracy", Scale(in_points=True, decimals=0)).message)
        If all that is missing were scored worst or best, accuracy on all items would be: b 68% to \
73% (5 missing of 100). The difference would lie between -2 points and +3 points: what is missing \
could turn its sign.
        """
        with_gaps = [bounds for bounds in self.systems if bounds.missing]
        listed = ", ".join(
            f"{b.system} {scale.value(b.low)} to {scale.value(b.high)} "
            f"({_count(b.missing)} missing of {b.n:,})"
            for b in with_gaps[:LISTED]
        )
        more = f" and {len(with_gaps) - LISTED} more" if len(with_gaps) > LISTED else ""
        message = (
            f"If all that is missing were scored worst or best, {metric} on all items would be: "
            f"{listed}{more}."
        )
        if self.difference is not None:
            low, high = self.difference
            turned = (
                "what is missing could turn its sign"
                if low < 0.0 < high
                else "nothing that is missing could turn its sign"
            )
            message += (
                f" The difference would lie between {scale.difference(low)} and "
                f"{scale.difference(high)}: {turned}."
            )
        return Note(code="missing_bounds", message=message)


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


def missing_bounds(alignments: Sequence[Alignment], scored: Scored) -> MissingBounds | None:
    """Return the bounds of values, and of the difference of two systems.

    All items that any of the systems (or the references) have are counted, dropped ones too; null
    outputs are missing as far as the alignment takes them so. Every missing answer of a system is
    set to the worst and then to the best score possible, whatever those of the other are.

    Parameters
    ----------
    alignments : sequence of Alignment
        One of all systems, or one for each.
    scored : callable
        Scores an alignment, as `deadheat.scores.score_items` with the metric does.

    Returns
    -------
    MissingBounds or None
        None where nothing is missing, where the metric is no mean or is not bounded, or where
        items without a reference would have to be scored.

    References
    ----------
    Manski, C. F. (1989). Anatomy of the selection problem. Journal of Human Resources 24, 343-360.
    """
    if not any(alignment.dropped or any(alignment.absent) for alignment in alignments):
        return None
    found: list[Bounds] = []
    for alignment in alignments:
        whole = other_policy(alignment, missing="wrong")
        if whole is None:
            return None
        bounds = _bounds(whole, scored)
        if bounds is None:
            return None
        found.extend(bounds)
    if not any(bounds.missing for bounds in found):
        return None
    difference = None
    if len(found) == 2:
        first, second = found
        difference = (second.low - first.high, second.high - first.low)
    return MissingBounds(systems=tuple(found), difference=difference)


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
    whole = other_policy(alignment, missing="wrong", unparseable="wrong") or alignment
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


def other_policy(
    alignment: Alignment,
    systems: Sequence[str] | None = None,
    *,
    missing: Missing,
    unparseable: Unparseable | None = None,
) -> Alignment | None:
    """Align the same answers under another policy; None where it does not allow it.

    Parameters
    ----------
    alignment : Alignment
    systems : sequence of str, optional
        All of the alignment by default.
    missing : {"error", "drop", "wrong"}
    unparseable : {"wrong", "missing"}, optional
        As in the alignment by default.
    """
    try:
        return _realigned(alignment, systems, missing=missing, unparseable=unparseable)
    except AlignmentError:
        return None


def _realigned(
    alignment: Alignment,
    systems: Sequence[str] | None = None,
    *,
    missing: Missing,
    unparseable: Unparseable | None = None,
) -> Alignment:
    return align(
        Evaluation(answers=alignment.answers, references=alignment.right),
        alignment.systems if systems is None else systems,
        missing=missing,
        unparseable=unparseable or alignment.unparseable_policy,
        runs=alignment.runs,
    )


def _bounds(whole: Alignment, scored: Scored) -> list[Bounds] | None:
    """Bound the values of systems of which all items are kept."""
    try:
        scores = scored(whole)
    except MetricError:
        return None
    if scores.kind == "corpus":
        return None
    given = given_scores(whole)
    ends = scores.metrics[0].bounds
    if given is not None:
        ends = range_of(scores.metrics[0], *present_range(given))
    if ends is None or not all(np.isfinite(ends)):
        return None
    found = []
    for at, system in enumerate(whole.systems):
        absent = _absent(whole, at)
        reach = absent * (ends[1] - ends[0]) / whole.n
        value = float(scores.values[at])
        better = scores.metrics[at].greater_is_better
        low, high = (value, value + reach) if better else (value - reach, value)
        found.append(Bounds(system=system, low=low, high=high, missing=absent, n=whole.n))
    return found


def _absent(whole: Alignment, at: int) -> float:
    """Count the items of a system that are missing, some of them in part."""
    scores = whole.scores[at]
    if scores is None or not whole.lacking or whole.lacking[at] is None:
        return float(whole.absent[at])
    shares = absent_shares(scores, whole.lacking[at])
    return 0.0 if shares is None else float(shares.sum())


def _policy(name: str, alignment: Alignment, scored: Scored) -> Policy:
    if name == "answered":
        parts = [
            _realigned(alignment, (system,), missing="drop", unparseable="missing")
            for system in alignment.systems
        ]
    elif name == "current":
        parts = [alignment]
    else:
        parts = [
            _realigned(
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


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - LISTED} more" if len(texts) > LISTED else ""
    return ", ".join(texts[:LISTED]) + more


def _count(items: float) -> str:
    return f"{items:,.0f}" if items == round(items) else f"{items:,.1f}"
