"""What code may do that nobody here foresees: undefined functions, assembly, jumps between frames.

Where such a thing may happen, static techniques have nothing to say about what comes after it.

Code that is not known may also call back (``called_from_outside``): what it was given a pointer to, what it finds in
variables, and every function with external linkage. No path of the program shows such a call, so that no path leads to
a place does not mean that nothing does. The same is true of assembly and of threads and signals, which get at functions
by their addresses, and of a function that only a pointer from outside leads to: one that a variable holds which nobody
defines, or one that a function is called with.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.analysis.callees import Callee, CalleeKind, Callees
from clew.analysis.callgraph import CallGraph, is_special, mentioned
from clew.base.memo import remembered
from clew.execute.arguments import LIBRARY_VARIABLES
from clew.execute.codegen.intrinsics import handler_of
from clew.program import instructions as ir
from clew.program.module import FINISH, Function, Program


class Unmodelled:
    """Of one program."""

    def __init__(self, program: Program, callees: Callees, calls: CallGraph | None = None) -> None:
        self._program = program
        self._calls = calls if calls is not None else CallGraph(program, callees)

    def of(self, call: ir.Call) -> tuple[str, ...]:
        """Why a call may do what is not known here: in itself, or in functions that it leads to."""
        targets = self._calls.possible_targets(call)
        if not targets:
            return ("a call through a pointer that fits no function",)
        found: dict[str, None] = {}
        for target in targets:
            if target.kind is CalleeKind.FUNCTION:
                found.update(dict.fromkeys(self.below(target.name)))
            elif (doubt := _doubt(target)) is not None:
                found[doubt] = None
        return tuple(found)

    def below(self, function: str) -> tuple[str, ...]:
        """The same, of everything that may run because of a function, itself included."""
        found: dict[str, None] = {}
        for name in sorted(self._calls.reachable(function)):
            found.update(dict.fromkeys(self.within(name)))
        return tuple(found)

    @remembered
    def within(self, function: str, followed: bool = True) -> tuple[str, ...]:
        """The same, of one function without those it calls; ``followed``: what paths follow counts, too."""
        found: dict[str, None] = {}
        for instruction in self._program.functions[function].instructions():
            if isinstance(instruction, ir.UnsupportedInstruction):
                found[f"an instruction that is not supported: {instruction.text}"] = None
            elif isinstance(instruction, ir.Call):
                for target in self._calls.possible_targets(instruction):
                    if (doubt := _doubt(target)) is not None and (followed or not _is_followed(target)):
                        found[doubt] = None
        return tuple(found)


def _is_followed(target: Callee) -> bool:
    """Whether paths do what a call does: jumps back to ``setjmp``, and assembly of the usual kinds."""
    return target.effect.jumps or (target.kind is CalleeKind.ASSEMBLY and target.target is not None)


def _doubt(target: Callee) -> str | None:
    """Why what a call goes to may do anything; None if that is known, or it is a function to look into."""
    name = target.name
    match target.kind:
        case CalleeKind.UNDEFINED:
            return f"{name}() is not defined anywhere"
        case CalleeKind.ASSEMBLY:
            return "inline assembly"
        case CalleeKind.MODEL if target.effect.diverts:
            return f"{name}() on the way"
        case CalleeKind.INTRINSIC if handler_of(name) is None:
            return f"{name} is not supported"
    return None


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
        for doubt in doubts.within(name, followed=False):
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
