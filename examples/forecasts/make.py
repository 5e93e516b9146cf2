"""Write weather forecasts, and what two imaginary systems make of them.

Both systems say the right things in the right order and err in single words: ``endings`` gets a
word right and its ending wrong, ``choices`` takes another word, spelled as it should be.

Run as ``python examples/forecasts/make.py [FOLDER]``; without a folder it writes beside itself.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ITEMS = 200
SKIES = ("cloudy", "sunny", "misty", "showery", "stormy", "rainy")
WINDS = ("northerly", "easterly", "southerly", "westerly")
SPEEDS = ("light", "gentle", "moderate", "fresh", "strong")
PLACES = ("hills", "valleys", "islands", "lowlands", "harbours")
TIMES = ("morning", "afternoon", "evening", "night")

ENDINGS = {
    "cloudy": "clouds",
    "sunny": "sun",
    "misty": "mist",
    "showery": "showers",
    "stormy": "storms",
    "rainy": "rain",
    "northerly": "northern",
    "easterly": "eastern",
    "southerly": "southern",
    "westerly": "western",
    "hills": "hill",
    "valleys": "valley",
    "islands": "island",
    "lowlands": "lowland",
    "harbours": "harbour",
    "starting": "starts",
    "winds": "wind",
    "turning": "turns",
    "falling": "falls",
    "degrees": "degree",
}
CHOICES = {
    "cloudy": "overcast",
    "sunny": "bright",
    "misty": "hazy",
    "showery": "unsettled",
    "stormy": "rough",
    "rainy": "wet",
    "light": "weak",
    "gentle": "mild",
    "moderate": "medium",
    "fresh": "brisk",
    "strong": "heavy",
    "hills": "uplands",
    "valleys": "dales",
    "islands": "coast",
    "lowlands": "plains",
    "harbours": "ports",
    "starting": "beginning",
    "turning": "becoming",
    "falling": "dropping",
    "night": "darkness",
}
SYSTEMS: Mapping[str, tuple[Mapping[str, str], float]] = {
    "endings": (ENDINGS, 0.5),
    "choices": (CHOICES, 0.5),
}
"""What each system puts for a word, and how often."""


def one_of(generator: random.Random, words: Sequence[str]) -> str:
    """Draw a word by `random`, whose numbers are the same in every version of Python."""
    return words[int(len(words) * generator.random())]


def forecast(generator: random.Random) -> str:
    """Write one forecast."""
    place, early, late = (one_of(generator, words) for words in (PLACES, SKIES, SKIES))
    wind, speed, time = (one_of(generator, words) for words in (WINDS, SPEEDS, TIMES))
    high = 8 + int(20 * generator.random())
    return (
        f"Over the {place} starting {early}, turning {late} by {time}. "
        f"Winds {wind} and {speed}. Highest near {high} degrees, falling later."
    )


def rewritten(text: str, words: Mapping[str, str], share: float, generator: random.Random) -> str:
    """Put other words for a share of those that have one."""

    def replaced(token: str) -> str:
        word = token.rstrip(".,")
        if generator.random() >= share:
            return token
        other = words.get(word.lower(), word)
        return (other.capitalize() if word[0].isupper() else other) + token[len(word) :]

    return " ".join(map(replaced, text.split()))


def main(folder: Path) -> None:
    """Write ``reference.txt`` and one file a system into `folder`, a forecast a line."""
    generator = random.Random(0)
    references = [forecast(generator) for _ in range(ITEMS)]
    texts = {"reference": references}
    for name, (words, share) in SYSTEMS.items():
        texts[name] = [rewritten(text, words, share, generator) for text in references]
    for name, lines in texts.items():
        path = folder / f"{name}.txt"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
