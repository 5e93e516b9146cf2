"""The server: an address, a browser, and an end that leaves nothing behind."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from deadheat.errors import UsageError
from deadheat.web.guard import LOOPBACK, Rules
from deadheat.web.limits import Limits
from deadheat.web.options import Catalogue

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

PORT = 8421
"""Where the page is looked for first."""

TRIED = 50
"""Ports that are tried where none was named."""

SHORTEST = 16
"""Characters of an access token."""

ENDS = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals by which the server is ended: Ctrl-C, `kill`, and a terminal that is closed."""

ALL = ("0.0.0.0", "::")
"""Every address of this machine."""


def serve(
    catalogue: Catalogue,
    *,
    port: int | None = None,
    host: str = "127.0.0.1",
    browser: bool = True,
    allow_remote: bool = False,
    access_token: str | None = None,
    limits: Limits | None = None,
) -> None:
    """Serve the page until it is interrupted.

    Parameters
    ----------
    catalogue : mapping of str to sequence of Option
        The commands and their options.
    port : int, optional
        By default the first free one from 8421.
    host : str
        Address to listen on; other than this machine's own only with `allow_remote`.
    browser : bool
        Whether the page is opened.
    allow_remote : bool
        Whether others may use the page, with the access token.
    access_token : str, optional
        What every request has to show.
    limits : Limits, optional

    Raises
    ------
    UsageError
        If the address cannot be used, or is not to be used without a token.
    """
    _check_access(host, allow_remote, access_token)
    listening = _listening(host, port)
    port = listening.getsockname()[1]
    rules = Rules(
        hosts=tuple(dict.fromkeys((*LOOPBACK, host.lower(), *_own_names(host)))),
        addresses=host in ALL,
        port=port,
        access=access_token or "",
    )
    shown = "localhost" if host in ALL else f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/"
    _announce(address, host in LOOPBACK)
    if browser:
        opened = f"{address}?access={access_token}" if access_token else address
        threading.Thread(target=_open, args=(opened,), daemon=True).start()
    _run(catalogue, listening, rules, limits or Limits())


def _check_access(host: str, allow_remote: bool, access_token: str | None) -> None:
    if access_token is not None and len(access_token) < SHORTEST:
        raise UsageError(
            f"the access token has {len(access_token)} characters.",
            fix=f"Give at least {SHORTEST}.",
        )
    if host in LOOPBACK:
        return
    if not allow_remote:
        raise UsageError(
            f"--host {host} lets other machines use this page and read what is dropped into it.",
            fix="Leave --host out, or say --allow-remote and give an --access-token.",
        )
    if access_token is None:
        raise UsageError(
            f"--host {host} lets other machines use this page, and there is no access token.",
            fix="Give --access-token, or set DEADHEAT_ACCESS_TOKEN.",
        )


def _own_names(host: str) -> tuple[str, ...]:
    return (socket.gethostname().lower(), socket.getfqdn().lower()) if host in ALL else ()


def _listening(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens, on the port or on the next free one.

    Raises
    ------
    UsageError
        If there is none.
    """
    for wanted in range(PORT, PORT + TRIED) if port is None else [port]:
        try:
            family, *_, address = socket.getaddrinfo(host, wanted, type=socket.SOCK_STREAM)[0]
            listening = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:
            raise UsageError(
                f"--host {host} is no address: {error.strerror}.", fix="Leave it out."
            ) from None
        if os.name == "posix":  # A port that was just given up can be had again.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(address)
            listening.listen(256)
        except OSError as error:
            listening.close()
            if error.errno == errno.EADDRINUSE and port is None:
                continue
            raise UsageError(
                f"port {wanted} of {host} cannot be used: {error.strerror}.",
                fix="Give another --port, or leave it out for the next free one.",
            ) from None
        if port is None and wanted != PORT:
            _say(f"Port {PORT} is taken; this is {wanted}.")
        return listening
    raise UsageError(
        f"the ports {PORT} to {PORT + TRIED - 1} are all taken.", fix="Give another --port."
    )


def _announce(address: str, alone: bool) -> None:
    _say(f"deadheat is at {address}")
    if alone:
        _say("Nothing leaves this machine. Ctrl-C ends it.")
    else:
        _say("Other machines can reach it with the access token. Ctrl-C ends it.")


def _say(text: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            print(text, file=sys.stderr, flush=True)  # noqa: T201


def _open(address: str) -> None:
    """Open the page; where there is no browser, its address was printed."""
    with suppress(Exception):
        webbrowser.open(address)


def server_of(made: Starlette) -> uvicorn.Server:
    """Return the server of an application: it says nothing, of itself or of what is asked."""
    import uvicorn

    return uvicorn.Server(
        uvicorn.Config(
            made,
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            ws="none",
            lifespan="on",
            timeout_graceful_shutdown=1,
        )
    )


def _run(catalogue: Catalogue, listening: socket.socket, rules: Rules, limits: Limits) -> None:
    from deadheat.web.app import app

    server = server_of(app(catalogue, rules=rules, limits=limits))
    try:
        with _ended_by_signals(server):
            server.run(sockets=[listening])
    finally:
        listening.close()
    _say("Ended.")


@contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Let a signal end the server, and nothing more: it raises what it got once it has ended."""
    ends = [getattr(signal, name) for name in ENDS if hasattr(signal, name)]
    before = {end: signal.signal(end, server.handle_exit) for end in ends}
    try:
        yield
    finally:
        for end, handler in before.items():
            signal.signal(end, handler)
