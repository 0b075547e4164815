"""The C functions that native runs have: those of the runtime, by the types that their first lines say, and libm's."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from clew.base.dataclass import dataclass

SOURCES = Path(__file__).parent / "c"
_DEFINITION = re.compile(r"^(void|u32|u64|double) m_(\w+)\((.*)\) \{$", re.MULTILINE)
_TYPES = {"void": "void", "u32": "i32", "u64": "i64", "double": "double"}
_UNARY = """sin cos tan asin acos atan sinh cosh tanh exp exp2 log log2 log10 sqrt cbrt fabs floor ceil trunc round rint
nearbyint expm1 log1p""".split()
_BINARY = "pow fmod atan2 hypot fmin fmax copysign fdim remainder".split()
PREFIX = "clew:"
"""Of the runtime's own names, where its functions are part of a traced program."""
_SCANNING = "scanf fscanf sscanf vscanf vfscanf vsscanf".split()
_UNLOCKED = """getchar fgetc getc fgets fread feof ferror clearerr fputc putc putchar fputs fwrite fflush
fileno""".split()
_OTHER_NAMES = {
    **{f"__isoc{year}_{name}": name for year in (99, 23) for name in _SCANNING},
    **{f"{name}_unlocked": name for name in _UNLOCKED},
    **{f"{name}64": name for name in "fopen open lseek".split()},
    **{name: name[:5] for name in "fseeko fseeko64 ftello ftello64".split()},
    "__getdelim": "getdelim",
    "__getline": "getline",
    "_IO_getc": "getc",
    "_IO_putc": "putc",
    "_Exit": "_exit",
    "atoll": "atol",
    "imaxabs": "labs",
}
OVERRIDES = frozenset({"reach_error", "__VERIFIER_error"})
"""Taken even where the program defines them: a call is the error."""


@dataclass(frozen=True, slots=True)
class NativeFunction:
    """A function outside of the program: its name in the library, and its types in LLVM's words."""

    symbol: str
    result: str
    parameters: tuple[str, ...]


def runtime_sources() -> bytes:
    """All of the runtime: for who keeps what is made of it."""
    return b"\0".join(source.read_bytes() for source in sorted(SOURCES.glob("*.[ch]")))


@functools.cache
def native_functions() -> dict[str, NativeFunction]:
    """By the name that programs call them."""
    found = {}
    for source in sorted(SOURCES.glob("*.c")):
        for result, name, parameters in _DEFINITION.findall(source.read_text(encoding="utf-8")):
            types = () if parameters == "void" else tuple(_TYPES[one.split()[0]] for one in parameters.split(", "))
            found[name] = NativeFunction(f"m_{name}", _TYPES[result], types)
    found.update({other: found[name] for other, name in _OTHER_NAMES.items()})
    for count, names in ((1, _UNARY), (2, _BINARY)):
        for name in names:
            found[name] = NativeFunction(name, "double", ("double",) * count)
            found[name + "f"] = NativeFunction(name + "f", "float", ("float",) * count)
    return found
