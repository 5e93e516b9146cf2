"""Simulated evaluations: a table of scores whose truth is known, and replays of its design."""

from deadheat.simulated.call import simulate
from deadheat.simulated.result import Simulation

__all__ = ["Simulation", "simulate"]
