"""What a user names -> the C files behind it, each with how its build compiles it.

A user names C files, LLVM code, what a build with ``clew-cc`` made (objects, programs, libraries), and with ``-p``
files and targets of a build that has a ``compile_commands.json``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path

from clew.base.cache import digest
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.recipe import PLAIN, Recipe
from clew.base.suggest import suggest
from clew.frontend.builds.database import NAME, Compilation, Database, read_database
from clew.frontend.builds.records import is_container, records_in
from clew.frontend.builds.targets import LinkTargets

_GUIDE = "build it with CC=clew-cc, without -flto, or name C files"
_BUILD_FOLDERS = ("build", "out", "_build", "builddir", "cmake-build-debug")
_RESULTS = {"summary.json", "coverage.info"}
"""Files of a folder that has what an earlier run has found."""
_SHOWN = 3
"""Files that a note names; of the others it says how many there are."""


@dataclass(slots=True)
class Resolved:
    """The files of a program, and what is to be said of them."""

    files: list[Path] = field(default_factory=list)
    recipes: list[Recipe | None] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _known: dict[Path, list[object]] = field(default_factory=dict)

    def add(self, file: Path, recipe: Recipe | None) -> None:
        """One more file; one that is there already, compiled in the same way, is not added again."""
        how = recipe and (recipe.directory, recipe.flags)
        if recipe is None or how not in self._known.setdefault(file, []):
            self._known.setdefault(file, []).append(how)
            self.files.append(file)
            self.recipes.append(recipe)

    def note_files(self, what: str, files: Sequence[str], then: str) -> None:
        """One line about several files."""
        if files:
            more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
            self.notes.append(f"{what}: {', '.join(files[:_SHOWN])}{more}; {then}")


def resolve(files: Sequence[Path], build: Path | None) -> Resolved:
    """The files to compile for what the user names; ``UserError`` where nothing stands behind a name."""
    result = Resolved()
    project = _Project(build) if build is not None else None
    for file in files:
        if project is not None and project.add(file, result):
            continue
        built = _built(file)
        if built is not None:
            _add_records(built, result)
        elif project is not None:
            project.add_other(file, result)
        else:
            result.add(file, None)
    return result


def resolve_folder(folder: Path, build: Path | None) -> Resolved:
    """All C files of a project: those that a build compiles, which is ``build``, or has its ``compile_commands.json``
    in the project's folder or in a usual place below; else all that are in the folder. ``UserError`` if there are none.
    """
    places = [build] if build is not None else [folder, *(folder / name for name in _BUILD_FOLDERS)]
    result = Resolved()
    found = build or next((place for place in places if (place / NAME).is_file()), None)
    if found is not None:
        _Project(found).add_all(result)
    else:
        files = {file: file.is_file() for file in sorted(_c_files(folder))}
        for file in files:
            if files[file]:
                result.add(file, None)
        gone = [str(file) for file, there in files.items() if not there]
        result.note_files("names of C files lead nowhere", gone, "they are left out")
    if not result.files:
        what = f"{folder} has no C files, and no {NAME}" if found is None else f"{found / NAME} names no C files"
        raise UserError(f"{what}; {_GUIDE}")
    return result


def _c_files(folder: Path) -> Iterator[Path]:
    """The C files below a folder, but for hidden ones and results of ours; what cannot be looked into, or is gone by
    then, has none."""
    for place, folders, names in os.walk(folder):
        if set(names) >= _RESULTS:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".") and name != "clew-out"]
        yield from (Path(place, name) for name in names if name.endswith(".c") and not name.startswith("."))


# What was built with clew-cc


def _built(file: Path) -> Path | None:
    """The object, program or archive that a file is, or that libtool made a script for."""
    head = None if file.suffix in PLAIN else _head(file)
    if head is None:
        return None
    if is_container(head):
        return file
    if b"libtool" not in head:
        return None
    hidden = file.parent / ".libs"
    stem = file.name.removesuffix(".la").removesuffix(".lo")
    names = {".la": (f"{stem}.a", f"{stem}.so"), ".lo": (f"{stem}.o",)}.get(file.suffix, (file.name, f"lt-{file.name}"))
    return next((hidden / name for name in names if (hidden / name).is_file()), None)


def _head(file: Path) -> bytes | None:
    try:
        with file.open("rb") as opened:
            return opened.read(4096)
    except (OSError, ValueError):
        return None


def _add_records(built: Path, result: Resolved) -> None:
    """The files that a program or library was made from."""
    records, without = records_in(built)
    if not records:
        raise UserError(f"{built} holds no LLVM code; {_GUIDE}")
    result.note_files(f"no LLVM code is in some members of {built}", without, "what they define is taken for undefined")
    unusable = [f"{_shown(record.file)} ({record.note})" for record in records if record.note]
    result.note_files(f"no LLVM code was kept in {built} of", unusable, "what they define is taken for undefined")
    changed, gone = [], []
    for record in records:
        if not record.note:
            now = _digest(record.file)
            if now is None and record.recipe.kept is None:
                gone.append(str(_shown(record.file)))
                continue
            if now != record.source:
                changed.append(str(_shown(record.file)))
            result.add(_shown(record.file), record.recipe)
    result.note_files("files are gone", gone, "what they define is taken for undefined")
    result.note_files(f"files have changed since {built} was built", changed, "build it again for what they are now")
    if not result.files:
        raise UserError(f"{built} holds no LLVM code that can be used; {_GUIDE}")


def _digest(file: Path) -> str | None:
    try:
        return digest(file.read_bytes())
    except OSError:
        return None


def _shown(file: Path) -> Path:
    """As people want to read it: relative, where it is below the current directory."""
    here = Path.cwd()
    return file.relative_to(here) if file.is_relative_to(here) else file


# What a build with a compile_commands.json knows


class _Project:
    """The build folder that ``-p`` names."""

    def __init__(self, build: Path) -> None:
        self.build = build if build.is_dir() else build.parent
        self.database: Database = read_database(build)
        self._targets: LinkTargets | None = None

    def add(self, file: Path, result: Resolved) -> bool:
        """Add a file or target that the build knows; whether it does."""
        numbers = self._numbers(file)
        if numbers:
            ways = [self.database.compilation(number) for number in numbers]
            if any(way.recipe != ways[0].recipe for way in ways):
                text = f"{file} is compiled in {len(ways)} ways by {self.database.path}"
                result.notes.append(f"{text}: the first one is taken; name a target for another one")
            self._add_compilation(ways[0], result, named=True)
            return True
        head = _head(file)
        if head is not None and (file.suffix in PLAIN or (is_container(head) and records_in(file)[0])):
            return False
        if self._targets is None:
            self._targets = LinkTargets(self.build)
        output = self._targets.find(str(file), self.build)
        if output is not None:
            return self._add_objects(self._targets.objects(output), result)
        own = f"/{file.name}.dir/"  # where CMake puts the objects of a target, also of those that nothing links
        return self._add_objects((path for path in self.database.by_output if own in path), result)

    def add_all(self, result: Resolved) -> None:
        """Add every C file that the build compiles, each in the first way in which that is done."""
        gone, several, wrong = [], [], []
        for name, numbers in sorted(self.database.by_file.items()):
            file = Path(name)
            if file.suffix not in (".c", ".i"):
                continue
            if not file.is_file():
                gone.append(str(_shown(file)))
                continue
            try:
                ways = [self.database.compilation(number) for number in numbers]
            except UserError as error:
                wrong.append(str(error))
                continue
            if any(way.recipe != ways[0].recipe for way in ways):
                several.append(str(_shown(file)))
            self._add_compilation(ways[0], result, named=False)
        path = self.database.path
        result.note_files(f"files that {path} names are gone", gone, "configure the build again")
        result.note_files(f"files are compiled in several ways by {path}", several, "the first one is taken")
        result.note_files("some commands make no sense", wrong, "their files are left out")

    def add_other(self, file: Path, result: Resolved) -> None:
        """A file that the build does not know, such as a harness of the user's."""
        path = self.database.path
        if _head(file) is None:
            names = {Path(name).name: name for name in self.database.by_file}
            close = [str(_shown(Path(names[name]))) for name in suggest(file.name, names)]
            close += self._targets.close_names(str(file)) if self._targets else []
            hint = f"did you mean {' or '.join(close[:3])}?" if close else self._what_there_is()
            raise UserError(f"{path} has no file or target {str(file)!r}; {hint}")
        if file.suffix in (".c", ".i"):
            result.notes.append(f"{file} is not in {path}; it is compiled with the flags given here alone")
        result.add(file, None)

    def _what_there_is(self) -> str:
        """The names of some files and targets, for people."""
        files = [str(_shown(Path(name))) for name in self.database.by_file if name.endswith((".c", ".i"))]
        targets = self._targets.names() if self._targets is not None else []
        kinds = [("files", files), ("targets", targets)]
        said = [
            f"{what} are {', '.join(names[:_SHOWN])}{' ...' * (len(names) > _SHOWN)}" for what, names in kinds if names
        ]
        return "; ".join(said) or "it names no C files"

    def _numbers(self, file: Path) -> list[int]:
        """The entries of a C file: by its path, from here or from the build, or by an end of it that only one has."""
        known = self.database.by_file
        for place in (Path.cwd(), self.build.absolute()):
            path = os.path.normpath(place / file)
            found = known.get(path) or known.get(os.path.realpath(path))
            if found:
                return found
        if file.suffix != ".c" or file.exists():
            return []
        ends = [path for path in known if path.endswith(f"/{file}")]
        if len(ends) > 1:
            some = " or ".join(str(_shown(Path(end))) for end in ends[:_SHOWN])
            raise UserError(f"{file} may be {some}: name one of them")
        return known[ends[0]] if ends else []

    def _add_compilation(self, found: Compilation, result: Resolved, named: bool) -> None:
        if not found.file.is_file():
            raise UserError(
                f"{_shown(found.file)}, which {self.database.path} names, does not exist; configure the build again"
            )
        if found.note and found.note not in result.notes:
            result.notes.append(found.note)
        result.add(_shown(found.file), replace(found.recipe, named=named))

    def _add_objects(self, paths: Iterable[str], result: Resolved) -> bool:
        """The C files of all objects among these paths; False if there are none."""
        gone, count = [], len(result.files)
        by_output = self.database.by_output
        for path in paths:
            if path not in by_output:
                continue
            found = self.database.compilation(by_output[path])
            if found.file.suffix not in (".c", ".i"):
                continue
            if found.file.is_file():
                self._add_compilation(found, result, named=False)
            else:
                gone.append(str(_shown(found.file)))
        result.note_files(f"files that {self.database.path} names are gone", gone, "configure the build again")
        return len(result.files) > count
