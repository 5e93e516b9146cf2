"""How much the page takes on."""

from __future__ import annotations

from dataclasses import dataclass

MB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is accepted, kept and worked on.

    Attributes
    ----------
    upload : int
        Bytes of one request.
    rows : int
        Rows of a pasted table, and items of counts.
    files : int
        Files of one request.
    workers : int
        Processes that work; what comes meanwhile waits.
    queue : int
        Jobs that may wait.
    seconds : float
        That a job may take.
    kept : int
        Finished jobs that are kept; the oldest go first.
    stored : int
        Bytes that finished jobs may hold together.
    patience : float
        Seconds to wait for the next piece of a request.
    """

    upload: int = 200 * MB
    rows: int = 1_000_000
    files: int = 2_000
    workers: int = 2
    queue: int = 128
    seconds: float = 600.0
    kept: int = 50
    stored: int = 2_000 * MB
    patience: float = 30.0

    def shown(self) -> dict[str, int]:
        """Return what the page says of them."""
        return {"megabytes": round(self.upload / MB), "rows": self.rows}
