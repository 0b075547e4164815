"""An oracle on many programs: options, processes, sums and kept programs of the scripts that run one.

A script has a function that examines one seed (or a batch of them), and hands it to ``main``. What that writes into its
folder as C is kept if something is wrong.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

R = TypeVar("R")


@dataclass
class Found:
    """What a seed has shown."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Printed, and nothing else."""

    @staticmethod
    def of(compared: Any) -> Found:
        """From a record with numbers, and with a field ``wrong``."""
        values = {item.name: getattr(compared, item.name) for item in fields(compared)}
        counts = Counter({name.replace("_", " "): n for name, n in values.items() if isinstance(n, int)})
        return Found(counts, list(compared.wrong))


Examine = Callable[[int, argparse.Namespace, Path], Found]
"""Of a seed, the options, and a folder for its files."""


def options_of(doc: str | None, programs: int = 100, jobs: int | None = None) -> argparse.ArgumentParser:
    """The options that all scripts have."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=programs, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program; the others follow")
    parser.add_argument("--jobs", type=int, default=jobs or min(2, os.cpu_count() or 1), metavar="N")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="M", help="begin nothing after so long")
    parser.add_argument("--keep", type=Path, default=Path("disagreements"), metavar="DIR", help="for wrong programs")
    return parser


def add_time(parser: argparse.ArgumentParser, seconds: float, what: str = "one program") -> None:
    """The option ``--time``."""
    parser.add_argument("--time", type=float, default=seconds, metavar="SECONDS", help=f"limit for {what}")


def results(work: Callable[[int], R], options: argparse.Namespace, batch: int = 1, fresh: int = 50) -> Iterator[R]:
    """What the work shows for each seed, or for the first of each batch; processes are replaced now and then."""
    deadline = time.monotonic() + options.minutes * 60
    with get_context("fork").Pool(options.jobs, maxtasksperchild=fresh) as pool:
        for result in pool.imap(work, range(options.seed, options.seed + options.programs, batch)):
            yield result
            if time.monotonic() > deadline:
                return


def main(examine: Examine, options: argparse.Namespace, batch: int = 1, fresh: int = 50) -> int:
    """Examine all seeds; print what is wrong, and sums. The exit code: 1 if anything is wrong, else 0."""
    begun, total, done, told = time.monotonic(), Counter[str](), 0, time.monotonic()
    for seed, found in results(partial(_examined, examine, options), options, batch, fresh):
        done = min(done + batch, options.programs)
        total.update({"wrong": len(found.wrong)} | found.counts)
        for text in (*found.wrong, *found.notes):
            print(f"seed {seed}: {text}", flush=True)
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(_sums(done, total, told - begun), flush=True)
    print(_sums(done, total, time.monotonic() - begun))
    return 1 if total["wrong"] else 0


def _examined(examine: Examine, options: argparse.Namespace, seed: int) -> tuple[int, Found]:
    """A failure of the tool is a wrong answer, too."""
    with tempfile.TemporaryDirectory(prefix="oracle-") as name:
        try:
            found = examine(seed, options, Path(name))
        except Exception:
            found = Found(wrong=[traceback.format_exc()[-2000:]])
        if found.wrong:
            options.keep.mkdir(parents=True, exist_ok=True)
            for file in Path(name).glob("*.c"):
                shutil.copy(file, options.keep / f"seed{seed}-{file.name}")
            (options.keep / f"seed{seed}.txt").write_text("\n".join(found.wrong), encoding="utf-8")
    return seed, found


def _sums(done: int, total: Counter[str], seconds: float) -> str:
    counts = "".join(f", {count:,} {name}" for name, count in total.items() if name != "wrong")
    return f"{done} programs{counts}; {total['wrong']} wrong ({seconds:.0f} s)"
