"""Local variables whose address never leaves the registers it is computed in: once none of these is needed any more,
nobody can get at the variable.

An address may be moved by an index, chosen between, compared, read and written through, and handed to functions that
do the same with it. Whatever else is done with it (it is stored, returned, made a number) lets go of it.
"""

from __future__ import annotations

from clew.analysis.callees import Callees
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.operands import registers
from clew.program.values import ConstInt, GlobalRef, Register

_LOW = 4096
_HARMLESS = ("llvm.lifetime.", "llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.dbg.")


_Users = dict[str, list[ir.Instruction]]
"""Instructions by the registers that they use."""


class Contained:
    """Answers for one program."""

    def __init__(self, program: Program, callees: Callees) -> None:
        self._program = program
        self._callees = callees
        self._known: dict[tuple[str, str], frozenset[str] | None] = {}

    def is_contained(self, function: str, register: str) -> bool:
        """Whether an address that a register of a function gets never leaves registers."""
        return self.registers(function, register) is not None

    def registers(self, function: str, register: str) -> frozenset[str] | None:
        """The registers of a function that an address which one of them gets may come to; None if it leaves them."""
        key = (function, register)
        if key not in self._known:
            self._known[key] = frozenset()  # in cycles: unless something else says no
            found = self._known[key] = self._look(function, register)
            if found is None:
                # What relied on it while it was being looked at is looked at again.
                self._known = {other: known for other, known in self._known.items() if known is None}
        return self._known[key]

    def _look(self, name: str, register: str) -> frozenset[str] | None:
        function = self._program.functions.get(name)
        if function is None or function.is_declaration:
            return None
        users = self._users(function.name)
        derived, work = {register}, [register]
        while work:
            current = work.pop()
            for instruction in users.get(current, ()):
                moved = self._use(users, instruction, current)
                if moved is None:
                    return None
                if moved and instruction.result is not None and instruction.result.name not in derived:
                    derived.add(instruction.result.name)
                    work.append(instruction.result.name)
        return frozenset(derived)

    def _use(self, users: _Users, instruction: ir.Instruction, register: str) -> bool | None:
        """Whether an instruction gives the address on to its result; None if it lets go of it."""
        match instruction:
            case ir.Load() | ir.Compare():
                return False
            case ir.Store(value=value):
                return None if isinstance(value, Register) and value.name == register else False
            case ir.GetElementPtr(base=base):
                return True if isinstance(base, Register) and base.name == register else None
            case ir.Cast(op="bitcast") | ir.Phi() | ir.Select() | ir.Freeze():
                return True
            case ir.Cast(op="ptrtoint", result=Register(name=name)):
                return False if all(_takes_low_bits(user, name) for user in users.get(name, ())) else None
            case ir.Call(callee=GlobalRef(name=name)):
                return self._call(instruction, name, register)
        return None

    def _call(self, call: ir.Call, name: str, register: str) -> bool | None:
        if name.startswith(_HARMLESS):
            return False
        called = self._program.functions.get(name)
        given = False
        for place, argument in enumerate(call.arguments):
            if not isinstance(argument.value, Register) or argument.value.name != register or argument.byval:
                continue
            if called is None or called.is_declaration:
                effect = self._callees.named(name).effect
                if effect.gives_back:
                    given = True
                elif effect.keeps:
                    return None
                continue
            if place >= len(called.parameters):
                return None
            parameter = called.parameters[place].value
            if not isinstance(parameter, Register) or not self.is_contained(name, parameter.name):
                return None
        return given

    @remembered
    def _users(self, function: str) -> _Users:
        found: _Users = {}
        for instruction in self._program.functions[function].instructions():
            for register in registers(instruction):
                found.setdefault(register.name, []).append(instruction)
        return found


def _takes_low_bits(instruction: ir.Instruction, register: str) -> bool:
    """Whether an instruction looks at how an address is aligned, and at nothing else of it."""
    match instruction:
        case ir.Binary(op="and", left=Register(name=name), right=ConstInt(value=mask)):
            return name == register and mask < _LOW
        case ir.Compare():
            return True
    return False
