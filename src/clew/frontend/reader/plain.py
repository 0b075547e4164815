"""The instructions that nearly all code consists of, as LLVM writes them: one regular expression for a whole line.

What does not match (quoted names, vectors, rare flags, constant expressions, comments) is for the readers that go from
token to token, which read the same of every line that matches here; so are all lines that are malformed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from clew.base.location import Location
from clew.frontend.reader.constants import BINARY_OPS
from clew.frontend.reader.control import NO_SANITIZE
from clew.frontend.reader.operands import Scope
from clew.frontend.reader.straight import PREDICATES
from clew.program import instructions as ir
from clew.program.types import VOID, FunctionType
from clew.program.values import GlobalRef, Register, Value

_TYPE = r"(i\d+|ptr|float|double)"
_VALUE = r"([%@]?[-\w$.]+)"
_LABEL = r"label %([-\w$.]+)"
_END = r"(?:, !dbg !(\d+)(?:, ![^\";]*)?)?$"
_ARGUMENT = re.compile(r"(i\d+|ptr|float|double)(?: noundef)? ([%@]?[-\w$.]+)")

_Match = re.Match[str]
_Make = Callable[[Scope, str, str, _Match], ir.Instruction]
"""Takes the scope, the opcode, the name of the result with its sigil, and the match."""


def read_plain(scope: Scope, line: str, pos: int, op: str, name: str | None) -> ir.Instruction | None:
    """The instruction that goes on at ``pos``, behind its opcode; None if it is not one of these."""
    reader = _PLAIN.get((op, name is not None))
    match = None if reader is None else reader[0].match(line, pos)
    return None if reader is None or match is None else reader[1](scope, op, f"%{name}", match)


def _location(scope: Scope, number: str | None) -> Location | None:
    return None if number is None else scope.context.debug.location(number)


def _result(scope: Scope, type: str, name: str) -> Register:
    """The register that an instruction defines: the very object that its uses have."""
    register = scope.from_text(type, name)
    assert isinstance(register, Register)
    return register


def _load(scope: Scope, op: str, name: str, match: _Match) -> ir.Instruction:
    type, pointer, align, place = match.groups()
    address = scope.from_text("ptr", pointer)
    return ir.Load(_result(scope, type, name), _location(scope, place), address, int(align))


def _store(scope: Scope, op: str, name: str, match: _Match) -> ir.Instruction:
    type, value, pointer, align, place = match.groups()
    stored, address = scope.from_text(type, value), scope.from_text("ptr", pointer)
    return ir.Store(None, _location(scope, place), stored, address, int(align))


def _binary(scope: Scope, op: str, name: str, match: _Match) -> ir.Instruction:
    flags, type, left, right, place = match.groups()
    operands = scope.from_text(type, left), scope.from_text(type, right)
    return ir.Binary(_result(scope, type, name), _location(scope, place), op, *operands, scope.context.flags(flags))


def _compare(scope: Scope, op: str, name: str, match: _Match) -> ir.Instruction:
    predicate, type, left, right, place = match.groups()
    operands = scope.from_text(type, left), scope.from_text(type, right)
    flags = scope.context.flags("")
    return ir.Compare(_result(scope, "i1", name), _location(scope, place), predicate, *operands, False, flags)


def _cast(scope: Scope, op: str, name: str, match: _Match) -> ir.Instruction:
    type, value, to, place = match.groups()
    operand, flags = scope.from_text(type, value), scope.context.flags("")
    result = _result(scope, to, name)
    return ir.Cast(result, _location(scope, place), op, operand, result.type, flags)


def _gep(scope: Scope, op: str, name: str, match: _Match) -> ir.Instruction:
    flags, source, base, indices, place = match.groups()
    steps = tuple([scope.from_text(*step) for step in _ARGUMENT.findall(indices)])
    type, start = scope.context.types.from_text(source), scope.from_text("ptr", base)
    known = scope.context.flags(flags)
    return ir.GetElementPtr(_result(scope, "ptr", name), _location(scope, place), type, start, steps, known)


def _jump(scope: Scope, op: str, name: str, match: _Match) -> ir.Instruction:
    target, condition, yes, no, place = match.groups()
    location = _location(scope, place)
    if target is not None:
        return ir.Jump(None, location, target)
    return ir.Branch(None, location, scope.from_text("i1", condition), yes, no, NO_SANITIZE in match.string)


def _unreachable(scope: Scope, op: str, name: str, match: _Match) -> ir.Instruction:
    return ir.Unreachable(None, _location(scope, match[1]))


def _call(scope: Scope, op: str, name: str, match: _Match) -> ir.Instruction:
    result, target, given, group, place = match.groups()
    values: list[Value] = [scope.from_text(*argument) for argument in _ARGUMENT.findall(given)]
    callee = scope.from_text("ptr", target)
    noreturn = group in scope.context.groups.noreturn
    if isinstance(callee, GlobalRef):
        noreturn = noreturn or callee.name in scope.context.noreturn
    register = None if result == "void" else _result(scope, result, name)
    type = FunctionType(VOID if register is None else register.type, tuple([value.type for value in values]))
    arguments = tuple([ir.Argument(value) for value in values])
    return ir.Call(register, _location(scope, place), callee, type, arguments, noreturn)


def _line(pattern: str, make: _Make) -> tuple[re.Pattern[str], _Make]:
    return re.compile(pattern + _END), make


def _calls(result: str) -> tuple[re.Pattern[str], _Make]:
    argument = _ARGUMENT.pattern.replace("(i", "(?:i").replace("([", "(?:[")
    arguments = rf"((?:{argument}(?:, {argument})*)?)"
    return _line(rf"{result} ([%@][-\w$.]+)\({arguments}\)(?: #(\d+))?", _call)


_FLAGS = "((?:(?:nsw|nuw|exact|disjoint) )*)"
_SOURCE = r"(\[\d+ x [^,\"<{]*\]|%[-\w$.]+|i\d+|ptr)"
_INDICES = rf"((?:, i\d+ {_VALUE[1:-1]})+)"
_PREDICATE = f"({'|'.join(sorted(PREDICATES['icmp']))})"
_CASTS = ("zext", "sext", "trunc", "ptrtoint", "inttoptr")
_PLAIN = {
    ("load", True): _line(rf"{_TYPE}, ptr {_VALUE}, align (\d+)", _load),
    ("store", False): _line(rf"{_TYPE} {_VALUE}, ptr {_VALUE}, align (\d+)", _store),
    ("icmp", True): _line(rf"{_PREDICATE} {_TYPE} {_VALUE}, {_VALUE}", _compare),
    ("getelementptr", True): _line(rf"((?:(?:inbounds|nuw|nusw) )*){_SOURCE}, ptr {_VALUE}{_INDICES}", _gep),
    ("br", False): _line(rf"(?:{_LABEL}|i1 {_VALUE}, {_LABEL}, {_LABEL})", _jump),
    ("unreachable", False): _line("", _unreachable),
    ("call", False): _calls("(void)"),
    ("call", True): _calls(_TYPE),
    **dict.fromkeys(((op, True) for op in BINARY_OPS), _line(rf"{_FLAGS}{_TYPE} {_VALUE}, {_VALUE}", _binary)),
    **dict.fromkeys(((op, True) for op in _CASTS), _line(rf"{_TYPE} {_VALUE} to {_TYPE}", _cast)),
}
"""By opcode and whether there is a result."""
