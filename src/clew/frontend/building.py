"""LLVM text -> object files: each file is read, its checks completed, its local variables promoted to registers.

Files have nothing to do with each other until they are linked. So large ones are read by several processes at a time,
of which each gets its share: ``python -m clew.frontend.building JOB``, where JOB is a JSON file::

    {"files": [{"path": ..., "name": ..., "output": ...}], "aligned": bool, "seen_from": ...}

On success each ``output`` is an object file as bytes. On failure standard output has one JSON object
``{"message": ..., "details": ...}``, what the user has to hear, and the exit code is 1.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import clew
from clew.base.dataclass import dataclass
from clew.base.errors import InternalError, UserError
from clew.base.garbage import no_collection
from clew.frontend.alignment import check_alignment
from clew.frontend.bounds import explain_bounds
from clew.frontend.process import kill_tools, run_tool
from clew.frontend.promote import promote
from clew.frontend.reader import read_file
from clew.frontend.storage import dump
from clew.frontend.symbols import ObjectFile, Symbols
from clew.frontend.units import seen_from
from clew.program.module import Program

_LARGE = 3_000_000
"""Bytes of text from which on further processes are worth their start."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How text is read."""

    aligned: bool
    """Accesses are checked for the alignment of their C types."""
    seen_from: str = ""
    """The folder that names of files are relative to, where builds compile files in other folders; else empty."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """LLVM text, and what the file that it is of is called in messages."""

    path: Path
    name: str


def build(file: TextFile, manner: Manner) -> tuple[Program, Symbols]:
    """What a file consists of, and what it says to linkers."""
    text = file.path.read_text(encoding="utf-8", errors="surrogateescape")
    if manner.seen_from:
        text = seen_from(text, manner.seen_from)
    if 'target datalayout = "E' in text[:10_000]:
        advice = "choose another with --target"
        raise UserError(f"{file.name}: the target is big-endian, which Clew does not model; {advice}")
    with no_collection():
        program, symbols = read_file(text)
        if manner.aligned:
            program = check_alignment(program, text)
        return promote(explain_bounds(program)), symbols


def stored(program: Program, symbols: Symbols) -> bytes | None:
    """Both as an object file in bytes; None if the program is nested too deeply for that."""
    with no_collection():
        code = dump(program)
    return None if code is None else dump(ObjectFile(symbols, code))


def build_all(files: Sequence[TextFile], manner: Manner, folder: Path) -> list[bytes]:
    """The object files, as bytes; large ones by several processes at a time. ``folder`` is for scratch files."""
    sizes = [file.path.stat().st_size for file in files]
    processes = min(os.cpu_count() or 1, len(files), sum(sizes) // _LARGE)
    if processes < 2:
        return [_object_file(file, manner) for file in files]
    shares = _shares(sizes, processes)
    outputs = [folder / f"{number}.object" for number in range(len(files))]
    with ThreadPoolExecutor(max_workers=len(shares)) as pool:
        jobs = []
        for number, share in enumerate(shares):
            job = folder / f"share{number}.json"
            entries = [(files[n], outputs[n]) for n in share]
            listed = [{"path": str(file.path), "name": file.name, "output": str(to)} for file, to in entries]
            content = {"files": listed, "aligned": manner.aligned, "seen_from": manner.seen_from}
            job.write_text(json.dumps(content), encoding="utf-8")
            jobs.append(pool.submit(_elsewhere, job))
        try:
            for done in jobs:
                done.result()
        except BaseException:
            kill_tools()
            raise
    return [output.read_bytes() for output in outputs]


def _object_file(file: TextFile, manner: Manner) -> bytes:
    data = stored(*build(file, manner))
    if data is None:
        raise UserError(f"{file.name} is nested too deeply to be linked with other files")
    return data


def _shares(sizes: Sequence[int], count: int) -> list[list[int]]:
    """The files by number, in so many shares of about the same size."""
    shares: list[list[int]] = [[] for _ in range(count)]
    totals = [0] * count
    for number in sorted(range(len(sizes)), key=lambda number: -sizes[number]):
        least = totals.index(min(totals))
        shares[least].append(number)
        totals[least] += sizes[number]
    return shares


def _elsewhere(job: Path) -> None:
    """Another process does a share."""
    source = str(Path(clew.__file__).parents[1])
    path = os.pathsep.join(part for part in (source, os.environ.get("PYTHONPATH", "")) if part)
    done = run_tool(
        [sys.executable, "-P", "-m", "clew.frontend.building", str(job)], {**os.environ, "PYTHONPATH": path}
    )
    if done.returncode == 1 and done.stdout.startswith("{"):
        report = json.loads(done.stdout)
        raise UserError(report["message"], report["details"])
    if done.returncode != 0:
        raise InternalError(f"reading LLVM code ended with status {done.returncode}: {done.stderr.strip()}")


def main() -> int:
    """Do a share of the work for another process."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    manner = Manner(job["aligned"], job["seen_from"])
    try:
        for entry in job["files"]:
            data = _object_file(TextFile(Path(entry["path"]), entry["name"]), manner)
            Path(entry["output"]).write_bytes(data)
    except UserError as error:
        print(json.dumps({"message": str(error), "details": error.details}))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
