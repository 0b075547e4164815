"""Does what the native program did agree with what the engine predicted?

Clear evidence comes first: the driver's own messages (a failed assertion, ``reach_error``), then what a
sanitizer printed, then the signal. Where the build has no check for the predicted kind, a run that ends
quietly decides nothing.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping
from typing import Literal

from clew.base.dataclass import dataclass
from clew.report.kinds import BUG_KINDS, CRASH, ORDERLY, TRAP, BugKind, Visibility
from clew.report.reading import StoredTest
from clew.report.replay_records import Status

SANITIZER_EXIT = 99
"""Exit code that the sanitizers are told to use."""


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
        if word in ORDERLY:
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
    address = re.search(r"ERROR: AddressSanitizer: ([^\n]*)", err)
    if address:
        return Observation(_named(address[1], "asan"), f"ASan: {_short(address[1])}", line=_frame_line(err))
    undefined = re.search(r"^[^\n]*?:(\d+):\d+: runtime error: ([^\n]*)", err, re.MULTILINE)
    if undefined:
        return Observation(_named(undefined[2], "ubsan"), f"UBSan: {_short(undefined[2])}", line=int(undefined[1]))
    return None


def _named(text: str, sanitizer: Literal["asan", "ubsan"]) -> str:
    """The kind of bugs that a sanitizer's message is about."""
    for name, kind in BUG_KINDS.items():
        words = kind.asan if sanitizer == "asan" else kind.ubsan
        if words and re.search(words, text):
            return name
    return "other"


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
        return Observation(TRAP if traps else CRASH, name)
    if -code == signal.SIGFPE:
        return Observation("division-by-zero", name)
    if -code == signal.SIGABRT:
        return Observation("abort", name, 128 + signal.SIGABRT)
    if -code == signal.SIGXFSZ:
        return Observation("files", f"{name}: wrote more than permitted")
    if -code == signal.SIGXCPU:
        return Observation("hang", f"{name}: used more time than permitted")
    return Observation(CRASH, name)


def judge(predicted: StoredTest, seen: Observation, address_checks: bool) -> Status:
    """The verdict on one test. ``address_checks``: the build has AddressSanitizer."""
    if seen.kind == "not-run":
        return Status.UNDECIDED
    if predicted.kind:
        unknown = BugKind(predicted.kind, "", (), "")  # from a folder that another version has written
        return _judge_bug(BUG_KINDS.get(predicted.kind, unknown), seen, address_checks)
    if predicted.ends not in ("", "exit"):
        return Status.UNDECIDED
    # abort() that counts as the end of an assumption: exit code 134 for the engine, SIGABRT here.
    ended = not seen.kind or (seen.kind == "abort" and predicted.exit_code == seen.exit_code)
    if ended and (predicted.exit_code is None or predicted.exit_code == seen.exit_code):
        return Status.AGREED
    return Status.DISAGREED


def _judge_bug(kind: BugKind, seen: Observation, address_checks: bool) -> Status:
    if seen.kind == kind.name or seen.kind in kind.shows_as:
        return Status.AGREED
    unseen = kind.visibility is Visibility.UNCERTAIN or (
        kind.visibility is Visibility.ADDRESS_SANITIZER and not address_checks
    )
    return Status.UNDECIDED if unseen and not seen.kind else Status.DISAGREED
