"""Native runs against the interpreter and against the program itself, on programs of our generator or of csmith.

    python scripts/native_oracle.py [--csmith | --library] [--seed 0] [--programs N]

Same end, same exit code, same output, same branches; every other program with the checks that Clang compiles in.
csmith's programs need csmith (Debian: ``apt-get install csmith libcsmith-dev``); those that the program itself, or the
interpreter, does not end in time, or that native runs refuse, are left out, and counted. ``--library``: programs that
call all functions of the C library, on random inputs. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests"), str(ROOT / "scripts")]

from csmith_oracle import OPTIONS, include_folder  # noqa: E402

from clew.checks.check import chosen_kinds, sanitizers  # noqa: E402
from clew.native.executor import End  # noqa: E402
from oracle import native  # noqa: E402
from oracle.generator import generate  # noqa: E402
from oracle.harness import Found, main, options_of  # noqa: E402
from oracle.native_library import PROGRAMS, compare_library  # noqa: E402
from oracle.native_runs import compare, with_wide_inputs  # noqa: E402

SECONDS = 60
"""Of the interpreter, for a program of csmith's."""


class TooLong(Exception):
    """A program takes too long to be compared."""


class Refused(Exception):
    """Native runs end with "unsupported": pointers to packed members are not aligned as their types are."""


def _checked(seed: int) -> tuple[str, ...]:
    return sanitizers(chosen_kinds(None)) if seed % 2 else ()


def generated(seed: int, folder: Path) -> str:
    """What is not the same for one program of our generator; empty if nothing is."""
    drawn = generate(seed)
    source = folder / f"seed{seed}.c"
    source.write_text(with_wide_inputs(drawn.source), encoding="utf-8")
    compared = compare(source, drawn.inputs, _checked(seed))
    if compared.difference:
        return compared.difference
    plain = native.run(native.build(source, drawn.inputs, folder))
    return _other_end(plain, (compared.run.exit_code, compared.run.stdout))


def made_by_csmith(seed: int, folder: Path) -> str:
    """The same for one of csmith's; TooLong or Refused if it cannot be said."""
    source, include = folder / f"seed{seed}.c", f"-I{include_folder()}"
    command = ["csmith", "--seed", str(seed), *OPTIONS, "--output", str(source)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
    plain = native.run(native.build(source, [], folder, (include, "-O1")), 5.0)
    if plain.exit_code is None:
        raise TooLong
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(SECONDS)
    try:
        compared = compare(source, [], (), (include,))
    finally:
        signal.alarm(0)
    if compared.run.end is End.UNSUPPORTED:
        raise Refused
    return compared.difference or _other_end(plain, (compared.run.exit_code, compared.run.stdout))


def called(seed: int, folder: Path) -> str:
    """The same for the programs that call the C library."""
    found = {name: compare_library(name, Random(f"{seed} {name}"), folder / f"{name}.c") for name in PROGRAMS}
    return "; ".join(f"{name}: {one.difference}" for name, one in found.items() if one.difference)


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TooLong


def _other_end(plain: native.NativeOutcome, shown: tuple[int | None, bytes]) -> str:
    return "" if (plain.exit_code, plain.stdout) == shown else f"the program itself: {plain.exit_code}"


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program, or one of each."""
    try:
        found = options.difference(seed, folder)
    except TooLong:
        return Found(Counter({"too long": 1}))
    except Refused:
        return Found(Counter({"refused": 1}))
    return Found(wrong=[found] if found else [])


def run() -> int:
    parser = options_of(__doc__, 1000, jobs=1)
    parser.add_argument("--csmith", action="store_const", const=made_by_csmith, default=generated, dest="difference")
    parser.add_argument("--library", action="store_const", const=called, dest="difference")
    return main(examine, parser.parse_args())


if __name__ == "__main__":
    sys.exit(run())
