"""Whether LeakSanitizer works where tests run, and how long it takes: found out once, with a program without leaks.

At the end of a program it stops all threads, for which it needs ``ptrace``, and looks through everything that was
allocated. Where the kernel does not permit that, it gives up. On some machines it takes
seconds even for an empty program (4 on aarch64, with GCC 12): that is not the test's time.
"""

from __future__ import annotations

from typing import Any

from clew.base.dataclass import dataclass
from clew.jobs.native.build import NativeProgram
from clew.jobs.native.compilers import PROBED
from clew.jobs.native.sandboxed import Sandbox

LONGEST = 60.0
"""Seconds after which it does not count as working."""


@dataclass(frozen=True, slots=True)
class LeakSearch:
    """What is to be expected of it."""

    seconds: float = 0.0
    """To be added to the time of a test that is to show a leak."""
    problem: str = ""
    """Why it does not work; empty if it does."""


def try_leak_search(sandbox: Sandbox, program: NativeProgram, job: dict[str, object]) -> LeakSearch:
    """Run the program that the compiler was tried with; ``job`` is that of a test with a search for leaks."""
    probe = {**job, "number": 0, "program": str(program.path.with_name("probe")), "seconds": LONGEST}
    return judge_leak_search(sandbox.run(probe))


def judge_leak_search(answer: dict[str, Any]) -> LeakSearch:
    """From how that program ended."""
    if "failed" in answer:
        return LeakSearch(problem=f"could not be run: {answer['failed']}")
    if answer["stopped"]:
        return LeakSearch(problem=f"its search does not end within {LONGEST:.0f} seconds")
    if "fatal error" in answer["err"]:
        return LeakSearch(problem="it may not look into processes (ptrace)")
    if answer["exit"] != PROBED:
        return LeakSearch(problem=f"a program without leaks ends with exit code {answer['exit']}")
    # The machine may be busier when the tests run.
    return LeakSearch(1.0 + 4.0 * float(answer["seconds"]))
