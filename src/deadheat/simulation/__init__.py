"""Scores of systems whose truth is known: drawn from a model, or from a pilot taken for the truth.

`design` says what is drawn, `marginals` how a latent number becomes a score, `latent` and
`resampled` draw. Arrays only.
"""

from deadheat.simulation.design import Design, Drawn
from deadheat.simulation.latent import blocks
from deadheat.simulation.marginals import SHAPES, Points
from deadheat.simulation.pilot import Pilot

__all__ = ["SHAPES", "Design", "Drawn", "Pilot", "Points", "blocks", "draw"]


def draw(design: Design | Pilot, seed: int, replay: int = 0) -> Drawn:
    """Draw one data set; it depends on nothing but the design, the seed and its number.

    Parameters
    ----------
    design : Design or Pilot
    seed : int
        Zero or more.
    replay : int
        Number of the data set, from 0.

    Examples
    --------
    >>> design = Design(items=3, marginals=(Points(1, 0.5), Points(1, 0.9)), correlation=0.3)
    >>> draw(design, seed=0).scores.shape
    (2, 3, 1)
    """
    if isinstance(design, Pilot):
        return design.draw(seed, replay)
    return Drawn.of(list(blocks(design, seed, replay)))
