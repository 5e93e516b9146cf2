"""The parts of a check that are about items and their texts, in numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """What the items are worth.

    Attributes
    ----------
    n : int
    informative : int or None
        Items on which the systems do not all have the same score.
    all_right, all_wrong : int or None
        Items on which all have the best, or the worst possible score; None where those are
        unknown.
    unsolved : tuple of str
        The first of those that are all wrong.
    hash : str
    dropped : tuple of (str, int)
    """

    n: int
    informative: int | None
    all_right: int | None
    all_wrong: int | None
    unsolved: tuple[str, ...]
    hash: str
    dropped: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """An item on which better systems do worse."""

    item: str
    n_right: int | None
    difficulty: float
    r_total: float
    r_rest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrimination:
    """Whether better systems do better on each item.

    Attributes
    ----------
    n_systems : int
    mean_r_rest : float
        Over the items that vary.
    negative, weak : int
        Items whose correlation with the rest is below 0, and from 0 to 0.1.
    suspects : tuple of Suspect
        The first of the negative ones, most negative first.
    """

    n_systems: int
    mean_r_rest: float
    negative: int
    weak: int
    suspects: tuple[Suspect, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Upset:
    """An item that weak systems solve and no strong one does."""

    item: str
    n_weak: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UpsetSystem:
    """A weak system, and on how many upset items it is right."""

    system: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Upsets:
    """Items on which the order of the systems is turned upside down.

    Attributes
    ----------
    strong, weak : tuple of str
        The best and the worst quarter of the systems.
    n : int
        Items on which a weak system is right and no strong one.
    n_open : int
        Items on which no strong system is right.
    items : tuple of Upset
        The first of those, the ones that most weak systems solve first.
    systems : tuple of UpsetSystem
        The weak ones.
    """

    strong: tuple[str, ...]
    weak: tuple[str, ...]
    n: int
    n_open: int
    items: tuple[Upset, ...]
    systems: tuple[UpsetSystem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with a percentile interval over resampled systems, NaN where there is none."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """How well these items put these systems in the same order again.

    Attributes
    ----------
    alpha : Estimate
        Cronbach's alpha; KR-20 where scores are 0/1.
    split_half : Estimate
        Mean correlation of random halves, stepped up to the whole set (Spearman-Brown).
    correlation : float
        That mean before it is stepped up.
    kendall : Estimate
        Mean of Kendall's tau-b between the rankings of random halves.
    n_splits, n_systems : int
    """

    alpha: Estimate
    split_half: Estimate
    correlation: float
    kendall: Estimate
    n_splits: int
    n_systems: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """Items whose texts are the same, or nearly.

    Attributes
    ----------
    n_texts : int
        Items with a text.
    n_empty : int
        Items without one, or with one of white space alone.
    exact_groups, exact_items : int
        Groups of items of the same text, and the items in them.
    near_groups, near_items : int or None
        The same of texts that are the same or nearly; None where that was not looked at.
    redundant : int
        Items that would go if one of each group stayed.
    conflicting : int
        Groups of the same text with different references.
    groups : tuple of tuple of str
        The first groups, the largest first.
    threshold : float
        Jaccard similarity of near duplicates.
    shingle : int
        Words in a shingle.
    """

    n_texts: int
    n_empty: int
    exact_groups: int
    exact_items: int
    near_groups: int | None
    near_items: int | None
    redundant: int
    conflicting: int
    groups: tuple[tuple[str, ...], ...]
    threshold: float
    shingle: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapOfSystem:
    """A system's mean score on the items that overlap and on the rest; NaN where there are none."""

    system: str
    overlapping: float
    rest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOverlap:
    """Items whose text a training file holds.

    Attributes
    ----------
    n_training : int
        Texts in the file.
    exact : int
        Items whose text is one of them.
    contained : int
        Those, and items of which most passages occur in the file.
    short : int
        Items too short to have a passage, looked for as a whole only.
    items : tuple of str
        The first of those contained.
    systems : tuple of OverlapOfSystem
        Empty where no item overlaps, or the metric has no score for each item.
    threshold : float
        Share of passages from which on a text is contained.
    passage : int
        Words in a passage.
    """

    n_training: int
    exact: int
    contained: int
    short: int
    items: tuple[str, ...]
    systems: tuple[OverlapOfSystem, ...]
    threshold: float
    passage: int
