"""The side of Clew of native runs: starts the process, hands it inputs, reads what they have shown.

What the process writes is not trusted: numbers are looked at before they are used. If it dies, or does not answer in
time, it is ended, and the next request starts another one.
"""

from __future__ import annotations

import mmap
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import IntEnum
from types import TracebackType
from typing import Self

from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.base.processes import working_seconds
from clew.native import child, places, trace_places
from clew.native.emit.module import Branch, NativeCode

_FIELDS = (
    *("fuel", "stack", "stack_high", "noting", "input_size", "fuel_per_run", "most_heap", "stdin_most", "reads_stdin"),
    *("seed", "most_input", "most_work", "stale_runs", "end", "detail", "place", "input_used", "output_size"),
    *("runs_done", "work_done", "found_count", "corpus_count", "matching"),
)
"""Of ``struct shared`` in ``c/native.h``."""
_OFFSETS = {name: 8 * number for number, name in enumerate(_FIELDS)}
START_SECONDS = 20.0
SMALL_HEAP = 16 << 20
"""Bytes that a run of mutation may allocate: to clear them takes longer than most runs."""
FUEL = 1 << 40
"""Passes through loops, and calls, of a run that may take as long as its time-out."""


class End(IntEnum):
    """How a run ended; the first ones are ``enum end`` in ``c/native.h``."""

    EXIT = 0
    BUG = 1
    ASSUMPTION = 2
    UNSUPPORTED = 3
    FUEL = 4
    MEMORY = 5
    FAULT = 6
    DIED = 7
    """The process is gone: the kernel has ended it."""
    TIMEOUT = 8


BUG_KINDS = ("access", "division", "check", "unreachable", "free", "assert", "abort", "error-call", "overlap")
"""By the numbers of ``enum bug``."""


@dataclass(frozen=True, slots=True)
class NativeRun:
    """What one run has shown."""

    end: End
    detail: str = ""
    """The kind of bug, or what is not supported."""
    exit_code: int | None = None
    stdout: bytes = b""
    input_used: int = 0
    """Bytes of input that the program has asked for."""
    counts: Mapping[Branch, int] = field(default_factory=dict)
    """How often each branch was taken, up to 255 times; where they are only marked, 1."""

    @property
    def branches(self) -> frozenset[Branch]:
        """Those that were taken."""
        return frozenset(self.counts)


@dataclass(frozen=True, slots=True)
class Mutation:
    """What a round of mutation has shown."""

    found: tuple[bytes, ...]
    """Inputs that take a branch for the first time, or fail at a new place."""
    runs: int
    work: int
    """Passes through loops, and a little for each run."""
    died: bytes | None = None
    """The input that ended the process, or took too long."""


class NativeExecutor:
    """A process for native runs of one program; use it in a ``with`` statement.

    Unsupported where the system has not what it takes: at once, or when a process is started for a run.
    """

    def __init__(self, library: bytes, code: NativeCode, stdin: int | None = None) -> None:
        self._code = code
        self._stdin = stdin
        self._size = trace_places.TRACED_SIZE if code.traced else places.SHARED_SIZE
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._library = os.memfd_create("clew-program")
            with open(self._library, "wb", closefd=False) as file:
                file.write(library)
        except OSError as problem:
            raise _impossible(problem) from None
        self._share()

    def _share(self) -> None:
        """Make the memory that this process shares with the one that runs the program."""
        self._owner = os.getpid()
        try:
            self._descriptor = os.memfd_create("clew-native")
            os.ftruncate(self._descriptor, self._size)
            self._shared = mmap.mmap(self._descriptor, self._size)
        except OSError as problem:
            raise _impossible(problem) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """No more runs."""
        self._stop()
        self._shared.close()
        os.close(self._descriptor)
        os.close(self._library)

    @property
    def reads_stdin(self) -> bool:
        """Whether the input is standard input, which ends; otherwise zeros come after its end."""
        return self._stdin is not None

    @property
    def process_id(self) -> int | None:
        """The process that runs the program; None if there is none."""
        return None if self._process is None or self._owner != os.getpid() else self._process.pid

    @property
    def branches(self) -> frozenset[Branch]:
        """All that runs tell of."""
        return frozenset(self._code.branches)

    def worked(self) -> float:
        """Seconds that the process has worked which runs the program, as long as it does; 0 where nobody can tell."""
        number = self.process_id
        return 0.0 if number is None else working_seconds(number)

    def run(self, data: bytes, fuel: int = FUEL, seconds: float = 10.0) -> NativeRun:
        """One run with this input."""
        self._give(data, fuel)
        lost = self._request(b"r", seconds)
        return NativeRun(lost) if lost is not None else self._shown()

    def add(self, data: bytes, fuel: int = FUEL, seconds: float = 10.0) -> bool:
        """Run an input, and keep it for mutation if it shows something; whether it did."""
        self._give(data, fuel)
        return self._request(b"a", seconds) is None and self._get("found_count") > 0

    def mutate(
        self, seed: int, most_input: int, fuel: int, stale_runs: int, most_work: int, seconds: float
    ) -> Mutation:
        """Change what is kept until ``stale_runs`` in a row have shown nothing, or so much work is done.

        ``fuel``: of each run; inputs that need more are not kept.
        """
        self._give(b"", fuel)
        wanted = {
            "most_heap": SMALL_HEAP,
            "seed": seed,
            "most_input": most_input,
            "most_work": most_work,
            "stale_runs": stale_runs,
            **dict.fromkeys(("runs_done", "work_done", "found_count"), 0),  # in case that the process is gone
        }
        for name, value in wanted.items():
            self._set(name, value)
        lost = self._request(b"m", seconds)
        found = tuple(self._found())
        size = min(self._get("input_size"), places.INPUT_SIZE)
        died = None if lost is None else self._bytes(places.INPUT, size)
        return Mutation(found, self._get("runs_done"), self._get("work_done"), died)

    # Requests

    def _give(self, data: bytes, fuel: int) -> None:
        if self._owner != os.getpid():
            self._leave_to_original()
        if self._process is None:
            self._start()
        data = data[: places.INPUT_SIZE]
        at = places.INPUT - places.SHARED
        self._shared[at : at + len(data)] = data
        self._set("input_size", len(data))
        self._set("fuel_per_run", fuel)
        self._set("most_heap", places.ARENA_SIZE)
        self._set("reads_stdin", int(self._stdin is not None))
        self._set("stdin_most", self._stdin or 0)

    def _request(self, what: bytes, seconds: float) -> End | None:
        """Send a request; how the process was lost, if it was."""
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(what)
            self._process.stdin.flush()
        except OSError:
            self._stop()
            return End.DIED
        lost = self._answer(seconds)
        if lost is not None:
            self._stop()
        return lost

    def _answer(self, seconds: float) -> End | None:
        assert self._process is not None and self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        if not ready:
            return End.TIMEOUT
        return None if os.read(self._process.stdout.fileno(), 1) else End.DIED

    def _leave_to_original(self) -> None:
        """This process is a fork of the one that the memory and the other process belong to: it gets its own."""
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.close()
            process.stdout.close()
            process.returncode = 0  # nobody here is to wait for it
        self._shared.close()
        os.close(self._descriptor)
        self._share()

    def _start(self) -> None:
        """A new process."""
        numbers = (self._descriptor, *self._code.constants, self._size, int(self._code.traced))
        command = [sys.executable, "-I", "-S", child.__file__, f"/proc/self/fd/{self._library}", *map(str, numbers)]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment(),
                pass_fds=[self._descriptor, self._library], start_new_session=True,
            )  # fmt: skip
        except OSError as problem:
            raise _impossible(problem) from None
        if self._answer(START_SECONDS) is not None:
            code = self._stop()
            why = {child.NO_PLACE: "memory at fixed addresses", child.NO_SECCOMP: "seccomp"}.get(code)
            raise Unsupported("native runs on this system" + (f", which lacks {why}" if why else ""))

    def _stop(self) -> int:
        """End the process; its exit code."""
        process, self._process = self._process, None
        if process is None:
            return 0
        assert process.stdin is not None and process.stdout is not None
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        for stream in (process.stdin, process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        return process.wait()

    # The shared memory

    def _set(self, name: str, value: int) -> None:
        at = _OFFSETS[name]
        self._shared[at : at + 8] = value.to_bytes(8, "little")

    def _get(self, name: str) -> int:
        at = _OFFSETS[name]
        return int.from_bytes(self._shared[at : at + 8], "little")

    def _bytes(self, address: int, size: int) -> bytes:
        at = address - places.SHARED
        return self._shared[at : at + size]

    def _shown(self) -> NativeRun:
        number, detail = self._get("end"), self._get("detail")
        end = End(number) if number <= End.FAULT else End.DIED
        return NativeRun(
            end,
            self._text(end, detail),
            detail & 255 if end is End.EXIT else None,
            self._bytes(places.OUTPUT, min(self._get("output_size"), places.OUTPUT_SIZE)),
            self._get("input_used"),
            self._counts(),
        )

    def _text(self, end: End, detail: int) -> str:
        place = self._get("place")
        if end is End.BUG and detail < len(BUG_KINDS):
            return BUG_KINDS[detail]
        if end is End.UNSUPPORTED:
            return self._code.reasons[place] if place < len(self._code.reasons) else "something of the C library"
        return ""

    def _counts(self) -> dict[Branch, int]:
        counts = self._bytes(places.COUNTERS, len(self._code.branches))
        return {branch: count for branch, count in zip(self._code.branches, counts, strict=True) if count}

    def _found(self) -> Iterator[bytes]:
        at = 0
        for _ in range(min(self._get("found_count"), places.FOUND_SIZE // 4)):
            size = int.from_bytes(self._bytes(places.FOUND + at, 4), "little")
            if at + 4 + size > places.FOUND_SIZE:
                return
            yield self._bytes(places.FOUND + at + 4, size)
            at += 4 + size


def _impossible(problem: OSError) -> Unsupported:
    return Unsupported(f"native runs on this system: {problem}")


def _environment() -> dict[str, str]:
    """Nothing but where Python may have its own library from."""
    return {name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"}
