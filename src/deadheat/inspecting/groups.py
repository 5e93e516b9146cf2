"""Which files may belong together: by what they asked, or by their names."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from deadheat.evaluation import Answers
from deadheat.inspecting.looking import Seen

REFERENCES = re.compile(
    r"(?<![a-z])(?i:ref|refs|references?|gold|golden|truth|targets?|dataset|qrels|labels)(?![a-z])"
)
"""What a file of right answers has in its name."""

METRICS = {
    "conll": ("span_f1",),
    "ctm": ("wer",),
    "kaldi": ("wer",),
    "nemo": ("wer",),
    "sclite": ("wer",),
    "seglst": ("wer",),
    "squad": ("squad_f1",),
    "stm": ("wer",),
    "transcript_pairs": ("wer",),
    "trec": ("ndcg@10",),
    "trn": ("wer",),
}
"""Metrics that suit outputs of a format, the best one first."""

_FEW_LABELS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Referenced:
    """Outputs, and the file that seems to hold right answers to them.

    Attributes
    ----------
    references : str
        Path.
    outputs : tuple of Seen
    """

    references: str
    outputs: tuple[Seen, ...]


def together(seen: Sequence[Seen]) -> list[list[Seen]]:
    """Group files whose items may be the same, in the order in which they stand."""
    leader = list(range(len(seen)))

    def leads(at: int) -> int:
        while leader[at] != at:
            leader[at] = at = leader[leader[at]]
        return at

    first: dict[Hashable, int] = {}
    for at, one in enumerate(seen):
        for key in _keys(one):
            other, mine = leads(first.setdefault(key, at)), leads(at)
            leader[max(other, mine)] = min(other, mine)
    groups: dict[int, list[Seen]] = {}
    for at, one in enumerate(seen):
        groups.setdefault(leads(at), []).append(one)
    return list(groups.values())


def _keys(one: Seen) -> Iterator[Hashable]:
    """Yield what a file has in common with others that asked the same.

    That is a task; without tasks an item id, in files of one tool or form; without ids the number
    of rows.
    """
    kind = (one.format, one.answers[0].scores is not None)
    if any(answers.tasks is not None for answers in one.answers):
        yield from (("task", kind[1], task) for task in one.file.tasks)
    elif any(answers.items is None for answers in one.answers):
        yield ("rows", kind, one.file.rows)
    else:
        for answers in one.answers:
            assert answers.items is not None
            for item in answers.items.cast(pl.String).unique():
                yield ("item", kind, item)


def one_each(group: Sequence[Seen]) -> tuple[list[Seen], list[Seen]]:
    """Take one file of each system, that with most rows; return these, and the others."""
    held: set[str] = set()
    taken: set[int] = set()
    for at in sorted(range(len(group)), key=lambda at: -group[at].file.rows):
        if not held & {*group[at].file.systems}:
            taken.add(at)
            held |= {*group[at].file.systems}
    return (
        [one for at, one in enumerate(group) if at in taken],
        [one for at, one in enumerate(group) if at not in taken],
    )


def referenced(seen: Sequence[Seen]) -> list[Referenced]:
    """Find files of right answers by their names, and the outputs that go with each."""
    right = [one for one in seen if REFERENCES.search(os.path.basename(one.file.path))]
    outputs = [one for one in seen if needs_references(one) and one not in right]
    found = []
    for one in right:
        beside = [other for other in outputs if _folder(other) == _folder(one)]
        like = [other for other in beside if _like(one, other)]
        if not like and len(right) == 1:
            like = [other for other in beside if not one.answers or _as_long(one, other)]
        if like:
            found.append(Referenced(references=one.file.path, outputs=tuple(like)))
    return found


def scored(answers: Answers) -> bool:
    """Whether there is a score of anything, or outputs that can be scored."""
    return answers.scores is None or answers.scores.null_count() < len(answers.scores)


def needs_references(one: Seen) -> bool:
    """Whether a file holds outputs alone."""
    return bool(one.answers) and all(map(bare, one.answers))


def bare(answers: Answers) -> bool:
    """Whether there are outputs alone."""
    return answers.scores is None and answers.references is None


def _folder(one: Seen) -> str:
    return os.path.dirname(one.file.path)


def _as_long(right: Seen, other: Seen) -> bool:
    return other.format == right.format and other.file.rows == right.file.rows


def _like(right: Seen, other: Seen) -> bool:
    """Whether a file is called as the file of references, with another word in one place."""
    name = os.path.basename(right.file.path)
    word = REFERENCES.search(name)
    assert word is not None
    pattern = f"{re.escape(name[: word.start()])}[^.]+{re.escape(name[word.end() :])}"
    return re.fullmatch(pattern, os.path.basename(other.file.path)) is not None


def metrics_for(format_: str, answers: Answers) -> tuple[str | None, ...]:
    """Return metrics that suit outputs, the best one first; None is the default."""
    if answers.scores is not None:
        return (None,)
    if format_ in METRICS:
        return METRICS[format_]
    outputs = answers.outputs
    assert outputs is not None
    if outputs.dtype != pl.String:
        return (None,)
    return (None,) if _are_labels(outputs.drop_nulls()) else ("bleu", "exact_match")


def _are_labels(outputs: pl.Series) -> bool:
    """Whether texts look like labels: a word or two each, or few that come again and again."""
    blanks = int(outputs.str.strip_chars().str.count_matches(r"\s+").sum())
    again = outputs.n_unique() <= min(_FEW_LABELS, len(outputs) // 3)
    return again or blanks < len(outputs)
