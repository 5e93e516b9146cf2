"""The body of a request, piece by piece; and the rest of one that is refused.

Who is still sending when the answer comes may never see it: the connection is reset. So the rest
of a refused body is taken and thrown away, within limits, before the connection is closed.
"""

from __future__ import annotations

import asyncio

from starlette.types import Receive

from deadheat.web.errors import RefusalError
from deadheat.web.limits import MB

THROWN = 2_000 * MB
"""Bytes of a refused body that are taken."""

SECONDS = 20.0
"""For which they are taken."""


class Body:
    """What `receive` gives, in order.

    Parameters
    ----------
    receive : callable
        Of ASGI.
    patience : float
        Seconds to wait for the next piece.
    """

    def __init__(self, receive: Receive, patience: float) -> None:
        self._receive = receive
        self._patience = patience
        self._over = False

    async def piece(self) -> bytes | None:
        """Return the next piece; None at the end.

        Raises
        ------
        RefusalError
            If it does not come, or the other side is gone.
        """
        if self._over:
            return None
        try:
            message = await asyncio.wait_for(self._receive(), self._patience)
        except TimeoutError:
            self._over = True
            raise RefusalError(
                408, "the request stopped in the middle.", "Send it again."
            ) from None
        self._over = not message.get("more_body", False)
        if message["type"] == "http.disconnect":
            self._over = True
            raise RefusalError(400, "the request was broken off.", "Send it again.")
        found: bytes = message.get("body", b"")
        return found

    async def throw_away(self) -> None:
        """Take the rest, as far as that is worth it."""
        size = 0
        try:
            async with asyncio.timeout(SECONDS):
                while size < THROWN and (piece := await self.piece()) is not None:
                    size += len(piece)
        except (TimeoutError, RefusalError):
            return
