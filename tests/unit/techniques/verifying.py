"""``clew verify`` on a C text, by conflicts unless told otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary
from unit.execute.support import PRELUDE

DECIDE = ("learn:10", "learn:1000", "guide", "blackbox")


def verify(folder: Path, code: str, **options: Any) -> Summary:
    file = folder / "p.c"
    file.write_text(PRELUDE + '#include <assert.h>\n#line 1 "p.c"\n' + code, encoding="utf-8")
    options = {"seconds": 600.0, "compiler_flags": ("-w",), "strategy": "conflicts", **options}
    return run_verify(VerifyRequest((file,), **options), Listener())


def verdicts(summary: Summary) -> dict[int, str]:
    """Per line."""
    return {item.location.line: item.verdict for item in summary.properties if item.location is not None}


def reasons(summary: Summary) -> dict[int, str]:
    return {item.location.line: item.reason for item in summary.properties if item.location is not None}
