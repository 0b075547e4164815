"""The library is a guest: it takes over nothing, and can be missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from clew.analysis.absint import ppl
from clew.analysis.absint.domains import DOMAINS, cheaper, make_domain
from clew.base.errors import UserError

_SIGNALS = """
import signal, sys, time

heard = []
for number in (signal.SIGINT, signal.SIGALRM, signal.SIGHUP):
    signal.signal(number, lambda number, frame: heard.append(number))
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)  # also while the library is being imported
before = {number: signal.getsignal(number) for number in signal.valid_signals()}
from clew.analysis.absint import ppl
assert "ppl" not in sys.modules and "gmpy2" not in sys.modules
ppl.library()
assert "ppl" in sys.modules
assert {number: signal.getsignal(number) for number in signal.valid_signals()} == before
count = heard.count(signal.SIGALRM)
time.sleep(0.05)
signal.setitimer(signal.ITIMER_REAL, 0)
assert heard.count(signal.SIGALRM) > count
for number in (signal.SIGINT, signal.SIGHUP):
    signal.raise_signal(number)
    assert heard[-1] == number
import importlib.metadata
assert importlib.metadata.version("click")[0].isdigit()
print("fine")
"""


@pytest.mark.slow
def test_signals_stay_as_they_are() -> None:
    done = subprocess.run([sys.executable, "-c", _SIGNALS], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "fine"), done.stderr


def test_interrupts_are_exceptions_as_before() -> None:
    script = "import signal\nfrom clew.analysis.absint import ppl\nppl.library()\n"
    script += "try:\n    signal.raise_signal(signal.SIGINT)\nexcept KeyboardInterrupt:\n    print('heard')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "heard"), done.stderr


def test_a_crash_is_an_ordinary_one() -> None:
    script = "import os\nfrom clew.analysis.absint import ppl\nppl.library()\nos.abort()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == -6
    assert done.stderr == ""


def test_without_the_library_there_are_octagons(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError("no module named ppl")

    monkeypatch.setattr(ppl, "library", missing)
    assert make_domain("polyhedra").name == "octagons"
    assert make_domain("intervals").name == "intervals"


def test_domains_from_the_most_precise_to_the_cheapest() -> None:
    assert [make_domain(name).name for name in DOMAINS.names()] == DOMAINS.names()
    assert DOMAINS.names()[:2] == ["polyhedra", "octagons"]
    assert cheaper("polyhedra") == "octagons"
    assert cheaper("intervals") is None
    with pytest.raises(UserError, match="unknown domain 'pentagons' for --domain"):
        make_domain("pentagons")
