"""``clew completion``: a script that teaches a shell to complete commands, options and their values."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from clew.cli.exits import DONE
from clew.cli.help import Command

VARIABLE = "_CLEW_COMPLETE"
"""By which the script asks ``clew`` what there is to complete."""
_EPILOG = """bash: eval "$(clew completion bash)" in ~/.bashrc

zsh: eval "$(clew completion zsh)" in ~/.zshrc, after compinit

fish: clew completion fish > ~/.config/fish/completions/clew.fish"""


def _run(shell: str) -> int:
    from clew.cli.app import clew

    found = get_completion_class(shell)
    assert found is not None
    writer = found(clew, {}, "clew", VARIABLE)
    # Not its method ``source``: that starts the shell, which need not be on this machine, to ask for its version.
    click.echo(writer.source_template % writer.source_vars())
    return DONE


command = Command(
    "completion",
    callback=_run,
    params=[click.Argument(["shell"], type=click.Choice(("bash", "zsh", "fish")), metavar="bash|zsh|fish")],
    short_help="Teach a shell to complete what you type.",
    help="Print a script that teaches a shell to complete commands, options and their values.",
    epilog=_EPILOG,
)
