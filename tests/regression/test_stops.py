"""Early ends: signals at any time, compilers that hang, memory limits. What was found is on disk in order."""

from __future__ import annotations

import json
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.base.budget import Budget, Interrupt, StopReason, current_memory_mb, default_memory_mb
from clew.base.processes import descendants
from clew.base.watchdog import Stopped, held, watched
from clew.cli.signals import interruptible
from clew.report.records import LossKind
from regression.conftest import Outcome, shell

Clew = Callable[..., Outcome]
Write = Callable[..., str]
Start = Callable[..., subprocess.Popen[str]]

ENDS = "int main(void) { unsigned c = 0; for (int n; (n = __VERIFIER_nondet_int()) != 9;) if (n > 3) c++; }"
FORKS = "int main(void) { unsigned c = 0; for (;;) if (__VERIFIER_nondet_int() > 3) c++; }"


def _interrupt(run: subprocess.Popen[str], number: int, seconds: float) -> dict[str, Any]:
    """Send a signal some time after the run has claimed its folder; the summary it then leaves."""
    while not Path("out/bugs").exists():
        assert run.poll() is None, run.communicate()
        time.sleep(0.01)
    time.sleep(seconds)
    run.send_signal(number)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said) == (3, "")
    summary = json.loads(Path("out/summary.json").read_text())
    assert isinstance(summary, dict)
    return summary


@pytest.mark.parametrize("seconds", [0.0, 0.6])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_a_complete_folder(start: Start, write: Write, number: int, seconds: float) -> None:
    summary = _interrupt(start(write(FORKS), "--out", "out", "--quiet"), number, seconds)
    assert summary["interrupted"] and "interrupted" in summary["reason"]
    assert len(list(Path("out/tests").glob("*.json"))) == summary["tests"]
    assert not list(Path("out").rglob("*.part"))


AT_ONCE = """
import clew.jobs.sharing.sharing as sharing
from clew.cli import main
sharing.PATIENCE = 0.0
main()
"""
"""``clew``, whose workers are forked as soon as there is something for them."""


def is_at_work(process: int) -> bool:
    """Whether there is such a process, and it is not over."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_ctrl_c_ends_all_workers_and_keeps_what_they_found(write: Write) -> None:
    Path("at_once.py").write_text(AT_ONCE)
    words = f"at_once.py test {write(ENDS)} --goal path --jobs 2 --out out --quiet".split()
    run = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while len(workers := descendants(run.pid)) < 3 or not list(Path("out/tests").glob("*.json")):
        assert run.poll() is None, run.communicate()
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    assert run.communicate(timeout=60) == ("", "")
    assert run.returncode == 3
    latest = time.monotonic() + 60
    while any(map(is_at_work, workers)):  # they end with the first process, not before it
        assert time.monotonic() < latest
        time.sleep(0.01)
    summary = json.loads(Path("out/summary.json").read_text())
    assert summary["interrupted"]
    assert summary["tests"] == len(list(Path("out/tests").glob("*.json"))) > 0
    assert any(loss["kind"] == "unexplored" for loss in summary["losses"])
    assert not list(Path("out").rglob("*.part"))


EARLY = """
import os, signal, sys
from clew.cli.early_signals import listen
listen(None)
for _ in range({count}):
    os.kill(os.getpid(), signal.{name})
from clew.cli.process import run_process
os._exit(run_process(None))
"""
"""The start of ``clew``, with signals before anything else."""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_before_the_run_leaves_a_summary(write: Write, name: str) -> None:
    Path("early.py").write_text(EARLY.format(count=1, name=name))
    done = shell(f'"{sys.executable}" early.py test {write(FORKS)} --out out')
    assert (done.returncode, done.stderr) == (3, "")
    summary = json.loads(Path("out/summary.json").read_text())
    assert summary["interrupted"] and "interrupted" in summary["reason"]


def test_a_second_signal_before_the_run_ends_at_once(write: Write) -> None:
    Path("early.py").write_text(EARLY.format(count=2, name="SIGINT"))
    done = shell(f'"{sys.executable}" early.py test {write(FORKS)} --out out')
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "clew: error: interrupted\n")
    assert not Path("out").exists()


def test_signals_as_soon_as_they_are_caught(start: Start, write: Write) -> None:
    run = start(write(FORKS), "--out", "out", "--quiet")
    caught = 1 << (signal.SIGTERM - 1)
    while not int(re.findall(r"SigCgt:\s*(\w+)", Path(f"/proc/{run.pid}/status").read_text())[0], 16) & caught:
        time.sleep(0.0005)
    run.send_signal(signal.SIGTERM)
    assert run.communicate(timeout=60) == ("", "")
    assert run.returncode == 3
    assert json.loads(Path("out/summary.json").read_text())["interrupted"]


def test_an_abort_waits_for_what_is_being_written() -> None:
    """The second signal raises, but not where a test is half on disk; and never twice."""
    interrupt = Interrupt()
    with interruptible(interrupt, quiet=True) as shield:
        signal.raise_signal(signal.SIGINT)
        assert interrupt.requested
        with held():
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert shield.up
        signal.raise_signal(signal.SIGINT)


def test_no_abort_before_there_is_a_recorder() -> None:
    interrupt = Interrupt()
    with interruptible(interrupt, quiet=True, up=True):
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
    assert interrupt.requested


@pytest.fixture
def slow_clang(write: Write) -> str:
    """Says it is a Clang, and then compiles for ever in a child process."""
    path = Path("slow-clang").absolute()
    path.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "clang version 20.0.0" && exit\nsleep 600 | cat\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.parametrize("count", [1, 2])
def test_time_ends_a_compiler_that_hangs(clew: Clew, write: Write, slow_clang: str, count: int) -> None:
    names = [write(f"int f{number};", f"p{number}.c") for number in range(count)]
    outcome = clew(*names, "--clang", slow_clang, "--time", "0.3")
    assert outcome.code == 3
    assert outcome.summary["stopped"] == "time"
    assert "before the program could be run" in outcome.summary["reason"]


def test_an_interrupt_ends_a_compiler_that_hangs(start: Start, write: Write, slow_clang: str) -> None:
    run = start(write("int f;"), "--clang", slow_clang, "--out", "out", "--quiet")
    assert _interrupt(run, signal.SIGTERM, 0.5)["interrupted"]


def test_a_memory_limit_gives_up_paths_and_says_so(clew: Clew, write: Write) -> None:
    # Little enough to be reached, more than what there is before the first path.
    limit = current_memory_mb() + 10
    outcome = clew(write(FORKS), "--memory", str(limit), "--time", "4")
    assert outcome.code == 3
    assert LossKind.EVICTED in outcome.losses
    assert outcome.summary["tests"] >= 1


def test_memory_that_cannot_be_had_ends_the_path(clew: Clew, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    import clew.memory.storage as storage

    def refuse(*_: object, **__: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    text = "#include <stdlib.h>\nint main(void) { char *p = malloc(10000000); if (p) p[1] = 1; return 0; }"
    monkeypatch.setattr(storage.mmap, "mmap", refuse)
    outcome = clew(write(text))
    assert outcome.code == 3
    assert outcome.summary["stopped"] == "memory"


def test_the_watchdog_ends_what_does_not_poll() -> None:
    budget = Budget(seconds=0.05)
    with pytest.raises(Stopped) as caught, watched(budget):
        while True:
            pass
    assert caught.value.reason is StopReason.TIME


def test_the_watchdog_goes_on_when_one_within_it_has_ended() -> None:
    with pytest.raises(Stopped), watched(Budget(seconds=0.05)):
        with watched(Budget()):
            pass
        while True:
            pass


def test_the_watchdog_waits_for_what_is_held() -> None:
    interrupt = Interrupt()
    interrupt.request()
    reached = []
    with pytest.raises(Stopped) as caught, watched(Budget(interrupt=interrupt)):
        with held():
            deadline = Budget(seconds=1.2)
            while deadline.time_left():
                pass
            reached.append(True)
        while True:
            pass
    assert caught.value.reason is StopReason.INTERRUPTED
    assert reached


def test_there_is_no_watchdog_in_other_threads() -> None:
    done = []

    def work() -> None:
        with watched(Budget(seconds=0.01)):
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done


def test_the_machine_sets_the_limit_where_the_user_does_not() -> None:
    limit = default_memory_mb()
    assert limit is None or limit >= 64
