"""``clew bench``: the project's own figures, measured on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from clew.bench.request import BenchRequest

_EPILOG = """The options from --tasks on are those of the table conflicts.

Exit code: 0 measured; 1 a verdict is wrong, or a run failed; 2 wrong usage or input."""

_OF_CONFLICTS = ("tasks", "only", "bound", "unroll", "decide", "no_plain", "seconds")


@click.command("bench", epilog=_EPILOG)
@click.argument("table")
@click.option("--json", "as_json", is_flag=True, help="The tables on standard output as JSON, nothing else there.")
@click.option("--repeat", type=click.IntRange(min=1), metavar="N", help="Runs per figure; the median is shown.")
@click.option("--quiet", is_flag=True, help="Say nothing while measuring.")
@click.option("--verbose", is_flag=True, help="Tracebacks of internal errors.")
@click.option("--tasks", metavar="DIR", help="Verify the SV-COMP tasks in this folder, not Clew's own programs.")
@click.option("--only", multiple=True, metavar="GLOB", help="Tasks of this name; thesis: those with published figures.")
@click.option("--bound", type=int, metavar="N", help="Let each while (1) end the program after N passes.")
@click.option("--unroll", metavar="N|dynamic", help="How often clew verify unrolls loops.")
@click.option("--decide", metavar="LIST", help="Strategies to compare, as blackbox,guide,learn:10; or none.")
@click.option("--no-plain", is_flag=True, help="Leave out the exhaustive exploration.")
@click.option("--time", "seconds", type=float, metavar="SECONDS", help="Limit of each run of clew verify (60).")
def command(table: str, as_json: bool, quiet: bool, **options: Any) -> int:
    """Measure TABLE (engine, conflicts, or all)."""
    from clew.bench.tables import run_bench
    from clew.cli.exits import DONE, FOUND

    def say(text: str) -> None:
        if not quiet:
            click.echo(f"clew: {text}", err=True)

    found = run_bench(table, _request(table, options), say)
    complaints = [line for one in found for line in one.complaints()]
    if as_json:
        click.echo(json.dumps([one.to_json() for one in found], allow_nan=False))
        for line in complaints:
            click.echo(f"clew: {line}", err=True)
    else:
        click.echo("\n\n".join("\n".join(one.lines()) for one in found))
    return FOUND if complaints else DONE


def _request(table: str, options: dict[str, Any]) -> BenchRequest:
    from clew.bench.request import BenchRequest

    given = {name: options[name] for name in _OF_CONFLICTS if options[name] not in (None, False, ())}
    if given and table not in ("conflicts", "all"):
        name = {"no_plain": "no-plain", "seconds": "time"}.get(first := next(iter(given)), first)
        raise click.UsageError(f"Option '--{name}' is for the table conflicts")
    if "tasks" in given:
        given["tasks"] = Path(given["tasks"])
    if "decide" in given:
        given["decide"] = tuple(
            word for part in given["decide"].split(",") if (word := part.strip()) != "none" and word
        )
    given["plain"] = not given.pop("no_plain", False)
    return BenchRequest(repeat=options["repeat"], **given)
