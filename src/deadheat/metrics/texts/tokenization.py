"""sacrebleu's tokenisers of BLEU: those that work offline, and fast over many texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Self

from deadheat.errors import UsageError, known
from deadheat.metrics.texts.translation import sacrebleu_metrics

BY_WORD = ("13a",)
"""Tokenisers that tokenise a text as they do its words one by one."""

PRIVATE = (range(0xE000, 0xF900), range(0xF0000, 0x10FFFE))
"""Code points without a meaning of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Turns a text into sacrebleu's tokens.

    A tokeniser such as 13a looks at single characters and at their neighbours, and to it the
    start and the end of a text are white space. So the tokens of a text are those of its words,
    as white space parts them, and each distinct word is tokenised once. The exception is a line
    feed, which a hyphen before it takes along: such texts are tokenised as a whole.

    Attributes
    ----------
    tokenizer : callable
        sacrebleu's, from a text to its tokens with spaces between them.
    words : mapping of str to sequence of str, or None
        The tokens of each word of the texts that are known; None where only whole texts are
        tokenised.

    Examples
    --------
    >>> tokens = Tokens.named("13a").knowing(["It's 3.5 kg, no?"])
    >>> tokens("It's 3.5 kg, no?")
    ["It's", '3.5', 'kg', ',', 'no', '?']
    """

    tokenizer: Callable[[str], str]
    words: Mapping[str, Sequence[str]] | None = field(default=None, repr=False)

    @classmethod
    def named(cls, name: str) -> Self:
        """Return the tokeniser of that name, without any text known."""
        tokenizer = sacrebleu_metrics("bleu").BLEU(tokenize=name, force=True).tokenizer
        return cls(tokenizer=tokenizer, words={} if name in BY_WORD else None)

    def knowing(self, texts: Sequence[str]) -> Self:
        """Return the tokeniser with the words of these texts known too."""
        if self.words is None:
            return self
        distinct = dict.fromkeys(chain.from_iterable(map(str.split, texts)))
        added = [word for word in distinct if word not in self.words]
        return replace(self, words={**self.words, **_by_word(self.tokenizer, added)})

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text that is known."""
        if self.words is None or "\n" in text:
            return self.tokenizer(text.rstrip()).split()
        return list(chain.from_iterable(map(self.words.__getitem__, text.split())))


def _by_word(tokenizer: Callable[[str], str], words: Sequence[str]) -> dict[str, Sequence[str]]:
    """Tokenise words in one call, with a character between them that is in none of them."""
    tokens: dict[str, Sequence[str]] = {word: (word,) for word in words}
    # Letters and digits by themselves are one token: only marks are split off.
    marked = [word for word in words if not word.isalnum()]
    if not marked:
        return tokens
    held = set("".join(marked))
    mark = next((mark for mark in map(chr, chain(*PRIVATE)) if mark not in held), None)
    if mark is None:
        found = list(map(tokenizer, marked))
    else:
        found = tokenizer(f" {mark} ".join(marked)).split(mark)
    tokens.update(zip(marked, map(str.split, found), strict=True))
    return tokens


def check_tokenizer(name: str) -> None:
    """Refuse a tokeniser that does not work here and now.

    Raises
    ------
    UsageError
        If sacrebleu has no such tokeniser, lacks what it needs, or would fetch it.
    """
    bleu = sacrebleu_metrics("bleu").BLEU
    if name not in bleu.TOKENIZERS:
        raise UsageError(f"sacrebleu has no tokeniser {name!r}.", fix=known(bleu.TOKENIZERS, name))
    missing = _model(name)
    if missing is not None:
        raise UsageError(
            f"the tokeniser {name} needs a model that sacrebleu would fetch; nothing is fetched "
            "here.",
            fix=f"Put its file at {missing}, or choose another: 13a, intl, zh, char, none.",
        )
    try:
        bleu(tokenize=name, force=True)
    except (ImportError, RuntimeError, AssertionError, OSError) as error:
        reason = " ".join(str(error).split())
        raise UsageError(
            f"the tokeniser {name} does not work here: {reason}",
            fix="Or choose another: 13a, intl, zh, char, none.",
        ) from None


def _model(name: str) -> Path | None:
    """Return where the model of a tokeniser is missing; None if it is there, or none is needed."""
    from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS
    from sacrebleu.utils import SACREBLEU_DIR

    if name not in SPM_MODELS:
        return None
    file = Path(SACREBLEU_DIR) / "models" / SPM_MODELS[name]["url"].rpartition("/")[2]
    return None if file.is_file() and file.stat().st_size else file
