r"""Text that TeX sets as it is: escapes of whatever it would act on or could not set.

What comes out is ASCII, so that any engine in any encoding reads the same.
"""

from __future__ import annotations

import re
import unicodedata

ACTIVE = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\texttt{\char34}",
    "`": r"\texttt{\char96}",
    # After a line break these two would be its options.
    "[": "{[}",
    "*": "{*}",
}

LETTERS = {
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
    "å": r"\aa{}",
    "Å": r"\AA{}",
    "¡": "!`",
    "¿": "?`",
    "§": r"\S{}",
    "©": r"\copyright{}",
    "£": r"\pounds{}",
    "–": "--",
    "—": "---",
    "‘": "`{}",
    "’": "'{}",
    "“": "``",
    "”": "''",
    "…": r"\ldots{}",
    "\N{NO-BREAK SPACE}": "~",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "÷": r"$\div$",
    "·": r"$\cdot$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "°": r"$^\circ$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "γ": r"$\gamma$",
    "δ": r"$\delta$",
    "Δ": r"$\Delta$",
    "κ": r"$\kappa$",
    "λ": r"$\lambda$",
    "μ": r"$\mu$",
    "ρ": r"$\rho$",
    "σ": r"$\sigma$",
    "τ": r"$\tau$",
    "φ": r"$\phi$",
}

ACCENTS = {
    "\N{COMBINING GRAVE ACCENT}": "`",
    "\N{COMBINING ACUTE ACCENT}": "'",
    "\N{COMBINING CIRCUMFLEX ACCENT}": "^",
    "\N{COMBINING TILDE}": "~",
    "\N{COMBINING MACRON}": "=",
    "\N{COMBINING BREVE}": "u",
    "\N{COMBINING DOT ABOVE}": ".",
    "\N{COMBINING DIAERESIS}": '"',
    "\N{COMBINING RING ABOVE}": "r",
    "\N{COMBINING DOUBLE ACUTE ACCENT}": "H",
    "\N{COMBINING CARON}": "v",
    "\N{COMBINING DOT BELOW}": "d",
    "\N{COMBINING CEDILLA}": "c",
}

LONGEST_WORD = 24
"""Characters of a word after which a line may be broken."""

_PIECE = re.compile(
    r"(?P<minus>(?<![\w.)-])-(?=[\d.]))"
    r"|(?P<pair>([-'])(?=\3))"
    rf"|(?P<word>[^\W_]{{{LONGEST_WORD}}}(?=\w))"
    r"|(?P<one>.)",
    re.S,
)


def escaped(text: str) -> str:
    r"""Escape text for TeX.

    Letters with accents are composed; what the standard fonts do not have is shown by its number,
    such as ``U+6A21``.

    Examples
    --------
    >>> print(escaped("50% of a_b, -1 to 1"))
    50\% of a\_b, $-$1 to 1
    """
    return "".join(map(_piece, _PIECE.finditer(text)))


def _piece(found: re.Match[str]) -> str:
    if found["minus"]:
        return "$-$"
    if found["pair"]:  # two hyphens or quotes would become one sign
        return f"{found['pair']}{{}}"
    shown = "".join(map(_character, found[0]))
    return rf"{shown}\allowbreak{{}}" if found["word"] else shown


def _character(character: str) -> str:
    if character in ACTIVE:
        return ACTIVE[character]
    if character in LETTERS:
        return LETTERS[character]
    if character.isascii() and character.isprintable():
        return character
    base, *marks = list(unicodedata.normalize("NFD", character))
    if base.isascii() and base.isalpha() and len(marks) == 1 and marks[0] in ACCENTS:
        dotless = {"i": r"\i", "j": r"\j"}.get(base, base)
        return rf"\{ACCENTS[marks[0]]}{{{dotless}}}"
    return rf"\texttt{{U+{ord(character):04X}}}"
