"""`deadheat serve`: the local page."""

from __future__ import annotations

import click

MB = 1 << 20


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    metavar="N",
    help="Port; by default the first free one from 8421.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option("--allow-remote", is_flag=True, help="Let other machines use the page.")
@click.option(
    "--access-token",
    metavar="TEXT",
    envvar="DEADHEAT_ACCESS_TOKEN",
    help="What every request has to show; needed with --allow-remote.",
)
@click.option(
    "--max-upload",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    metavar="MB",
    help="Megabytes that one request may have.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    metavar="N",
    help="Processes that work.",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(0, min_open=True),
    default=600,
    show_default=True,
    metavar="S",
    help="Seconds that one job may take.",
)
def serve(
    *,
    port: int | None,
    host: str,
    no_browser: bool,
    allow_remote: bool,
    access_token: str | None,
    max_upload: int,
    workers: int,
    max_seconds: float,
) -> None:
    """Serve a local page: drop files in, see the result.

    It listens on this machine alone, works without a network, and nothing leaves the machine.
    """
    from deadheat.cli.adjust import adjust
    from deadheat.cli.catalogue import catalogue
    from deadheat.cli.claim import claim
    from deadheat.cli.compare import compare
    from deadheat.cli.inspect import inspect
    from deadheat.cli.plan import plan
    from deadheat.cli.rank import rank
    from deadheat.cli.score import score
    from deadheat.web.limits import Limits
    from deadheat.web.serving import serve as run

    run(
        catalogue((compare, rank, score, plan, claim, adjust, inspect)),
        port=port,
        host=host,
        browser=not no_browser,
        allow_remote=allow_remote,
        access_token=access_token or None,
        limits=Limits(upload=max_upload * MB, workers=workers, seconds=max_seconds),
    )
