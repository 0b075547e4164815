"""``clew version``: versions of Clew, of Python and of the libraries that decide results."""

from __future__ import annotations

import click

_LIBRARIES = ("bitwuzla", "z3-solver", "llvmlite", "ziglang")


@click.command("version")
def command() -> int:
    """Show versions, for bug reports."""
    import platform
    from importlib import metadata

    from clew import __version__

    click.echo(f"clew {__version__}")
    click.echo(f"python {platform.python_version()} on {platform.machine()}")
    for name in _LIBRARIES:
        try:
            click.echo(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            click.echo(f"{name} not installed")
    return 0
