"""What a simulation is: a design, its table, and what replays of it come to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import polars as pl

from deadheat._version import __version__
from deadheat.notes import Note
from deadheat.power.copula import Cells
from deadheat.rendering import Rendered, plain_dict
from deadheat.replays import Replays, cells_of
from deadheat.simulated import tables
from deadheat.simulated.arguments import Kind
from deadheat.simulated.pilots import PilotFile
from deadheat.simulated.remarks import remarks
from deadheat.simulation import Design, Pilot
from deadheat.tabular import FrameKind, as_frame

SCHEMA = "deadheat/simulation/1"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Simulation(Rendered):
    """Scores whose truth is known.

    Attributes
    ----------
    design : Design or Pilot
        What is drawn from.
    names : tuple of str
        Of the systems, the baseline first.
    scores : {"binary", "graded", "real"}
    levels : int or None
        Points of a graded score.
    sd : float or None
        Standard deviation of real scores.
    shape : str or None
        Distribution of real scores.
    pilot : PilotFile or None
        Whose scores are taken for the truth.
    seed : int
    replays : Replays or None
        Where they were asked for.
    frame : {"polars", "pandas", "pyarrow"}
        Library of the frames or series that came in; "polars" where none did.
    """

    design: Design | Pilot
    names: tuple[str, ...]
    scores: Kind
    levels: int | None = None
    sd: float | None = None
    shape: str | None = None
    pilot: PilotFile | None = None
    seed: int
    replays: Replays | None = None
    frame: FrameKind = "polars"
    version: str = __version__

    @property
    def means(self) -> tuple[float, ...]:
        """True mean of each system."""
        if isinstance(self.design, Pilot):
            return tuple(float(scores.mean()) for scores in self.design.scores)
        return tuple(float(marginal.mean) for marginal in self.design.marginals)

    @property
    def cells(self) -> Cells | None:
        """How often two systems are right together; None unless there are two, of 0/1 scores."""
        return cells_of(self.design)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader has to know."""
        found = remarks(self.design, self.names, self.cells)
        return found if self.replays is None else (*self.replays.notes(), *found)

    def to_frame(self, kind: str | None = None) -> Any:
        """Draw the table: one row an item, or an item and run, a column of scores a system.

        It is data set 0 of the seed, which replays draw first.

        Parameters
        ----------
        kind : {"polars", "pandas", "pyarrow"}, optional
            By default the kind of the pilot, and polars where it was no frame.
        """
        return as_frame(pl.concat(self.frames()), self.frame if kind is None else kind)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Draw the table into a file, whole or not at all; its suffix names the format.

        Parameters
        ----------
        path : path
            Ends in .csv, .tsv, .jsonl (or .ndjson) or .parquet.

        Raises
        ------
        UsageError
            If the suffix is another.
        OSError
            If the file cannot be written.
        """
        tables.write(path, self.frames())

    def frames(self) -> tables.Frames:
        """Draw the table, some items at a time."""
        return tables.frames(self.design, self.names, self.seed, binary=self.scores == "binary")

    @property
    def signature(self) -> str:
        """The design and what was done with it, in one line."""
        design = self.design
        parts: dict[str, Any] = {"scores": self.scores, "n": design.items}
        if isinstance(design, Design):
            parts |= {
                "means": ",".join(f"{mean:.10g}" for mean in self.means),
                "levels": self.levels,
                "shape": self.shape,
                "sd": None if self.sd is None else f"{self.sd:.10g}",
                "correlation": f"{design.correlation:.10g}",
            }
            if design.cluster_size > 1:
                parts |= {"cluster": f"{design.cluster_size}/icc:{design.icc:.10g}"}
            if design.runs > 1 or design.answer_correlation < 1.0:
                parts |= {"runs": f"{design.runs}/answers:{design.answer_correlation:.10g}"}
        elif self.pilot is not None:
            parts |= {"pilot": self.pilot.hash[:24]}
        if self.replays is not None:
            parts |= self.replays.signature(self.seed)
        else:
            parts |= {"seed": self.seed}
        parts |= {"deadheat": self.version}
        return "|".join(f"{name}:{value}" for name, value in parts.items() if value is not None)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/simulation/1."""
        return plain_dict(
            {
                "schema": SCHEMA,
                "version": self.version,
                "design": self._design(),
                "seed": self.seed,
                "replays": None if self.replays is None else self.replays.to_dict(),
                "signature": self.signature,
                "notes": [note.to_dict() for note in self.notes],
            }
        )

    def _design(self) -> dict[str, Any]:
        design, cells = self.design, self.cells
        model = design if isinstance(design, Design) else None
        runs = model is not None and (model.runs > 1 or model.answer_correlation < 1.0)
        clusters = model is not None and model.cluster_size > 1
        return {
            "scores": self.scores,
            "items": design.items,
            "systems": [
                {"system": name, "mean": mean}
                for name, mean in zip(self.names, self.means, strict=True)
            ],
            "gap": design.gap if len(self.names) == 2 else None,
            "correlation": None if model is None else model.correlation,
            "loading": None if model is None else model.loading,
            "cells": None
            if cells is None
            else {
                "both": cells.both,
                "only_baseline": cells.only_baseline,
                "only_candidate": cells.only_candidate,
                "neither": cells.neither,
            },
            "discordance": None if cells is None else cells.discordance,
            "phi": None if cells is None else cells.phi,
            "levels": self.levels,
            "shape": self.shape,
            "sd": self.sd,
            "clusters": design.n_clusters,
            "cluster_size": model.cluster_size if model is not None and clusters else None,
            "icc": model.icc if model is not None and clusters else None,
            "runs": 1 if model is None else model.runs,
            "answer_correlation": model.answer_correlation if model is not None and runs else None,
            "pilot": None if self.pilot is None else self.pilot.to_dict(),
        }
