"""The whole module: sorts the lines by what they start with, then reads them in an order that lets every
reader assume that what it refers to is known: types, attribute groups and metadata, then headers, then
global variables, then bodies.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field, replace

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.frontend.reader.body import BodyReader
from clew.frontend.reader.cursor import Cursor, Malformed, UnsupportedText, unescape
from clew.frontend.reader.globals import Globals, read_global
from clew.frontend.reader.header import Header, read_header
from clew.frontend.reader.operands import Context
from clew.frontend.symbols import OWN, Symbols, strength
from clew.program.layout import DataLayout
from clew.program.module import Function, Program
from clew.program.operands import references

_TARGET = re.compile(r'target (datalayout|triple) = "([^"]*)"')
_SOURCE = re.compile(r'source_filename = "([^"]*)"')
_TYPE = re.compile(r"= type (.*?)\s*(?:;.*)?$")
_IGNORED = ("module asm", "uselistorder", "uselistorder_bb", "^", "$", ";")


@dataclass(slots=True)
class _Lines:
    """The lines of a module by kind, each with its 1-based number."""

    types: list[tuple[int, str]] = field(default_factory=list)
    globals: list[tuple[int, str]] = field(default_factory=list)
    groups: list[tuple[int, str]] = field(default_factory=list)
    metadata: list[tuple[int, str]] = field(default_factory=list)
    headers: list[tuple[int, str]] = field(default_factory=list)
    targets: list[tuple[int, str]] = field(default_factory=list)
    bodies: dict[int, list[str]] = field(default_factory=dict)
    """The lines of each function's body by the number of its header."""


def read_module(text: str) -> Program:
    """Read a module of LLVM text that is a program by itself; see ``read_file``."""
    return read_file(text)[0]


def read_file(text: str) -> tuple[Program, Symbols]:
    """Read a module of LLVM text: what it consists of, and what it says to linkers.

    Raises UserError, with the line number, if it is malformed; what is well-formed but unknown to Clew
    becomes ``UnsupportedInstruction``.
    """
    lines = _sort_lines(text)
    context = Context.fresh()
    triple, source = _read_targets(context, lines)
    _each(lines.types, lambda line: _define_type(context, line))
    _each(lines.groups, context.groups.define)
    for number, line in lines.metadata:
        try:
            context.metadata.define(line, number)
        except Malformed as error:
            raise _user_error(number, error) from None
    headers = _read_headers(context, lines)
    found = Globals(names={header.function.name for _, header in headers})
    _each(lines.globals, lambda line: read_global(context, found, line))
    context.constants.mentioned.clear()
    functions = _read_bodies(context, lines, headers)
    try:
        files = context.debug.source_files() or ((source,) if source else ())
        ctypes = context.debug.ctypes.finish()
    except Malformed as error:
        raise _user_error(error.line or context.metadata.line("llvm.dbg.cu"), error) from None
    program = Program(
        triple,
        context.layout,
        functions | found.functions,
        found.variables,
        found.aliases,
        ctypes,
        tuple(name for _, name in found.constructors),
        files,
        tuple(name for _, name in found.destructors),
    )
    linkages = {header.function.name: header.linkage for _, header in headers} | found.linkages
    return program, _symbols(program, linkages, found, context.constants.mentioned)


def _symbols(program: Program, linkages: dict[str, str], found: Globals, mentioned: set[str]) -> Symbols:
    """``mentioned`` is what functions mention."""
    defined = {function.name: 0 for function in program.functions.values() if function.blocks}
    for variable in program.globals.values():
        if variable.initializer is not None:
            is_common = linkages[variable.name] == "common"
            defined[variable.name] = program.layout.size(variable.type) if is_common else 0
    defined |= dict.fromkeys(program.aliases, 0)
    shared = {name: strength(linkages[name], size) for name, size in defined.items() if linkages[name] not in OWN}
    own = tuple(name for name in defined if name not in shared)
    used = _used(program, [*mentioned, *shared, *program.aliases])
    return Symbols(
        program.layout.text,
        shared,
        own,
        tuple(name for name in (*program.functions, *program.globals) if name not in defined),
        len(program.ctypes.entries),
        found.constructors,
        found.destructors,
        tuple(name for name in own if name in program.globals and name not in used),
    )


def _used(program: Program, names: list[str]) -> set[str]:
    """Names, and what variables and aliases of these names mention, and so on."""
    used: set[str] = set()
    while names:
        name = names.pop()
        if name not in used:
            used.add(name)
            variable, alias = program.globals.get(name), program.aliases.get(name)
            value = variable.initializer if variable is not None else alias.target if alias is not None else None
            names.extend(references(value) if value is not None else ())
    return used


def _sort_lines(text: str) -> _Lines:
    sorted_lines = _Lines()
    by_char = {"%": sorted_lines.types, "@": sorted_lines.globals, "!": sorted_lines.metadata}
    lines = text.split("\n")
    index, count = 0, len(lines)
    while index < count:
        line = lines[index]
        index += 1
        kind = by_char.get(line[:1])
        if kind is not None:
            kind.append((index, line))
        elif line.startswith(("define ", "declare ")):
            sorted_lines.headers.append((index, line))
            if line.startswith("define "):
                end = _find_end(lines, index)
                sorted_lines.bodies[index] = lines[index:end]
                index = end + 1
        elif line.startswith("attributes "):
            sorted_lines.groups.append((index, line))
        elif line.startswith(("target ", "source_filename ")):
            sorted_lines.targets.append((index, line))
        elif line.strip() and not line.startswith(_IGNORED):
            raise _user_error(index, Malformed(f"expected a definition, found '{line[:40]}'"))
    return sorted_lines


def _find_end(lines: list[str], start: int) -> int:
    """The index of the ``}`` line that ends a body starting at ``start``."""
    for index in range(start, len(lines)):
        if lines[index][:1] == "}":
            return index
    raise _user_error(start, Malformed("the function has no end"))


def _user_error(number: int, error: Malformed | UnsupportedText) -> UserError:
    return UserError(f"bad LLVM text, line {number}: {error}")


def _each(lines: list[tuple[int, str]], read: Callable[[str], None]) -> None:
    for number, line in lines:
        try:
            read(line)
        except (Malformed, UnsupportedText) as error:
            raise _user_error(number, error) from None


def _read_targets(context: Context, lines: _Lines) -> tuple[str, str]:
    """Triple and source file name; the data layout goes into the context."""
    triple = source = ""
    for number, line in lines.targets:
        if (match := _TARGET.match(line)) is not None:
            if match[1] == "triple":
                triple = unescape(match[2])
            else:
                context.layout = _layout(number, unescape(match[2]))
        elif (match := _SOURCE.match(line)) is not None:
            source = unescape(match[1])
        else:
            raise _user_error(number, Malformed("expected 'target datalayout', 'target triple' or 'source_filename'"))
    return triple, source


def _layout(number: int, text: str) -> DataLayout:
    try:
        return DataLayout.parse(text)
    except ValueError:
        raise _user_error(number, Malformed("the data layout is not understood")) from None


def _define_type(context: Context, line: str) -> None:
    cursor = Cursor(line)
    name = cursor.name("%")
    match = _TYPE.match(line, cursor.pos)
    if match is None:
        raise cursor.error("'= type'")
    context.types.define(name, match[1])


def _read_headers(context: Context, lines: _Lines) -> list[tuple[int, Header]]:
    headers: list[tuple[int, Header]] = []

    def read(line: str) -> None:
        header = read_header(context, line)
        if header.function.noreturn:
            context.noreturn.add(header.function.name)
        headers.append((number, header))

    for number, line in lines.headers:
        _each([(number, line)], read)
    return headers


def _read_bodies(context: Context, lines: _Lines, headers: list[tuple[int, Header]]) -> dict[str, Function]:
    functions: dict[str, Function] = {}
    for number, header in headers:
        function = header.function
        if function.name in functions:
            raise _user_error(number, Malformed(f"function '@{function.name}' is defined twice"))
        if header.is_definition:
            body = BodyReader(context, lines.bodies.pop(number), number + 1, header.entry)
            function = replace(function, blocks=body.read())
        functions[function.name] = function
    return functions
