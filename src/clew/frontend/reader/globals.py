"""Lines that start with ``@``: global variables, aliases, ifuncs, and the lists of constructors."""

from __future__ import annotations

import re
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.frontend.reader.cursor import Cursor, Malformed
from clew.frontend.reader.operands import Context
from clew.frontend.symbols import OWN, linkage
from clew.program.instructions import Argument, Unreachable, UnsupportedInstruction
from clew.program.module import Alias, Block, Function, GlobalVariable
from clew.program.types import PTR, FunctionType, OpaqueType
from clew.program.values import ConstAggregate, Constant, ConstInt, GlobalRef, Register

_KINDS = ("global", "constant", "alias", "ifunc")
_DECLARED = ("external", "extern_weak")
_DEBUG = re.compile(r", !dbg !(\d+)")
_ALIGN = re.compile(r", align (\d{1,9})\b")
_COMPILER_LISTS = ("llvm.used", "llvm.compiler.used", "llvm.global.annotations")
_ORDERED_LISTS = ("llvm.global_ctors", "llvm.global_dtors")


@dataclass(slots=True)
class Globals:
    """What the ``@`` lines of a module define."""

    variables: dict[str, GlobalVariable] = field(default_factory=dict)
    aliases: dict[str, Alias] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    """Stand-ins for ifuncs: functions whose only instruction is unsupported."""
    names: set[str] = field(default_factory=set)
    """Every name taken so far, those of functions too."""
    linkages: dict[str, str] = field(default_factory=dict)
    """Of what is defined."""
    constructors: tuple[tuple[int, str], ...] = ()
    """With their priorities."""
    destructors: tuple[tuple[int, str], ...] = ()


def read_global(context: Context, into: Globals, line: str) -> None:
    """Read one ``@name = ...`` line."""
    cursor = Cursor(line)
    name = cursor.name("@")
    cursor.expect("=")
    if name in into.names:
        raise Malformed(f"'@{name}' is defined twice")
    into.names.add(name)
    words: set[str] = set()
    while (word := cursor.word()) not in _KINDS:
        words.add(word)
        if cursor.peek() == "(":
            cursor.skip_brackets()
    into.linkages[name] = linkage(words)
    if word == "alias":
        context.types.read(cursor)
        cursor.expect(",")
        # LLVM leaves the type out before a constant expression.
        target = context.types.read(cursor) if context.types.starts_type(cursor) else PTR
        into.aliases[name] = Alias(name, context.constants.read(cursor, target))
    elif word == "ifunc":
        into.functions[name] = _ifunc(context, cursor, name, words)
    elif name in _COMPILER_LISTS:
        return
    else:
        _variable(context, into, cursor, name, words, word == "constant")


def _variable(context: Context, into: Globals, cursor: Cursor, name: str, words: set[str], constant: bool) -> None:
    type = context.types.read(cursor)
    initializer = None
    if words.isdisjoint(_DECLARED):
        initializer = context.constants.read(cursor, type)
    if name in _ORDERED_LISTS:
        functions = _ordered_functions(initializer, descending=name == "llvm.global_dtors")
        if name == "llvm.global_ctors":
            into.constructors = functions
        else:
            into.destructors = functions
        return
    align = _ALIGN.search(cursor.text, cursor.pos)
    natural = 1 if isinstance(type, OpaqueType) else context.natural_align(type)
    source_name, location, ctype = "", None, -1
    debug = _DEBUG.search(cursor.text, cursor.pos)
    if debug is not None:
        source_name, location, ctype = context.debug.global_variable(debug[1])
    into.variables[name] = GlobalVariable(
        name, type, initializer, constant, int(align[1]) if align else natural, location, ctype, source_name,
        not words.isdisjoint(OWN),
    )  # fmt: skip


def _ordered_functions(entries: Constant | None, descending: bool) -> tuple[tuple[int, str], ...]:
    """The functions of ``llvm.global_ctors`` in the order they run: by priority, then as listed."""
    if not isinstance(entries, ConstAggregate):
        return ()
    found: list[tuple[int, str]] = []
    for entry in entries.elements:
        match entry:
            case ConstAggregate(elements=(ConstInt(value=priority), GlobalRef(name=name), *_)):
                found.append((priority, name))
            case _:
                raise Malformed("an entry of the list of constructors is not a priority and a function")
    found.sort(key=lambda pair: -pair[0] if descending else pair[0])
    return tuple(found)


def _ifunc(context: Context, cursor: Cursor, name: str, words: set[str]) -> Function:
    """A function whose address is computed at load time: reaching it is unsupported."""
    type = context.types.read(cursor)
    if not isinstance(type, FunctionType):
        raise Malformed(f"ifunc '{name}' is not of a function type")
    text = UnsupportedInstruction(None, None, f"ifunc @{name}")
    block = Block("0", (text, Unreachable(None, None)))
    parameters = tuple(Argument(Register(f"arg{i}", param)) for i, param in enumerate(type.params))
    return Function(name, type, parameters, (block,), internal=not words.isdisjoint(OWN))
