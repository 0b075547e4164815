"""The program that ``llvm.py`` starts: parses, verifies and writes with ``llvmlite``.

It runs in a process of its own because LLVM may end the process on damaged bitcode, and imports
nothing of Clew. ``python llvm_child.py JOB``: JOB is a JSON file::

    [{"path": ..., "name": ..., "bitcode": bool, "output": ...}]

On success the text of each module is in its ``output``. On failure standard output has one JSON
object ``{"name": ..., "message": ...}``, exit code 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm


class Failure(Exception):
    """Something the user has to hear about."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def parse(entry: dict[str, Any]) -> Any:
    """Read one input into a module of its own."""
    path = Path(entry["path"])
    try:
        if entry["bitcode"]:
            module = llvm.parse_bitcode(path.read_bytes())
        else:
            # LLVM takes any bytes, llvmlite only text: what is no UTF-8 can only be in comments and quoted names.
            module = llvm.parse_assembly(path.read_text(encoding="utf-8", errors="replace"))
        module.verify()
    except (RuntimeError, ValueError) as error:
        raise Failure(entry["name"], str(error)) from None
    return module


def main() -> int:
    try:
        for entry in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
            text = str(parse(entry))
            Path(entry["output"]).write_text(text, encoding="utf-8", errors="surrogateescape")
    except Failure as failure:
        print(json.dumps({"name": failure.name, "message": str(failure)}))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
