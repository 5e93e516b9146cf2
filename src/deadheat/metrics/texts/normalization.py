"""Normalisation of texts: steps that are named by the user, applied in the order named.

================ =================================================================================
step             what it does
================ =================================================================================
``lower``        lower case
``casefold``     Unicode case folding, for comparison without case: "ß" becomes "ss"
``punctuation``  every punctuation mark and symbol (Unicode categories P and S) becomes a space,
                 then as ``whitespace``. The apostrophe stays, for it is part of words ("don't",
                 "years'"); its typographic form between letters or digits becomes the plain one
``whitespace``   every run of white space becomes one space; none is left at the ends
``nfc``, ``nfd``, ``nfkc``, ``nfkd``
                 the normalisation forms of Unicode
``accents``      combining diacritical marks (U+0300 to U+036F) are left out: "é" becomes "e";
                 vowel signs of other scripts stay
``articles``     the words "a", "an" and "the" are left out, then as ``whitespace``
``map``          words, as white space parts them, are replaced as a mapping says, all at once and
                 only once, then as ``whitespace``. Words replaced by nothing are left out
================ =================================================================================
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from deadheat.errors import FormatError, InputError, UsageError, known
from deadheat.metrics.metric import Settings

_TYPOGRAPHIC = re.compile(r"(?<=[^\W_])’(?=[^\W_])")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)
_DIACRITICS = re.compile("[\u0300-\u036f]+")


def _punctuation(text: str) -> str:
    text = _TYPOGRAPHIC.sub("'", text)
    marks = {
        ord(character): " "
        for character in set(text)
        if character != "'" and unicodedata.category(character)[0] in "PS"
    }
    return _whitespace(text.translate(marks))


def _whitespace(text: str) -> str:
    return " ".join(text.split())


def _accents(text: str) -> str:
    bare = _DIACRITICS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare)


def _articles(text: str) -> str:
    return _whitespace(_ARTICLES.sub(" ", text))


def _mapped(text: str, mapping: Mapping[str, str]) -> str:
    return _whitespace(" ".join(mapping.get(word, word) for word in text.split()))


MAP = "map"

_CHANGES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "lower": str.lower,
        "casefold": str.casefold,
        "punctuation": _punctuation,
        "whitespace": _whitespace,
        "nfc": lambda text: unicodedata.normalize("NFC", text),
        "nfd": lambda text: unicodedata.normalize("NFD", text),
        "nfkc": lambda text: unicodedata.normalize("NFKC", text),
        "nfkd": lambda text: unicodedata.normalize("NFKD", text),
        "accents": _accents,
        "articles": _articles,
    }
)

STEPS = (*_CHANGES, MAP)
"""Names of all steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalizer:
    """Changes a text by steps, in their order.

    Attributes
    ----------
    steps : tuple of str
        Of `STEPS`.
    mapping : mapping of str to str, or None
        Words and what they are replaced by; None where no step is "map".

    Examples
    --------
    >>> Normalizer(steps=("lower", "punctuation"))("“Don’t!” – the life-saving $5 of the clerks'")
    "don't the life saving 5 of the clerks'"
    """

    steps: tuple[str, ...] = ()
    mapping: Mapping[str, str] | None = field(default=None, hash=False)

    def __call__(self, text: str) -> str:
        for step in self.steps:
            text = _mapped(text, self.mapping or {}) if step == MAP else _CHANGES[step](text)
        return text

    @property
    def signature(self) -> str:
        """The steps parted by "+", the mapping by a digest of its content; "" without steps.

        Examples
        --------
        >>> Normalizer(steps=("map",), mapping={"mr": "mister"}).signature
        'norm:map-8582d0db'
        """
        names = [f"{MAP}-{self._digest()}" if step == MAP else step for step in self.steps]
        return f"norm:{'+'.join(names)}" if names else ""

    def _digest(self) -> str:
        content = json.dumps(sorted((self.mapping or {}).items()), separators=(",", ":"))
        return sha256(content.encode("ascii")).hexdigest()[:8]


def normalizer(settings: Settings) -> Normalizer:
    """Return what the settings `normalize` and `normalize_map` ask for.

    A mapping without the step "map" is applied last.

    Raises
    ------
    UsageError
        If a step is not known; if there is a step "map" and no mapping; if the mapping is empty
        or names what can never be a word where it is applied.

    Examples
    --------
    >>> steps = normalizer(Settings(name="wer", normalize=("lower",), normalize_map={"ok": "okay"}))
    >>> steps("OK then")
    'okay then'
    """
    steps, mapping = tuple(settings.normalize), settings.normalize_map
    for step in steps:
        if step not in STEPS:
            raise UsageError(f"there is no normalisation step {step!r}.", fix=known(STEPS, step))
    if mapping is None:
        if MAP in steps:
            raise UsageError(
                "the normalisation step 'map' has no mapping.",
                fix="Give a mapping of words with --normalize-map FILE.",
            )
        return Normalizer(steps=steps)
    if not mapping:
        raise UsageError("the mapping of words is empty.", fix="Leave it out, or name words.")
    if MAP not in steps:
        steps = (*steps, MAP)
    before = Normalizer(steps=steps[: steps.index(MAP)])
    for word in mapping:
        _check_reachable(word, before)
    return Normalizer(steps=steps, mapping=dict(mapping))


_ONE_WORD = "Name single words, without white space; what they are replaced by can be several."


def _check_reachable(word: str, before: Normalizer) -> None:
    """Refuse a word that no text can hold once the steps before the mapping are done."""
    if word.split() != [word]:
        raise UsageError(f"the mapping replaces {word!r}, which is not one word.", fix=_ONE_WORD)
    if before(word) != word:
        raise UsageError(
            f"the mapping replaces {word!r}, which no text holds after "
            f"{', '.join(before.steps)}: it is {before(word)!r} by then.",
            fix="Write it so, or put map before these steps.",
        )


def read_map(path: str | Path) -> dict[str, str]:
    """Read a mapping of words: a JSON object, or two columns parted by a tab.

    The file is in UTF-8, with or without a byte order mark. A file whose first character is "{"
    is JSON. Of columns, the first is the word and the second what replaces it, which may be
    nothing or several words; blank lines are left out.

    Raises
    ------
    InputError
        If the file cannot be read.
    FormatError
        If it is not UTF-8 or neither of the two, holds nothing, or names a word twice; with the
        line.
    """
    place = str(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(
            f"this mapping of words cannot be read: {reason.lower()}.",
            where=place,
            fix="Check the path.",
        ) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        lines = error.object.count(b"\n", 0, error.start)
        raise FormatError(
            f"byte 0x{error.object[error.start]:02x} is not UTF-8.",
            where=f"{place}, line {lines + 1}",
            fix="Save the mapping of words as UTF-8.",
        ) from None
    pairs = _of_json(text, place) if text.lstrip().startswith("{") else _of_columns(text, place)
    if not pairs:
        raise FormatError(
            "the mapping of words is empty.", where=place, fix="Leave it out, or name words."
        )
    return pairs


def _of_json(text: str, place: str) -> dict[str, str]:
    try:
        found = json.loads(text, object_pairs_hook=lambda pairs: pairs)
    except (ValueError, RecursionError) as error:
        raise FormatError(
            f"the mapping of words starts as JSON but is none: {error}.",
            where=place,
            fix="Repair it; or write two columns parted by a tab, starting without a brace.",
        ) from None
    mapping: dict[str, str] = {}
    for word, replacement in found:
        if not isinstance(replacement, str):
            raise FormatError(
                f"{word!r} is replaced by what is not text.",
                where=place,
                fix="Write one JSON object of texts.",
            )
        _add(mapping, word, replacement, place)
    return mapping


def _of_columns(text: str, place: str) -> dict[str, str]:
    mapping: dict[str, str] = {}
    # Only line feeds end lines: other separators of Unicode may stand in a text.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        cells = line.removesuffix("\r").split("\t")
        where = f"{place}, line {number}"
        if len(cells) != 2:
            raise FormatError(
                f"{len(cells)} columns parted by tabs, where a mapping of words has 2.",
                where=where,
                fix="Write the word, a tab and what replaces it; or one JSON object.",
            )
        _add(mapping, cells[0], cells[1], where)
    return mapping


def _add(mapping: dict[str, str], word: str, replacement: str, where: str) -> None:
    if word in mapping:
        raise FormatError(
            f"the word {word!r} is replaced twice, by {mapping[word]!r} and by {replacement!r}.",
            where=where,
            fix="Keep one of them.",
        )
    if word.split() != [word]:
        raise FormatError(f"{word!r} is not one word.", where=where, fix=_ONE_WORD)
    mapping[word] = replacement
