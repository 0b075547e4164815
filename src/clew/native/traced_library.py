"""The runtime's C library as part of a traced program: compiled by the front end as any program is, so that what it
computes, and where it branches, has shadows like everything else.

Functions that have variables of their own, and those that keep the arena, stay what they are: they are called.

It is the same for all programs: the cache has it as it is used, and no compiler is asked.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace

from clew.base.cache import Cache, digest
from clew.base.errors import Unsupported, UserError
from clew.frontend.loading import load, own_identity
from clew.frontend.options import CompileOptions
from clew.frontend.storage import Changes, dump, restore
from clew.frontend.target import host_target, zig_triple
from clew.frontend.toolchain import llvm_identity
from clew.native.library import PREFIX, SOURCES, runtime_sources
from clew.program.module import Function, Program
from clew.program.operands import function_references

_OTHER = frozenset({"serve.c", "mutation.c", "trace.c", "wide.c"})
"""Files of the runtime that have no functions of the C library."""
_FLAGS = ("-g0", "-w", "-std=gnu11", "-fno-builtin", "-O0")
_TRACED_RUNTIME = frozenset(
    """clew_string clew_string_within clew_argument clew_area_of clew_stream clew_descriptor clew_readable clew_reach
    clew_file_byte clew_is_output clew_may_grow clew_bytes_ahead clew_next_byte clew_reach_stream
    clew_next_character clew_begin_scan clew_write_byte""".split()
)


def with_library(program: Program, cache: Cache | None) -> tuple[Program, frozenset[str]]:
    """The program together with the functions of the runtime that keep shadows, and their names."""
    part = _library(cache)
    merged = replace(
        program, functions={**program.functions, **part.functions}, globals={**program.globals, **part.globals}
    )
    return merged, frozenset(name for name, function in part.functions.items() if function.blocks)


@functools.cache
def _library(cache: Cache | None) -> Program:
    """The library, under names that no program has; functions that are not traced have no blocks."""
    if cache is None:
        return _traced(_compiled(None))
    made_by = ("traced", own_identity(), llvm_identity(), zig_triple(host_target()), *_FLAGS)
    key = digest("\0".join(made_by).encode() + runtime_sources())
    data = cache.get(key)
    part = None if data is None else restore(data)
    if part is None:
        part = _traced(_compiled(cache))
        data = dump(part)
        if data is not None:
            cache.put(key, data)
    return part


def _compiled(cache: Cache | None) -> Program:
    try:
        loaded = load(
            [one for one in sorted(SOURCES.glob("*.c")) if one.name not in _OTHER],
            CompileOptions(_FLAGS, host_target()),
            cache,
        )
    except UserError as problem:
        raise Unsupported(f"traces, since the runtime does not compile: {problem}") from None
    own = [name for name in (*loaded.functions, *loaded.globals) if not name.startswith("llvm.")]
    data = dump(loaded)
    renamed = None if data is None else restore(data, Changes({name: PREFIX + name for name in own}, 0))
    if renamed is None:
        raise Unsupported("traces")
    # The keys of these tables are not renamed with what they hold.
    return replace(
        renamed,
        functions={function.name: function for function in renamed.functions.values()},
        globals={variable.name: variable for variable in renamed.globals.values()},
    )


def _traced(part: Program) -> Program:
    names = _traceable(part)
    functions = {name: f if name in names else replace(f, blocks=()) for name, f in part.functions.items()}
    return replace(part, functions=functions)


def _traceable(part: Program) -> frozenset[str]:
    """The functions that need nothing but their arguments and memory, and call none of a file's own that needs more."""
    found = {
        name
        for name, function in part.functions.items()
        if function.blocks and _may_be_traced(name.removeprefix(PREFIX)) and not any(_variables(function, part))
    }
    own = {name for name, function in part.functions.items() if function.internal}
    while kept_back := {name for name in found if (own - found) & set(function_references(part.functions[name]))}:
        found -= kept_back
    return frozenset(found)


def _may_be_traced(name: str) -> bool:
    return not name.startswith("clew_") or name in _TRACED_RUNTIME


def _variables(function: Function, part: Program) -> Iterator[str]:
    """The variables that a function may change."""
    for name in function_references(function):
        variable = part.globals.get(name)
        if variable is not None and not variable.constant:
            yield name
