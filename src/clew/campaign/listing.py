"""What a campaign runs: a TOML file, read and checked.

time = 3600                      # seconds for everything; without it, until all is done

[defaults]                       # of every run
time = 60
options = ["--check", "memory"]

[[run]]
name = "ini"                     # the name of its folder of results
files = ["ini.c", "main.c"]      # from where the list is
options = ["--stdin", "8"]
priority = 5                     # larger ones first; 0 unless told otherwise

[[run]]
each = "tasks/*.c"               # a run for each file, named after it
command = "verify"
expect = "TRUE"
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from clew import __version__
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.suggest import unknown_name

VERDICTS = {
    "test": (),
    "verify": ("TRUE", "FALSE", "UNKNOWN"),
    "reach": ("REACHED", "UNREACHABLE", "UNKNOWN"),
    "project": (),
}
"""The commands that a run can have, and the verdicts that can be expected of them."""
SECONDS = 60.0
"""For a run whose time is not given."""
RETRIES = 1
"""After a run was lost."""
_NAME = re.compile(r"[\w.+-]+(/[\w.+-]+)*", re.ASCII)
_OWN_OPTIONS = ("--out", "--time", "--json", "--quiet")
"""Options that the campaign gives itself."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command."""

    name: str
    command: str = "test"
    files: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    time: float = SECONDS
    priority: int = 0
    retries: int = RETRIES
    expect: str | None = None

    def arguments(self, seconds: float, out: str, memory: float | None = None) -> list[str]:
        """The command line, behind the name of the program; ``memory`` in MB, unless its options say otherwise. A run
        has one process: others have the other cores."""
        limits = ["--time", f"{seconds:g}"]
        if memory is not None and "--memory" not in self.options:
            limits += ["--memory", f"{memory:.0f}"]
        return [self.command, *self.files, *limits, "--jobs", "1", "--out", out, "--quiet", *self.options]

    def digest(self, folder: Path) -> str:
        """What the results depend on: the version, the command, and what is in the files."""
        known = hashlib.sha256(repr((__version__, self.command, self.files, self.options, self.time)).encode())
        for file in self.files:
            path = folder / file
            known.update(path.read_bytes() if path.is_file() else b"")
        return known.hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Listing:
    """All runs of a campaign, those of higher priority first, else in the order of the list."""

    folder: Path
    """What the names of files start from."""
    runs: tuple[Run, ...]
    time: float | None = None


def read_listing(path: Path) -> Listing:
    """The runs of a list. A list that makes no sense is an error that says where."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise UserError(f"cannot read {path}: {getattr(problem, 'strerror', None) or problem}") from None
    except tomllib.TOMLDecodeError as problem:
        raise UserError(f"{path} is no TOML: {problem}") from None
    return _Reader(path).read(data)


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder = path.parent

    def read(self, data: Mapping[str, Any]) -> Listing:
        self._known(data, {"time", "defaults", "run"}, "the list")
        defaults = self._table(data.get("defaults", {}), "defaults")
        self._known(defaults, {"time", "options", "priority", "retries", "command"}, "defaults")
        given = data.get("run", [])
        if not isinstance(given, list) or not given:
            raise self._wrong("it has no runs: add a [[run]] with files")
        runs = [run for number, one in enumerate(given, 1) for run in self._runs(one, defaults, f"run {number}")]
        names = [run.name for run in runs]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise self._wrong(f"two runs are called {twice}: give one of them another name")
        runs.sort(key=lambda run: -run.priority)
        time = self._number(data["time"], "time") if "time" in data else None
        return Listing(self._folder, tuple(runs), time)

    def _runs(self, given: object, defaults: Mapping[str, Any], what: str) -> Iterator[Run]:
        """The runs of one entry: one, or one for each file that a pattern finds."""
        table = self._table(given, what)
        self._known(table, {"name", "each", "files", *Run.__annotations__}, what)
        own = {**defaults, **table, "options": [*defaults.get("options", []), *table.get("options", [])]}
        run = self._checked(own, what)
        if ("each" in table) == ("files" in table):
            raise self._wrong(f"{what} needs files = [...], or each = a pattern: one of them")
        if "files" in table:
            missing = [file for file in run.files if not (self._folder / file).exists()]
            if missing and "-p" not in run.options:  # which gives names a meaning
                raise self._wrong(f"{what}: there is no {missing[0]}")
            yield replace(run, name=run.name or Path(run.files[0]).stem)
            return
        found = sorted(self._folder.glob(self._text(table["each"], f"each of {what}")))
        if not found:
            raise self._wrong(f"{what}: no file is called like {table['each']}")
        for file in found:
            at = file.relative_to(self._folder)
            name = at.with_suffix("").as_posix()
            yield replace(run, name=f"{run.name}/{name}" if run.name else name, files=(at.as_posix(),))

    def _checked(self, own: Mapping[str, Any], what: str) -> Run:
        command = self._text(own.get("command", "test"), f"command of {what}")
        if command not in VERDICTS:
            raise self._wrong(f"{what} cannot run {command!r}: choose one of {', '.join(VERDICTS)}")
        options = self._texts(own["options"], f"options of {what}")
        taken = next((option for option in options if option.partition("=")[0] in _OWN_OPTIONS), None)
        if taken is not None:
            raise self._wrong(f"{what}: {taken} is up to the campaign; a time is time = SECONDS")
        expect = own.get("expect")
        if expect is not None and expect not in VERDICTS[command]:
            can = ", ".join(VERDICTS[command]) or "nothing"
            raise self._wrong(f"{what}: of {command} one can expect {can}, not {expect!r}")
        name = self._text(own.get("name", ""), f"name of {what}")
        if name and (not _NAME.fullmatch(name) or {".", ".."} & set(name.split("/"))):
            raise self._wrong(f"{what}: {name!r} cannot be the name of a folder: use letters, digits, . + - _ and /")
        return Run(
            name,
            command,
            self._texts(own.get("files", []), f"files of {what}"),
            options,
            self._number(own.get("time", SECONDS), f"time of {what}"),
            int(self._number(own.get("priority", 0), f"priority of {what}", least=-1e9)),
            int(self._number(own.get("retries", RETRIES), f"retries of {what}", least=0)),
            expect,
        )

    def _known(self, table: Mapping[str, Any], keys: set[str], what: str) -> None:
        for key in table:
            if key not in keys:
                raise self._wrong(f"in {what}: {unknown_name('key', key, keys)}")

    def _table(self, value: object, what: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self._wrong(f"{what} is no table")
        return value

    def _text(self, value: object, what: str) -> str:
        if not isinstance(value, str):
            raise self._wrong(f"the {what} is no text")
        return value

    def _texts(self, value: object, what: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self._wrong(f"the {what} are no list of texts")
        return tuple(value)

    def _number(self, value: object, what: str, least: float = 1e-3) -> float:
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not least <= value <= 1e9:
            raise self._wrong(f"the {what} is no number{' above 0' if least > 0 else ''}")
        return float(value)

    def _wrong(self, text: str) -> UserError:
        return UserError(f"{self._path}: {text}")
