"""Verification tasks about loops: two in each file of ``programs/loops``, the second one with ``-DTWIN``.

Comments at the beginning of a file say what is right:

    // verdict: TRUE          of the file as it is; that of its twin is the other one
    // inputs: 5 -1 0*20      what violates the unsafe one of the two, in order (``0*20``: twenty zeros); zeros follow
    // check: overflow        what ``--check`` is given, if that is not ``assert``
    // model: ILP32           as ``--data-model``
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from benchmarks.subject import PROGRAMS, Subject
from benchmarks.tasks import SAFE, UNSAFE
from clew.base.errors import UserError

FOLDER = PROGRAMS / "loops"
TWIN = "twin"

_COMMENT = re.compile(r"// (?P<key>verdict|inputs|check|model):(?P<value>.*)")
_OPTIONS = {"check": "--check", "model": "--data-model"}


@dataclass(frozen=True, slots=True)
class LoopTask(Subject):
    """A program with loops and its right verdict; ``kind`` is ``TWIN`` for mutants."""

    inputs: tuple[int, ...] = ()
    """Of a run that violates it, where one does."""
    check: str = "assert"

    @property
    def group(self) -> str:
        """What kind of loops it is about: the name of its folder."""
        return self.name.partition("/")[0]

    @property
    def is_safe(self) -> bool:
        return self.expected == SAFE


def loop_tasks(folder: Path = FOLDER) -> list[LoopTask]:
    """All tasks, by name, twins after their originals; UserError for a file that does not say what is right."""
    return [task for path in sorted(folder.glob("*/*.c")) for task in tasks_of(path)]


def tasks_of(path: Path) -> tuple[LoopTask, LoopTask]:
    """The two tasks of one file."""
    known = _comments(path)
    if known.get("verdict") not in (SAFE, UNSAFE) or "inputs" not in known:
        raise UserError(f"{path} does not begin with its verdict and the inputs of a violation")
    options = tuple(word for key, option in _OPTIONS.items() if key in known for word in (option, known[key]))
    original, mutant = (SAFE, UNSAFE) if known["verdict"] == SAFE else (UNSAFE, SAFE)

    def task(kind: str, expected: str, *more: str) -> LoopTask:
        name = f"{path.parent.name}/{path.stem}"
        inputs = _numbers(known["inputs"]) if expected == UNSAFE else ()
        check = known.get("check", "assert")
        return LoopTask(name, (path,), kind, expected, options=(*options, *more), inputs=inputs, check=check)

    return task("", original), task(TWIN, mutant, "-DTWIN")


def _comments(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [match for line in lines if (match := _COMMENT.fullmatch(line))]
    return {match["key"]: match["value"].strip() for match in found}


def _numbers(text: str) -> tuple[int, ...]:
    """``1 0*3`` -> 1, 0, 0, 0."""
    return tuple(
        int(value) for word in text.split() for value, _, times in [word.partition("*")] for _ in range(int(times or 1))
    )
