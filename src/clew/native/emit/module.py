"""A whole program as LLVM's text, with the tables that the runtime reads: see ``c/native.h``."""

from __future__ import annotations

from collections.abc import Iterable

from clew.base.dataclass import dataclass
from clew.native.emit.context import Context, Site
from clew.native.emit.function import emit_function
from clew.native.emit.needed import needed
from clew.native.emit.prelude import prelude
from clew.native.emit.shadow_prelude import shadow_prelude
from clew.native.emit.spelling import escaped
from clew.native.emit.words import words_of
from clew.native.library import native_functions
from clew.native.places import COUNTERS_SIZE, Places, TooLarge
from clew.program.module import FINISH, Function, Program

Branch = tuple[str, str, int]
"""An outcome of a branch: function, block, position among the successors; ``BranchId`` of records."""


@dataclass(frozen=True, slots=True)
class NativeCode:
    """A program ready to be compiled."""

    text: str
    branches: tuple[Branch, ...]
    """By the number of their counters."""
    reasons: tuple[str, ...]
    """Why a run ended as unsupported, by the number that it tells."""
    constants: tuple[int, int]
    """From where to where memory is not to be written."""
    sites: tuple[Site, ...] = ()
    """Of a traced program: what its records tell of, by their numbers."""
    traced: bool = False


def emit_program(
    program: Program,
    entry: Function,
    arguments: tuple[bytes | int, ...] = (),
    counted: bool = True,
    library: frozenset[str] | None = None,
) -> NativeCode:
    """The code that runs ``entry`` as a program; TooLarge if it does not fit into the arena.

    ``counted``: branches are counted, as mutation wants it; otherwise they are only marked, which is faster.
    ``library``: the program is traced, and has these functions of the runtime as its own.
    """
    places = Places(program, arguments)
    context = Context(program, places, needed(program, entry, library or ()), counted, library)
    bodies = [emit_function(program.functions[name], context) for name in context.needed]
    start, tables = _start(program, entry, context), _tables(context)
    if len(context.branches) > COUNTERS_SIZE - 8:
        raise TooLarge
    head = prelude() + (shadow_prelude() if context.traced else "")
    declared = (text for name, text in context.declarations.items() if f"@{name}(" not in head)
    parts = [head, *declared, *bodies, start, *context.frames, tables]
    return NativeCode(
        "\n".join(parts) + "\n",
        tuple(context.branches),
        tuple(context.reasons),
        (places.constants_start, places.constants_end),
        tuple(context.sites),
        context.traced,
    )


def _start(program: Program, entry: Function, context: Context) -> str:
    """Symbolic arguments are read, then constructors run, the entry, and what comes after it."""
    places = context.places
    lines = ["define void @clew_program() {"]
    lines += [
        f"  call void @{context.input_function}_to(i64 {address}, i64 {size})"
        for address, size in places.symbolic_arguments
    ]
    for name in program.constructors:
        if program.functions[name].blocks:
            lines.append(f"  call void {context.symbol(name)}()")
    argc = places.argument_count
    given = [f"i32 {argc}", f"i64 {places.argv}", f"i64 {places.argv + 8 * argc}"][: len(entry.parameters)]
    given += ["i32 0"] * (len(given) if context.traced else 0)
    result = context.type(entry.type.result)
    if result == "void":
        lines += [f"  call void {context.symbol(entry.name)}({', '.join(given)})"]
        code = "0"
    else:
        lines += [f"  %code = call {result} {context.symbol(entry.name)}({', '.join(given)})"]
        code = "%code"
    if FINISH in program.runtime:
        lines += [f"  call void @clew_set_result(i32 {code})"] if result in ("void", "i32") else []
        lines += [f"  call void {context.symbol(FINISH)}()"]
    end = native_functions()["exit"]
    context.declare(end)
    return "\n".join([*lines, f"  call void @{end.symbol}(i32 {code})", "  unreachable", "}"])


def _tables(context: Context) -> str:
    places = context.places
    chunks = sorted((at, data) for at, data in places.chunks if data)
    words = words_of(context.program)
    codes = [context.code_pointer(function) for function in places.functions]
    signatures = [context.signature_of(function) for function in places.functions]
    starts = [sum(len(word) for word in words[:number]) for number in range(len(words))]
    return "\n".join(
        [
            _numbers("clew_objects", [n for one in places.objects for n in (one.address, one.size)]),
            _number("clew_object_count", len(places.objects)),
            _numbers("clew_chunks", [n for at, data in chunks for n in (at, len(data))]),
            _number("clew_chunk_count", len(chunks)),
            _bytes("clew_chunk_data", b"".join(data for _, data in chunks)),
            _number("clew_writable_end", places.writable_end),
            _number("clew_site_count", len(context.branches)),
            _number("clew_function_base", places.function_base),
            _number("clew_function_count", len(codes)),
            _numbers("clew_function_signatures", signatures),
            f"@clew_function_codes = constant [{len(codes)} x ptr] [{', '.join(f'ptr {code}' for code in codes)}]",
            _number("clew_errno", places.errno),
            _number("clew_is_traced", int(context.traced)),
            _numbers("clew_destructors", [places.addresses[name] for name in context.program.destructors]),
            _number("clew_destructor_count", len(context.program.destructors)),
            _number("clew_streams", places.streams),
            _numbers("clew_words", [n for at, word in zip(starts, words, strict=True) for n in (at, len(word))]),
            _number("clew_word_count", len(words)),
            _bytes("clew_word_data", b"".join(words)),
        ]
    )


def _number(name: str, value: int) -> str:
    return f"@{name} = constant i64 {value}"


def _numbers(name: str, values: Iterable[int]) -> str:
    texts = [f"i64 {value}" for value in values]
    return f"@{name} = constant [{len(texts)} x i64] [{', '.join(texts)}]"


def _bytes(name: str, data: bytes) -> str:
    return f'@{name} = constant [{len(data)} x i8] c"{escaped(data)}"'
