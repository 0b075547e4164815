#!/usr/bin/env python3
"""Is the same seed the same run on another machine?

    python scripts/same_run.py record HERE.json [--seeds 0,1] [--instructions 100000] [--only PART]...
    python scripts/same_run.py compare HERE.json THERE.json

``record`` runs programs for one target, whatever the machine, until a number of instructions or their end: nothing that
a clock cuts off. No native runs take part, which machines for another target than that cannot have. Of ``clew test`` it
keeps all that runs say and write except times and memory: tests and their order, bugs, what was covered when, counters,
accounts. Of ``clew verify``, whose arms take turns by the clock, it keeps the verdicts. ``compare`` tells what differs
between two machines (one of them may be emulated), and whether what was found does: the exit code, bugs and coverage;
exit code 1 if anything differs.

On another kind of processor questions that come to Bitwuzla may have other models and cores: of the same formula its
wheels for x86_64 and aarch64 write other clauses, and its search goes another way.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import platform
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from programs.real.runs import stdin_of  # noqa: E402

TARGET = "x86_64-linux-gnu"
SECONDS = 600.0
"""For a verdict: far more than it takes."""
_CLOCKS = ("seconds", "memory")
"""In the names of figures that say how fast or how large a machine is."""
_VARIANT = re.compile(r"^// variant: (.*)$", re.MULTILINE)
_ELSEWHERE = ("out", "build", "clew", "reason")
"""Parts of a summary that name places, or repeat what others say."""


def subjects(seeds: Sequence[str], instructions: int) -> Iterator[tuple[str, list[str]]]:
    """The name of each run, and its command line."""
    real = sorted((ROOT / "tests/programs/real").glob("*.c"))
    merging = sorted((ROOT / "benchmarks/programs/merging").glob("*.c"))
    loops = sorted((ROOT / "tests/programs/summaries").glob("*.c"))
    limit = ["--max-instructions", str(instructions), "--time", "inf", "--jobs", "1", "--engine", "interpreter"]
    for path in [*real, *merging, *loops]:
        size = stdin_of(path)
        options = [*([] if size is None else ["--stdin", str(size)]), *variant_of(path)]
        for seed in seeds:
            yield f"test {path.stem} {seed}", ["test", _named(path), *options, "--seed", seed, *limit]
    for path in sorted((ROOT / "tests/programs/verify").glob("*.c")):
        yield f"verify {path.stem}", ["verify", _named(path), "--time", str(SECONDS), "--jobs", "1"]


def variant_of(path: Path) -> list[str]:
    """The compiler options of the first variant that a program names, if it needs any."""
    stated = _VARIANT.search(path.read_text(encoding="utf-8"))
    return shlex.split(stated[1]) if stated else []


def _named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def record(name: str, words: Sequence[str]) -> dict[str, Any]:
    """What one run said and wrote."""
    with tempfile.TemporaryDirectory(prefix="clew-same-") as folder:
        out = Path(folder) / "out"
        command = [sys.executable, "-m", "clew", *words, "--target", TARGET, "--quiet", "--out", str(out)]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if not (out / "summary.json").is_file():
            return {"code": ended.returncode, "said": ended.stderr.strip()}
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        if not name.startswith("test "):
            return {"code": ended.returncode, "properties": _plain(summary["properties"])}
        return {
            "code": ended.returncode,
            "summary": _plain({key: value for key, value in summary.items() if key not in _ELSEWHERE}),
            "history": list(_history(out / "history.csv")),
            "files": {path.name: _digest(path) for path in sorted(out.glob("tests/*.ktest"))},
        }


def _plain(value: Any) -> Any:
    """Without what a clock says."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if not any(word in key for word in _CLOCKS)}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _history(path: Path) -> Iterator[list[str]]:
    """The rows of the curve, each without its times."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield [value for key, value in row.items() if not any(word in key for word in _CLOCKS)]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def differences(here: Any, there: Any, where: str = "") -> Iterator[str]:
    """Where two records differ, down to single values."""
    if isinstance(here, dict) and isinstance(there, dict):
        for key in sorted(here.keys() | there.keys()):
            yield from differences(here.get(key), there.get(key), f"{where}.{key}" if where else key)
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for number, (one, other) in enumerate(zip(here, there, strict=True)):
            yield from differences(one, other, f"{where}[{number}]")
    elif here != there:
        yield f"{where}: {_short(here)} and {_short(there)}"


def found(record: dict[str, Any]) -> list[Any]:
    """What a run has found."""
    summary = record.get("summary", {})
    bugs = sorted((bug["kind"], bug["file"], bug["line"]) for bug in summary.get("bugs", ()))
    return [record["code"], record.get("properties"), bugs, summary.get("coverage")]


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


def record_all(arguments: argparse.Namespace) -> int:
    records: dict[str, Any] = {}
    for name, words in subjects(arguments.seeds.split(","), arguments.instructions):
        if arguments.only and not any(part in name for part in arguments.only):
            continue
        records[name] = record(name, words)
        print(f"{name}: exit code {records[name]['code']}", flush=True)
        told = {"machine": platform.machine(), "instructions": arguments.instructions, "runs": records}
        arguments.file.write_text(json.dumps(told, indent=1), encoding="utf-8")
    return 0


def compare(arguments: argparse.Namespace) -> int:
    here, there = (json.loads(path.read_text(encoding="utf-8")) for path in (arguments.here, arguments.there))
    common = here["runs"].keys() & there["runs"].keys()
    different = results = 0
    for name in sorted(common):
        one, other = here["runs"][name], there["runs"][name]
        lines = list(differences(one, other))
        different += bool(lines)
        results += found(one) != found(other)
        for line in lines[:8]:
            print(f"{name}: {line}")
    machines = f"{here['machine']} and {there['machine']}"
    print(f"{machines}: {len(common)} runs, {different} different, {results} in what was found")
    return 1 if different or not common else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    write = commands.add_parser("record")
    write.add_argument("file", type=Path)
    write.add_argument("--seeds", default="0")
    write.add_argument("--instructions", type=int, default=100_000)
    write.add_argument("--only", action="append", default=[], metavar="PART", help="runs with this in their names")
    write.set_defaults(does=record_all)
    read = commands.add_parser("compare")
    read.add_argument("here", type=Path)
    read.add_argument("there", type=Path)
    read.set_defaults(does=compare)
    arguments = parser.parse_args()
    result: int = arguments.does(arguments)
    return result


if __name__ == "__main__":
    sys.exit(main())
