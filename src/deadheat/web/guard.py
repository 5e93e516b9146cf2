"""What every request has to show before it is looked at, and what every answer carries.

The page listens on this machine, where any site that is open in the browser can send requests.
Hence: the name in `Host` is one of this machine (a foreign name that resolves to it is refused),
what changes anything carries the token of this start and comes from the page itself, and no answer
may be framed, sniffed or read from elsewhere.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deadheat.web.bodies import Body

LOOPBACK = ("127.0.0.1", "localhost", "::1")

READING = ("GET", "HEAD")

TOKEN = "x-deadheat-token"

PATIENCE = 5.0
"""Seconds to wait for more of a request that is refused."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


ENTER = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=/">
<title>deadheat</title>
</head>
<body><p><a href="/">To the page</a></p></body>
</html>
"""
"""Shown to whoever has the access token, to go on from here: for a cookie of this strictness is not
sent along where another site led to the address."""


def _fresh() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Who may ask.

    Attributes
    ----------
    hosts : tuple of str
        Names and addresses under which the page may be asked for.
    addresses : bool
        Whether any address (not name) is one of them: where it listens on all interfaces.
    port : int or None
        None where any will do.
    access : str
        Token that every request needs; empty where none is.
    token : str
        Of this start; requests that change anything need it.
    session : str
        What the cookie holds once the access token was shown.
    """

    hosts: tuple[str, ...] = LOOPBACK
    addresses: bool = False
    port: int | None = None
    access: str = ""
    token: str = field(default_factory=_fresh)
    session: str = field(default_factory=_fresh)

    def host(self, given: str) -> bool:
        """Whether a `Host` is one of this page.

        Examples
        --------
        >>> rules = Rules(port=8000)
        >>> [rules.host(h) for h in ("localhost:8000", "[::1]:8000", "localhost", "evil.example")]
        [True, True, False, False]
        """
        name, port = _split(given)
        if self.port is not None and port != str(self.port) and not (self.port == 80 and not port):
            return False
        return name in self.hosts or (self.addresses and _is_address(name))

    def origin(self, headers: Headers) -> bool:
        """Whether a request comes from a page that this server gave."""
        return headers.get("origin", "").lower() == f"http://{headers.get('host', '')}".lower()

    def knows(self, token: str) -> bool:
        """Whether a token is that of this start."""
        return _same(token, self.token)


def _split(host: str) -> tuple[str, str]:
    """Split a host and its port; an IPv6 address stands in brackets."""
    host = host.lower()
    if host.startswith("["):
        name, _, port = host[1:].partition("]")
        return name, port.removeprefix(":")
    name, _, port = host.partition(":")
    return name, port


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


class Guard:
    """Refuses what the rules do not allow, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # There are no web sockets here.
            await send({"type": "websocket.close", "code": 1008})
            return

        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        answer = self._refused(scope)
        if answer is not None and scope["method"] not in READING:
            await Body(receive, PATIENCE).throw_away()
        try:
            await (answer or self._app)(scope, receive, with_headers)
        except Exception as error:
            if started:
                raise
            # A fault of ours: named without what it was about, which may be data.
            fault = _no(500, f"the page failed on this ({type(error).__name__}).", "Try again.")
            await fault(scope, receive, with_headers)

    def _refused(self, scope: Scope) -> Response | None:
        """Return the answer where a request may not pass."""
        headers, rules = Headers(scope=scope), self._rules
        if len(headers.getlist("host")) != 1 or not rules.host(headers["host"]):
            return _no(421, "this page is not known under that name.", _where(rules.hosts))
        if rules.access and (answer := self._without_access(scope, headers)) is not None:
            return answer
        site = headers.get("sec-fetch-site", "none")
        if scope["path"].startswith("/api/") and site not in ("none", "same-origin"):
            return _no(403, "the request comes from another site.", "Use the page itself.")
        if scope["method"] in READING:
            return None
        if not rules.origin(headers):
            return _no(403, "the request does not come from this page.", "Use the page itself.")
        if not rules.knows(headers.get(TOKEN, "")):
            return _no(
                403, "the page is from an earlier start of the server.", "Load the page again."
            )
        return None

    def _without_access(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to who has not shown the access token, or shows it now."""
        rules = self._rules
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if _same(_cookie(headers, _name(rules)), rules.session) or _same(bearer, rules.access):
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"))
        shown = query.get("access", [""])[0]
        if scope["method"] in READING and shown and _same(shown, rules.access):
            answer = HTMLResponse(ENTER)
            answer.set_cookie(_name(rules), rules.session, httponly=True, samesite="strict")
            return answer
        return PlainTextResponse(
            "This page needs the access token that it was started with: add ?access=TOKEN to its "
            "address.\n",
            status_code=401,
        )


def _name(rules: Rules) -> str:
    """Return the name of the cookie: cookies do not tell ports apart."""
    return f"deadheat-{rules.port or 0}"


def _cookie(headers: Headers, name: str) -> str:
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""


def _where(hosts: Iterable[str]) -> str:
    return f"Use {' or '.join(hosts)}, with the port."


def _no(status: int, error: str, fix: str) -> Response:
    return JSONResponse({"error": error, "fix": fix}, status_code=status)
