"""The functions of a project that are worth a run of their own.

A function that other files can name is an entry, and so is ``main``. One that is static is run by those that call it;
only if none of them is an entry, it is one itself. Small ones come first: what they do not need is left to the others.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from clew.analysis.callgraph import CallGraph
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.program.module import Function, Program

_SET = re.compile(r"frozenset\(\{([^{}]*)\}\)")

Lines = dict[str, list[range]]
"""Parts of files, by their real paths."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A function that gets a run."""

    name: str
    shown: str
    """Its name in the source."""
    file: str
    line: int
    size: int
    """Instructions of all that it may run."""
    digest: str
    """Of all that it may run: what was found out about it holds as long as this is the same."""
    runs: frozenset[str]
    """The functions that it may run."""

    alone: bool = True
    """No other function has its name in the source."""

    @property
    def is_program(self) -> bool:
        return self.name == "main"

    @property
    def asked(self) -> str:
        """What ``--function`` calls it."""
        return self.shown if self.alone else f"{self.file}:{self.shown}"

    @property
    def folder(self) -> str:
        """Where its results are, in those of the project."""
        return f"functions/{self.asked.replace('/', '_').replace(':', '.')}"


def entries_of(
    program: Program, calls: CallGraph, options: str, only: str | None, changed: Lines | None, files: Iterable[str]
) -> list[Entry]:
    """The entries, the smallest first. ``options`` is part of what their results depend on; ``only`` a pattern of
    names; ``changed`` leaves those whose own lines, or those of what they run, are in it; ``files`` are the project's
    own: what is static in a header of others is no entry."""
    sources = {str(Path(file).resolve()) for file in files}
    own = [function for function in program.functions.values() if _is_own(function, program)]
    digest_of = cache(lambda name: _digest(repr(program.functions[name])))
    names = Counter(function.source_name for function in own)
    sizes = {function.name: sum(len(block.instructions) for block in function.blocks) for function in own}
    shared = _digest(repr(sorted(program.globals.items())) + options)
    touched = {function.name for function in own if changed is None or _touches(function, changed)}
    found = []
    for function in _chosen(own, calls, sources):
        runs = frozenset(name for name in calls.reachable(function.name) if name in sizes)
        if (only is not None and not fnmatch(function.source_name, only)) or not runs & touched:
            continue
        digest = _digest(shared + "".join(map(digest_of, sorted(runs))))
        size = sum(sizes[name] for name in runs)
        place = function.location
        assert place is not None
        name = function.source_name
        found.append(Entry(function.name, name, place.file, place.line, size, digest, runs, names[name] == 1))
    return sorted(found, key=lambda entry: (entry.size, entry.file, entry.line))


def _is_own(function: Function, program: Program) -> bool:
    return not function.is_declaration and function.location is not None and function.name not in program.runtime


def _chosen(own: Sequence[Function], calls: CallGraph, sources: set[str]) -> Iterator[Function]:
    can_enter = [function for function in own if not function.type.varargs]
    reached: set[str] = set()
    for function in can_enter:
        if not function.internal:
            reached |= calls.reachable(function.name)
            yield function
    # Of those that only call each other, the largest one runs the others.
    hidden = [
        function
        for function in can_enter
        if function.internal and function.name not in reached and _file(function) in sources
    ]
    for function in sorted(hidden, key=lambda function: -len(calls.reachable(function.name))):
        if function.name not in reached:
            reached |= calls.reachable(function.name)
            yield function


def _file(function: Function) -> str:
    assert function.location is not None
    return str(Path(function.location.file).resolve())


def _digest(text: str) -> str:
    """The same in every process: sets are written in an order that is not."""
    text = _SET.sub(lambda match: ",".join(sorted(match[1].split(", "))), text)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _touches(function: Function, changed: Lines) -> bool:
    """Whether lines of a function are among those that changed."""
    place = function.location
    assert place is not None
    lines = [
        i.location.line for i in function.instructions() if i.location is not None and i.location.file == place.file
    ]
    here = range(place.line, max(lines, default=place.line) + 1)
    parts = changed.get(_file(function), [])
    return any(part.start < here.stop and here.start < part.stop for part in parts)


def changed_lines(revision: str, files: Iterable[str]) -> Lines:
    """The lines that differ from a revision of git's, in the folders of files; ``UserError`` if git cannot say."""
    found: Lines = {}
    for folder in sorted({str(Path(file).resolve().parent) for file in files}):
        top = _git(folder, "rev-parse", "--show-toplevel").strip()
        current = ""
        for line in _git(
            folder, "diff", "--unified=0", "--no-color", "--no-ext-diff", revision, "--", "."
        ).splitlines():
            if line.startswith("+++ "):
                current = str((Path(top) / line.removeprefix("+++ b/")).resolve())
            elif line.startswith("@@ "):
                start, _, count = line.split(" ")[2].removeprefix("+").partition(",")
                found.setdefault(current, []).append(range(int(start), int(start) + max(1, int(count or 1))))
    return found


def _git(folder: str, *words: str) -> str:
    try:
        ran = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, errors="surrogateescape")
    except OSError as error:
        raise UserError(f"--since needs git: {error.strerror or error}") from None
    if ran.returncode:
        said = (ran.stderr.strip().splitlines() or ["git failed"])[-1]
        raise UserError(f"--since: git says: {said}")
    return ran.stdout
