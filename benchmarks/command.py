"""``clew bench``: the project's own figures, measured on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from benchmarks.request import BenchRequest

_EPILOG = """--only and --time: for all tables but engine; --no-plain: not for combination either; later options: for
the tables in brackets.

Exit code: 0 measured; 1 a verdict is wrong, or a run failed; 2 wrong usage or input."""

_COMBINATION, _CONFLICTS, _INVARIANTS, _LOOPS, _MERGING, _NAVIGATION, _SUMMARIES = (
    "combination", "conflicts", "invariants", "loops", "merging", "navigation", "summaries",
)  # fmt: skip

_TABLES = {
    "tasks": (_CONFLICTS,),
    "only": (_COMBINATION, _CONFLICTS, _INVARIANTS, _LOOPS, _MERGING, _NAVIGATION, _SUMMARIES),
    "bound": (_CONFLICTS,),
    "unroll": (_CONFLICTS,),
    "decide": (_CONFLICTS,),
    "no_plain": (_CONFLICTS, _INVARIANTS, _LOOPS, _MERGING, _NAVIGATION, _SUMMARIES),
    "seconds": (_COMBINATION, _CONFLICTS, _INVARIANTS, _LOOPS, _MERGING, _NAVIGATION, _SUMMARIES),
    "plain_seconds": (_NAVIGATION, _SUMMARIES),
    "quick": (_COMBINATION, _INVARIANTS, _LOOPS, _MERGING, _NAVIGATION, _SUMMARIES),
    "juliet": (_MERGING,),
    "plot": (_COMBINATION, _MERGING),
    "targets": (_COMBINATION,),
    "seeds": (_COMBINATION,),
    "ways": (_COMBINATION, _LOOPS),
    "jobs": (_COMBINATION,),
    "out": (_COMBINATION,),
}
"""The tables that an option is for."""

_NAMES = {"no_plain": "no-plain", "seconds": "time", "plain_seconds": "plain-time"}


@click.command("bench", epilog=_EPILOG)
@click.argument("table")
@click.option("--json", "as_json", is_flag=True, help="The tables on standard output as JSON, nothing else there.")
@click.option("--markdown", is_flag=True, help="The tables on standard output as Markdown.")
@click.option("--repeat", type=click.IntRange(min=1), metavar="N", help="Runs per figure; the median is shown.")
@click.option("--quiet", is_flag=True, help="Say nothing while measuring.")
@click.option("--verbose", is_flag=True, help="Tracebacks of internal errors.")
@click.option(
    "--only", multiple=True, metavar="GLOB", help="Tasks or programs of this name; thesis: the tasks of the thesis."
)
@click.option("--no-plain", is_flag=True, help="Leave out the plain search that the technique is compared with.")
@click.option("--time", "seconds", type=float, metavar="SECONDS", help="Limit of each run (60; loops: 15).")
@click.option("--tasks", metavar="DIR", help="[conflicts] Verify the SV-COMP tasks in this folder, not Clew's own.")
@click.option("--bound", type=int, metavar="N", help="[conflicts] Let each while (1) end the program after N passes.")
@click.option("--unroll", metavar="N|dynamic", help="[conflicts] How often clew verify unrolls loops.")
@click.option("--decide", metavar="LIST", help="[conflicts] Strategies, as blackbox,guide,learn:10; or none.")
@click.option("--plain-time", "plain_seconds", type=float, metavar="SECONDS",
              help="[navigation, summaries] Limit of plain search (300).")  # fmt: skip
@click.option(
    "--juliet", metavar="DIR", help="[merging] The Juliet test suite in this folder, not Clew's own programs."
)
@click.option("--plot", metavar="FILE.html",
              help="[combination, merging] Draw what was measured.")  # fmt: skip
@click.option("--targets", metavar="DIR", help="[combination] Also real libraries, which are in this folder.")
@click.option("--seeds", metavar="LIST", help="[combination] Seeds of the runs, as 0,1,2 (0); medians are compared.")
@click.option(
    "--ways", metavar="LIST", help="[combination, loops] Configurations beside the default, as off,'* alone'."
)
@click.option("--jobs", type=int, metavar="N", help="[combination] Runs at the same time (1).")
@click.option("--out", metavar="DIR", help="[combination] Keep the runs here, and make none that is there.")
@click.option("--quick", is_flag=True,
              help="[all but engine, conflicts] Fewer programs or runs, plain stopped after 20 s.")  # fmt: skip
def command(table: str, as_json: bool, markdown: bool, quiet: bool, **options: Any) -> int:
    """Measure TABLE: engine, conflicts, invariants, loops, merging, navigation, summaries, all these; combination."""
    from benchmarks.tables import run_bench

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
        click.echo("\n\n".join("\n".join(one.markdown() if markdown else one.lines()) for one in found))
    return 1 if complaints else 0


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(dict.fromkeys(int(word) for word in text.split(",")))
    except ValueError:
        raise click.UsageError(f"--seeds takes numbers, as 0,1,2: not {text}") from None


def _request(table: str, options: dict[str, Any]) -> BenchRequest:
    from benchmarks.request import BenchRequest

    given = {name: value for name in _TABLES if (value := options[name]) not in (None, ()) and value is not False}
    for name in given:
        if table not in (*_TABLES[name], "all"):
            *some, last = _TABLES[name]
            of = f"{', '.join(some)} and {last}" if some else last
            tables = f"table{'s' if len(_TABLES[name]) > 1 else ''} {of}"
            raise click.UsageError(f"Option '--{_NAMES.get(name, name)}' is for the {tables}")
    for name in ("tasks", "juliet", "plot", "targets", "out"):
        if name in given:
            given[name] = Path(given[name])
    if "decide" in given:
        given["decide"] = tuple(
            word for part in given["decide"].split(",") if (word := part.strip()) != "none" and word
        )
    if "seeds" in given:
        given["seeds"] = _numbers(given["seeds"])
    if "ways" in given:
        given["ways"] = tuple(word for part in given["ways"].split(",") if (word := part.strip()))
    if table == _LOOPS:
        from benchmarks.loops import SECONDS

        given.setdefault("seconds", SECONDS)
    given["plain"] = not given.pop("no_plain", False)
    return BenchRequest(repeat=options["repeat"], **given)
