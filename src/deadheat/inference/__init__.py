"""From scores to an interval and the tests that answer the same question.

One file for each kind of scores: `binary` (0/1), `means` (graded and real), `corpus` (functions
of sums), `unpaired` (two sets of items), `single` (one system on its own).
"""

from deadheat.inference.result import Counts, Inference

__all__ = ["Counts", "Inference"]
