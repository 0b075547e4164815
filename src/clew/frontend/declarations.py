"""What declarations promise and Clang drops on the way to LLVM code: ``_Nonnull`` and ``counted_by``.

Clang writes its syntax tree, without the bodies of functions, for those files whose text, or that of headers beside
them, has one of the words. What is found there is put into the program. Nothing found means nothing promised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from clew.base.dataclass import dataclass
from clew.frontend.compiler import syntax_tree
from clew.frontend.inputs import Input, InputKind
from clew.frontend.options import CompileOptions
from clew.frontend.toolchain import Toolchain
from clew.program.ctypes import CRecord, CType
from clew.program.instructions import Argument
from clew.program.module import Function, Program

_WORDS = re.compile(rb"nonnull|counted_by", re.IGNORECASE)
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_COUNTED = re.compile(r"__(?:counted|sized)_by\((\w+)\)\s*$")
_MOST_HEADERS = 1000


@dataclass(slots=True)
class Declarations:
    """What the declarations of a file say."""

    nonnull: dict[str, frozenset[int]] = field(default_factory=dict)
    """By the names of functions: positions of parameters that are never null."""
    counted: dict[tuple[str, tuple[str, ...]], dict[str, str]] = field(default_factory=dict)
    """By the names of structs and of all their members: for a member, the one that says how many elements it has."""


def with_declarations(
    program: Program, inputs: Sequence[Input], options: CompileOptions, toolchain: Toolchain | None, folder: Path
) -> Program:
    """The program, with what the declarations in its sources promise."""
    for number, source in enumerate(inputs):
        if toolchain is not None and source.kind is InputKind.C and _has_words(source, options):
            text = syntax_tree(source, options, toolchain, folder, f"tree{number}")
            alone = [other.path.name for other in inputs].count(source.path.name) == 1
            program = _applied(program, _read(text), source.path, alone)
    return program


def _has_words(source: Input, options: CompileOptions) -> bool:
    """Whether one of the words is in a file, or in a header of the project that it includes."""
    flags = (*options.flags, *(source.recipe.flags if source.recipe is not None else ()))
    folders = [Path(flag[2:]) for flag in flags if flag.startswith("-I") and len(flag) > 2]
    base = source.recipe.directory if source.recipe is not None else Path()
    queue, seen = [(source.path.parent, source.content)], set[Path]()
    for here, content in queue:
        if _WORDS.search(content):
            return True
        for name in _INCLUDE.findall(content):
            found = next((p for p in _places(here, base, folders, name) if p.is_file()), None)
            if found is not None and found not in seen and len(seen) < _MOST_HEADERS:
                seen.add(found)
                queue.append((found.parent, found.read_bytes()))
    return False


def _places(here: Path, base: Path, folders: Sequence[Path], name: bytes) -> Iterator[Path]:
    """Where a header may be."""
    text = name.decode("utf-8", "replace")
    yield here / text
    yield from (base / folder / text for folder in folders)


def _read(text: str) -> Declarations:
    found = Declarations()
    try:
        tree = json.loads(text)
    except ValueError:
        return found  # a Clang that has none to show
    for node in tree.get("inner", ()):
        inner = [child for child in node.get("inner", ()) if isinstance(child, dict)]
        if node.get("kind") == "FunctionDecl":
            parameters = [child for child in inner if child.get("kind") == "ParmVarDecl"]
            never = frozenset(at for at, each in enumerate(parameters) if _type(each).endswith("_Nonnull"))
            found.nonnull[node["name"]] = found.nonnull.get(node["name"], frozenset()) | never
        elif node.get("kind") == "RecordDecl" and node.get("name"):
            members = {child.get("name", ""): child for child in inner if child.get("kind") == "FieldDecl"}
            counts = {name: match[1] for name, each in members.items() if (match := _COUNTED.search(_type(each)))}
            if counts:
                found.counted[node["name"], tuple(members)] = counts
    return found


def _type(node: Mapping[str, Any]) -> str:
    """A type as it is written, without qualifiers of the pointer itself."""
    text = str(node.get("type", {}).get("qualType", ""))
    return re.sub(r"(?:\s*\b(?:const|volatile|restrict)\b)+$", "", text)


def _applied(program: Program, found: Declarations, source: Path, alone: bool) -> Program:
    """The program with what a file's declarations say: of functions that it defines, and of structs like its own.

    ``alone``: no other file of the program has its name, which is enough to know it by.
    """
    functions = {}
    for name, function in program.functions.items():
        positions = found.nonnull.get(function.source_name, frozenset())
        place = function.location
        if positions and place is not None and _is_same(place.file, source, alone):
            functions[name] = replace(function, parameters=tuple(_parameters(function, positions)))
    entries = tuple(_counting(entry, found) for entry in program.ctypes.entries) if found.counted else None
    if not functions and entries is None:
        return program
    ctypes = program.ctypes if entries is None else replace(program.ctypes, entries=entries)
    return replace(program, functions=program.functions | functions, ctypes=ctypes)


def _is_same(name: str, source: Path, alone: bool) -> bool:
    return (alone and Path(name).name == source.name) or Path(name).resolve() == source.resolve()


def _parameters(function: Function, positions: frozenset[int]) -> Iterator[Argument]:
    """Positions are C's: those of LLVM are others where a struct is passed in pieces, or returned through a pointer."""
    as_in_c = not any(parameter.sret for parameter in function.parameters)
    for at, parameter in enumerate(function.parameters):
        yield replace(parameter, nonnull=parameter.nonnull or (as_in_c and at in positions))


def _counting(entry: CType, found: Declarations) -> CType:
    if not isinstance(entry, CRecord):
        return entry
    counts = found.counted.get((entry.name, tuple(member.name for member in entry.members)))
    if counts is None:
        return entry
    members = tuple(replace(member, counted_by=counts.get(member.name, "")) for member in entry.members)
    return replace(entry, members=members)
