"""Program -> program with the runtime's functions it declares but does not define.

Invariant: what the program defines itself stays, C types and source files are untouched, and whatever else is
added (static functions and variables of the runtime) has a name that begins with ``__clew_``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from clew.base.cache import Cache
from clew.base.errors import UserError
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.frontend.target import choose_target
from clew.program.module import FINISH, GlobalVariable, Program
from clew.program.operands import function_references, references

SOURCES = Path(__file__).parent / "c"

FLAGS = ("-g0", "-w", "-std=gnu11", "-fno-builtin")

_BY_SOURCE = {
    "sort": "qsort qsort_r bsearch lfind lsearch",
    "tree": "tsearch tfind tdelete twalk tdestroy insque remque",
    "division": "div ldiv lldiv imaxdiv",
    "atexit": "atexit on_exit at_quick_exit",
    "signals": "signal raise sigaction sigemptyset sigfillset sigaddset sigdelset sigismember",
    "getopt": "getopt getopt_long",
    "paths": "basename __xpg_basename dirname",
    "errors": "err errx verr verrx warn warnx vwarn vwarnx",
    "locale": "setlocale localeconv nl_langinfo newlocale duplocale freelocale uselocale",
    "wide": "wcslen wcsnlen wmemcpy wmempcpy wmemmove wmemset wmemcmp wmemchr wcscpy wcpcpy wcsncpy wcscat wcsncat "
    "wcsdup wcscmp wcsncmp wcscoll wcscasecmp wcsncasecmp wcschr wcsrchr wcsstr wcsspn wcscspn wcspbrk wcstok btowc "
    "wctob wcwidth wcswidth mbsinit mbrtowc mbrlen mbtowc mblen wcrtomb wctomb mbsrtowcs mbstowcs wcsrtombs wcstombs "
    "iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit "
    "towlower towupper wcstol wcstoll wcstoul wcstoull wcstod wcstof wcstold fputwc putwc putwchar fputws fgetwc getwc "
    "getwchar ungetwc fwide fgetws vfwprintf vswprintf vwprintf wprintf fwprintf swprintf __isoc23_wcstol "
    "__isoc23_wcstoll __isoc23_wcstoul __isoc23_wcstoull",
    "regcomp": "regcomp regfree regerror __clew_programs",
    "regexec": "regexec",
    "positions": "fgetpos fgetpos64 fsetpos fsetpos64",
    "stat": "stat lstat fstat __xstat __lxstat __fxstat stat64 lstat64 fstat64 __xstat64 __lxstat64 __fxstat64 umask",
    "dirent": "opendir readdir readdir64 closedir rewinddir telldir seekdir",
    "threads": "pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock "
    "pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype pthread_rwlock_init "
    "pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock pthread_cond_init "
    "pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast pthread_attr_init pthread_attr_destroy "
    "pthread_attr_setdetachstate pthread_attr_setstacksize pthread_setcancelstate pthread_self pthread_equal "
    "pthread_once pthread_key_create pthread_key_delete pthread_setspecific pthread_getspecific",
}
FUZZER = "LLVMFuzzerTestOneInput"
FUZZER_MAIN = SOURCES / "fuzzer.c"
PROVIDED = {name: source for source, names in _BY_SOURCE.items() for name in names.split()}
"""Functions that make a source part of the program, when they are declared."""


def link(program: Program, options: CompileOptions, cache: Cache | None = None) -> Program:
    """The program together with the parts of the runtime it needs, and what those need in turn.

    ``options`` are those the program was compiled with; of them only the compiler matters here.
    """
    done: set[str] = set()
    while sources := _needed(program) - done:
        source = min(sources)
        done.add(source)
        part = _compiled(source, program, options, cache)
        if part is not None:
            program = _merged(program, part, _roots(program, source))
    return program


def _needed(program: Program) -> set[str]:
    functions = program.functions
    found = {source for name, source in PROVIDED.items() if name in functions and not functions[name].blocks}
    if program.destructors and FINISH not in functions:
        found.add("atexit")
    if is_fuzzed(program):
        found.add("fuzzer")
    return found


def is_fuzzed(program: Program) -> bool:
    """Whether a program has the entry of a fuzzer, and no ``main``, or the one that calls it."""
    entry, main = program.functions.get(FUZZER), program.functions.get("main")
    return entry is not None and bool(entry.blocks) and (main is None or main.name in program.runtime)


def _roots(program: Program, source: str) -> list[str]:
    """What the program wants of a source; ``exit`` and the end of ``main`` go with the handlers, ``main`` itself with
    the entry of a fuzzer."""
    names = [
        name
        for name, place in PROVIDED.items()
        if place == source and name in program.functions and not program.functions[name].blocks
    ]
    further = {"atexit": ("exit", "quick_exit", FINISH), "fuzzer": ("main",)}
    return [*names, *further.get(source, ())]


def _compiled(source: str, program: Program, options: CompileOptions, cache: Cache | None) -> Program | None:
    """A source for the program's target; None where the compiler does not know that, or it lacks headers.

    The target is the one the options say, unless the program came as LLVM code for another.
    """
    for target in (choose_target(options), _target(program.triple)):
        compiling = CompileOptions(FLAGS, target, clang=options.clang)
        try:
            part = load([SOURCES / f"{source}.c"], compiling, cache)
        except UserError:
            continue
        if part.layout == program.layout and part.triple.split("-")[0] == program.triple.split("-")[0]:
            return part
    return None


def _target(triple: str) -> str:
    """The triple without the versions of kernel and C library that Zig puts into it."""
    return "-".join(_without_version(part) if place >= 2 else part for place, part in enumerate(triple.split("-")))


def _without_version(part: str) -> str:
    return part.rstrip("0123456789.") if "." in part else part


def _merged(program: Program, part: Program, roots: list[str]) -> Program:
    functions, globals_ = dict(program.functions), dict(program.globals)
    added: set[str] = set()
    pending = list(roots)
    seen = set(pending)
    while pending:
        name = pending.pop()
        function, variable = part.functions.get(name), part.globals.get(name)
        if function is not None:
            known = functions.get(name)
            if known is None or (known.is_declaration and not function.is_declaration):
                functions[name] = function
                if not function.is_declaration:
                    added.add(name)
                    _queue(function_references(function), pending, seen)
        elif variable is not None and _wanted(globals_.get(name), variable):
            globals_[name] = variable
            if variable.initializer is not None:
                _queue(references(variable.initializer), pending, seen)
    return replace(program, functions=functions, globals=globals_, runtime=program.runtime | added)


def _wanted(known: GlobalVariable | None, offered: GlobalVariable) -> bool:
    return known is None or (known.initializer is None and offered.initializer is not None)


def _queue(names: Iterator[str], pending: list[str], seen: set[str]) -> None:
    for name in names:
        if name not in seen:
            seen.add(name)
            pending.append(name)
