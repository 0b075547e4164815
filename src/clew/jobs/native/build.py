"""The program as a native executable, with the strictest checks that this machine's compilers can link and run.

Each compiler is tried on a tiny program first, because one may be there without the libraries it needs.
"""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.recipe import Recipe
from clew.frontend.compiler import INCLUDE_FOLDER
from clew.frontend.options import CompileOptions
from clew.frontend.target import choose_target
from clew.jobs.native.compilers import NativeCompiler, compilers, probe
from clew.report.csyntax import literal
from clew.report.driver import ALLOCATING, allocations_fail
from clew.report.driver_heap import names_in
from clew.report.stubs import stub_lines
from clew.report.values import InputValue
from clew.runtime.linking import FUZZER_MAIN

LINKS = 12
"""Tries to link with one compiler: some linkers tell one thing that is wrong at a time."""
WRAPPED = ("fopen", "open", "creat", "unlink", "remove", "mkdir", "rmdir", "rename")
"""Functions of the C library through which the driver tells of refused writes."""
_ERRORS = ("reach_error", "__VERIFIER_error")
_COMMON = ("-g", "-O0", "-w", "-ffp-contract=off", "-fno-strict-aliasing", "-U_FORTIFY_SOURCE", "-UNDEBUG")
_UNDEFINED = re.compile(r"undefined (?:reference to [`'\"]|symbol: )([\w.$]+)")
_THREADS = re.compile(r"\b([\w.$]+): TLS (?:reference|definition) ")


class NoNativeProgram(UserError):
    """No compiler of this machine makes a native program of the sources; ``details`` has what they said."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What to compile."""

    files: tuple[Path, ...]
    flags: tuple[str, ...]
    driver: str
    function: str | None = None
    """Set when one function is called instead of ``main``."""
    inputs: tuple[InputValue, ...] = ()
    """All inputs of all tests: they tell what nobody defines is like."""
    recipes: tuple[Recipe | None, ...] = ()
    """For each file, how its build compiles it; empty if none has one."""

    def recipe(self, number: int) -> Recipe | None:
        """How a file's build compiles it, if that is known."""
        return self.recipes[number] if self.recipes else None


@dataclass(frozen=True, slots=True)
class NativeProgram:
    """The executable, and what it can see."""

    path: Path
    compiler: NativeCompiler
    stubs: tuple[str, ...] = ()


@dataclass(slots=True)
class _Build:
    """One attempt to build with one compiler."""

    compiler: NativeCompiler
    sources: Sources
    folder: Path
    wrap: bool
    stubs: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    """Those of them of which each thread has its own."""
    included: str = ""
    """What is static and needed, so that the driver includes the file that has it."""
    strong: bool = True
    """The linker has to find everything that tests name; otherwise those tests cannot be set up."""
    fuzzed: bool = False
    """There is no ``main``, but the entry of a fuzzer."""
    objects: dict[int, Path] = field(default_factory=dict)
    """Of files whose builds compile them in ways of their own, by the number of the file."""


def build(
    sources: Sources, options: CompileOptions, folder: Path, named: str | None = None, clang_only: bool = False
) -> NativeProgram:
    """Compile with the first compiler that can; NoNativeProgram when none can."""
    said: list[str] = []
    for compiler in compilers(options, named):
        if clang_only and not compiler.clang:
            continue
        place = folder / f"build{len(said)}"
        place.mkdir()
        place.chmod(0o755)  # whatever the umask: tests may run as another user
        works, wrap, message = probe(compiler, place)
        if not works:
            said.append(f"{compiler.name}: {message}")
            continue
        attempt = _Build(compiler, sources, place, wrap)
        message = _link(attempt)
        if not message:
            for name in ("program", "probe"):
                (place / name).chmod(0o755)
            return NativeProgram(place / "program", compiler, tuple(attempt.stubs))
        said.append(f"{compiler.name}:\n{message}")
    if not said:
        raise NoNativeProgram(f"tests for {choose_target(options)} cannot run on this machine")
    raise NoNativeProgram("the program cannot be compiled natively; what the compilers say:", "\n".join(said))


def _link(build: _Build) -> str:
    """Compile and link; what the compiler says if it cannot. Adds stubs for what nobody defines."""
    message = _compile_objects(build)
    if message:
        return message
    for _ in range(LINKS):
        number = _included_file(build)
        recipe = None if number is None else build.sources.recipe(number)
        directory = None if recipe is None else recipe.directory
        done = build.compiler.run(_arguments(build, number, recipe), build.folder, directory)
        if done.returncode == 0:
            return ""
        message = done.stderr
        if not _amended(build, message):
            break
    if not build.strong:
        return message
    build.strong, build.included, build.stubs, build.threads = False, "", [], []
    return _link(build) and message


def _amended(build: _Build, message: str) -> bool:
    """Do something about what the linker complains of; whether there was anything to do."""
    missing = [name for name in dict.fromkeys(_UNDEFINED.findall(message)) if name not in build.stubs]
    function = build.sources.function
    if "main" in missing and not build.fuzzed:
        build.fuzzed = True
        return True
    if function is not None and function in missing and not build.included:
        build.included = function  # it is static: the driver has to include the file
        missing.remove(function)
        build.stubs += missing
        return True
    static = [name for name in missing if name in names_in(build.sources.inputs) and _static_file(build.sources, name)]
    if static:
        build.included = build.included or static[0]
        build.stubs += [name for name in missing if name not in static]
        return True
    threads = [name for name in dict.fromkeys(_THREADS.findall(message)) if name not in build.threads]
    build.stubs += missing
    build.threads += threads
    return bool(missing or threads)


def _compile_objects(build: _Build) -> str:
    """Compile the files that their builds compile in ways of their own; what the compiler says if it cannot."""
    for number, file in enumerate(build.sources.files):
        recipe = build.sources.recipe(number)
        if recipe is not None and number not in build.objects:
            made = build.folder / f"object{number}.o"
            words = [*_common(build, recipe), "-c", str(file), "-o", str(made)]
            done = build.compiler.run(words, build.folder, recipe.directory)
            if done.returncode != 0:
                return done.stderr
            build.objects[number] = made
    return ""


def _common(build: _Build, recipe: Recipe | None) -> list[str]:
    """What every file is compiled with."""
    weak = build.folder / "weak.h"
    # The engine takes a call of these for the error, whatever they do: so must the native program.
    weak.write_text("".join(f"#pragma weak {name}\n" for name in _ERRORS), encoding="utf-8")
    own = () if recipe is None else recipe.flags
    return [*_COMMON, *own, *build.sources.flags, "-I", str(INCLUDE_FOLDER), "-include", str(weak)]


def _arguments(build: _Build, included: int | None, recipe: Recipe | None) -> list[str]:
    """The command that links; ``included`` is the file that the driver includes, compiled by ``recipe``."""
    sources, folder = build.sources, build.folder
    driver = folder / "driver.c"
    driver.write_text(sources.driver, encoding="utf-8")
    files = [str(build.objects.get(n, file)) for n, file in enumerate(sources.files) if n != included]
    ours = ["-DCLEW_STRONG_ERRORS", *(["-DCLEW_STRONG_NAMES"] if build.strong else [])]
    if build.wrap:
        ours += ["-DCLEW_WATCH_FILES", *(f"-Wl,--wrap={name}" for name in WRAPPED)]
    if build.wrap and allocations_fail(sources.inputs):
        ours += ["-DCLEW_MALLOC_MAY_FAIL", *(f"-Wl,--wrap={name}" for name in ALLOCATING)]
    if included is not None:
        # Not as a literal: the name in an #include has no escapes.
        ours.append(f'-DCLEW_SOURCE="{sources.files[included]}"')
    stubs = folder / "stubs.c"
    stubs.write_text(_stubs(build), encoding="utf-8")
    return [
        *_common(build, recipe), *ours, *files, *([str(FUZZER_MAIN)] if build.fuzzed else []),
        # The driver comes last: its constructors run after the program's.
        str(driver), str(stubs), "-lm", "-o", str(folder / "program"),
    ]  # fmt: skip


def _included_file(build: _Build) -> int | None:
    """The number of the file that the driver includes: the first one where it is not plain to see which."""
    sources, name = build.sources, build.included
    if not name:
        return None
    function = rf"\b{re.escape(name)}\s*\([^;{{]*\)\s*\{{"
    found = _file_with(sources, function) or _static_file(sources, name) or str(sources.files[0])
    return [str(file) for file in sources.files].index(found)


def _static_file(sources: Sources, name: str) -> str:
    """The C file with a static variable or function; empty if there is none, as far as that is plain to see."""
    return _file_with(sources, rf"\bstatic\b[^;{{}}]*\b{re.escape(name)}\b")


def _file_with(sources: Sources, pattern: str) -> str:
    for file in sources.files:
        try:
            if re.search(pattern, file.read_text(encoding="utf-8", errors="replace")):
                return str(file)
        except OSError:
            continue
    return ""


def _stubs(build: _Build) -> str:
    """C definitions of what nobody defines, with the values of the tests."""
    lines = [
        "/* What nobody defines. */", "#include <string.h>",
        "unsigned long long clew_stub(const char *);", "void clew_stub_bytes(const char *, void *, size_t);",
        "double clew_stub_double(const char *);", "float clew_stub_float(const char *);",
        "void clew_stub_sets(const char *, char **, unsigned);", "void *clew_stub_pointer(const char *);",
        "void clew_fill(const char *, unsigned char *, size_t, int);",
        *stub_lines(
            build.stubs, build.sources.inputs, lambda name: f"__asm__({literal(name.encode())})", build.threads
        ),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def shown(program: NativeProgram) -> str:
    """How it was compiled, for people."""
    stubs = f"; stubs for {', '.join(program.stubs)}" if program.stubs else ""
    return f"{program.compiler.name}{stubs}"
