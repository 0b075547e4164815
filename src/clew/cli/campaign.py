"""``clew campaign``: many runs as one queue, with one report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clew.base.budget import Interrupt
from clew.base.processes import available_cores
from clew.cli.command import json_option, quiet_option
from clew.cli.display import Display
from clew.cli.exits import DONE, FAILURE, FOUND, STOPPED
from clew.cli.help import Argument, Command, Option

if TYPE_CHECKING:
    from clew.campaign.processes import Runner


def _run(list_: str, out: str, jobs: int | None, cluster: str | None, resume: bool, as_json: bool, quiet: bool) -> int:
    from clew.campaign.listing import read_listing
    from clew.campaign.queue import Queue
    from clew.campaign.results import FAILED, LOST, Outcome
    from clew.campaign.session import Campaign
    from clew.campaign.store import open_store
    from clew.campaign.text import campaign_lines, told
    from clew.cli.signals import interruptible

    display = Display(as_json, quiet)

    def say(outcome: Outcome, queue: Queue) -> None:
        if not display.quiet and not display.json:
            of = len(queue.ended) + len(queue.running) + len(queue.waiting)
            print(f"[{len(queue.ended)}/{of}] {outcome.run.name}: {told(outcome)}", file=sys.stderr, flush=True)

    listing, interrupt = read_listing(Path(list_)), Interrupt()
    store = open_store(out, resume)
    runner = _runner(cluster, jobs, listing.folder.absolute())
    with interruptible(interrupt, display.quiet):
        outcomes, left = Campaign(listing, runner, store, interrupt, say).run()
    if display.json:
        import json

        print(json.dumps(store.recorded()))
    elif not display.quiet:
        for line in campaign_lines(outcomes, left, store.name):
            print(line)
    if any(outcome.is_unexpected for outcome in outcomes):
        return FOUND
    if any(outcome.state in (FAILED, LOST) for outcome in outcomes):
        return FAILURE
    return STOPPED if left else DONE


def _runner(cluster: str | None, jobs: int | None, folder: Path) -> Runner:
    if cluster is not None:
        from clew.campaign.cluster import ClusterRunner

        return ClusterRunner(cluster, folder)
    from clew.campaign.processes import LocalRunner

    return LocalRunner(jobs or available_cores(), folder)


command = Command(
    "campaign",
    callback=_run,
    params=[
        Argument(["list_"], metavar="LIST.toml"),
        Option(
            ["--out"], required=True, metavar="DIR|URL",
            help="Where results go: a new or empty folder, or what fsspec can write to (s3://bucket/name).",
        ),
        Option(
            ["--jobs"], type=click.IntRange(min=1), metavar="N", help="Runs at the same time (default: one per core).",
        ),
        Option(
            ["--cluster"], metavar="auto|ADDRESS",
            help="Run on a Ray cluster: that of this machine, or the one at HOST:PORT (needs 'clew[cluster]').",
        ),
        Option(
            ["--resume"], is_flag=True,
            help="Go on in --out: runs that have ended there, and have not changed since, are not run again.",
        ),
        json_option("The record of all runs on standard output, nothing else there."),
        quiet_option(),
    ],
    short_help="Run many programs as one queue.",
    help="Run everything that LIST.toml lists, by priority, within its budgets; what fails by accident is tried again.",
    epilog="Exit code: 0 all as expected, no bug; 1 a bug, or another verdict than expected; 2 wrong usage, or runs "
    "that failed; 3 stopped early, nothing found.",
)  # fmt: skip
