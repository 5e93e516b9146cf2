"""What the page answers when it will not."""

from __future__ import annotations

from deadheat.errors import DeadheatError


class RefusalError(Exception):
    """A request that is refused, in the words of the library.

    Parameters
    ----------
    status : int
        Of HTTP.
    found : str
        What was found, as a sentence.
    fix : str, optional
        What would resolve it.
    """

    def __init__(self, status: int, found: str, fix: str = "") -> None:
        self.status = status
        self.found = found
        self.fix = fix
        super().__init__(found)

    def shown(self) -> dict[str, str]:
        """Return the body of the answer."""
        return {"error": self.found, "fix": self.fix}


def said(error: DeadheatError) -> dict[str, str]:
    """Return an error of the library as the body of an answer."""
    found = f"{error.where}: {error.found}" if error.where else error.found
    return {"error": found, "fix": error.fix}
