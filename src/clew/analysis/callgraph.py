"""Who may call whom: direct calls, calls through pointers, recursion.

``Callees`` tell what a call goes to: models in Python may stand for functions. A call through a pointer may go to every
function whose address is taken anywhere and whose type lets the call through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from clew.analysis.callees import Callee, CalleeKind, Callees
from clew.analysis.graph import strong_components
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.operands import operands, references
from clew.program.types import Type
from clew.program.values import ConstInt, Register, Value


def referenced(value: Value, program: Program) -> Iterator[str]:
    """The globals and functions whose addresses a value is made of, through aliases."""
    work, seen = list(references(value)), set[str]()
    while work:
        name = work.pop()
        alias = program.aliases.get(name)
        if alias is None:
            yield name
        elif name not in seen:
            seen.add(name)
            work.extend(references(alias.target))


def mentioned(program: Program, roots: Iterable[str]) -> frozenset[str]:
    """The functions and variables that code can get at which starts in ``roots``: all that these mention, and so on."""
    found: set[str] = set()
    work = list(roots)
    while work:
        name = work.pop()
        if name in found:
            continue
        found.add(name)
        work.extend(named_by(program, name))
    return frozenset(found)


def changed(program: Program, roots: Iterable[str]) -> frozenset[str]:
    """The variables that may change when functions are called, or whose addresses these may give away.

    That is all that they, or what they lead to, mention, but for the variables that they only load from.
    """
    found: set[str] = set()
    for name in mentioned(program, roots):
        function = program.functions.get(name)
        for instruction in function.instructions() if function is not None else ():
            for value in () if isinstance(instruction, ir.Load) else operands(instruction):
                found.update(referenced(value, program))
    return frozenset(name for name in found if name in program.globals)


def named_by(program: Program, name: str) -> Iterator[str]:
    """What a function's instructions name, or what a variable starts with: functions and variables."""
    function, variable = program.functions.get(name), program.globals.get(name)
    values: Iterable[Value] = ()
    if function is not None:
        values = (value for instruction in function.instructions() for value in operands(instruction))
    elif variable is not None and variable.initializer is not None:
        values = (variable.initializer,)
    return (found for value in values for found in referenced(value, program))


def is_special(name: str) -> bool:
    """Whether a global is a message to the linker (``llvm.used``, ``llvm.global_ctors``) and no variable."""
    return name.startswith("llvm.")


class CallGraph:
    """The calls of a whole program."""

    def __init__(self, program: Program, resolver: Callees) -> None:
        self._program = program
        self._resolver = resolver
        self._calls: dict[str, list[ir.Call]] = {}
        self.taken: tuple[str, ...] = ()
        """Functions whose address is used for more than calling them, in the order of the program."""
        self._find()
        self._callees = {name: self._possible(calls) for name, calls in self._calls.items()}
        self.components: tuple[tuple[str, ...], ...] = tuple(
            map(tuple, strong_components(self._callees, self._callees))
        )
        """Defined functions: those that can call each other together, callees before their callers."""
        self._recursive = frozenset(
            name for part in self.components for name in part if len(part) > 1 or name in self._callees[name]
        )

    def callees(self, name: str) -> tuple[str, ...]:
        """The defined functions that a defined function may call."""
        return self._callees[name]

    def calls(self, name: str) -> Sequence[ir.Call]:
        """The call instructions of a defined function."""
        return self._calls[name]

    def is_recursive(self, name: str) -> bool:
        """Whether a call of the function may lead to another call of it before it returns."""
        return name in self._recursive

    def reachable(self, entry: str) -> frozenset[str]:
        """The defined functions that may run when ``entry`` is called, itself included."""
        seen = {entry}
        work = [entry]
        while work:
            for name in self._callees.get(work.pop(), ()):
                if name not in seen:
                    seen.add(name)
                    work.append(name)
        return frozenset(seen)

    def possible_targets(self, call: ir.Call) -> tuple[Callee, ...]:
        """What a call may go to; never of kind INDIRECT. Calls that end the path for their types are left out."""
        target = self._resolver.resolve(call)
        if target.kind is not CalleeKind.INDIRECT:
            return (target,)
        return self._matching(tuple(argument.value.type for argument in call.arguments), _result(call))

    @remembered
    def _matching(self, given: tuple[Type, ...], result: Type | None) -> tuple[Callee, ...]:
        targets = map(self._resolver.named, self.taken)
        functions = self._program.functions
        return tuple(
            target
            for target in targets
            if target.kind is not CalleeKind.FUNCTION or _accepts(functions[target.name], given, result)
        )

    def _possible(self, calls: Iterable[ir.Call]) -> tuple[str, ...]:
        targets = (target for call in calls for target in self.possible_targets(call))
        return tuple(dict.fromkeys(target.name for target in targets if target.kind is CalleeKind.FUNCTION))

    def _find(self) -> None:
        """Calls and taken addresses, in one walk."""
        used: set[str] = set(self._program.destructors)
        for function in self._program.functions.values():
            if function.is_declaration:
                continue
            calls = self._calls[function.name] = []
            for instruction in function.instructions():
                values = operands(instruction)
                if isinstance(instruction, ir.Call):
                    calls.append(instruction)
                    if self._resolver.resolve(instruction).kind is not CalleeKind.INDIRECT:
                        values = values[1:]
                for value in values:
                    if type(value) is not Register and type(value) is not ConstInt:
                        used.update(referenced(value, self._program))
        for variable in self._program.globals.values():
            if variable.initializer is not None and not is_special(variable.name):
                used.update(referenced(variable.initializer, self._program))
        self.taken = tuple(name for name in self._program.functions if name in used)


def accepts(function: Function, call: ir.Call) -> bool:
    """Whether a call has the types of a function, and enough arguments: the engine lets it enter then."""
    return _accepts(function, tuple(argument.value.type for argument in call.arguments), _result(call))


def _result(call: ir.Call) -> Type | None:
    return None if call.result is None else call.type.result


def _accepts(function: Function, given: tuple[Type, ...], result: Type | None) -> bool:
    if len(given) < len(function.parameters) or (result is not None and result != function.type.result):
        return False
    return all(type == wanted.value.type for type, wanted in zip(given, function.parameters, strict=False))
