"""A page as a browser would use it."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx

from deadheat.cli import cli
from deadheat.cli.catalogue import catalogue
from deadheat.web.app import app
from deadheat.web.guard import Rules
from deadheat.web.limits import Limits
from deadheat.web.serving import server_of

COMMANDS = ("compare", "rank", "score", "plan", "claim", "adjust", "inspect")
CATALOGUE = catalogue([cli.commands[name] for name in COMMANDS])
File = tuple[str, bytes | str]


@dataclass(frozen=True, kw_only=True)
class Page:
    """Requests to a page that is open."""

    client: Any
    app: Any
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Deadheat-Token": self.token, "Origin": str(self.client.base_url).rstrip("/")}

    def post(
        self,
        command: str,
        options: Any = None,
        *,
        files: Sequence[File] = (),
        names: Sequence[str | None] | None = None,
        text: str | None = None,
        counts: Mapping[str, Any] | None = None,
    ) -> httpx.Response:
        parts: list[tuple[str, Any]] = [("options", (None, json.dumps(options or {})))]
        parts += [("file", (name, content)) for name, content in files]
        if names is not None:
            parts.append(("names", (None, json.dumps(names))))
        if text is not None:
            parts.append(("text", (None, text)))
        if counts is not None:
            parts.append(("counts", (None, json.dumps(counts))))
        path = "/api/inspect" if command == "inspect" else f"/api/jobs/{command}"
        found: httpx.Response = self.client.post(path, files=parts, headers=self.headers)
        return found

    def run(self, command: str, options: Any = None, **sent: Any) -> dict[str, Any]:
        """Send a job and wait for its end."""
        answer = self.post(command, options, **sent)
        assert answer.status_code == 202, answer.text
        return self.end(answer.json()["job"])

    def end(self, job: str) -> dict[str, Any]:
        while True:
            found: dict[str, Any] = self.client.get(f"/api/jobs/{job}?wait=20").json()
            if found["state"] in ("done", "failed", "cancelled"):
                return found

    def result(self, command: str, options: Any = None, **sent: Any) -> dict[str, Any]:
        """Return the result of a job that has to succeed."""
        ended = self.run(command, options, **sent)
        assert ended["state"] == "done", ended
        found: dict[str, Any] = ended["result"]
        return found

    def numbers(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """Return the JSON of a result."""
        found: dict[str, Any] = json.loads(self.download(result, "report.json"))
        return found

    def download(self, result: Mapping[str, Any], name: str) -> str:
        (href,) = (one["href"] for one in result["downloads"] if one["name"] == name)
        answer = self.client.get(href)
        assert answer.status_code == 200
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
        return str(answer.content.decode())


@contextmanager
def opened(limits: Limits | None = None, rules: Rules | None = None) -> Iterator[Page]:
    """Serve a page from a thread of this process."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    rules = replace(rules or Rules(), port=listening.getsockname()[1])
    made = app(CATALOGUE, rules=rules, limits=limits)
    server = server_of(made)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        with httpx.Client(
            base_url=f"http://127.0.0.1:{rules.port}", timeout=60.0, trust_env=False
        ) as client:
            yield Page(client=client, app=made, token=rules.token)
    finally:
        server.should_exit = True
        thread.join()
