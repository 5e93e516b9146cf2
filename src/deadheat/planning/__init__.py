"""How many items a gap needs, how much power items have, and how narrow an interval gets.

`given` and `pilot` take in what a plan is made from, `designs` and `accuracies` make a `Design` of
it, `engines` and `tables` compute, `assemble` puts the `Plan` together.
"""

from deadheat.planning.call import plan
from deadheat.planning.result import Plan

__all__ = ["Plan", "plan"]
