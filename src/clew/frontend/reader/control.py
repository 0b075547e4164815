"""Terminators and calls: their readers.

Terminators Clew does not model (exceptions, ``callbr``) have none; the caller puts an ``UnsupportedInstruction``
and ``unreachable`` in their place.
"""

from __future__ import annotations

from clew.frontend.reader.attributes import read_function_attributes, skip_result_attributes
from clew.frontend.reader.cursor import Malformed
from clew.frontend.reader.operands import Line, Reader
from clew.program import instructions as ir
from clew.program.types import PTR, VOID, FunctionType, IntType, Type
from clew.program.values import ConstInt, GlobalRef

NO_SANITIZE = "!nosanitize "
"""The mark of code that a sanitizer put in."""
TERMINATORS = frozenset(
    "ret br switch indirectbr unreachable invoke callbr resume catchswitch catchret cleanupret".split()
)


def _branch(line: Line) -> ir.Instruction:
    if line.peek_word() == "label":
        return ir.Jump(None, line.location, line.label())
    condition = line.scope.condition(line)
    line.expect(",")
    yes = line.label()
    line.expect(",")
    return ir.Branch(None, line.location, condition, yes, line.label(), NO_SANITIZE in line.text)


def _switch(line: Line) -> ir.Instruction:
    value = line.value()
    if not isinstance(value.type, IntType):
        raise Malformed(f"a switch on a value of type {value.type}")
    line.expect(",")
    default = line.label()
    line.expect("[")
    cases: list[tuple[int, str]] = []
    while not line.accept("]"):
        case = line.value()
        if not isinstance(case, ConstInt) or case.type != value.type:
            raise Malformed("a case of a switch is not a constant of its type")
        line.expect(",")
        cases.append((case.value, line.label()))
    return ir.Switch(None, line.location, value, default, tuple(cases))


def _indirect(line: Line) -> ir.Instruction:
    address = line.value()
    line.expect(",")
    line.expect("[")
    return ir.IndirectBranch(None, line.location, address, tuple(line.listed("]", line.label)))


def _return(line: Line) -> ir.Instruction:
    return ir.Return(None, line.location, None if line.accept_word("void") else line.value())


def _unreachable(line: Line) -> ir.Instruction:
    return ir.Unreachable(None, line.location)


def _call(line: Line) -> ir.Instruction:
    scope = line.scope
    line.flags()
    skip_result_attributes(line, scope.context.types)
    written = line.type()
    callee = scope.value(line, PTR)
    line.expect("(")
    arguments = tuple(line.listed(")", lambda: scope.argument(line)))
    noreturn = read_function_attributes(line, scope.context.groups)
    if line.peek() == "[":
        line.skip_brackets()
    type = _called_type(written, arguments)
    result = None if type.result == VOID else line.result(type.result)
    if result is None and line.register is not None:
        raise Malformed("a call without result is given a name")
    if isinstance(callee, GlobalRef):
        noreturn = noreturn or callee.name in scope.context.noreturn
    return ir.Call(result, line.location, callee, type, arguments, noreturn)


def _called_type(written: Type, arguments: tuple[ir.Argument, ...]) -> FunctionType:
    """The called function's type: of the result alone unless (as for variadic functions) it is written out."""
    found = tuple([argument.value.type for argument in arguments])
    if not isinstance(written, FunctionType):
        return FunctionType(written, found)
    fixed = len(written.params)
    if found[:fixed] != written.params or (len(found) > fixed and not written.varargs):
        raise Malformed(f"the arguments do not fit a function of type {written}")
    return written


CONTROL: dict[str, Reader] = {
    "br": _branch,
    "switch": _switch,
    "indirectbr": _indirect,
    "ret": _return,
    "unreachable": _unreachable,
    "call": _call,
}
