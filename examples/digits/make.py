"""Train two classifiers on scikit-learn's bundled digits and keep what each says on the test half.

The 1,797 pictures of handwritten digits come with scikit-learn: nothing is fetched. Half of them,
drawn within classes, train both systems; the other 899 are the items. An item's id is the row of
the picture in the data set.

Run as ``python examples/digits/make.py [FOLDER]``; without a folder it writes beside itself.
Needs scikit-learn (``pip install deadheat[examples]``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

SYSTEMS = {
    "discriminant_analysis": LinearDiscriminantAnalysis(),
    "logistic_regression": LogisticRegression(max_iter=5000),
}


def write(path: Path, column: str, rows: Iterable[tuple[int, int]]) -> None:
    """Write one (picture, digit) a line under the header ``item,column``."""
    lines = [f"item,{column}", *(f"digit-{picture:04d},{digit}" for picture, digit in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def main(folder: Path) -> None:
    """Write ``reference.csv`` and one file of outputs a system into `folder`."""
    pictures, digits = load_digits(return_X_y=True)
    pictures = pictures / 16.0
    train, test = train_test_split(
        range(len(digits)), test_size=0.5, random_state=0, stratify=digits
    )
    test = sorted(test)
    write(folder / "reference.csv", "reference", zip(test, digits[test], strict=True))
    for name, system in SYSTEMS.items():
        outputs = system.fit(pictures[train], digits[train]).predict(pictures[test])
        write(folder / f"{name}.csv", "output", zip(test, outputs, strict=True))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
