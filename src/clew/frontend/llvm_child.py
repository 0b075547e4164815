"""The program that ``llvm.py`` starts: parses, links and verifies with ``llvmlite``.

It runs in a process of its own because LLVM may end the process on damaged bitcode, and imports
nothing of Clew. ``python llvm_child.py JOB``: JOB is a JSON file::

    {"inputs": [{"path": ..., "name": ..., "bitcode": bool}], "output": ..., "apart": bool}

On success the linked module's text is in ``output``. On failure standard output has one JSON
object ``{"stage": "parse" | "link" | "verify" | "target", "name": ..., "message": ..., "other": ...}``, exit code 1;
``other`` is the file that does not fit, or empty.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

_STATIC = "clew.static."


class Failure(Exception):
    """Something the user has to hear about."""

    def __init__(self, stage: str, name: str, message: str, other: str = "") -> None:
        super().__init__(message)
        self.stage = stage
        self.name = name
        self.other = other


def parse(entry: dict[str, Any]) -> Any:
    """Read one input into a module of its own."""
    path = Path(entry["path"])
    try:
        if entry["bitcode"]:
            module = llvm.parse_bitcode(path.read_bytes())
        else:
            # LLVM takes any bytes, llvmlite only text: what is no UTF-8 can only be in comments and quoted names.
            module = llvm.parse_assembly(path.read_text(encoding="utf-8", errors="replace"))
    except (RuntimeError, ValueError) as error:
        raise Failure("parse", entry["name"], str(error)) from None
    try:
        module.verify()
    except RuntimeError as error:
        raise Failure("verify", entry["name"], str(error)) from None
    return module


class Part:
    """Some of the inputs, neighbours, linked."""

    def __init__(self, module: Any, entries: list[dict[str, Any]], size: int = 1) -> None:
        self.module = module
        self.entries = entries
        self.size = size


def link(entries: list[dict[str, Any]], apart: bool) -> Any:
    """Parse and link all inputs; they must agree on how data is laid out.

    ``apart``: a name that two of them define is no conflict. What LLVM links into is walked through every time: so
    parts of about the same size are linked with each other.
    """
    parts: list[Part] = []
    defined: set[str] = set()
    static: list[str] = []
    for entry in entries:
        part = Part(parse(entry), [entry])
        if apart:
            keep_apart(part.module, defined)
        if len(entries) > 1:
            show_static(part.module, static)
        while parts and parts[-1].size == part.size:
            part = joined(parts.pop(), part)
        parts.append(part)
    while len(parts) > 1:
        part = parts.pop()
        parts.append(joined(parts.pop(), part))
    hide_static(parts[0].module, static)
    return parts[0].module


def show_static(module: Any, static: list[str]) -> None:
    """Let others see a module's static functions: LLVM links no static ones that nothing uses. ``static`` gets their
    names."""
    for item in module.functions:
        if not item.is_declaration and item.linkage is llvm.Linkage.internal:
            static.append(item.name)
            item.name, item.linkage = f"{_STATIC}{len(static)}", llvm.Linkage.external


def hide_static(module: Any, static: list[str]) -> None:
    """The contrary, in the linked module: LLVM finds another name where one is taken."""
    for number, name in enumerate(static, 1):
        item = module.get_function(f"{_STATIC}{number}")
        item.name, item.linkage = name, llvm.Linkage.internal


def keep_apart(module: Any, defined: set[str]) -> None:
    """Give other names to what others have ``defined`` before; what this module defines is among that from now on."""
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration and item.linkage is llvm.Linkage.external:
            if item.name in defined:  # not static: what nothing in the module uses would be left out
                item.name = next(new for n in range(len(defined) + 1) if (new := f"{item.name}.{n + 2}") not in defined)
            defined.add(item.name)


def joined(first: Part, second: Part) -> Part:
    """Both parts as one."""
    module, other = first.module, second.module
    entries = first.entries + second.entries
    if module.data_layout and other.data_layout and module.data_layout != other.data_layout:
        names = first.entries[0]["name"], second.entries[0]["name"]
        raise Failure("target", names[1], f"{names[0]} is for {module.triple}, {names[1]} for {other.triple}")
    try:
        module.link_in(other)
    except RuntimeError as error:
        raise _conflict(str(error), entries) from None
    return Part(module, entries, first.size + second.size)


def _conflict(message: str, entries: list[dict[str, Any]]) -> Failure:
    """What is wrong, and with which files."""
    match = re.search(r"globals named '(.+)': symbol multiply defined", message)
    names = [entry["name"] for entry in entries if match is not None and _defines(parse(entry), match[1])]
    if match is None or len(names) < 2:
        return Failure("link", entries[-1]["name"], message)
    return Failure("link", names[1], f"both define {match[1]!r}", names[0])


def _defines(module: Any, name: str) -> bool:
    items = (*module.functions, *module.global_variables)
    return any(item.name == name and not item.is_declaration for item in items)


def main() -> int:
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    try:
        module = link(job["inputs"], job["apart"])
    except Failure as failure:
        report = {"stage": failure.stage, "name": failure.name, "message": str(failure), "other": failure.other}
        print(json.dumps(report))
        return 1
    Path(job["output"]).write_text(str(module), encoding="utf-8", errors="surrogateescape")
    return 0


if __name__ == "__main__":
    sys.exit(main())
