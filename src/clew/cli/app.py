"""The ``clew`` command: finds the sub-command, and turns every failure into one line and an exit code.

| code | meaning |
|---|---|
| 0, 1, 3 | the command's own answers, see ``exits`` |
| 2 | wrong usage, bad input, compile error, or a failure of Clew's own |
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from clew import __version__
from clew.base.errors import Unsupported, UserError
from clew.base.printable import LINES, printable
from clew.cli.exits import ABORTED, FAILURE
from clew.cli.help import WIDEST

if TYPE_CHECKING:
    from clew.report.journal import Journal

_HELP_SHOWN = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""Raised by click 8.2 and later for ``clew`` alone; its text is the help."""

_FIRST_STEPS = """\b
First steps:
  clew test program.c            find inputs that cover the code, and inputs that break it
  clew test lib.c --function f   the same for one function; its parameters are the inputs
  clew project .                 the same for all functions of a folder
  clew verify program.c          prove that no assertion fails
  clew COMMAND --help            what a command can do"""

_LONGEST = 1000
"""Characters of a message; a name the user gave may be of any length."""

TASKS: Mapping[str, tuple[str, ...]] = {
    "Find bugs and write tests": ("test", "project", "watch", "resume", "replay"),
    "Prove, or find a way": ("verify", "reach"),
    "Look at results": ("explain", "report", "lsp"),
    "Understand a program": ("loops", "invariants"),
    "Run many programs": ("campaign", "bench"),
    "This installation": ("doctor", "completion", "version"),
}
"""The commands, by what people want to do."""
COMMANDS = tuple(sorted(name for names in TASKS.values() for name in names))
"""Each is ``clew.cli.<name>.command``, imported when it is used or listed."""


class LazyGroup(click.Group):
    """A group that imports a command's module only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """By task."""
        for title, names in TASKS.items():
            found = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(title):
                formatter.write_dl([(name, one.get_short_help_str(80)) for name, one in found if one is not None])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = importlib.import_module(f"clew.cli.{cmd_name}").command
        assert isinstance(found, click.Command)
        return found


_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": WIDEST}


@click.group(cls=LazyGroup, context_settings=_SETTINGS, epilog=_FIRST_STEPS)
@click.version_option(__version__, prog_name="clew", message="%(prog)s %(version)s")
def clew() -> None:
    """Find the way through a C program's paths: inputs that cover the code, and inputs that break it."""


def run(args: list[str], journal: Journal | None = None) -> int:
    """Run a command line; returns the exit code and lets no exception through. ``journal`` is for who supervises it."""
    own = args[: args.index("--")] if "--" in args else args
    try:
        code = clew.main(args, prog_name="clew", standalone_mode=False, obj=journal)
        return code if isinstance(code, int) else 0
    except SystemExit as end:  # a shell has asked what to complete, and was told
        return end.code if isinstance(end.code, int) else 0
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted")
        return ABORTED
    except Exception as error:
        _explain(error, "--verbose" in own)
        return FAILURE


def _explain(error: Exception, verbose: bool) -> None:
    """One line per failure; details of the compiler's verbatim; a traceback only on request."""
    if isinstance(error, _HELP_SHOWN) and isinstance(error, click.UsageError):
        error.show()
    elif isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "clew"
        _complain(f"{error.format_message().rstrip('.')} (see '{command} --help')")
    elif isinstance(error, click.ClickException):
        _complain(error.format_message())
    elif isinstance(error, UserError):
        _complain(str(error))
        if error.details:
            click.echo(printable(error.details.rstrip("\n"), LINES), err=True)
    elif isinstance(error, Unsupported):
        where = f" ({error.location})" if error.location else ""
        _complain(f"the program needs something Clew does not support: {error.feature}{where}")
    elif isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("clew"):
        _complain(f"the Python package {error.name!r} is missing; install Clew with its dependencies (pip install .)")
    else:
        text = " ".join(str(error).split()) or "no message"
        hint = "" if verbose else " (--verbose for the traceback)"
        _complain(f"internal error: {type(error).__name__}: {text[:300]}{hint}")
    if verbose and not isinstance(error, (click.ClickException, UserError, Unsupported)):
        import traceback

        traceback.print_exception(error)


def _complain(text: str) -> None:
    """One line, whatever the text quotes."""
    line = printable(" ".join(text.split()))
    click.echo(f"clew: error: {line if len(line) <= _LONGEST else line[:_LONGEST] + '...'}", err=True)
