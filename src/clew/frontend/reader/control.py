"""Terminators and calls: the complete readers.

Terminators Clew does not model (exceptions, ``callbr``) raise ``UnsupportedText``; the caller puts an
``UnsupportedInstruction`` and ``unreachable`` in their place.
"""

from __future__ import annotations

from clew.base.location import Location
from clew.frontend.reader.attributes import read_function_attributes, skip_result_attributes
from clew.frontend.reader.cursor import Cursor, Malformed, UnsupportedText
from clew.frontend.reader.operands import Scope
from clew.frontend.reader.straight import Reader, read_flags
from clew.program.instructions import (
    Argument,
    Branch,
    Call,
    IndirectBranch,
    Instruction,
    Jump,
    Return,
    Switch,
    Unreachable,
)
from clew.program.types import PTR, VOID, FunctionType, IntType, Type
from clew.program.values import ConstInt, GlobalRef, Value

UNSUPPORTED_TERMINATORS = frozenset(["invoke", "callbr", "resume", "catchswitch", "catchret", "cleanupret"])
NO_SANITIZE = "!nosanitize "
"""The mark of code that a sanitizer put in."""
TERMINATORS = UNSUPPORTED_TERMINATORS | {"ret", "br", "switch", "indirectbr", "unreachable"}


def _branch(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    if cursor.peek_word() == "label":
        return Jump(None, location, scope.label(cursor))
    condition = scope.condition(cursor)
    cursor.expect(",")
    yes = scope.label(cursor)
    cursor.expect(",")
    return Branch(None, location, condition, yes, scope.label(cursor), NO_SANITIZE in cursor.text)


def _switch(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    value = scope.typed_value(cursor)
    if not isinstance(value.type, IntType):
        raise Malformed(f"a switch on a value of type {value.type}")
    cursor.expect(",")
    default = scope.label(cursor)
    cursor.expect("[")
    cases: list[tuple[int, str]] = []
    while not cursor.accept("]"):
        case = scope.typed_value(cursor)
        if not isinstance(case, ConstInt) or case.type != value.type:
            raise Malformed("a case of a switch is not a constant of its type")
        cursor.expect(",")
        cases.append((case.value, scope.label(cursor)))
    return Switch(None, location, value, default, tuple(cases))


def _indirect(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    address = scope.typed_value(cursor)
    cursor.expect(",")
    cursor.expect("[")
    targets: list[str] = []
    while not cursor.accept("]"):
        if targets:
            cursor.expect(",")
        targets.append(scope.label(cursor))
    return IndirectBranch(None, location, address, tuple(targets))


def _return(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    if cursor.accept_word("void"):
        return Return(None, location, None)
    return Return(None, location, scope.typed_value(cursor))


def _unreachable(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    return Unreachable(None, location)


def read_call_prefix(scope: Scope, cursor: Cursor) -> tuple[Type, FunctionType | None]:
    """Flags, calling convention, attributes and type before the callee: result type and, if it is written
    out (as for variadic functions), the whole function type."""
    read_flags(scope, cursor)
    skip_result_attributes(cursor, scope.context.types)
    type = scope.context.types.read(cursor)
    return (type.result, type) if isinstance(type, FunctionType) else (type, None)


def read_arguments(scope: Scope, cursor: Cursor) -> tuple[Argument, ...]:
    cursor.expect("(")
    arguments: list[Argument] = []
    while not cursor.accept(")"):
        if arguments:
            cursor.expect(",")
        arguments.append(scope.argument(cursor))
    return tuple(arguments)


def call_type(result: Type, explicit: FunctionType | None, arguments: tuple[Argument, ...]) -> FunctionType:
    """The called function's type; checks the arguments where the type is written out."""
    found = tuple([argument.value.type for argument in arguments])
    if explicit is None:
        return FunctionType(result, found)
    fixed = len(explicit.params)
    if found[:fixed] != explicit.params or (len(found) > fixed and not explicit.varargs):
        raise Malformed(f"the arguments do not fit a function of type {explicit}")
    return explicit


def finish_call(
    scope: Scope,
    name: str | None,
    location: Location | None,
    callee: Value,
    type: FunctionType,
    arguments: tuple[Argument, ...],
    noreturn: bool,
) -> Call:
    result = None if type.result == VOID else scope.result(name, type.result)
    if result is None and name is not None:
        raise Malformed("a call without result is given a name")
    if isinstance(callee, GlobalRef):
        noreturn = noreturn or callee.name in scope.context.noreturn
    return Call(result, location, callee, type, arguments, noreturn)


def _call(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    result, explicit = read_call_prefix(scope, cursor)
    callee = scope.value(cursor, PTR)
    arguments = read_arguments(scope, cursor)
    noreturn = read_function_attributes(cursor, scope.context.groups)
    if cursor.peek() == "[":
        cursor.skip_brackets()
    type = call_type(result, explicit, arguments)
    return finish_call(scope, name, location, callee, type, arguments, noreturn)


def _unsupported(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    raise UnsupportedText(op)


CONTROL: dict[str, Reader] = {
    "br": _branch,
    "switch": _switch,
    "indirectbr": _indirect,
    "ret": _return,
    "unreachable": _unreachable,
    "call": _call,
    **dict.fromkeys(UNSUPPORTED_TERMINATORS, _unsupported),
}
