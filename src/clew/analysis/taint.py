"""What input flows into, for a whole program: the fixed point behind ``clew.analysis.divergence``.

A value depends on input if it is computed from such a value, read from an object or through a pointer that depends on
input, or chosen by a decision that does: a phi where the ways from that decision meet, a store on one of these ways.
The order of instructions makes no difference to objects, the calling context none to functions.

What a loop computes is the same in each of its rounds, whatever decides how many there are: a register depends on such
a decision only for its readers behind the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from clew.analysis.callees import Callee, CalleeKind
from clew.analysis.callgraph import CallGraph
from clew.analysis.control_dependence import Join, Joins
from clew.analysis.escape import OTHER, WRITING
from clew.analysis.mod_ref import ModRef
from clew.analysis.model_effect import Writes
from clew.analysis.points_to import Targets, Uses, written_by_model
from clew.program import instructions as ir
from clew.program.module import FINISH, Function
from clew.program.operands import operands
from clew.program.types import PointerType
from clew.program.values import Register, Value

_UPDATING = (ir.AtomicUpdate, ir.CompareExchange, ir.VaArg)
_WRITING = (ir.Store, ir.Call, *_UPDATING)
_CHOOSING = (ir.Branch, ir.Switch, ir.IndirectBranch)
_STREAMS = frozenset({"stdin", "stdout", "stderr"})

CodeSite = tuple["Code", int, ir.Instruction]
"""An instruction, in a block of a function."""


class Code:
    """One function, and what is known of it so far."""

    def __init__(self, function: Function, calls: CallGraph) -> None:
        self.function = function
        self.uses = Uses(function, calls)
        self.dependent: set[str] = set()
        self.deciding: set[int] = set()
        """Blocks whose jump depends on input."""
        self.controlled: set[int] = set()
        """Blocks on ways that such a decision separated, and that meet again."""
        self.endings: set[int] = set()
        """Loops, by index, with an end that depends on input."""
        self.called_so = False
        """Whether a call of the function may be in a controlled block."""
        self.gives = False
        """Whether the result depends on input."""
        self.callers: list[CodeSite] = []
        self.own = 0
        """The function's own variables in memory, as a mask; 0 if it may be active more than once."""
        self.last = False
        """Whether nothing runs after it."""

    @cached_property
    def joins(self) -> Joins:
        return Joins(self.function)

    @cached_property
    def registers(self) -> list[list[str]]:
        """The registers that each block sets."""
        found: list[list[str]] = [[] for _ in self.function.blocks]
        for register, home in self.uses.home.items():
            found[home].append(register)
        return found

    def depends(self, value: Value, block: int) -> bool:
        """Whether an operand does, where an instruction of ``block`` reads it."""
        return type(value) is Register and self.register_depends(value.name, block)

    def register_depends(self, name: str, block: int | None) -> bool:
        """Whether a register does in a block; anywhere, if none is given."""
        if name in self.dependent:
            return True
        if not self.endings or name not in self.uses.home:
            return False
        for loop in self.joins.forest.around(self.uses.home[name]):
            if loop.index in self.endings and (block is None or block not in loop.blocks):
                return True
        return False

    def is_last(self, block: int) -> bool:
        """Whether nothing happens any more from the start of a block on; ``block`` may be the node of the end."""
        if not self.last or block == self.joins.end:
            return self.last
        *before, end = self.function.blocks[block].instructions
        return isinstance(end, ir.Return) and all(type(each) is ir.Phi or is_marker(each) for each in before)


def is_marker(instruction: ir.Instruction) -> bool:
    """Whether an instruction is a call of an intrinsic that neither computes nor changes anything."""
    return isinstance(instruction, ir.Call) and str(getattr(instruction.callee, "name", "")).startswith(
        ("llvm.lifetime", "llvm.dbg", "llvm.donothing")
    )


class Taint:
    """What of one program input flows into. See ``Influence`` for the arguments."""

    def __init__(self, effects: ModRef, sources: Callable[[str], bool], entry: str, names: Iterable[str]) -> None:
        self._program = effects.program
        self._effects = effects
        self._sources = sources
        self.codes = {name: Code(effects.program.functions[name], effects.calls) for name in names}
        uses = {name: code.uses for name, code in self.codes.items()}
        self.targets = Targets(effects, uses, entry)
        self.objects = 0
        """Objects whose contents depend on input."""
        self._work: list[CodeSite] = []
        self._waiting: set[int] = set()
        """Instructions in the list of work, by identity: one that waits is not added again."""
        self._readers: list[tuple[int, CodeSite]] = []
        self._reaches: dict[int, int] = {}
        for code in self.codes.values():
            self._prepare(code)
        self._start(entry)
        self._solve()

    # Start

    def _prepare(self, code: Code) -> None:
        name = code.function.name
        recursive = self._effects.calls.is_recursive(name)
        for number, call in code.uses.calls:
            self._await(((code, number, call),))
            self._readers.append((self.reach(code, call), (code, number, call)))
            for target in code.uses.targets[id(call)]:
                if target.kind is CalleeKind.FUNCTION:
                    self.codes[target.name].callers.append((code, number, call))
        for number, block in enumerate(code.function.blocks):
            for each in block.instructions:
                if type(each) is ir.Load:
                    self._readers.append((self.targets.pointed(name, each.pointer), (code, number, each)))
                elif type(each) is ir.Alloca:
                    assert each.result is not None
                    code.own |= 0 if recursive else self._effects.bit((name, each.result.name))
                elif isinstance(each, _UPDATING):
                    self._readers.append((self._pointed(code, each), (code, number, each)))

    def _start(self, entry: str) -> None:
        code = self.codes.get(entry)
        if code is not None:
            code.last = FINISH not in self._program.functions and not self._effects.calls.is_recursive(entry)
            for parameter in code.function.parameters:
                self.objects |= OTHER
                self._mark(code, parameter.value)
        for variable in self._program.globals.values():
            if variable.initializer is None and variable.name not in _STREAMS:
                self.objects |= self._effects.bit(variable.name)
        if FINISH in self.codes:  # what it finds depends on where the program was left
            for name in self.codes:
                self.objects |= self._effects.written_by_function(name)

    # To the fixed point

    def _solve(self) -> None:
        seen = 0
        while self._work or seen != self.objects:
            if not self._work:
                new, seen = self.objects & ~seen, self.objects
                self._await(place for mask, place in self._readers if mask & new)
            while self._work:
                code, block, instruction = self._work.pop()
                self._waiting.discard(id(instruction))
                self._visit(code, block, instruction)

    def _await(self, places: Iterable[CodeSite]) -> None:
        """These are to be visited (again)."""
        for place in places:
            if id(place[2]) not in self._waiting:
                self._waiting.add(id(place[2]))
                self._work.append(place)

    def _mark(self, code: Code, register: Value | None) -> None:
        if isinstance(register, Register) and register.name not in code.dependent:
            code.dependent.add(register.name)
            self._await((code, block, user) for block, user in code.uses.users.get(register.name, ()))

    def _visit(self, code: Code, block: int, instruction: ir.Instruction) -> None:
        if type(instruction) is ir.Call:
            return self._call(code, block, instruction)
        result = instruction.result
        if result is not None and result.name in code.dependent and not isinstance(instruction, _UPDATING):
            return None
        depends = any(code.depends(value, block) for value in operands(instruction))
        if isinstance(instruction, _CHOOSING):
            return self._decide(code, block) if depends else None
        if type(instruction) is ir.Return:
            return self._give(code) if depends else None
        if type(instruction) is ir.Phi:
            depends = depends or self._chosen(code, block, instruction)
        elif type(instruction) is ir.Load or isinstance(instruction, _WRITING):
            pointed = self._pointed(code, instruction)
            depends = depends or (type(instruction) is not ir.Store and bool(self.objects & pointed))
            if type(instruction) is not ir.Load:
                self._write(code, block, pointed, depends)
        elif isinstance(instruction, ir.Alloca):  # its size is no address
            assert result is not None
            self.objects |= self._effects.bit((code.function.name, result.name)) if depends else 0
            return None
        return self._mark(code, result) if depends else None

    def _pointed(self, code: Code, instruction: ir.Instruction) -> int:
        """The objects that an access may be to."""
        match instruction:
            case ir.VaArg(list=pointer):
                return self.targets.pointed(code.function.name, pointer) | OTHER
            case ir.Load(pointer=pointer) | ir.Store(pointer=pointer):
                return self.targets.pointed(code.function.name, pointer)
            case ir.AtomicUpdate(pointer=pointer) | ir.CompareExchange(pointer=pointer):
                return self.targets.pointed(code.function.name, pointer)
        return 0

    def _write(self, code: Code, block: int, mask: int, depends: bool) -> None:
        if depends or block in code.controlled:
            self.objects |= mask
        elif code.called_so:
            self.objects |= mask & ~code.own

    # Decisions

    def _chosen(self, code: Code, block: int, phi: ir.Phi) -> bool:
        """Whether input chooses among different values of a phi."""
        if not code.deciding:
            return False
        numbers = code.joins.graph.numbers
        for join in code.joins.of_block.get(block, ()):
            if join.decided:
                values = {value for value, name in phi.incoming if numbers[name] in join.sources}
                if len(values) > 1:
                    return True
        return False

    def _decide(self, code: Code, block: int) -> None:
        if block in code.deciding:
            return
        joins = code.joins
        if not code.deciding:
            for join in joins.vague:
                self._meet(code, join)
            if joins.vague:
                self._control(code, range(joins.end))
        code.deciding.add(block)
        for join in joins.meetings.get(block, ()):
            self._meet(code, join)
            if not code.is_last(join.block):
                self._control(code, joins.passing(join, block))
        for loop in joins.forest.around(block):
            if loop.index not in code.endings and joins.leaves(loop, block):
                code.endings.add(loop.index)
                self._control(code, loop.blocks)
                for home in loop.blocks:
                    for register in code.registers[home]:
                        users = code.uses.users.get(register, ())
                        self._await((code, where, user) for where, user in users if where not in loop.blocks)

    def _meet(self, code: Code, join: Join) -> None:
        """Input decides by which edge control comes to a join."""
        if not join.decided:
            join.decided = True
            if join.node != code.joins.end:
                self._again(code, join.block, ir.Phi)
            elif len({end.value for block in code.function.blocks if type(end := block.terminator) is ir.Return}) > 1:
                self._give(code)

    def _control(self, code: Code, blocks: Iterable[int]) -> None:
        for block in blocks:
            if block not in code.controlled:
                code.controlled.add(block)
                self._again(code, block, _WRITING)

    def _again(self, code: Code, block: int, kinds: type | tuple[type, ...]) -> None:
        instructions = code.function.blocks[block].instructions
        self._await((code, block, each) for each in instructions if isinstance(each, kinds))

    def _give(self, code: Code) -> None:
        if not code.gives:
            code.gives = True
            self._await(code.callers)

    # Calls

    def reach(self, code: Code, call: ir.Call) -> int:
        """The objects that a call may read by itself: where its pointers lead; of a function, arguments to copy."""
        known = self._reaches.get(id(call))
        if known is not None:
            return known
        mask = 0
        name = code.function.name
        for target in code.uses.targets[id(call)]:
            itself = target.kind is CalleeKind.MODEL or target.name.startswith(WRITING)
            for argument in call.arguments[1 if target.kind is CalleeKind.INTRINSIC else 0 :]:
                if itself or argument.byval is not None:
                    mask |= self.targets.pointed(name, argument.value)
            if (
                target.kind is CalleeKind.MODEL
                and written_by_model(self._effects, name, call, target) is Writes.ANYTHING
            ):
                mask |= self._effects.escaped
        self._reaches[id(call)] = mask
        return mask

    def takes(self, code: Code, block: int, call: ir.Call) -> bool:
        """Whether what a call is given, or what that points to, depends on input."""
        if self.objects & self.reach(code, call):
            return True
        return any(code.depends(argument.value, block) for argument in call.arguments)

    def _call(self, code: Code, block: int, call: ir.Call) -> None:
        targets = code.uses.targets[id(call)]
        chosen = len(targets) > 1 and code.depends(call.callee, block)
        passed = self._passed(code, block, call)
        called_so = chosen or block in code.controlled or code.called_so
        gives = chosen
        for target in targets:
            match target.kind:
                case CalleeKind.FUNCTION:
                    gives = self._enter(self.codes[target.name], passed, called_so) or gives
                case CalleeKind.UNDEFINED:
                    gives = True
                case CalleeKind.MODEL | CalleeKind.INTRINSIC:
                    gives = self._model(code, block, call, target) or gives
        if gives:
            self._mark(code, call.result)

    def _passed(self, code: Code, block: int, call: ir.Call) -> list[int]:
        """The places of the arguments that depend on input; those that functions get a copy of are objects."""
        places = []
        for place, argument in enumerate(call.arguments):
            if argument.byval is not None:
                if self.objects & self.targets.pointed(code.function.name, argument.value):
                    self.objects |= OTHER
            elif code.depends(argument.value, block):
                places.append(place)
        return places

    def _enter(self, callee: Code, passed: list[int], called_so: bool) -> bool:
        """A call of a function of the program; whether its result depends on input."""
        parameters = callee.function.parameters
        for place in passed:
            if place < len(parameters):
                self._mark(callee, parameters[place].value)
            else:
                self.objects |= OTHER
        if called_so and not callee.called_so:
            callee.called_so = True
            for number in range(len(callee.function.blocks)):
                self._again(callee, number, _WRITING)
        return callee.gives

    def _model(self, code: Code, block: int, call: ir.Call, target: Callee) -> bool:
        """A call of a model or an intrinsic: what it writes, and whether its result depends on input."""
        takes = self.takes(code, block, call) or (target.kind is CalleeKind.MODEL and self._sources(target.name))
        name = code.function.name
        if target.kind is CalleeKind.INTRINSIC:
            if not target.name.startswith(WRITING):
                return takes
            written = self.targets.pointed(name, call.arguments[0].value)
            written |= OTHER if target.name.startswith("llvm.va_") else 0
        else:
            written = self._written(name, call, target, takes)
        self._write(code, block, written, takes)
        return takes

    def _written(self, function: str, call: ir.Call, target: Callee, takes: bool) -> int:
        """What a model changes. What it allocates counts only if that is made from input."""
        match written_by_model(self._effects, function, call, target):
            case Writes.NOTHING:
                return 0
            case Writes.OWN:
                made = takes and call.result is not None and isinstance(call.result.type, PointerType)
                return self.targets.pointed(function, call.result) if made and call.result is not None else 0
            case Writes.ARGUMENTS:
                mask = 0
                for argument in call.arguments:
                    if isinstance(argument.value.type, PointerType):
                        mask |= self.targets.pointed(function, argument.value)
                return mask
        return self._effects.escaped
