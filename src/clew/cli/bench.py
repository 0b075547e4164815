"""``clew bench``: the project's own figures, measured on this machine."""

from __future__ import annotations

import json

import click


@click.command("bench")
@click.argument("table")
@click.option("--json", "as_json", is_flag=True, help="The tables on standard output as JSON, nothing else there.")
@click.option("--repeat", type=click.IntRange(min=1), metavar="N", help="Runs per figure; the median is shown.")
@click.option("--quiet", is_flag=True, help="Say nothing while measuring.")
@click.option("--verbose", is_flag=True, help="Tracebacks of internal errors.")
def command(table: str, as_json: bool, repeat: int | None, quiet: bool, verbose: bool) -> int:
    """Measure TABLE (engine, or all)."""
    from clew.bench.tables import run_bench

    def say(text: str) -> None:
        if not quiet:
            click.echo(f"clew: {text}", err=True)

    tables = run_bench(table, repeat, say)
    if as_json:
        click.echo(json.dumps([found.to_json() for found in tables], allow_nan=False))
    else:
        click.echo("\n\n".join("\n".join(found.lines()) for found in tables))
    return 0
