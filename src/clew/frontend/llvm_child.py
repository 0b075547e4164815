"""The program that ``llvm.py`` starts: parses, links and verifies with ``llvmlite``.

It runs in a process of its own because LLVM may end the process on damaged bitcode, and imports
nothing of Clew. ``python llvm_child.py JOB``: JOB is a JSON file::

    {"inputs": [{"path": ..., "name": ..., "bitcode": bool}], "output": ...}

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


def link(entries: list[dict[str, Any]]) -> Any:
    """Parse and link all inputs; they must agree on how data is laid out."""
    whole = parse(entries[0])
    for number, entry in enumerate(entries[1:], 1):
        module = parse(entry)
        if module.data_layout and whole.data_layout and module.data_layout != whole.data_layout:
            message = f"{entries[0]['name']} is for {whole.triple}, {entry['name']} for {module.triple}"
            raise Failure("target", entry["name"], message)
        try:
            whole.link_in(module)
        except RuntimeError as error:
            raise Failure("link", entry["name"], *_conflict(str(error), entries[:number])) from None
    return whole


def _conflict(message: str, entries: list[dict[str, Any]]) -> tuple[str, str]:
    """What is wrong, and the file among those before that defines the same name."""
    match = re.search(r"globals named '(.+)': symbol multiply defined", message)
    if match is None:
        return message, ""
    for entry in entries:
        module = parse(entry)
        for item in (*module.functions, *module.global_variables):
            if item.name == match[1] and not item.is_declaration:
                return f"both define {match[1]!r}", entry["name"]
    return message, ""


def main() -> int:
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    try:
        module = link(job["inputs"])
    except Failure as failure:
        report = {"stage": failure.stage, "name": failure.name, "message": str(failure), "other": failure.other}
        print(json.dumps(report))
        return 1
    Path(job["output"]).write_text(str(module), encoding="utf-8", errors="surrogateescape")
    return 0


if __name__ == "__main__":
    sys.exit(main())
