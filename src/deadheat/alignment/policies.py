"""The same answers under another policy."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.alignment.align import align
from deadheat.alignment.alignment import Alignment, Missing, Unparseable


def other_policy(
    alignment: Alignment,
    systems: Sequence[str] | None = None,
    *,
    missing: Missing,
    unparseable: Unparseable | None = None,
) -> Alignment:
    """Align what an alignment was made of under another policy.

    Parameters
    ----------
    alignment : Alignment
    systems : sequence of str, optional
        All of the alignment by default.
    missing : {"error", "drop", "wrong"}
    unparseable : {"wrong", "missing"}, optional
        As in the alignment by default.

    Raises
    ------
    AlignmentError
        If the policy does not allow it.
    """
    return align(
        alignment.read,
        alignment.systems if systems is None else systems,
        missing=missing,
        unparseable=unparseable or alignment.unparseable_policy,
        runs=alignment.runs,
    )
