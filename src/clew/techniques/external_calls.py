"""What code that nobody here can see may call: functions that it can name, and functions whose address it may have.

A function that nobody defines may call back: what it was given a pointer to, what it finds in variables, and every
function with external linkage. No path of the program shows such a call, so that no path leads to a place does not mean
that nothing does. The same is true of assembly and of threads and signals, which get at functions by their addresses,
and of a function that only a pointer from outside leads to: one that a variable holds which nobody defines, or one that
a function is called with.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.analysis.callees import CalleeKind, Callees
from clew.analysis.callgraph import CallGraph, is_special, mentioned
from clew.execute.arguments import LIBRARY_VARIABLES
from clew.program.module import FINISH, Function, Program
from clew.techniques.unmodelled import Unmodelled


def called_from_outside(
    program: Program, callees: Callees, entry: Function, calls: CallGraph | None = None, callbacks: bool = False
) -> dict[str, str]:
    """The functions that may run because of code that is not known, when ``entry`` is called: why, for each of them.

    The entry itself is among them only if its address is taken. ``callbacks``: whether pointers that the entry is
    called with may lead to such code, too.
    """
    calls = calls if calls is not None else CallGraph(program, callees)
    doubts = Unmodelled(program, callees, calls)
    starts = [entry.name, *program.constructors, *program.destructors, *([] if callbacks else [FINISH])]
    known = sorted({name for start in starts if start in program.functions for name in calls.reachable(start)})
    running = [name for name in known if not program.functions[name].is_declaration]
    found: dict[str, str] = {}
    for name in running:
        for doubt in doubts.within(name):
            _add(found, calls, calls.taken, doubt)
    why = _undefined(calls, running) or _by_pointer(program, callees, calls, running, callbacks)
    if why:
        own = [f.name for f in program.functions.values() if not f.internal and f.name not in program.runtime]
        _add(found, calls, [*(name for name in own if name != entry.name), *calls.taken], why)
    return {name: why for name, why in found.items() if not program.functions[name].is_declaration}


def _add(found: dict[str, str], calls: CallGraph, roots: list[str] | tuple[str, ...], doubt: str) -> None:
    """All that may run when one of ``roots`` is called."""
    for root in roots:
        if root not in found:
            for name in calls.reachable(root):
                found.setdefault(name, f"{doubt}: it may call {_spelled(root, name)}")


def _spelled(root: str, name: str) -> str:
    return f"{root}()" if root == name else f"{root}(), which leads here"


def _undefined(calls: CallGraph, running: Sequence[str]) -> str:
    """That a function without a definition is called; empty if there is none."""
    for name in running:
        for call in calls.calls(name):
            for target in calls.possible_targets(call):
                if target.kind is CalleeKind.UNDEFINED:
                    return f"{target.name}() is not defined anywhere"
    return ""


def _by_pointer(program: Program, callees: Callees, calls: CallGraph, running: Sequence[str], callbacks: bool) -> str:
    """That a call goes through a pointer that may come from outside; empty if there is none."""
    if not any(callees.resolve(call).kind is CalleeKind.INDIRECT for name in running for call in calls.calls(name)):
        return ""
    for name in sorted(mentioned(program, running)):
        variable = None if is_special(name) or name in LIBRARY_VARIABLES else program.globals.get(name)
        if variable is not None and variable.initializer is None:
            return f"{variable.source_name or name} is not defined anywhere, and may lead to any function"
    return "a callback is any function" if callbacks else ""
