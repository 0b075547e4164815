"""``clew doctor``: what this machine has of what Clew uses, in one table."""

from __future__ import annotations

import json
import sys

from clew.cli.command import json_option
from clew.cli.exits import DONE, FOUND
from clew.cli.help import Command

_STYLES = {"ok": "green", "missing": "bold red", "limited": "yellow", "absent": "dim"}
_EPILOG = "Exit code: 0 all that is needed is there; 1 something is missing that Clew does not work without."


def _run(as_json: bool) -> int:
    from clew.jobs.doctor import State, examine
    from clew.report.formats import head_of
    from clew.report.records import fields_to_json
    from clew.report.text import print_lines

    found = []
    for row in examine():
        found.append(row)
        if not as_json:
            line = f"{row.state:8} {row.subject:21} {row.found}"
            print_lines([(line, _STYLES[row.state])], sys.stdout)
            if row.remedy:
                print_lines([(f"{'':30} -> {row.remedy}", _STYLES[row.state])], sys.stdout)
            sys.stdout.flush()
    if as_json:
        print(json.dumps({**head_of("doctor"), "rows": [fields_to_json(row) for row in found]}))
    lacking = any(row.state is State.MISSING for row in found)
    if not as_json:
        print("\nsomething is missing that Clew needs" if lacking else "\nall that Clew needs is there")
    return FOUND if lacking else DONE


command = Command(
    "doctor",
    callback=_run,
    params=[json_option("The rows on standard output as JSON.")],
    short_help="What this machine lacks.",
    help="Look at what Clew uses on this machine, try it, and say what is missing and what to do about it.",
    epilog=_EPILOG,
)
