"""What a native run showed, and whether it agrees with the prediction."""

from __future__ import annotations

import signal
from functools import partial

import pytest

from clew.jobs.native.comparison import SANITIZER_EXIT, Observation, judge, observe
from clew.report.kinds import BUG_KINDS
from clew.report.reading import StoredTest
from clew.report.replay_records import Status

Prediction = partial(StoredTest, "tests/000001.json", ())


def _answer(code: int, err: str = "", events: tuple[str, ...] = (), stopped: str = "") -> dict[str, object]:
    return {"exit": code, "err": err, "events": list(events), "stopped": stopped}


ASAN = "==7==ERROR: AddressSanitizer: {} on address 0x602000000014 at pc 0x55 bp 0x7f sp 0x7f\n    #0 0x5 in f p.c:12\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (ASAN.format("heap-buffer-overflow"), "out-of-bounds"),
        (ASAN.format("stack-buffer-underflow"), "out-of-bounds"),
        (ASAN.format("heap-use-after-free"), "use-after-free"),
        (ASAN.format("memcpy-param-overlap"), "overlap"),
        (ASAN.format("strcpy-param-overlap"), "overlap"),
        ("==7==ERROR: AddressSanitizer: attempting double-free on 0x6020 in thread T0:\n", "double-free"),
        ("==7==ERROR: AddressSanitizer: attempting free on address which was not malloc()-ed: 0x6\n", "invalid-free"),
        ("==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000010 (pc 0x5)\n", "null-dereference"),
        ("==7==ERROR: AddressSanitizer: SEGV on unknown address 0x7f0000000000 (pc 0x5)\n", "out-of-bounds"),
        ("==7==ERROR: LeakSanitizer: detected memory leaks\n", "memory-leak"),
        ("p.c:3:5: runtime error: signed integer overflow: 1 + 2147483647 cannot be\n", "signed-overflow"),
        ("p.c:3:5: runtime error: division by zero\n", "division-by-zero"),
        ("p.c:3:5: runtime error: shift exponent 40 is too large for 32-bit type 'int'\n", "shift"),
        ("p.c:3:5: runtime error: index 6 out of bounds for type 'char [6]'\n", "out-of-bounds"),
        ("p.c:3:5: runtime error: store to null pointer of type 'int'\n", "null-dereference"),
        ("p.c:3:5: runtime error: load of misaligned address 0x7f01 for type 'int', which requires\n", "misaligned"),
        ("p.c:3:5: runtime error: 1e+10 is outside the range of representable values of type 'int'\n", "other"),
        ("p.c:3:5: runtime error: execution reached an unreachable program point\n", "unreachable"),
    ],
)
def test_sanitizers(text: str, kind: str) -> None:
    seen = observe(_answer(SANITIZER_EXIT, text), False)
    assert seen.kind == kind
    assert "0x" not in seen.text, "addresses differ from run to run"
    assert seen.line == (3 if "runtime" in text else 12 if "p.c:12" in text else 0)
    assert observe(_answer(0, text), False).kind == "", "a program may print what it likes"


@pytest.mark.parametrize(
    ("answer", "traps", "kind"),
    [
        (_answer(-signal.SIGABRT, events=("assert x > 0",)), False, "assert"),
        (_answer(-signal.SIGABRT, events=("error-call reach_error",)), False, "error-call"),
        (_answer(-signal.SIGABRT, events=("error odd",)), False, "other"),
        (_answer(97, events=("out-of-inputs ...",)), False, "out-of-inputs"),
        (_answer(98, events=("assumption ...",)), False, "assumption"),
        (_answer(0, events=("refused /etc/passwd",)), False, ""),
        (_answer(-signal.SIGABRT), False, "abort"),
        (_answer(-signal.SIGILL), True, "trap"),
        (_answer(-signal.SIGILL), False, "crash"),
        (_answer(-signal.SIGSEGV), False, "crash"),
        (_answer(-signal.SIGFPE), False, "division-by-zero"),
        (_answer(-signal.SIGXFSZ), False, "files"),
        (_answer(-63), False, "crash"),
        (_answer(-9, stopped="time"), False, "hang"),
        (_answer(-9, stopped="processes"), False, "processes"),
        (_answer(-9, stopped="memory"), False, "memory"),
        (_answer(-9, stopped="disk"), False, "files"),
        ({"failed": "mount: no"}, False, "not-run"),
    ],
)
def test_ends(answer: dict[str, object], traps: bool, kind: str) -> None:
    assert observe(answer, traps).kind == kind


@pytest.mark.parametrize("kind", BUG_KINDS)
def test_every_kind_agrees_with_itself_and_never_with_a_hang(kind: str) -> None:
    assert judge(Prediction(kind), Observation(kind), True) is Status.AGREED
    for other in ("hang", "out-of-inputs", "assumption", "processes", "memory"):
        assert judge(Prediction(kind), Observation(other), True) is Status.DISAGREED


@pytest.mark.parametrize(
    ("predicted", "seen", "checks", "status"),
    [
        (Prediction("out-of-bounds"), Observation(exit_code=0), True, Status.DISAGREED),
        (Prediction("out-of-bounds"), Observation(exit_code=0), False, Status.UNDECIDED),
        (Prediction("out-of-bounds"), Observation("crash"), False, Status.AGREED),
        (Prediction("out-of-bounds"), Observation("assert"), True, Status.DISAGREED),
        (Prediction("uninitialized"), Observation(exit_code=0), True, Status.UNDECIDED),
        (Prediction("misaligned"), Observation(exit_code=0), True, Status.UNDECIDED),
        (Prediction("signed-overflow"), Observation("trap"), False, Status.AGREED),
        (Prediction("signed-overflow"), Observation(exit_code=0), True, Status.DISAGREED),
        (Prediction("assert"), Observation("trap"), False, Status.DISAGREED),
        (Prediction("assert"), Observation("abort"), True, Status.DISAGREED),
        (Prediction("double-free"), Observation("abort"), False, Status.AGREED),
        (Prediction(exit_code=3, ends="exit"), Observation(exit_code=3), True, Status.AGREED),
        (Prediction(exit_code=3, ends="exit"), Observation(exit_code=4), True, Status.DISAGREED),
        (Prediction(exit_code=134, ends="exit"), Observation("abort", exit_code=134), True, Status.AGREED),
        (Prediction(exit_code=0, ends="exit"), Observation("abort", exit_code=134), True, Status.DISAGREED),
        (Prediction(ends="exit"), Observation(exit_code=4), True, Status.AGREED),
        (Prediction(ends="lost"), Observation("crash"), True, Status.UNDECIDED),
    ],
)
def test_verdicts(predicted: StoredTest, seen: Observation, checks: bool, status: Status) -> None:
    assert judge(predicted, seen, checks) is status


def test_predictions_for_people() -> None:
    shown = [
        str(p)
        for p in (Prediction("shift"), Prediction(exit_code=3, ends="exit"), Prediction(), Prediction(ends="lost"))
    ]
    assert shown == ["shift", "exit 3", "exit", "nothing"]


def test_a_test_that_could_not_be_run_decides_nothing() -> None:
    seen = observe({"failed": "mount: Operation not permitted"}, False)
    assert seen.text == "could not be run: mount: Operation not permitted"
    assert judge(Prediction("assert"), seen, True) is Status.UNDECIDED
    assert judge(Prediction(exit_code=0, ends="exit"), seen, True) is Status.UNDECIDED
