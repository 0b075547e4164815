"""A program as text near LLVM's, for cases and debugging: named structs are spelled out, attributes Clew
does not keep are gone, source positions and C variables are comments.

The reader reads the text back: the same program but for what only debug info says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from clew.base.location import Location
from clew.program import instructions as ir
from clew.program.module import Block, Function, GlobalVariable, Program, VariableUpdate
from clew.program.types import OpaqueType
from support.spelling import spell, spell_name, spell_typed

_FLAG_ORDER = (
    *("fast", "reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"),
    *("samesign", "inbounds", "nusw", "nneg", "nuw", "nsw", "exact", "disjoint"),
)
_POSITION_COLUMN = 60
_TERMINATOR = re.compile(
    r"(?:%\S+ = )?(?:invoke|callbr|resume|catchswitch|catchret|cleanupret|ret|br|switch|indirectbr)\b"
)


def print_program(program: Program, positions: bool = True) -> str:
    """The whole program. ``positions`` adds comments with source positions and C variables."""
    parts: list[str] = []
    if program.layout.text:
        parts.append(f'target datalayout = "{program.layout.text}"')
    if program.triple:
        parts.append(f'target triple = "{program.triple}"')
    opaque = {variable.type.name for variable in program.globals.values() if isinstance(variable.type, OpaqueType)}
    parts.extend(f"{spell_name('%', name)} = type opaque" for name in sorted(opaque))
    parts.extend(print_global(variable, positions) for variable in program.globals.values())
    parts.extend(
        f"{spell_name('@', alias.name)} = alias {alias.target.type}, {spell_typed(alias.target)}"
        for alias in program.aliases.values()
    )
    for name, functions in (("ctors", program.constructors), ("dtors", program.destructors)):
        if functions:
            parts.append(_print_ordered_list(name, functions))
    parts.extend("\n" + print_function(function, positions) for function in program.functions.values())
    return "\n".join(parts) + "\n"


def _print_ordered_list(name: str, functions: tuple[str, ...]) -> str:
    """Constructors; priorities are counted up (destructors: down), which keeps the order."""
    count = len(functions)
    numbers = range(count) if name == "ctors" else range(count, 0, -1)
    entry = "{ i32, ptr, ptr }"
    inner = ", ".join(
        f"{entry} {{ i32 {number}, ptr {spell_name('@', function)}, ptr null }}"
        for number, function in zip(numbers, functions, strict=True)
    )
    return f"@llvm.global_{name} = appending global [{count} x {entry}] [{inner}]"


def print_global(variable: GlobalVariable, positions: bool = True) -> str:
    linkage = "external " if variable.initializer is None else "internal " if variable.internal else ""
    kind = "constant" if variable.constant else "global"
    value = "" if variable.initializer is None else f" {spell(variable.initializer)}"
    type = spell_name("%", variable.type.name) if isinstance(variable.type, OpaqueType) else variable.type
    head = f"{spell_name('@', variable.name)} = {linkage}{kind} {type}{value}, align {variable.align}"
    return head + (f" ; {variable.source_name} {variable.location}" if positions and variable.location else "")


def print_function(function: Function, positions: bool = True) -> str:
    keyword = "declare" if function.is_declaration else "define"
    linkage = "internal " if function.internal else ""
    parameters = [_print_argument(parameter) for parameter in function.parameters]
    if function.type.varargs:
        parameters.append("...")
    name = spell_name("@", function.name)
    head = f"{keyword} {linkage}{function.type.result} {name}({', '.join(parameters)})"
    if function.noreturn:
        head += " noreturn"
    if function.is_declaration:
        return head
    blocks = "\n\n".join(print_block(block, positions) for block in function.blocks)
    return f"{head} {{\n{blocks}\n}}"


def print_block(block: Block, positions: bool = True) -> str:
    lines = [spell_name("", block.name) + ":"]
    updates = list(block.updates) if positions else []
    for index, instruction in enumerate(block.instructions):
        if index and isinstance(instruction, ir.Unreachable) and _replaces_terminator(block.instructions[index - 1]):
            continue
        while updates and updates[0].index <= index:
            lines.append(_print_update(updates.pop(0)))
        line = "  " + print_instruction(instruction)
        if positions and instruction.location is not None:
            line = f"{line:{_POSITION_COLUMN}} ; {_print_position(instruction.location)}"
        lines.append(line)
    lines.extend(_print_update(update) for update in updates)
    return "\n".join(lines)


def _replaces_terminator(instruction: ir.Instruction) -> bool:
    """Whether the ``unreachable`` after ``instruction`` is only there because the reader cannot model the text."""
    return isinstance(instruction, ir.UnsupportedInstruction) and _TERMINATOR.match(instruction.text) is not None


def _print_position(location: Location) -> str:
    return f"{location.file}:{location.line}:{location.column} in {location.function}"


def _print_update(update: VariableUpdate) -> str:
    verb = "is at" if update.declares else "is"
    return f"  ; {update.variable.name} {verb} {spell_typed(update.value)}"


def print_instruction(instruction: ir.Instruction) -> str:
    """One instruction, without its position."""
    text = _TABLE[type(instruction)](instruction)
    if instruction.result is None or isinstance(instruction, ir.UnsupportedInstruction):
        return text
    return f"{spell(instruction.result)} = {text}"


def _print_argument(argument: ir.Argument) -> str:
    words = [str(argument.value.type)]
    if argument.byval is not None:
        words.append(f"byval({argument.byval})")
    if argument.sret is not None:
        words.append(f"sret({argument.sret})")
    if argument.align:
        words.append(f"align {argument.align}")
    return " ".join([*words, spell(argument.value)])


def _flags(flags: frozenset[str]) -> str:
    return "".join(f"{flag} " for flag in _FLAG_ORDER if flag in flags)


def _label(name: str) -> str:
    return "label " + spell_name("%", name)


def _compare(i: ir.Compare) -> str:
    op = "fcmp" if i.floating else "icmp"
    return f"{op} {_flags(i.flags)}{i.predicate} {spell_typed(i.left)}, {spell(i.right)}"


def _phi(i: ir.Phi) -> str:
    assert i.result is not None
    pairs = ", ".join(f"[ {spell(value)}, {spell_name('%', block)} ]" for value, block in i.incoming)
    return f"phi {i.result.type} {pairs}"


def _alloca(i: ir.Alloca) -> str:
    return f"alloca {i.allocated}, {spell_typed(i.count)}, align {i.align}"


def _load(i: ir.Load) -> str:
    assert i.result is not None
    volatile = "volatile " if i.volatile else ""
    return f"load {volatile}{i.result.type}, {spell_typed(i.pointer)}, align {i.align}"


def _store(i: ir.Store) -> str:
    volatile = "volatile " if i.volatile else ""
    return f"store {volatile}{spell_typed(i.value)}, {spell_typed(i.pointer)}, align {i.align}"


def _gep(i: ir.GetElementPtr) -> str:
    indices = "".join(f", {spell_typed(index)}" for index in i.indices)
    return f"getelementptr {_flags(i.flags)}{i.source_type}, {spell_typed(i.base)}{indices}"


def _insert_value(i: ir.InsertValue) -> str:
    indices = ", ".join(map(str, i.indices))
    return f"insertvalue {spell_typed(i.aggregate)}, {spell_typed(i.element)}, {indices}"


def _shuffle(i: ir.ShuffleVector) -> str:
    mask = ", ".join("i32 poison" if entry is None else f"i32 {entry}" for entry in i.mask)
    return f"shufflevector {spell_typed(i.left)}, {spell_typed(i.right)}, <{len(i.mask)} x i32> <{mask}>"


def _call(i: ir.Call) -> str:
    arguments = ", ".join(_print_argument(argument) for argument in i.arguments)
    type = i.type if i.type.varargs else i.type.result
    return f"call {type} {spell(i.callee)}({arguments})" + (" noreturn" if i.noreturn else "")


def _va_arg(i: ir.VaArg) -> str:
    assert i.result is not None
    return f"va_arg {spell_typed(i.list)}, {i.result.type}"


def _compare_exchange(i: ir.CompareExchange) -> str:
    parts = ", ".join(spell_typed(part) for part in (i.pointer, i.expected, i.replacement))
    return f"cmpxchg {parts} seq_cst seq_cst"


def _branch(i: ir.Branch) -> str:
    mark = ", !nosanitize !{}" if i.implicit else ""
    return f"br {spell_typed(i.condition)}, {_label(i.if_true)}, {_label(i.if_false)}{mark}"


def _switch(i: ir.Switch) -> str:
    width = getattr(i.value.type, "width", 64)
    lines = [f"switch {spell_typed(i.value)}, {_label(i.default)} ["]
    for value, target in i.cases:
        signed = value - (1 << width) if value >> (width - 1) and width > 1 else value
        lines.append(f"    {i.value.type} {signed}, {_label(target)}")
    return "\n".join([*lines, "  ]"])


_TABLE: dict[type[ir.Instruction], Callable[[Any], str]] = {
    ir.Binary: lambda i: f"{i.op} {_flags(i.flags)}{spell_typed(i.left)}, {spell(i.right)}",
    ir.FNeg: lambda i: f"fneg {spell_typed(i.operand)}",
    ir.Compare: _compare,
    ir.Cast: lambda i: f"{i.op} {_flags(i.flags)}{spell_typed(i.operand)} to {i.to}",
    ir.Select: lambda i: f"select {spell_typed(i.condition)}, {spell_typed(i.if_true)}, {spell_typed(i.if_false)}",
    ir.Freeze: lambda i: f"freeze {spell_typed(i.operand)}",
    ir.Phi: _phi,
    ir.Alloca: _alloca,
    ir.Load: _load,
    ir.Store: _store,
    ir.GetElementPtr: _gep,
    ir.ExtractValue: lambda i: f"extractvalue {spell_typed(i.aggregate)}, {', '.join(map(str, i.indices))}",
    ir.InsertValue: _insert_value,
    ir.ExtractElement: lambda i: f"extractelement {spell_typed(i.vector)}, {spell_typed(i.index)}",
    ir.InsertElement: lambda i: (
        f"insertelement {spell_typed(i.vector)}, {spell_typed(i.element)}, {spell_typed(i.index)}"
    ),
    ir.ShuffleVector: _shuffle,
    ir.Call: _call,
    ir.VaArg: _va_arg,
    ir.AtomicUpdate: lambda i: f"atomicrmw {i.op} {spell_typed(i.pointer)}, {spell_typed(i.value)} seq_cst",
    ir.CompareExchange: _compare_exchange,
    ir.Fence: lambda i: "fence seq_cst",
    ir.UnsupportedInstruction: lambda i: i.text,
    ir.Jump: lambda i: f"br {_label(i.target)}",
    ir.Branch: _branch,
    ir.Switch: _switch,
    ir.IndirectBranch: lambda i: f"indirectbr {spell_typed(i.address)}, [{', '.join(map(_label, i.targets))}]",
    ir.Return: lambda i: f"ret {spell_typed(i.value) if i.value is not None else 'void'}",
    ir.Unreachable: lambda i: "unreachable",
}
