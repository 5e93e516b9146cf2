"""Texts of a set that another, perhaps very large, collection holds as well."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deadheat.similarity.normal import normal, words
from deadheat.similarity.shingles import Vocabulary, shingled

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

PASSAGE = 8
"""Words in a passage: short enough to survive a changed word, too long for chance."""

CONTAINED = 0.8
"""Share of the passages of a text from which on it is held to be contained."""


class Overlap:
    """Collects, text by text, what of a set another collection holds.

    A text of the set is there *exactly* if it equals a text of the collection, and to a *share*
    that is the part of its different passages of eight words that occur anywhere in the
    collection (Brown et al. 2020 and Chowdhery et al. 2022 look for passages of 13 and of 8 words
    so). What is held in memory depends on the set alone: the collection may be of any size.

    Parameters
    ----------
    texts : sequence of str
        Of the set, as `normal` gives them.

    Examples
    --------
    >>> overlap = Overlap(["a b c d e f g h i", "short one", "never seen"])
    >>> overlap.see(["Short  ONE", "so a b c d e f g h, indeed"])
    >>> overlap.exact.tolist(), overlap.shares.tolist()
    ([False, True, False], [0.5, nan, nan])
    """

    def __init__(self, texts: Sequence[str]) -> None:
        vocabulary = Vocabulary()
        own = shingled(texts, PASSAGE, vocabulary)
        vocabulary.close()
        self._vocabulary = vocabulary
        self._texts = {text: False for text in texts if text}
        self._own = texts
        # Words in a text: shorter ones have no passage.
        lengths = np.array([len(words(text)) for text in texts], dtype=np.int64)
        self._long = lengths >= PASSAGE
        known, self._passage = np.unique(own.fingerprints, return_inverse=True)
        self._known, self._owners, self._sizes = known, own.owners, own.sizes
        self._seen = np.zeros(len(known), dtype=np.bool_)
        self.n_seen = 0

    def see(self, texts: Sequence[str]) -> None:
        """Look at more texts of the collection.

        Parameters
        ----------
        texts : sequence of str
            Texts as they are; they are made `normal` here.
        """
        for text in (normals := [normal(text) for text in texts]):
            if text in self._texts:
                self._texts[text] = True
        self.n_seen += len(normals)
        found = shingled(normals, PASSAGE, self._vocabulary).fingerprints
        if not len(self._known) or not len(found):
            return
        at = np.minimum(np.searchsorted(self._known, found), len(self._known) - 1)
        self._seen[at[self._known[at] == found]] = True

    @property
    def exact(self) -> Flags:
        """Whether each text of the set equals one of the collection, shape (text,)."""
        return np.array([self._texts.get(text, False) for text in self._own], dtype=np.bool_)

    @property
    def shares(self) -> Floats:
        """Share of the passages of each text that were seen; NaN for shorter ones."""
        hits = np.bincount(
            self._owners, weights=self._seen[self._passage], minlength=len(self._sizes)
        )
        found = np.full(len(self._sizes), np.nan)
        np.divide(hits, self._sizes, out=found, where=self._long)
        return found

    @property
    def contained(self) -> Flags:
        """Whether each text is there exactly or to a share of `CONTAINED`, shape (text,)."""
        return np.asarray(self.exact | (self.shares >= CONTAINED - 1e-9))
