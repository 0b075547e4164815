"""The truth about targets: every input tried natively, and single tests run natively.

A target is a label ``T0:``, ``T1:``, ... with the statement behind it. The driver of ``verify_native`` counts through
all inputs; here the program is put into its words: a target becomes a place it counts arrivals at, and an input that is
restricted on the line that reads it becomes a choice among the values that pass. ``Replay`` runs the program as it
stands, restrictions included, with the inputs of one test.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from oracle import native
from oracle.verify_native import NotEnumerable, Truth, enumerate_inputs

WRAPPING = ("-fwrapv",)
CHECKED = (
    "-O1", "-fwrapv", "-fsanitize=undefined,address", "-fno-sanitize=signed-integer-overflow,shift-base",
    "-fno-sanitize-recover=all",
)  # fmt: skip
"""Everything undefined is an error, but for signed overflow, which wraps."""

LABEL = re.compile(r"\bT(\d+): ")
TARGET_FUNCTION = re.compile(r"^static void target(\d+)\(")
_RESTRICTED = re.compile(
    r"(?P<name>[\w\[\]]+) = __VERIFIER_nondet_\w+\(\); "
    r"(?:__VERIFIER_assume\((?P=name) >= (?P<low>-?\d+) && (?P=name) <= (?P<high>-?\d+)\)"
    r"|if \((?P=name) < (?P<below>-?\d+) \|\| (?P=name) > (?P<above>-?\d+)\) return 0);"
)
_MASKED = re.compile(r"__VERIFIER_nondet_(?:char|short|long|int)\(\) & (\d+)")


@dataclass(frozen=True)
class Target:
    """One thing to reach, and how to name it on the command line."""

    number: int
    line: int
    kind: str
    """``line``, ``label`` or ``call``."""

    @property
    def option(self) -> str:
        name = {"line": str(self.line), "label": f"T{self.number}", "call": f"target{self.number}"}[self.kind]
        return f"--{self.kind} {name}"


def targets(source: str) -> tuple[Target, ...]:
    """The targets of a program. A label without code behind it has no other name; the others take turns."""
    found = []
    for at, line in enumerate(source.splitlines(), 1):
        match = LABEL.search(line)
        if match is None:
            continue
        number = int(match[1])
        if TARGET_FUNCTION.match(line):
            kind = "call"
        else:
            kind = "label" if number % 2 == 0 or line[match.end() :].strip() == ";" else "line"
        found.append(Target(number, at, kind))
    return tuple(found)


def in_words_of_the_driver(source: str) -> str:
    """Every statement stays on its line."""

    def choice(match: re.Match[str]) -> str:
        low, high = int(match["low"] or match["below"]), int(match["high"] or match["above"])
        return f"{match['name']} = choose({high - low + 1}) + {low};"

    text = _RESTRICTED.sub(choice, source)
    text = _MASKED.sub(lambda match: f"choose({int(match[1]) + 1})", text)
    text = text.replace("abort()", "leave()")
    return LABEL.sub(lambda match: f"{match[0]}assert(1); ", text)


def observe_inputs(draft: str, folder: Path) -> Truth:
    """All runs of a draft, with the values seen at its observed places."""
    return enumerate_inputs(in_words_of_the_driver(draft), folder, WRAPPING, 5.0)


def reached_targets(
    source: str, folder: Path, flags: Sequence[str] = WRAPPING, seconds: float = 10.0
) -> frozenset[int]:
    """The numbers of the targets that some input reaches."""
    truth = enumerate_inputs(in_words_of_the_driver(source), folder, flags, seconds)
    return frozenset(target.number for target in targets(source) if truth.reached.get(target.line))


class Replay:
    """The native program, compiled once if it is needed: which targets are met with the inputs of a test."""

    def __init__(self, source: str, folder: Path) -> None:
        self._source, self._folder = source, folder
        self._executable: Path | None = None

    def _build(self) -> Path:
        source, folder = self._source, self._folder
        side = native.inputs_source(()).replace("static const unsigned long long values[] = {0ULL};", _VALUES)
        side = side.replace("return at < 0 ? values[at++] : 0;", "return at < count ? values[at++] : 0;")
        path, answers, executable = (folder / name for name in ("replay.c", "answers.c", "replay.exe"))
        answers.write_text(side, encoding="utf-8")
        marked = LABEL.sub(lambda match: f"{match[0]}marked({match[1]}); ", source)
        path.write_text(f"void marked(int);\n#line 1\n{marked}", encoding="utf-8")
        command = [*native.compiler(), *native.FLAGS, *WRAPPING, str(path), str(answers), "-o", str(executable)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise NotEnumerable(done.stderr)
        return executable

    def meets(self, inputs: Sequence[int]) -> frozenset[int]:
        """The numbers of the targets that a run with these inputs arrives at."""
        self._executable = self._executable or self._build()
        values = " ".join(str(value % (1 << 64)) for value in inputs)
        done = subprocess.run(
            [str(self._executable)], input=values, capture_output=True, text=True, timeout=20.0, check=False
        )
        return frozenset(int(line[1:]) for line in done.stdout.split() if line.startswith("T"))


_VALUES = """\
#include <stdio.h>
#include <stdlib.h>
static unsigned long long values[4096];
static unsigned long count;
void marked(int number) {
  printf("T%d\\n", number);
  fflush(stdout);
}
void reach_error(void) { exit(0); }
void __VERIFIER_assume(int holds) {
  if (!holds) exit(0);
}
__attribute__((constructor)) static void read_values(void) {
  while (count < 4096 && scanf("%llu", &values[count]) == 1) count++;
}"""
