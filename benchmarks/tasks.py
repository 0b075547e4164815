"""Verification tasks in folders: what to verify, and what the verdict must be.

Read are the task definitions of SV-COMP (``x.yml`` beside ``x.c`` or ``x.i``, with a verdict for unreach-call) and
files that carry the verdict in their name, as they did before: ``x_safe.cil.c``, ``x_unsafe.c``,
``x_false-unreach-call.i``. A task is called ``x_safe`` or ``x_unsafe``, so that it has one name in all years.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.subject import Subject
from clew.base.errors import UserError

SAFE, UNSAFE = "TRUE", "FALSE"

_SOURCES = (".c", ".i")
_NAMED = re.compile(r"(?P<base>.+)_(?P<verdict>safe|unsafe)(?:\.cil)*\.[ci]")
_TAGGED = re.compile(
    r"(?P<base>.+?)_(?:(?:true|false)-[a-z-]+_)*(?P<verdict>true|false)-unreach-(?:call|label).*\.[ci]"
)
_OLD_NAME = re.compile(r"^#\s*old file name:\s*(\S+)", re.MULTILINE)
_NUMBERED = re.compile(r"\.cil(?:-\d+)?$")
_PROPERTY = re.compile(
    r"property_file:\s*['\"]?[^\s'\"]*unreach-call\.prp['\"]?\s*\n\s*expected_verdict:\s*(true|false)"
)
_INPUT = re.compile(r"^input_files:[ \t]*(?P<one>[^\n]*)(?P<more>(?:\n[ \t]*-[ \t]*[^\n]+)*)", re.MULTILINE)
_MODEL = re.compile(r"^\s*data_model:\s*['\"]?(ILP32|LP64)", re.MULTILINE)
_DEFAULT_MODEL = "ILP32"
"""That of the competition where a definition names none."""


@dataclass(frozen=True, slots=True)
class Task(Subject):
    """One program, or several files that make one, and the verdict that is right: ``TRUE`` or ``FALSE``."""

    instance: str = ""
    """``x_safe`` or ``x_unsafe``: what published figures call it; ``name`` is different for every task of a folder."""
    label: bool = False
    """Is the error a label ERROR in the source, and not a call?"""


def find_tasks(folder: Path, data_model: str | None = _DEFAULT_MODEL) -> list[Task]:
    """All tasks in a folder and below it, by name; UserError when there are none."""
    if not folder.is_dir():
        raise UserError(f"no such folder: {folder}")
    defined = [task for path in sorted(folder.rglob("*.yml")) for task in _defined(path)]
    taken = {file for task in defined for file in task.files}
    named = [
        task
        for path in sorted(folder.rglob("*"))
        if path.suffix in _SOURCES and path.is_file() and path not in taken
        for task in _named(path, data_model)
    ]
    if not defined and not named:
        raise UserError(f"no verification task in {folder}: there is no .yml with unreach-call, and no *_safe.c")
    return sorted(_unique([*defined, *named]), key=lambda task: (task.expected != SAFE, task.name))


def _named(path: Path, data_model: str | None) -> list[Task]:
    name = _name_of(path.name)
    if name is None:
        return []
    expected = SAFE if name.endswith("_safe") else UNSAFE
    return [Task(name, (path,), expected=expected, options=_options(data_model), instance=name, label=True)]


def _options(data_model: str | None) -> tuple[str, ...]:
    return () if data_model is None else ("--data-model", data_model)


def _defined(path: Path) -> list[Task]:
    text = path.read_text(encoding="utf-8", errors="replace")
    verdict, inputs = _PROPERTY.search(text), _INPUT.search(text)
    if verdict is None or inputs is None:
        return []
    words = [word.strip(" \t-'\"[]") for word in [*inputs["one"].split(","), *inputs["more"].splitlines()]]
    files = tuple(path.parent / word for word in words if word)
    missing = [file for file in files if not file.is_file()]
    if missing:
        raise UserError(f"{path} names {missing[0].name}, which is not there")
    safe = verdict[1] == "true"
    old, model = _OLD_NAME.search(text), _MODEL.search(text)
    name = _name_of(old[1]) if old else None
    name = name or f"{_base(path.stem)}_{'safe' if safe else 'unsafe'}"
    options = _options(model[1] if model else _DEFAULT_MODEL)
    return [Task(name, files, expected=SAFE if safe else UNSAFE, options=options, instance=name)]


def _name_of(file: str) -> str | None:
    """``s3_clnt_1_true-unreach-call_true-termination.cil.c`` -> ``s3_clnt_1_safe``; None for a name without verdict."""
    if match := _NAMED.fullmatch(file):
        return f"{match['base']}_{match['verdict']}"
    if match := _TAGGED.fullmatch(file):
        return f"{match['base']}_{'safe' if match['verdict'] == 'true' else 'unsafe'}"
    return None


def _base(stem: str) -> str:
    """``s3_clnt_1.cil-2`` -> ``s3_clnt_1``."""
    return _NUMBERED.sub("", stem)


def _unique(tasks: list[Task]) -> list[Task]:
    """Tasks that would share a name are called by their files instead."""
    count = Counter(task.name for task in tasks)
    again = [task if count[task.name] == 1 else replace(task, name=task.files[0].name) for task in tasks]
    count = Counter(task.name for task in again)
    return [task if count[task.name] == 1 else replace(task, name=str(task.files[0])) for task in again]
