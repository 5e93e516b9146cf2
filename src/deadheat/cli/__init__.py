"""The command line. Each command is a file of this folder."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from deadheat._version import __version__
from deadheat.cli.adjust import adjust
from deadheat.cli.check import check
from deadheat.cli.claim import claim
from deadheat.cli.compare import compare
from deadheat.cli.convert import convert
from deadheat.cli.inspect import inspect
from deadheat.cli.plan import plan
from deadheat.cli.rank import rank
from deadheat.cli.score import score
from deadheat.cli.serve import serve
from deadheat.cli.simulate import simulate
from deadheat.cli.stopping import Stopped, stoppable
from deadheat.cli.verify import verify
from deadheat.errors import DeadheatError
from deadheat.rendering import printable

CANNOT_RUN = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="deadheat")
def cli() -> None:
    """Tell which gaps between systems evaluated on the same items survive resampling."""


COMMANDS = (
    *(compare, rank, score, plan, simulate, check, adjust, claim),
    *(inspect, convert, verify, serve),
)

for _command in COMMANDS:
    cli.add_command(_command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code; bad input is one paragraph on stderr."""
    # Draws are spread over threads by blocks; a second pool, that of BLAS, would only spin.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        with stoppable():
            code = cli.main(args=arguments, prog_name="deadheat", standalone_mode=False)
            if sys.stdout is not None:
                sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        code = CANNOT_RUN
    except click.ClickException as error:
        code = _refuse(_usage(error))
    except DeadheatError as error:
        code = _refuse(str(error))
    except BrokenPipeError:
        # Whoever read the output has seen enough; nothing more can be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except (click.Abort, KeyboardInterrupt):  # in a thread, or where a program has its own handlers
        code = _refuse("interrupted.", 130)
    except Stopped as stopped:
        code = _refuse(str(stopped), stopped.code)
    except MemoryError:
        code = _refuse("there is not enough memory for this input. Give fewer systems or items.")
    except OSError as error:
        what = error.strerror or type(error).__name__
        where = f"{error.filename}: " if error.filename else ""
        code = _refuse(f"{where}{what}. Check that the path exists and can be used.")
    sys.exit(code if isinstance(code, int) else 0)


def _usage(error: click.ClickException) -> str:
    text = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    hint = f" See '{context.command_path} --help'." if context is not None else ""
    return f"{text if text.endswith('.') else text + '.'}{hint}"


def _refuse(message: str, code: int = CANNOT_RUN) -> int:
    # The terminal may be closed, or gone.
    with suppress(OSError):
        if sys.stderr is not None:
            sys.stderr.write(f"deadheat: {printable(message)}\n")
    return code
