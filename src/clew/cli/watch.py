"""``clew watch``: goes on with a project while its files change; what has changed is tested first."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.base.budget import Interrupt
from clew.base.errors import UserError
from clew.base.option import Group
from clew.base.options import ProjectRequest
from clew.base.processes import available_cores
from clew.cli.command import EPILOG, make_request
from clew.cli.display import Display
from clew.cli.exits import DONE, FOUND
from clew.cli.flags import CompilerCommand
from clew.cli.options import command_options
from clew.cli.project import ALL, FILES, JOBS, of_project

if TYPE_CHECKING:
    from clew.cli.watching import Watched

OFTEN = 0.4
"""Seconds between two looks at the files."""
SETTLED = 0.2
"""Seconds in which nothing more changes, before what has changed is tested: editors write in several steps."""
GROWTH, LONGEST = 2.0, 600.0
"""How much longer a round is than the one before, if nothing has changed, and seconds of the longest."""


@click.pass_context
def _run(ctx: click.Context, /, **given: Any) -> int:
    display = Display(False, False, given["verbose"])
    session = _Watch(ctx, given | {"files": of_project(ctx, given)}, display)
    return session.go()


class _Watch:
    def __init__(self, ctx: click.Context, given: Mapping[str, Any], display: Display) -> None:
        self._ctx = ctx
        self._given = given
        self._display = display
        self._jobs = given["jobs"] or available_cores()
        self._out: Path | None = None
        self._last: Mapping[str, Any] | None = None
        self._factor = 1.0

    def go(self) -> int:
        """Rounds of the project, until somebody ends it; the exit code is that of the last result."""
        from clew.cli.watching import Watched

        watched = Watched(list(self._given["files"]), self._build)
        changed: list[Path] = []
        while True:
            is_complete, over, now = self._round(watched, changed)
            if over:
                break
            changed = now or self._wait(watched, None if is_complete else OFTEN)
            if not changed and is_complete:
                break  # ended while nothing was to be done
            self._factor = 1.0 if changed else self._factor * GROWTH
        bugs = [] if self._last is None else [bug for bug in self._last["bugs"] if not bug.get("rests_on")]
        return FOUND if bugs else DONE

    @property
    def _build(self) -> Path | None:
        build = self._given["build"]
        return None if build is None else Path(build)

    def _round(self, watched: Watched, changed: list[Path]) -> tuple[bool, bool, list[Path]]:
        """One round: whether all is done, whether to end, and what has changed meanwhile."""
        from clew.cli.project_screen import WatchScreen
        from clew.cli.project_session import run_project

        if changed:
            self._say(f"{', '.join(path.name for path in changed[:4])} changed")
        screen = WatchScreen(self._display, watched)
        try:
            request = make_request(ProjectRequest, self._ctx, self._given)
            assert isinstance(request, ProjectRequest)
            if request.seconds is not None:
                request = replace(request, seconds=min(max(LONGEST, request.seconds), request.seconds * self._factor))
            screen.interrupt = request.interrupt
            _, data = run_project(request, self._out, self._jobs, self._out is not None, self._display, screen)
        except UserError as problem:  # most likely in the middle of an edit
            self._say(f"{problem}\n{problem.details}".rstrip())
            return True, False, screen.changed
        self._out = Path(data["out"])
        self._tell(data)
        is_over = request.interrupt.requested and not screen.changed
        return data["stopped"] is None, is_over, screen.changed

    def _tell(self, data: Mapping[str, Any]) -> None:
        from clew.report.project_change import change_lines
        from clew.report.text import print_lines

        if self._last is None:
            print_lines([(f"report    {data['out']}/report.html", "")], sys.stdout)
        print_lines(change_lines(self._last, data), sys.stdout)
        sys.stdout.flush()
        self._last = data

    def _wait(self, watched: Watched, most: float | None) -> list[Path]:
        """Wait for a change, or so many seconds; nothing if there is none, or the user ends it."""
        from clew.cli.signals import interruptible

        interrupt, until = Interrupt(), None if most is None else time.monotonic() + most
        with interruptible(interrupt, quiet=True):
            while not interrupt.requested and (until is None or time.monotonic() < until):
                time.sleep(OFTEN)
                if changed := watched.changed():
                    while more := self._settle(watched):
                        changed += more
                    return changed
        return []

    def _settle(self, watched: Watched) -> list[Path]:
        time.sleep(SETTLED)
        return watched.changed()

    def _say(self, text: str) -> None:
        now = time.strftime("%H:%M:%S")
        print(f"\n[{now}] {text}", flush=True)


command = CompilerCommand(
    "watch",
    callback=_run,
    params=[FILES, *command_options(ProjectRequest, {Group.OWN: (ALL,), Group.BUDGET: (JOBS,)})],
    short_help="Test a project while you work on it.",
    help="Go on with a project (see clew project) while files change: what has changed is tested first, the rest is "
    "explored further. --time is that of the first round; each one without a change is longer. Ctrl-C ends it.",
    epilog=EPILOG + "0 no bug in the last result; 1 bug found; 2 wrong usage or input.",
)
