"""The first line of a function: ``define internal i32 @f(ptr sret(%S) %p, ...) #0 !dbg !5 {``.

Bodies are read later, when all types, attribute groups and metadata are known.
"""

from __future__ import annotations

import re

from clew.base.dataclass import dataclass
from clew.frontend.reader.attributes import read_function_attributes, read_parameter_attributes, skip_result_attributes
from clew.frontend.reader.cursor import Cursor, Malformed
from clew.frontend.reader.operands import Context
from clew.frontend.symbols import OWN, linkage
from clew.program.instructions import Argument
from clew.program.module import Function
from clew.program.types import FunctionType, Type
from clew.program.values import Register

_DEBUG = re.compile(r"!dbg !(\d+)")


@dataclass(frozen=True, slots=True)
class Header:
    """A function's first line, read, and where its body is."""

    function: Function
    entry: str
    """The name of the entry block if it has no label: the number after the unnamed parameters."""
    is_definition: bool
    linkage: str


def read_header(context: Context, line: str) -> Header:
    """Read a ``define`` or ``declare`` line."""
    cursor = Cursor(line)
    is_definition = cursor.word() == "define"
    words = skip_result_attributes(cursor, context.types)
    result = context.types.read(cursor)
    name = cursor.name("@")
    parameters, varargs, unnamed = _read_parameters(context, cursor)
    noreturn = read_function_attributes(cursor, context.groups)
    location, ctype = None, -1
    debug = _DEBUG.search(line, cursor.pos) or _DEBUG.search(line, 0, line.find("@"))
    if debug is not None:
        location, ctype = context.debug.subprogram(debug[1])
    if is_definition and not line.rstrip().endswith("{"):
        raise Malformed("expected '{' at the end of the line")
    type = FunctionType(result, tuple(parameter.value.type for parameter in parameters), varargs)
    function = Function(name, type, parameters, (), location, ctype, not words.isdisjoint(OWN), noreturn)
    return Header(function, str(unnamed), is_definition, linkage(words))


def _read_parameters(context: Context, cursor: Cursor) -> tuple[tuple[Argument, ...], bool, int]:
    """Parameters, whether more may follow, and how many parameters have numbers for names."""
    cursor.expect("(")
    parameters: list[Argument] = []
    varargs, unnamed = False, 0
    while not cursor.accept(")"):
        if parameters or varargs:
            cursor.expect(",")
        if cursor.accept("..."):
            varargs = True
            continue
        type: Type = context.types.read(cursor)
        attributes = read_parameter_attributes(cursor, context.types)
        name = cursor.name("%") if cursor.peek() == "%" else str(unnamed)
        unnamed += name == str(unnamed)
        kept = (attributes.byval, attributes.sret, attributes.align, attributes.nonnull, attributes.dereferenceable)
        parameters.append(Argument(Register(name, type), *kept))
    return tuple(parameters), varargs, unnamed
