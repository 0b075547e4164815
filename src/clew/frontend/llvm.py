"""LLVM code of several kinds -> text as our LLVM writes it.

Everything here happens in a child process (``llvm_child.py``): LLVM ends its process when it
meets certain kinds of damaged input, and its memory goes back when the child is done.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from clew.base.errors import InternalError, UserError
from clew.frontend.inputs import LlvmCode
from clew.frontend.process import run_tool
from clew.frontend.toolchain import LLVM_VERSION

_CHAR6 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"
_MAGIC = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_HEAD = 256
_MARK = sum(_CHAR6.index(letter) << 6 * place for place, letter in enumerate("LLVM"))


def text_files(inputs: Sequence[LlvmCode], folder: Path) -> list[Path]:
    """The code of each, verified, as text. No pass runs over it. ``folder`` is for scratch files."""
    for item in inputs:
        if item.bitcode:
            _check_bitcode(item)
    outputs = [folder / f"text{number}.ll" for number in range(len(inputs))]
    job = folder / "job.json"
    entries = [
        {"path": str(item.path), "name": item.name, "bitcode": item.bitcode, "output": str(output)}
        for item, output in zip(inputs, outputs, strict=True)
    ]
    job.write_text(json.dumps(entries), encoding="utf-8")
    child = Path(__file__).with_name("llvm_child.py")
    # -P keeps this package's folder off the child's module path.
    done = run_tool([sys.executable, "-P", str(child), str(job)])
    if done.returncode != 0 or not outputs[-1].exists():
        raise _failure(inputs, done)
    return outputs


def _check_bitcode(item: LlvmCode) -> None:
    with item.path.open("rb") as file:
        if not is_bitcode(file.read(4)):
            raise UserError(f"{item.name} is not LLVM bitcode; make one with 'clang -c -emit-llvm -g'")


def _failure(inputs: Sequence[LlvmCode], done: subprocess.CompletedProcess[str]) -> Exception:
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return _crash(inputs, done)
    item = next(item for item in inputs if item.name == report["name"])
    return _unreadable(item, report["message"].strip())


def _crash(inputs: Sequence[LlvmCode], done: subprocess.CompletedProcess[str]) -> Exception:
    suspects = [item for item in inputs if Path(item.name).suffix in (".bc", ".ll")]
    if suspects:
        return _unreadable(suspects[0], done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "")
    return InternalError(f"LLVM ended with status {done.returncode}: {done.stderr.strip()}")


def _unreadable(item: LlvmCode, message: str) -> UserError:
    if not item.bitcode and is_bitcode(item.path.read_bytes()[:4]):
        return UserError(f"{item.name} is bitcode, not LLVM text; rename it to end in .bc")
    if not item.bitcode:
        return UserError(f"{item.name} is not LLVM text that LLVM {LLVM_VERSION} can read; compile it again", message)
    version = producer_version(item.path.read_bytes())
    if version is not None and version > LLVM_VERSION:
        return UserError(
            f"{item.name} was written by LLVM {version}, and Clew reads up to LLVM {LLVM_VERSION}; "
            "give the C source, or compile with an older Clang"
        )
    reason = f": {_one_line(message)}" if message else ""
    return UserError(f"{item.name} is damaged bitcode{reason}; compile it again")


def _one_line(message: str) -> str:
    return " ".join(message.split())


# Bitcode: only for error messages, as LLVM itself says little that helps when it meets code newer than it knows


def is_bitcode(content: bytes) -> bool:
    """Does the file start like LLVM bitcode, plain or wrapped?"""
    return content[:4] in _MAGIC


def producer_version(content: bytes) -> int | None:
    """The major version in the identification block (``LLVM22.1.0`` -> 22), or None.

    The string is stored in six bits per letter at some bit offset near the start, so it is
    searched for at every offset.
    """
    bits = int.from_bytes(content[:_HEAD], "little")
    for offset in range(_HEAD * 8):
        if (bits >> offset) & 0xFFFFFF == _MARK:
            tail = bits >> offset + 24
            digits = "".join(_CHAR6[(tail >> 6 * place) & 63] for place in range(4))
            match = re.match(r"\d+", digits)
            if match:
                return int(match[0])
    return None
