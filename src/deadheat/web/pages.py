"""The pages, and the style and scripts that they load."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from deadheat._version import __version__
from deadheat.report import html
from deadheat.web.errors import RefusalError
from deadheat.web.examples import example

HERE = Path(__file__).parent
FOLDER = HERE / "static"
"""Where style and scripts of the page lie."""

OF_REPORTS = {"report.css": html.style, "report.js": html.script}
"""Reports look and speak as in the file that they can be saved as."""

TYPES = {"css": "text/css", "js": "text/javascript"}


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


async def page(request: Request) -> Response:
    """Show the page of a command."""
    name = request.path_params["page"]
    state = request.app.state
    if name not in state.catalogue or name == "inspect":
        raise RefusalError(404, "there is no such page.", "Start at /compare.")
    template = _templates().get_template(f"{name}.html")
    shown = template.render(
        page=name,
        token=state.rules.token,
        version=__version__,
        limits=state.limits.shown(),
        options=[option.shown() for option in state.catalogue[name]],
        metrics=_metrics(),
        example=example(name),
    )
    return HTMLResponse(shown)


@cache
def _metrics() -> list[str]:
    from deadheat.metrics import names

    return list(names())


async def static(request: Request) -> Response:
    """Give a file of style or script: one of those that are there, by its name."""
    name = request.path_params["name"]
    kind = name.rpartition(".")[2]
    if name in OF_REPORTS:
        return Response(OF_REPORTS[name](), media_type=TYPES[kind])
    if kind in TYPES:
        for path in FOLDER.glob("*"):
            if path.name == name:
                return Response(path.read_bytes(), media_type=TYPES[kind])
    raise RefusalError(404, "there is no such file.")
