"""The page and its interface over HTTP."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from deadheat.errors import DeadheatError
from deadheat.web.bodies import Body
from deadheat.web.errors import RefusalError, said
from deadheat.web.guard import Guard, Rules
from deadheat.web.jobs import DATA, OUT, RESULT, Job
from deadheat.web.limits import Limits
from deadheat.web.options import READS, Catalogue, checked
from deadheat.web.pages import page, static
from deadheat.web.pool import Pool
from deadheat.web.uploads import Upload, received

LONGEST_WAIT = 25.0
"""Seconds that a question about a job may be held back."""

DEEPEST = 20
"""Levels of JSON in a request."""

TYPES = {
    "html": "text/html",
    "tex": "application/x-tex",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "md": "text/markdown",
    "txt": "text/plain",
    "csv": "text/csv",
    "svg": "image/svg+xml",
}


def app(
    catalogue: Catalogue, *, rules: Rules | None = None, limits: Limits | None = None
) -> Starlette:
    """Make the application.

    Parameters
    ----------
    catalogue : mapping of str to sequence of Option
        The commands that it runs and their options.
    rules : Rules, optional
        Who may ask; by default this machine alone.
    limits : Limits, optional
    """
    limits = limits or Limits()
    rules = rules or Rules()
    pool = Pool(limits)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await pool.start()
        try:
            yield
        finally:
            await pool.stop()

    made = Starlette(
        routes=[
            Route("/", lambda _: RedirectResponse("/compare", status_code=307)),
            Route("/board", lambda _: RedirectResponse("/rank", status_code=307)),
            Route("/static/{name}", static),
            Route("/api/inspect", _submit, methods=["POST"], name="inspect"),
            Route("/api/jobs/{command}", _submit, methods=["POST"]),
            Route("/api/jobs/{id}", _status, methods=["GET"]),
            Route("/api/jobs/{id}", _delete, methods=["DELETE"]),
            Route("/api/jobs/{id}/cancel", _cancel, methods=["POST"]),
            Route("/api/jobs/{id}/files/{name}", _download),
            Route("/{page}", page),
        ],
        middleware=[Middleware(Guard, rules=rules)],
        exception_handlers={
            RefusalError: _refusal,
            DeadheatError: _deadheat_error,
            HTTPException: _http_error,
        },
        lifespan=lifespan,
    )
    made.state.pool = pool
    made.state.limits = limits
    made.state.rules = rules
    made.state.catalogue = catalogue
    return made


async def _submit(request: Request) -> Response:
    """Take a job: what was sent is stored, the options are checked, and it waits for a worker."""
    command = request.path_params.get("command", "inspect")
    catalogue: Catalogue = request.app.state.catalogue
    if command not in catalogue:
        raise RefusalError(404, f"there is no command {command[:50]!r} on this page.")
    pool: Pool = request.app.state.pool
    body = Body(request.receive, pool.limits.patience)
    try:
        job = pool.open()
    except RefusalError:
        await body.throw_away()
        raise
    try:
        upload = await received(request.headers, body, job.folder / DATA, pool.limits)
        job.task = _task(command, catalogue, upload, pool.limits)
    except BaseException as error:
        pool.forget(job)
        if isinstance(error, RefusalError):
            await body.throw_away()
        raise
    pool.submit(job)
    return JSONResponse({"job": job.id}, status_code=202)


def _task(command: str, catalogue: Catalogue, upload: Upload, limits: Limits) -> dict[str, Any]:
    """Return what the worker is told.

    Raises
    ------
    RefusalError or UsageError
        If the request asks for what there is not.
    """
    options = catalogue[command]
    counts = _json(upload, "counts")
    ways = [bool(upload.files), upload.pasted, counts is not None]
    if upload.pasted and counts is not None:
        raise RefusalError(400, "a table was pasted and counts were typed.", "Choose.")
    if any(ways[1:]) and command not in READS:
        raise RefusalError(400, f"{command} takes no table.", "Send options alone.")
    names = _json(upload, "names")
    if names is None:
        names = [None] * len(upload.files)
    if not isinstance(names, list) or len(names) != len(upload.files):
        raise RefusalError(400, "there is not one name for each file.", "Send a list, or none.")
    sent = [name for name, _ in upload.files]
    given = _json(upload, "options")
    return {
        "command": command,
        "options": [dataclasses.asdict(option) for option in options],
        "values": checked(options, {} if given is None else given, sent),
        "files": upload.files,
        "names": [_name(name) for name in names],
        "pasted": upload.pasted,
        "counts": counts,
        "rows": limits.rows,
    }


def _name(name: object) -> str | None:
    """Return the name of a system that was given to a file."""
    if name is None or name == "":
        return None
    if not isinstance(name, str) or len(name) > 200 or "=" in name or not name.isprintable():
        raise RefusalError(
            400,
            "the name of a system is no short text without '=' and control characters.",
            "Give another name.",
        )
    return name


def _json(upload: Upload, name: str) -> Any:
    """Return a field that holds JSON; None where it is absent."""
    if name not in upload.fields:
        return None
    try:
        found = json.loads(upload.fields[name])
    except (ValueError, RecursionError):
        raise RefusalError(400, f"the part {name} is not JSON.", "Send valid JSON.") from None
    if _depth(found) > DEEPEST:
        raise RefusalError(400, f"the part {name} is nested too deeply.", "Send plain values.")
    if not _is_text(found):
        raise RefusalError(400, f"the part {name} holds half a character.", "Send valid Unicode.")
    return found


def _is_text(value: Any) -> bool:
    """Whether all of it is Unicode: JSON may hold lone surrogates, which nothing can write."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level and depth <= DEEPEST:
        depth += 1
        level = [
            inner
            for entry in level
            if isinstance(entry, (dict, list))
            for inner in (entry.values() if isinstance(entry, dict) else entry)
        ]
    return depth


def _job(request: Request) -> Job:
    """Return the job that a request is about."""
    pool: Pool = request.app.state.pool
    job = pool.jobs.get(request.path_params["id"])
    if job is None:
        raise RefusalError(404, "there is no such job (any more).", "Run it again.")
    return job


async def _status(request: Request) -> Response:
    """Say how far a job is; where a wait is asked for, when that changes."""
    job = _job(request)
    try:
        seconds = float(request.query_params.get("wait", "0"))
    except ValueError:
        raise RefusalError(400, "wait is no number.", "Give seconds.") from None
    await job.wait(min(max(seconds, 0.0), LONGEST_WAIT) if seconds == seconds else 0.0)
    return _shown(job)


def _shown(job: Job) -> Response:
    result = None
    if job.state == "done":
        try:
            result = json.loads((job.folder / RESULT).read_bytes())
        except FileNotFoundError:  # Cleared away by whoever tidies up temporary files.
            raise RefusalError(404, "the result is gone.", "Run it again.") from None
        for download in result["downloads"]:
            download["href"] = f"/api/jobs/{job.id}/files/{download['name']}"
    return JSONResponse(
        {
            "job": job.id,
            "state": job.state,
            "done": job.done,
            "total": job.total,
            "what": job.what,
            "error": job.error,
            "result": result,
        }
    )


async def _cancel(request: Request) -> Response:
    job = _job(request)
    request.app.state.pool.cancel(job)
    return _shown(job)


async def _delete(request: Request) -> Response:
    request.app.state.pool.forget(_job(request))
    return Response(status_code=204)


async def _download(request: Request) -> Response:
    """Give a file that the job wrote: one of those that it lists, by its name."""
    job = _job(request)
    name = request.path_params["name"]
    folder = job.folder / OUT
    if job.state != "done" or not folder.is_dir() or name not in os.listdir(folder):
        raise RefusalError(404, "there is no such file.", "Choose one of those that are listed.")
    return FileResponse(
        folder / name,
        media_type=TYPES.get(name.rpartition(".")[2], "application/octet-stream"),
        filename=name,
    )


async def _refusal(_: Request, error: Exception) -> Response:
    assert isinstance(error, RefusalError)
    headers = {"Retry-After": "5"} if error.status == 503 else {}
    return JSONResponse(error.shown(), status_code=error.status, headers=headers)


async def _deadheat_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, DeadheatError)
    return JSONResponse(said(error), status_code=400)


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "there is no such page.", 405: "that is not done here."}
    return JSONResponse(
        {"error": words.get(error.status_code, str(error.detail)), "fix": "Start at /compare."},
        status_code=error.status_code,
        headers=error.headers,
    )
