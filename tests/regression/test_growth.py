"""What is done before the first path grows no faster than the program: lines of Clew's code are counted, not time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import clew
from clew.base.budget import Budget
from clew.base.options import TestRequest
from clew.frontend import CompileOptions, load
from clew.jobs.ledger import Ledger
from clew.jobs.phases.guided_exploration import GuidedExploration
from clew.jobs.phases.phase import Context
from clew.jobs.sharing.relay import Relay
from clew.report.listener import Listener
from clew.techniques.registry import make_techniques

INPUT = "extern int __VERIFIER_nondet_int(void);\n"
OWN = str(Path(clew.__file__).parent)


def count_lines(work: Callable[[], object]) -> int:
    """How many lines of Clew's code ``work`` executes."""
    count = 0

    def line(frame: FrameType, event: str, argument: object) -> object:
        nonlocal count
        count += 1
        return line

    def call(frame: FrameType, event: str, argument: object) -> object:
        return line if frame.f_code.co_filename.startswith(OWN) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def prepare(path: Path) -> None:
    """All that ``clew test`` does before it runs the first path."""
    request = TestRequest(files=(path,), target="x86_64-linux-gnu")
    program = load([path], CompileOptions(target="x86_64-linux-gnu"), None)
    budget = Budget()
    context = Context(request, Listener(), budget, Ledger(request, "test", budget), program)
    GuidedExploration(context, make_techniques(request), Relay(context.listener)).prepare()


def repeated(count: int, form: Callable[[int], str]) -> str:
    return "".join(form(number) for number in range(count))


def nested_ifs(n: int) -> str:
    levels = repeated(n, lambda i: f"if (x > {i}) {{ y += {i};\n")
    return f"int main(void) {{ int x = __VERIFIER_nondet_int(), y = 0;\n{levels}{'}' * n} return y; }}"


def else_ifs(n: int) -> str:
    levels = repeated(n, lambda i: f"if (x == {i}) y = {i % 7}; else\n")
    return f"int main(void) {{ int x = __VERIFIER_nondet_int(), y = 0;\n{levels}y = 9; return y; }}"


def cases(n: int) -> str:
    all_cases = repeated(n, lambda i: f"case {i * 3}: y = {i % 7}; break;\n")
    return f"int main(void) {{ int y = 0; switch (__VERIFIER_nondet_int()) {{ {all_cases} }} return y; }}"


def loops(n: int) -> str:
    row = repeated(n, lambda i: f"while (x > {i}) {{ x--; y++; }}\n")
    return f"int main(void) {{ int x = __VERIFIER_nondet_int(), y = 0;\n{row} return y; }}"


def exits(n: int) -> str:
    row = repeated(n, lambda i: f"if (x == {i}) break;\n y++;")
    return f"int main(void) {{ int x = __VERIFIER_nondet_int(), y = 0;\nfor (;;) {{ {row} x++; }} return y; }}"


def functions(n: int) -> str:
    row = repeated(n, lambda i: f"static int f{i}(int a, int *p) {{ if (a > {i}) return p[0]; return a; }}\n")
    calls = repeated(n, lambda i: f"s += f{i}(s, &s);\n")
    return f"{row}int main(void) {{ int s = __VERIFIER_nondet_int();\n{calls} return s; }}"


def initializers(n: int) -> str:
    items = repeated(n, lambda i: f"{{ {i}, &t[{i}] }}, ")
    return f"int t[{n}];\nstruct {{ int a, *p; }} u[] = {{ {items} }};\nint main(void) {{ return u[1].a + *u[1].p; }}"


SIZES = {nested_ifs: 40, else_ifs: 40, cases: 40, loops: 40, exits: 60, functions: 10, initializers: 20}


@pytest.mark.sample(3)
@pytest.mark.parametrize("shape", SIZES, ids=lambda shape: str(shape.__name__))
def test_preparation_is_linear(shape: Callable[[int], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("a.c")
    work = []
    size = SIZES[shape]
    for number in (1, size, 2 * size, 4 * size):  # the first is for what is done once in a process
        path.write_text(INPUT + shape(number))
        work.append(count_lines(lambda: prepare(path)))
    first, second = work[2] - work[1], work[3] - work[2]
    assert first > 0
    # The last step is twice as long as that before. Square growth would take four times as much, on top of the rest.
    assert second < 2.05 * first, work
