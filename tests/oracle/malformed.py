"""Doors through which damaged input comes in, tried in this process.

A door is a function of a random source: it makes one damaged input, hands it to the code that reads it, and returns
what is wrong with the outcome: nothing, where the input is taken or refused with an error of Clew's that is the user's
(``UserError``, ``Unsupported``), on the command line in one line with exit code 2.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from clew.base.cache import Cache
from clew.base.errors import ClewError, InternalError, UserError
from clew.base.option_values import parse_arguments, parse_start
from clew.base.options import ReplayRequest
from clew.cli.app import COMMANDS, run
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.frontend.promote import promote
from clew.frontend.reader import read_module
from clew.frontend.storage import restore
from clew.frontend.target import choose_target
from clew.jobs.replay import _flags, run_replay
from clew.report.driver import driver_source
from clew.report.reading import read_run
from clew.report.records import Summary
from clew.report.test_environment import setting_of
from clew.report.writers import DriverTest
from oracle.mutation import WORDS, damaged_bytes, damaged_json, damaged_words

PLAIN = ("--no-navigate", "--no-invariants", "--no-summarize")
SOURCE = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; double weight; char name[8]; };
static int table[5] = {3, 1, 4, 1, 5};
int sum(struct node *n, unsigned count, const char *text) {
  int total = 0;
  for (; n && count; n = n->next, count--) total += n->value + (int)n->weight;
  return text && !strcmp(text, "hi") ? total : -total;
}
int main(int argc, char **argv) {
  struct node *n = malloc(sizeof *n);
  int x = __VERIFIER_nondet_int(), c = getchar();
  if (!n) return 1;
  *n = (struct node){x & 7, 0, 1.5, "a"};
  switch (c) { case 'a': x++; break; case EOF: x--; break; default: x ^= table[x & 3]; }
  assert(sum(n, 1, argc > 1 ? argv[1] : 0) != 7 || x < 100);
  free(n);
  return x > 3 ? 1 : 0;
}
"""

C_WORDS = (
    "int", "char", "*", "&", "(", ")", "{", "}", ";", ",", "x", "n", "c", "0", "-1", "0xffffffffffffffff", "1e30",
    "->", ".", "[", "]", "return", "for", "while", "goto", "do", "switch", "case", "struct", "union", "sizeof",
    "static", "volatile", "_Complex", "__int128", "_BitInt(77)", "void", "\"\"", "'", "#define", "#include", "asm",
    "\\", "%", "<<", "?", ":", "=", "+", "long double", "va_list", "__builtin_trap()", "_Generic", "typeof(x)",
    "_Atomic", "__VERIFIER_nondet_int()", "malloc(-1)", "abort()", "[[", "alloca(x)", "setjmp(0)",
)  # fmt: skip
LLVM_WORDS = (
    "i1", "i8", "i32", "i64", "i128", "i7", "ptr", "float", "double", "half", "fp128", "x86_fp80", "<4 x i32>",
    "void", "add", "sub", "mul", "sdiv", "urem", "shl", "lshr", "and", "or", "fadd", "frem", "icmp", "fcmp", "eq",
    "slt", "ugt", "oeq", "nsw", "nuw", "exact", "inbounds", "null", "undef", "poison", "zeroinitializer", "true", "0",
    "1", "-1", "255", "4294967296", "0x7FF0000000000000", "br", "switch", "ret", "unreachable", "load", "store",
    "alloca", "atomic", "volatile", "align", "call", "tail", "freeze", "select", "phi", "getelementptr", "zext",
    "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "label", "%1", "%2", "%3", "@main", "@table", "global",
    "constant", "external", "internal", "extractvalue", "insertvalue", "[5 x i32]", "{ i32, ptr }", "metadata", "!0",
    "dso_local", "noundef",
)  # fmt: skip
START_WORDS = (
    "x=5",
    "'a'",
    '"hi\\n"',
    "0x10",
    "-7",
    "1.5",
    "x",
    "=",
    "'",
    '"',
    "\\",
    "inf",
    "1e400",
    "'\\x",
    "y='\\400'",
    *WORDS,
)

Door = Callable[[random.Random], str]
ENDLESS = frozenset(("watch", "lsp"))
"""Commands that somebody has to end."""


class Doors:
    """The doors, with a folder of examples to damage; the current folder is that one while they are used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "p.c").write_text(SOURCE)
        with _inside(folder):
            for name, more in (("main", ["--stdin", "2", "--args", "@3"]), ("function", ["--function", "sum"])):
                code, _, err = command(
                    ["test", "p.c", "--out", f"{name}-run", "--max-instructions", "600", *PLAIN, *more]
                )
                assert code in (0, 1, 3), err
            load([Path("p.c")], CompileOptions(), Cache(folder / "cache"))
        self._entry = next((folder / "cache").glob("*.entry"))
        self._llvm = ""

    @property
    def all(self) -> dict[str, tuple[Door, float]]:
        """Each with its share of the inputs: what takes longer gets fewer."""
        return {
            "folder": (self.output_folder, 0.4),
            "command": (self.command_line, 0.23),
            "job": (self.job, 0.01),
            "values": (self.values, 0.2),
            "llvm": (self.llvm_text, 0.09),
            "cache": (self.cache, 0.03),
            "c": (self.c_source, 0.02),
            "bitcode": (self.bitcode, 0.01),
            "replay": (self.replay, 0.01),
        }

    def output_folder(self, chance: random.Random) -> str:
        """Reading an output folder back, up to the driver that is compiled of it."""
        with self._damaged_run(chance) as folder:
            return _judged(lambda: _read_all(folder))

    def replay(self, chance: random.Random) -> str:
        """The same, and the native run of what is left."""
        with self._damaged_run(chance) as folder:
            request = ReplayRequest(folder, seconds=1.0, compiler="cc")
            return _judged(lambda: run_replay(request)) if shutil.which("cc") else ""

    def command_line(self, chance: random.Random) -> str:
        """Commands with options that may not be there and values that may make no sense; no job runs."""
        words = self._words(
            chance,
            chance.choice([*(name for name in COMMANDS if name not in ENDLESS), "tset"]),
            ("p.c", "q.c", "main-run", ".", *WORDS),
        )
        with _inside(self.folder), _no_jobs():
            code, out, err = command(words)
            shutil.rmtree("clew-out", ignore_errors=True)
        return _judged_command(words, code, out, err)

    def job(self, chance: random.Random) -> str:
        """The same with jobs that run, for a moment: what the command line takes, they have to take or refuse."""
        name = chance.choice(("test", "verify", "reach", "loops", "invariants"))
        words = [name, "p.c", "--time", "1", *self._words(chance, name, ())[1:]]
        with _inside(self.folder):
            code, out, err = command(words)
            shutil.rmtree("clew-out", ignore_errors=True)
        return _judged_command(words, code, out, err)

    def _words(self, chance: random.Random, name: str, files: tuple[str, ...]) -> list[str]:
        words = [name] if chance.random() < 0.98 else []
        words += [chance.choice(files) for _ in range(chance.choice((0, 1, 1, 1, 2)))] if files else []
        for option in chance.sample(_options(name), k=min(chance.choice((0, 1, 1, 2, 3)), len(_options(name)))):
            words.append(option.opts[0])
            if not getattr(option, "is_flag", False) and chance.random() < 0.97:
                words.append(_option_value(option, chance))
        return words + (["--", chance.choice(WORDS)] if chance.random() < 0.1 else [])

    def values(self, chance: random.Random) -> str:
        """The values of --start and --args."""
        text = damaged_words("x=5,y='a',\"text\\n\",-0x1f,2.5e3,z=@8", START_WORDS, chance, ",")
        if chance.random() < 0.3:
            text = os.fsdecode(damaged_bytes(os.fsencode(text), chance).replace(b"\0", b""))
        return _judged(lambda: parse_start(text)) or _judged(lambda: parse_arguments(text))

    def llvm_text(self, chance: random.Random) -> str:
        """LLVM text that LLVM still takes, which our reader then has to take or refuse."""
        lines = self._llvm_lines()
        at = chance.randrange(len(lines))
        for _ in range(chance.choice((1, 1, 2))):
            lines[at] = damaged_words(lines[at], LLVM_WORDS, chance)
        import llvmlite.binding  # noqa: F401  # once, here, instead of in every child

        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = _read_llvm("\n".join(lines))
            finally:
                os._exit(code)
        if os.waitpid(child, 0)[1] == 0:
            return ""
        # LLVM has ended the process, as it may; or it is ours: told apart as the command line does it.
        (self.folder / "q.ll").write_text("\n".join(lines))
        return _judged(lambda: load([self.folder / "q.ll"], CompileOptions(), None))

    def cache(self, chance: random.Random) -> str:
        """An entry of the compile cache that is damaged is missing."""
        cache, content = Cache(self.folder / "cache"), self._entry.read_bytes()
        payload = cache.get(self._entry.stem)
        assert payload is not None
        try:
            self._entry.write_bytes(damaged_bytes(content, chance))
            found = cache.get(self._entry.stem)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        finally:
            self._entry.write_bytes(content)
        if found not in (None, payload):
            return "a damaged entry is taken"
        return _judged(lambda: restore(damaged_bytes(payload, chance)))

    def c_source(self, chance: random.Random) -> str:
        """A C file; where it still compiles, it is explored for a moment."""
        text = damaged_words(SOURCE, C_WORDS, chance).encode("utf-8", "surrogateescape")
        if chance.random() < 0.2:
            text = damaged_bytes(text, chance)
        (self.folder / "q.c").write_bytes(text)
        with _inside(self.folder):
            words = [
                chance.choice(("test", "test", "verify")),
                "q.c",
                "--out",
                "c-run",
                "--time",
                "1",
                "--check",
                "all",
            ]
            code, out, err = command(words)
            shutil.rmtree("c-run", ignore_errors=True)
        return _judged_command(words, code, out, err)

    def bitcode(self, chance: random.Random) -> str:
        """A file of LLVM bitcode."""
        import llvmlite.binding as llvm

        code = llvm.parse_assembly("\n".join(self._llvm_lines())).as_bitcode()
        (self.folder / "q.bc").write_bytes(damaged_bytes(code, chance))
        return _judged(lambda: load([self.folder / "q.bc"], CompileOptions(), None))

    @contextlib.contextmanager
    def _damaged_run(self, chance: random.Random) -> Iterator[Path]:
        """An output folder with one of its files damaged, or missing."""
        folder = self.folder / chance.choice(("main-run", "function-run"))
        tests, ktests = (sorted((folder / "tests").glob(f"*.{kind}")) for kind in ("json", "ktest"))
        chosen = chance.choice([folder / "summary.json", chance.choice(tests)])
        before = {path: path.read_bytes() for path in (chosen, ktests[0])}
        try:
            if chance.random() < 0.03:
                chosen.unlink()
            else:
                chosen.write_bytes(damaged_json(before[chosen].decode(), chance))
            ktests[0].write_bytes(damaged_bytes(before[ktests[0]], chance))
            yield folder
        finally:
            for path, content in before.items():
                path.write_bytes(content)

    def _llvm_lines(self) -> list[str]:
        if not self._llvm:
            from clew.frontend.compiler import compile_unit, working_folder
            from clew.frontend.inputs import read_inputs
            from clew.frontend.toolchain import find_toolchain

            with working_folder() as name:
                (source,) = read_inputs([self.folder / "p.c"])
                unit = compile_unit(source, CompileOptions(), find_toolchain(None), Path(name), "unit0")
                self._llvm = unit.code.read_text(encoding="utf-8", errors="replace")
        return self._llvm.split("\n")


def command(words: list[str]) -> tuple[int, str, str]:
    """A command line in this process: (exit code, standard output, standard error)."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    return code, out.getvalue(), err.getvalue()


def _read_llvm(text: str) -> int:
    """0 if LLVM refuses the text, or we read it, or refuse it in order."""
    import llvmlite.binding as llvm

    try:
        module = llvm.parse_assembly(text)
        module.verify()
        upgraded = str(module)
    except (RuntimeError, ValueError):
        return 0  # so far, it is not ours
    return 1 if _judged(lambda: promote(read_module(upgraded))) else 0


def _read_all(folder: Path) -> None:
    """What a replay does before it compiles."""
    stored = read_run(folder)
    with contextlib.suppress(UserError):
        stored.sources()
    for test in stored.tests:
        setting_of(test.inputs, stored.argv)
    driver_source(
        [DriverTest(test.inputs, argv=stored.argv) for test in stored.tests], stored.files, stored.entry, stored.call
    )
    choose_target(CompileOptions(target=stored.target, data_model=stored.data_model))  # type: ignore[arg-type]
    _flags(stored)


def _judged(action: Callable[[], object]) -> str:
    try:
        action()
    except InternalError as error:
        return f"InternalError: {error}"
    except ClewError as error:
        return "" if str(error).strip() else "an error without a message"
    except Exception as error:
        import traceback

        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:200]} ({Path(frame.filename).name}:{frame.lineno})"
    return ""


def _judged_command(words: list[str], code: int, out: str, err: str) -> str:
    said = f"{words} says {err[-400:]!r}"
    if "internal error" in err or "Traceback" in err:
        return said
    if code not in (0, 1, 2, 3) or "\x1b" in out + err:
        return f"code {code}: {said}"
    if code == 2 and not err.startswith(("clew: ", "Usage: ")):
        return f"no explanation: {said}"
    return ""


def _options(name: str) -> list[click.Parameter]:
    if name not in COMMANDS:
        return []
    found = __import__(f"clew.cli.{name}", fromlist=["command"]).command
    return [parameter for parameter in found.params if isinstance(parameter, click.Option)]


def _option_value(option: click.Parameter, chance: random.Random) -> str:
    if isinstance(option.type, click.Choice) and chance.random() < 0.5:
        return str(chance.choice(list(option.type.choices)))
    if option.name in ("out", "plot"):  # nothing is to be written outside of the folder
        return chance.choice(
            ("", ".", "p.c", "p.c/x", "clew-out/a", "clew-out/\udcff", "clew-out/\n", "/proc/x", "/dev/null")
        )
    return chance.choice(WORDS)


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _no_jobs() -> Iterator[None]:
    """In place of the jobs, stand-ins that find nothing."""

    def nothing(request: Any, listener: object = None) -> Summary:
        return Summary("test", tuple(str(file) for file in request.files))

    def refuse(*_: object) -> None:
        raise UserError("this is a stand-in")

    stand_ins = {"test": ("run_test", nothing), "verify": ("run_verify", nothing), "reach": ("run_reach", nothing),
                 "invariants": ("run_invariants", refuse), "loops": ("run_loops", refuse)}  # fmt: skip
    modules = {f"clew.jobs.{name}": [function] for name, function in stand_ins.items()}
    modules["clew.bench.tables"] = [("run_bench", refuse)]
    modules["clew.jobs.project.plan"] = [("plan_of", refuse), ("Plan", object)]
    before = {name: sys.modules.get(name) for name in modules}
    for name, functions in modules.items():
        module = types.ModuleType(name)
        for attribute, function in functions:
            setattr(module, attribute, function)
        sys.modules[name] = module
    try:
        yield
    finally:
        for name, module_before in before.items():
            if module_before is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module_before
