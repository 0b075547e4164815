"""Checks that a program is well-formed, as every later phase assumes: tests ask it about what was read, and about
the result of each of our own passes.

Per function: blocks end in their only terminator, targets exist, phis come first and name exactly the
predecessors, every register is defined once and its definition dominates its uses, with the same type.
"""

from __future__ import annotations

from clew.analysis.graph import control_flow, dominators
from clew.base.errors import InternalError
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.operands import operands
from clew.program.values import BlockAddress, ConstAggregate, ConstExpr, GlobalRef, Register, Value
from support.typecheck import complaint


def verify_program(program: Program) -> None:
    """Raise InternalError if anything in ``program`` is malformed."""
    known = program.functions.keys() | program.globals.keys() | program.aliases.keys()
    for variable in program.globals.values():
        if variable.initializer is not None:
            _check_references(variable.initializer, known, f"@{variable.name}")
            if variable.initializer.type != variable.type:
                raise InternalError(f"@{variable.name}: the initializer is of type {variable.initializer.type}")
    for alias in program.aliases.values():
        _check_references(alias.target, known, f"@{alias.name}")
    for name, function in program.functions.items():
        if name != function.name:
            raise InternalError(f"@{function.name} is listed as @{name}")
        verify_function(function)
        for block in function.blocks:
            for instruction in block.instructions:
                for value in operands(instruction):
                    _check_references(value, known, f"@{name}, block {block.name}")


def verify_function(function: Function) -> None:
    """Raise InternalError if ``function`` is malformed."""
    types = tuple(parameter.value.type for parameter in function.parameters)
    if types != function.type.params:
        raise InternalError(f"@{function.name}: parameters {types} for {function.type}")
    if function.blocks:
        _FunctionCheck(function).run()


def _check_references(value: Value, known: set[str], where: str) -> None:
    """Every global a constant refers to must exist."""
    stack = [value]
    while stack:
        match stack.pop():
            case GlobalRef(name=name) | BlockAddress(function=name):
                if name not in known:
                    raise InternalError(f"{where}: @{name} is not defined")
            case ConstAggregate(elements=parts) | ConstExpr(operands=parts):
                stack.extend(parts)


class _FunctionCheck:
    """The check of one function body."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._blocks = {block.name: block for block in function.blocks}
        self._definitions: dict[str, tuple[Register, str, int]] = {}
        """Register name -> the register, its block and its position there (-1 for parameters)."""
        self._untyped: set[str] = set()
        """Results of unsupported instructions, whose type nobody knows."""
        self._predecessors: dict[str, set[str]] = {name: set() for name in self._blocks}

    def run(self) -> None:
        if len(self._blocks) != len(self._function.blocks):
            raise self._error("two blocks have the same name")
        entry = self._function.blocks[0].name
        for parameter in self._function.parameters:
            self._define(parameter.value, entry, -1)
        for block in self._function.blocks:
            self._check_shape(block)
        if self._predecessors[entry]:
            raise self._error("the entry block has predecessors", entry)
        graph = control_flow(self._function)
        self._numbers, self._dominators = graph.numbers, dominators(graph)
        for block in self._function.blocks:
            self._check_uses(block)

    def _error(self, message: str, block: str = "", instruction: ir.Instruction | None = None) -> InternalError:
        where = f"@{self._function.name}" + (f", block {block}" if block else "")
        if instruction is not None:
            name = f"{instruction.result} = " if instruction.result is not None else ""
            where += f", {name}{type(instruction).__name__}"
        return InternalError(f"{where}: {message}")

    def _define(self, register: Value, block: str, index: int) -> None:
        if not isinstance(register, Register):
            raise self._error("a parameter is not a register")
        if register.name in self._definitions:
            raise self._error(f"{register} is defined twice", block)
        self._definitions[register.name] = (register, block, index)

    def _check_shape(self, block: Block) -> None:
        """Terminator, targets, position of phis, definitions, types."""
        if not block.instructions or not isinstance(block.instructions[-1], ir.Terminator):
            raise self._error("the block has no terminator", block.name)
        phis_over = False
        last = len(block.instructions) - 1
        for index, instruction in enumerate(block.instructions):
            if isinstance(instruction, ir.Terminator) and index != last:
                raise self._error("a terminator inside the block", block.name, instruction)
            if isinstance(instruction, ir.Phi) and phis_over:
                raise self._error("a phi after other instructions", block.name, instruction)
            phis_over = not isinstance(instruction, ir.Phi)
            if instruction.result is not None:
                self._define(instruction.result, block.name, index)
                if isinstance(instruction, ir.UnsupportedInstruction):
                    self._untyped.add(instruction.result.name)
            wrong = complaint(instruction, self._function.type)
            if wrong:
                raise self._error(wrong, block.name, instruction)
        for target in ir.successors(block.terminator):
            if target not in self._blocks:
                raise self._error(f"there is no block '{target}'", block.name, block.terminator)
            self._predecessors[target].add(block.name)

    def _check_uses(self, block: Block) -> None:
        for index, instruction in enumerate(block.instructions):
            if isinstance(instruction, ir.Phi):
                self._check_phi(instruction, block.name)
                continue
            for value in operands(instruction):
                if isinstance(value, Register):
                    self._check_use(value, block.name, index, instruction)
        for update in block.updates:
            if not 0 <= update.index <= len(block.instructions):
                raise self._error(f"an update of '{update.variable.name}' is outside the block", block.name)
            if isinstance(update.value, Register) and update.value.name not in self._definitions:
                raise self._error(f"{update.value} is not defined", block.name)

    def _check_phi(self, phi: ir.Phi, block: str) -> None:
        named = {name for _, name in phi.incoming}
        if named != self._predecessors[block]:
            raise self._error("the phi does not name exactly the predecessors", block, phi)
        for value, name in phi.incoming:
            if isinstance(value, Register):
                # The value must be there at the end of the predecessor.
                self._check_use(value, name, len(self._blocks[name].instructions), phi)

    def _check_use(self, value: Register, block: str, index: int, instruction: ir.Instruction) -> None:
        definition = self._definitions.get(value.name)
        if definition is None:
            raise self._error(f"{value} is not defined", block, instruction)
        register, home, position = definition
        if register.type != value.type and value.name not in self._untyped:
            raise self._error(f"{value} is of type {register.type}, used as {value.type}", block, instruction)
        here, above = self._numbers[block], self._numbers[home]
        if not self._dominators.reachable(here):
            return
        earlier = position < index if home == block else self._dominators.dominates(above, here)
        if not earlier:
            raise self._error(f"the definition of {value} does not dominate this use", block, instruction)
