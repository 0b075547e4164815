"""An output folder read back: the summary's build record and the tests, each checked before it is used.

A folder that is damaged (cut off, edited, of another tool) gives one clear UserError that names the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.options import DATA_MODELS
from clew.base.recipe import Recipe
from clew.report.callplan import CallPlan
from clew.report.formats import format_of, is_known
from clew.report.records import BranchId, Test
from clew.report.values import InputValue

_WRONG = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError)
"""What becomes of data that is not as it should be."""


def read_summary(folder: Path) -> Mapping[str, Any] | None:
    """The summary of a run; None if it has none that can be read."""
    return read_object(folder / "summary.json")


def read_object(path: Path) -> dict[str, Any] | None:
    """What a file of JSON holds; None if there is none, or it is damaged, or something else."""
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


@dataclass(frozen=True, slots=True)
class StoredTest:
    """One ``tests/000001.json``."""

    name: str
    """Relative to the folder."""
    inputs: tuple[InputValue, ...]
    kind: str = ""
    """The kind of bug it shows; empty if none."""
    file: str = ""
    line: int = 0
    ends: str = ""
    """``exit`` where the engine ran the test to its end; anything else predicts nothing that can be seen."""
    exit_code: int | None = None
    output: str = ""
    """SHA-256 of what it prints; empty where not known."""
    rests_on: str = ""
    """What was made up to show the bug; empty if nothing was."""
    reason: str = ""
    """Why it was kept."""
    covers: frozenset[BranchId] = frozenset()
    lines: Mapping[str, list[list[int]]] = field(default_factory=dict)
    """Lines that it runs, by file: first and last ones (see ``records.spans``)."""

    def __str__(self) -> str:
        """What is predicted."""
        if self.kind:
            return self.kind
        if self.ends not in ("", "exit"):
            return "reached" if self.ends == "reached" else "nothing"
        return "exit" if self.exit_code is None else f"exit {self.exit_code}"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """An output folder of ``clew test``, ``verify`` or ``reach``."""

    folder: Path
    files: tuple[str, ...]
    directory: str | None
    entry: str
    function: str | None
    flags: tuple[str, ...]
    target: str | None
    data_model: str | None
    program_hash: str
    call: CallPlan | None
    argv: tuple[bytes | int, ...]
    """The program's name and the words of ``--args``; a number is the size of a symbolic one."""
    tests: tuple[StoredTest, ...]
    checks: tuple[str, ...] | None
    """What the run looked for; None for everything."""
    recipes: tuple[Recipe | None, ...] = ()
    """For each file, how its build compiles it; empty if none has one."""

    def sources(self) -> tuple[Path, ...]:
        """The program's files: as named, seen from here or from where the run was started."""
        found = []
        for name in self.files:
            places = [Path(name), *([Path(self.directory) / name] if self.directory else [])]
            path = next((place for place in places if _is_file(place)), None)
            if path is None:
                raise UserError(f"{name}, which the tests are for, is not there; call from the folder where it is")
            found.append(path)
        return tuple(found)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # a name that is too long, for one


def load_summary(folder: Path) -> dict[str, Any]:
    """The summary of an output folder; UserError for one that cannot be used."""
    try:
        what = "" if folder.is_dir() else "is not a folder" if folder.exists() else "does not exist"
    except OSError as error:  # a name that is too long, a folder that may not be looked into
        what = f"cannot be read ({error.strerror})"
    if what:
        raise UserError(f"{folder} {what}; name the output folder of a 'clew test' run, such as clew-out/last")
    summary = _load(folder / "summary.json", "the run may not have come to its end: run 'clew test' again")
    written = str(summary.get("format", format_of("summary")))
    if not is_known(written):
        raise UserError(f"{folder} was written by another version of Clew ({written}): run again")
    return summary


def read_run(folder: Path) -> StoredRun:
    """Everything a replay needs; UserError for a folder that cannot be used."""
    summary = load_summary(folder)
    if summary.get("command") not in ("test", "verify", "reach"):
        runs = [str(run.get("folder")) for run in summary.get("runs", ()) if isinstance(run, dict)]
        instead = f": name the folder of a function, such as {folder / runs[0]}" if runs else ""
        raise UserError(
            f"{folder} holds no results of 'clew test', 'verify' or 'reach'; only those have tests to replay{instead}"
        )
    try:
        run = _run(folder, summary, read_tests(folder))
    except _WRONG:
        raise UserError(f"{folder / 'summary.json'} is damaged, or of another version; run 'clew test' again") from None
    expected = summary.get("tests")
    if isinstance(expected, int) and expected != len(run.tests):
        raise UserError(
            f"{folder / 'tests'} holds {len(run.tests)} tests where the summary counts {expected}; it is incomplete"
        )
    return run


def _run(folder: Path, summary: Mapping[str, Any], tests: tuple[StoredTest, ...]) -> StoredRun:
    build = summary["build"]
    files, flags = summary["files"], build["flags"]
    if not files or not all(isinstance(word, str) for word in (*files, *flags)):
        raise ValueError("not names")
    if not build["argv"]:
        raise ValueError("no name of the program")
    if build["data_model"] not in (None, *DATA_MODELS):
        raise ValueError("no data model")
    call = build["call"]
    return StoredRun(
        folder,
        tuple(files),
        _text(build["directory"]),
        str(build["entry"]),
        _text(build["function"]),
        tuple(flags),
        _text(build["target"]),
        build["data_model"],
        _text(build["program_hash"]) or "",
        None if call is None else CallPlan.from_json(call),
        tuple(word if isinstance(word, int) else bytes.fromhex(word) for word in build["argv"]),
        tests,
        _checks(build.get("checks"), summary.get("checks", ())),
        tuple(_recipe(recipe) for recipe in build.get("recipes", ())),
    )


def _checks(asked: Sequence[str] | None, made: Sequence[str]) -> tuple[str, ...] | None:
    """Those that the command line names, or else those that the command makes by itself."""
    names = made or None if asked is None else asked
    if not all(isinstance(name, str) for name in names or ()):
        raise TypeError("not names of checks")
    return None if names is None else tuple(names)


def _recipe(stored: Mapping[str, Any] | None) -> Recipe | None:
    if stored is None:
        return None
    flags = tuple(stored["flags"])
    if not all(isinstance(flag, str) for flag in flags):
        raise TypeError("not flags")
    return Recipe(Path(stored["directory"]), flags)


def _text(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("not a text")
    return value


def read_tests(folder: Path, most: int | None = None, first: int = 0) -> tuple[StoredTest, ...]:
    """The tests of a run in their order from ``first`` on, up to ``most`` of all."""
    try:
        files = sorted((folder / "tests").glob("*.json"))
    except OSError as error:
        raise UserError(f"cannot read {folder / 'tests'}: {error.strerror or error}") from None
    return tuple(_test(folder, path) for path in files[first:most])


def _test(folder: Path, path: Path) -> StoredTest:
    data = _load(path, "the folder may have been copied in part")
    try:
        error = data.get("error") or {}
        code = data.get("exit_code")
        return StoredTest(
            path.relative_to(folder).as_posix(),
            tuple(InputValue.from_json(value) for value in data["inputs"]),
            str(error["kind"]) if error else "",
            str(error.get("file") or ""),
            int(error.get("line") or 0),
            _text(data.get("ends")) or "",
            None if code is None else int(code),
            _text(data.get("output")) or "",
            _text(error.get("rests_on")) or "",
            _text(data.get("reason")) or "",
            frozenset((str(branch[0]), str(branch[1]), int(branch[2])) for branch in data.get("covers", ())),
            {str(file): [[int(a), int(b)] for a, b in spans] for file, spans in data.get("lines", {}).items()},
        )
    except _WRONG:
        raise UserError(f"{path} is not a test file of Clew's") from None


def stored_tests(folder: Path, first: int) -> tuple[Test, ...]:
    """The tests of a folder but for the first ones, without the bugs that they may show."""
    return tuple(
        Test(test.inputs, test.covers, None, "coverage", test.ends, test.exit_code, test.output)
        for test in read_tests(folder, first=first)
    )


def _load(path: Path, advice: str) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path} is missing; {advice}") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise UserError(f"{path} is damaged or cut off; {advice}") from None
    if not isinstance(data, dict):
        raise UserError(f"{path} is not a file of Clew's; {advice}")
    return data
