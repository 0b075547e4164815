"""The calls of the Python API: one for each command, with the command's options as keyword arguments.

Nothing is printed, and nothing is written unless ``out`` asks for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.api.options import Files
from clew.api.results import Result
from clew.api.session import Folder, Progress, described, explored, resumed
from clew.base.options import InvariantsRequest, LoopsRequest, ReachRequest, TestRequest, VerifyRequest

if TYPE_CHECKING:
    from clew.report.invariant_report import InvariantReport
    from clew.report.loop_report import LoopReport


def test(
    files: Files = (),
    *,
    source: str | None = None,
    function: str | None = None,
    time: float | None = 60.0,
    out: Folder | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Explore a C program: tests that cover it, and the bugs in it. The same as ``clew test``.

    ``files`` is a file or several (.c, .ll, .bc), or ``source`` is the text of one. ``function`` is called with
    symbolic parameters instead of ``main``. ``time`` is in seconds, None for no limit. ``out`` is a new or empty folder
    for the tests; ``progress`` is called now and then with a ``Snapshot``. All other options are those of the command
    line, such as ``check="memory"``, ``goal="path"``, ``stdin=8``, ``merge=False``.

    >>> import clew
    >>> result = clew.test(source="int half(int n) { return 100 / n; }", function="half", time=10)
    >>> [bug.kind for bug in result.bugs]
    ['division-by-zero']
    >>> result.bugs[0].inputs[0].value
    0
    """
    from clew.jobs.test import run_test

    given = {"function": function, "time": time, "jobs": 1, **options}  # to fork others may harm threads of the caller
    return explored(run_test, "test", TestRequest, files, source, out, progress, given)


def resume(folder: Folder, *, time: float | None = None, progress: Progress | None = None, **options: Any) -> Result:
    """Go on where a run with an output folder was stopped. The same as ``clew resume``.

    ``time`` is what may be spent from now on, in seconds; without it, it is as much again. ``memory``,
    ``max_instructions``, ``jobs`` and ``interrupt`` may be given anew. The result is that of both runs together. An
    ``Error`` if the folder is not of such a run, or nothing is left to do.

    >>> import clew, tempfile
    >>> text = '''
    ... unsigned __VERIFIER_nondet_uint(void);
    ... int main(void) { unsigned n = __VERIFIER_nondet_uint(); return n > 5 ? 1 : n == 3; }'''
    >>> folder = tempfile.mkdtemp()
    >>> clew.test(source=text, out=folder, max_instructions=1).stopped
    <StopReason.INSTRUCTIONS: 'instructions'>
    >>> clew.resume(folder, max_instructions=100_000).complete
    True
    """
    given = options if time is None else {"time": time, **options}
    return resumed(Path(folder), progress, given)


def verify(
    files: Files = (),
    *,
    source: str | None = None,
    function: str | None = None,
    time: float | None = 60.0,
    out: Folder | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Prove that no input makes an assertion fail, or find one that does. The same as ``clew verify``.

    >>> import clew
    >>> text = '''#include <assert.h>
    ... void f(unsigned n) { assert(n / 2 <= n); }'''
    >>> clew.verify(source=text, function="f", time=10).verdict
    'TRUE'
    """
    from clew.jobs.verify import run_verify

    given = {"function": function, "time": time, **options}
    return explored(run_verify, "verify", VerifyRequest, files, source, out, progress, given)


def reach(
    files: Files = (),
    *,
    line: int | str | None = None,
    label: str | None = None,
    call: str | None = None,
    source: str | None = None,
    function: str | None = None,
    time: float | None = 60.0,
    out: Folder | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Find inputs that lead to a line (``12`` or ``"p.c:12"``), a label or a call. The same as ``clew reach``.

    >>> import clew
    >>> result = clew.reach(source="int f(int n) { if (n * 3 == 21) { deep: return 1; } return 0; }",
    ...                     label="deep", function="f", time=10)
    >>> result.verdict, result.target.arrival.inputs[0].value
    ('REACHED', 7)
    """
    from clew.jobs.reach import run_reach

    given = {"label": label, "call": call, "function": function, "time": time, "line": line, **options}
    return explored(run_reach, "reach", ReachRequest, files, source, out, progress, given)


def invariants(
    files: Files = (),
    *,
    source: str | None = None,
    function: str | None = None,
    time: float | None = 60.0,
    **options: Any,
) -> InvariantReport:
    """Linear facts that hold at loops and branches, whatever the inputs. The same as ``clew invariants``.

    >>> import clew
    >>> report = clew.invariants(source="int main(void) { int i = 0; while (i < 10) i += 2; return i; }")
    >>> [fact.text for fact in report.functions[0].points[0].facts][:1]
    ['i == 2*#loop1']
    """
    from clew.jobs.invariants import run_invariants

    given = {"function": function, "time": time, **options}
    return described(run_invariants, InvariantsRequest, files, source, given)


def loops(
    files: Files = (),
    *,
    source: str | None = None,
    function: str | None = None,
    time: float | None = 60.0,
    **options: Any,
) -> LoopReport:
    """What loops do, in terms of counters of their iterations. The same as ``clew loops``."""
    from clew.jobs.loops import run_loops

    given = {"function": function, "time": time, **options}
    return described(run_loops, LoopsRequest, files, source, given)
