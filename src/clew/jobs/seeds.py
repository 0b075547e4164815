"""Seeds: inputs that a run starts from, read from the files of a folder.

A file is a test of Clew's (``tests/000001.json``), a test of KLEE's (``.ktest``), or just bytes, as corpora of fuzzers
have them (libFuzzer's folder of files, AFL's folder of queues): those are standard input, if the program has one, or
else its inputs in the order in which it reads them.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

from clew.base.errors import UserError
from clew.execute.context import GivenInputs, InputHints
from clew.report.corpus import CONTENT, LENGTH
from clew.report.ktest import MAGIC
from clew.report.values import InputValue

LARGEST = 1 << 20
"""Bytes of a file that is read."""
_OURS = re.compile(rb'\s*\{\s*"clew"\s*:')
_WRONG = (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, struct.error)
"""What becomes of data that is not as it should be."""


def read_seeds(folder: Path, stdin: int | None, warn: Callable[[str], None]) -> list[GivenInputs]:
    """The inputs in the files of a folder, or the tests of an output folder, in the order of their names; what AFL has
    left in one are its queues and crashes.

    ``stdin``: the number of symbolic bytes of standard input. UserError if there is no such folder; a file that cannot
    be used is left out with a warning. Equal inputs count once.
    """
    seeds: list[GivenInputs] = []
    for path in _files(folder):
        try:
            seed = _seed(path, stdin)
        except OSError as error:
            warn(f"--seeds: cannot read {path}: {error.strerror or error}; it is left out")
        except _WRONG as error:
            warn(f"--seeds: {path} is left out: {error if isinstance(error, _Unusable) else 'it is damaged'}")
        else:
            if seed and seed not in seeds:
                seeds.append(seed)
    return seeds


class _Unusable(ValueError):
    """Says what is wrong with a file."""


def _files(folder: Path) -> list[Path]:
    try:
        tests = next((place for place in (folder / "tests", folder) if (place / "../summary.json").is_file()), None)
        if tests is not None:
            return sorted(tests.glob("*.json"))
        return [path for place in _corpora(folder) for path in _inputs_in(place)]
    except OSError as error:
        raise UserError(f"--seeds: cannot read {folder}: {error.strerror or error}") from None


def _corpora(folder: Path) -> list[Path]:
    """The folders that hold the inputs: those of each fuzzer, if AFL has written them, else the folder itself."""
    fuzzers = [folder, *sorted(path for path in folder.iterdir() if path.is_dir())]
    found = [each / part for each in fuzzers if (each / "queue").is_dir() for part in ("queue", "crashes")]
    return [place for place in found if place.is_dir()] or [folder]


def _inputs_in(folder: Path) -> list[Path]:
    hidden = (".", "README.txt" if folder.name == "crashes" else ".")
    return sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith(hidden))


def _seed(path: Path, stdin: int | None) -> GivenInputs:
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _Unusable(f"it has more than {LARGEST} bytes")
    if _OURS.match(data):
        inputs = [InputValue.from_json(value) for value in json.loads(data)["inputs"]]
        return _by_name((value.name, value.to_bytes()) for value in inputs if not value.in_heap)
    if data.startswith(MAGIC):
        return _by_name(_klee_objects(data))
    if stdin is None:
        return data
    return {LENGTH: [min(len(data), stdin)], CONTENT: [int.from_bytes(data[:stdin], "little")]}


def _by_name(values: Iterator[tuple[str, bytes]]) -> InputHints:
    hints: InputHints = {}
    for name, data in values:
        hints.setdefault(name, []).append(int.from_bytes(data, "little"))
    return hints


def _klee_objects(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the objects of a ``.ktest`` file: see ``clew.report.ktest``."""
    at = len(MAGIC)

    def number() -> int:
        nonlocal at
        at += 4
        found: int = struct.unpack_from(">I", data, at - 4)[0]
        return found

    def block() -> bytes:
        nonlocal at
        size = number()
        at += size
        if at > len(data):
            raise _Unusable("it is cut off")
        return data[at - size : at]

    version = number()
    for _ in range(number()):
        block()
    if version >= 2:
        number(), number()
    for _ in range(number()):
        name, content = block(), block()
        yield name.decode("utf-8", "replace"), content
