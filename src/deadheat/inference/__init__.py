"""From scores to an interval and the tests that answer the same question.

One file for each kind of scores: `binary` (0/1), `means` (graded and real), `clustered` (means
over few clusters), `corpus` (what is resampled as a whole), `runs` (runs that are a sample),
`unpaired` (two sets of items), `single` (one system on its own), `board` (many systems). `between`
finds the one for given scores, and `conclude` is the last step of every difference.
"""

from deadheat.inference.result import Counts, Inference

__all__ = ["Counts", "Inference"]
