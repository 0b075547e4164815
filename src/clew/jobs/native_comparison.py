"""Does what the native program did agree with what the engine predicted?

Clear evidence comes first: the driver's own messages (a failed assertion, ``reach_error``), then what a
sanitizer printed, then the signal. Where the build has no check for the predicted kind, a run that ends
quietly decides nothing.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass

from clew.report.replay_records import Status

ACCESS = frozenset({"out-of-bounds", "null-dereference", "use-after-free", "uninitialized"})
"""Kinds that can look alike from outside: a stray address may hit freed memory, nothing, or another object."""
FREEING = frozenset({"double-free", "invalid-free", "use-after-free"})
UNDEFINED = frozenset({"signed-overflow", "division-by-zero", "shift", "misaligned", "unreachable", "other",
                       "out-of-bounds", "null-dereference"})  # fmt: skip
"""Kinds a sanitizer's trap may stand for."""
SANITIZER_EXIT = 99
"""Exit code that the sanitizers are told to use."""

_ADDRESS = (
    (r"heap-use-after-free|stack-use-after-return|stack-use-after-scope", "use-after-free"),
    (r"attempting double-free", "double-free"),
    (r"attempting free on address|bad-free|attempting to call malloc_usable_size|alloc-dealloc", "invalid-free"),
    (r"SEGV on unknown address 0x0{9,}[0-9a-f]{0,3}\b", "null-dereference"),
    (r"buffer-(?:over|under)flow|container-overflow|negative-size-param|unknown-crash|SEGV|BUS|stack-overflow"
     r"|param-overlap|out-of-bounds", "out-of-bounds"),
    (r"FPE", "division-by-zero"),
    (r"ILL|TRAP", "unreachable"),
    (r"ABRT", "abort"),
)  # fmt: skip
_RUNTIME = (
    (r"division by zero", "division-by-zero"),
    (r"signed integer overflow|negation of|division of .* by -1", "signed-overflow"),
    (r"shift exponent|left shift of|shift of negative", "shift"),
    (r"index .* out of bounds|insufficient space|variable length array|pointer index expression|addition of unsigned"
     r" offset|subtraction of unsigned offset", "out-of-bounds"),
    (r"misaligned|alignment assumption|assumption of .* alignment", "misaligned"),
    (r"null pointer", "null-dereference"),
    (r"unreachable|end of non-void|without returning a value", "unreachable"),
    (r"not a valid value", "uninitialized"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the engine says a test does."""

    kind: str = ""
    """The kind of the bug; empty for a test that passes."""
    exit_code: int | None = None
    ends: str = ""
    """``exit`` where the engine ran the test to its end; anything else predicts nothing that can be seen."""
    line: int = 0
    file: str = ""
    output: str = ""
    """SHA-256 of what it prints; empty where not known."""

    def __str__(self) -> str:
        if self.kind:
            return self.kind
        if self.ends not in ("", "exit"):
            return "reached" if self.ends == "reached" else "nothing"
        return "exit" if self.exit_code is None else f"exit {self.exit_code}"


@dataclass(frozen=True, slots=True)
class Observation:
    """What a native run showed."""

    kind: str = ""
    """A kind of bug, ``crash`` where only a signal tells, ``trap`` for a sanitizer's; empty for a normal end."""
    text: str = ""
    exit_code: int | None = None
    line: int = 0


_STOPPED = {
    "time": Observation("hang", "still running at the time limit"),
    "processes": Observation("processes", "starts more and more processes"),
    "memory": Observation("memory", "used more memory than permitted"),
    "disk": Observation("files", "wrote more than permitted"),
}
"""What a test is stopped for."""


def observe(answer: Mapping[str, object], traps: bool) -> Observation:
    """From the supervisor's answer. ``traps``: undefined behaviour was compiled to trap instructions."""
    if "failed" in answer:
        return Observation("not-run", f"could not be run: {answer['failed']}")
    events = [str(event) for event in _list(answer["events"])]
    err, code = str(answer["err"]), answer["exit"]
    assert isinstance(code, int)
    if answer["stopped"]:
        return _STOPPED[str(answer["stopped"])]
    for event in events:
        word, _, detail = event.partition(" ")
        if word in ("assert", "error-call", "abort"):
            return Observation(word, f"{word}: {detail}")
        if word == "error":
            return Observation("other", f"error: {detail}")
        if word == "no-address":
            return Observation("not-run", f"cannot be set up: no address {detail.partition(':')[0]}")
        if word in ("out-of-inputs", "assumption"):
            return Observation(word, detail)
    return _sanitizer(err, code) or _end(code, traps)


def _list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def _sanitizer(err: str, code: int) -> Observation | None:
    if code not in (SANITIZER_EXIT, -signal.SIGABRT):
        return None
    leak = re.search(r"ERROR: LeakSanitizer: (.*)", err)
    if leak and "fatal error" not in leak[1]:
        return Observation("memory-leak", f"LeakSanitizer: {leak[1]}")
    for pattern, table in (
        (r"ERROR: AddressSanitizer: ([^\n]*)", _ADDRESS), (r"^[^\n]*?:(\d+):\d+: runtime error: ([^\n]*)", _RUNTIME),
    ):  # fmt: skip
        found = re.search(pattern, err, re.MULTILINE)
        if found is None:
            continue
        text = found[found.lastindex or 1]
        kind = next((kind for words, kind in table if re.search(words, text)), "other")
        line = int(found[1]) if table is _RUNTIME else _frame_line(err)
        return Observation(kind, f"{'UBSan' if table is _RUNTIME else 'ASan'}: {_short(text)}", line=line)
    return None


def _short(text: str) -> str:
    """Without addresses, which differ from run to run."""
    text = re.sub(r"\s*\(pc .*| at pc .*|\s*on (?:unknown )?address 0x[0-9a-f]+|:? (?:on )?0x[0-9a-f]+.*", "", text)
    return text if len(text) <= 70 else text[:67] + "..."


def _frame_line(err: str) -> int:
    """The line of the innermost frame that has one and is not the sanitizer's own."""
    for match in re.finditer(r"^\s+#\d+ .* in (\S+) (\S+?):(\d+)", err, re.MULTILINE):
        if "libsanitizer" not in match[2] and "sanitizer_common" not in match[2]:
            return int(match[3])
    return 0


def _end(code: int, traps: bool) -> Observation:
    if code >= 0:
        return Observation("", f"exit {code}", code)
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    if -code in (signal.SIGILL, signal.SIGTRAP):
        return Observation("trap" if traps else "crash", name)
    if -code == signal.SIGFPE:
        return Observation("division-by-zero", name)
    if -code == signal.SIGABRT:
        return Observation("abort", name, 128 + signal.SIGABRT)
    if -code == signal.SIGXFSZ:
        return Observation("files", f"{name}: wrote more than permitted")
    if -code == signal.SIGXCPU:
        return Observation("hang", f"{name}: used more time than permitted")
    return Observation("crash", name)


def judge(predicted: Prediction, seen: Observation, address_checks: bool) -> Status:
    """The verdict on one test. ``address_checks``: the build has AddressSanitizer."""
    if seen.kind == "not-run":
        return Status.UNDECIDED
    if predicted.kind:
        return _judge_bug(predicted.kind, seen, address_checks)
    if predicted.ends not in ("", "exit"):
        return Status.UNDECIDED
    # abort() that counts as the end of an assumption: exit code 134 for the engine, SIGABRT here.
    ended = not seen.kind or (seen.kind == "abort" and predicted.exit_code == seen.exit_code)
    if ended and (predicted.exit_code is None or predicted.exit_code == seen.exit_code):
        return Status.AGREED
    return Status.DISAGREED


def _judge_bug(kind: str, seen: Observation, address_checks: bool) -> Status:
    if seen.kind == kind or seen.kind in _LOOKS_LIKE.get(kind, ()):
        return Status.AGREED
    if seen.kind == "trap" and kind in UNDEFINED:
        return Status.AGREED
    if seen.kind == "crash" and kind in ACCESS | FREEING | {"other", "unreachable", "misaligned"}:
        return Status.AGREED
    if seen.kind == "abort" and kind in FREEING:
        return Status.AGREED  # the C library's own check of its heap
    if kind == "other" and seen.kind not in ("", "hang", "out-of-inputs", "assumption", "processes", "memory", "files"):
        return Status.AGREED
    if not seen.kind and (kind == "uninitialized" or not address_checks and kind in ACCESS | FREEING | {"memory-leak"}):
        return Status.UNDECIDED
    if not seen.kind and kind in ("unreachable", "misaligned"):  # which no check may see natively
        return Status.UNDECIDED
    return Status.DISAGREED


_LOOKS_LIKE = {
    **dict.fromkeys(ACCESS, ACCESS),
    "double-free": FREEING | {"out-of-bounds"},
    "invalid-free": FREEING | {"out-of-bounds", "null-dereference"},
    "division-by-zero": frozenset({"signed-overflow"}),
    "signed-overflow": frozenset({"division-by-zero"}),
    "error-call": frozenset({"assert", "abort"}),
}
"""INT_MIN / -1 is a division error to one check and an overflow to another; stray accesses look alike."""
