"""What of a text counts when texts are held against each other."""

from __future__ import annotations

import re
import unicodedata

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters of scripts that put no space between words: Thai, Lao, Burmese, Khmer, kana, Han."""

_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|[^\w\s]")


def normal(text: str) -> str:
    r"""Return a text without differences of case, of white space and of composed characters.

    Punctuation and signs stay: ``2 + 2`` and ``2 - 2`` are two questions.

    Parameters
    ----------
    text : str
        Any text.

    Examples
    --------
    >>> normal("  What is\n2 + 2? ")
    'what is 2 + 2?'
    """
    if not text.isascii():
        # Once more after folding, which takes some characters apart.
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return " ".join(text.casefold().split())


def words(text: str) -> list[str]:
    """Return the words of a normal text.

    Every sign between words is one of its own, and so is every letter of a script that does not
    put spaces between words.

    Parameters
    ----------
    text : str
        As `normal` gives it.

    Examples
    --------
    >>> words("what is 2 + 2?")
    ['what', 'is', '2', '+', '2', '?']
    """
    return _WORD.findall(text)
