"""PandaLM: which of two responses annotators or a judge prefer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from deadheat.evaluation import Rows
from deadheat.readers.battles import Battle, scored
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "PandaLM"

VERSIONS = "the test set of 2023 and verdicts of judges on it"

QUIRKS = (
    "An item is a pair of responses; cmp_key A_B says of which systems. Three annotators judge "
    "each: 1 or 2 is the better response, 0 a tie.",
    "That is a verdict on two systems, and no score of a system on an item that other systems "
    "have too: the test set, with 10 pairs of 5 systems, is refused, and ratings are not computed.",
    "Items of one cmp_key alone are read: each of its two systems has 1, 0 or 0.5, and the "
    "annotators are runs.",
    "Files of judges (gpt_result, pandalm_result) do not say whose responses they judge, and are "
    "refused.",
)

_LOOK = 1 << 16
_PAIRS = (b'"cmp_key"', b'"annotator1"')
_VERDICTS = (b'"gpt_result"', b'"pandalm_result"')
_SCORES = {"1": 1.0, "2": 0.0, "0": 0.5, "tie": 0.5}


class _Item(msgspec.Struct):
    idx: int | str
    cmp_key: str
    annotator1: Any = None
    annotator2: Any = None
    annotator3: Any = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a list holds pairs that annotators judged, or verdicts of a judge on them."""
    look = head[:_LOOK]
    if not look.lstrip().startswith(b"[") or b'"idx"' not in look:
        return False
    return all(mark in look for mark in _PAIRS) or any(mark in look for mark in _VERDICTS)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read two rows for each verdict of an annotator, one for each of two systems.

    Raises
    ------
    FormatError
        If the file is broken.
    NoAnswersError
        If verdicts are on more than two systems, or the file does not say on which.
    """
    if not all(mark in log.head[:_LOOK] for mark in _PAIRS):
        raise NoAnswersError(
            "these are verdicts of a judge of PandaLM on pairs of responses, and nothing says of "
            "which systems.",
            where=log.path,
            fix="The test set that was judged names them (cmp_key).",
        )
    items = log.document(list[_Item], "the test set of PandaLM")
    battles = []
    for row, item in enumerate(items):
        first, _, second = item.cmp_key.partition("_")
        for verdict in (item.annotator1, item.annotator2, item.annotator3):
            value = _SCORES.get(str(verdict).casefold())
            battles.append(
                Battle(item=str(item.idx), first=first, second=second, score=value, row=row)
            )
    found = scored(battles, log.path)
    return Table(
        columns=found.columns,
        height=len(found.at),
        rows=Rows(word="item").take(np.asarray(found.at, dtype=np.int64)),
        source=log.source("pandalm"),
        roles=found.roles,
        scores=("score",),
        notes=found.notes,
    )
