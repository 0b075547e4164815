"""Explorations run while nobody looks for reference cycles: what is over must be freed without that."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from clew.execute.pending import Pending
from clew.execute.state import State
from unit.jobs.test_head_start import explored

PROGRAMS = {
    "exits and failures": """int main(void) {
      int table[4] = {0}, n = klee_int("n");
      if (n < 0) exit(3);
      if (n > 9) abort();
      for (int i = 0; i < n; i++) table[n & 7]++;
      return table[0];
    }""",
    "numbers that are scanned": """int main(void) {
      char text[4]; int first, second;
      klee_make_symbolic(text, sizeof text, "text");
      text[3] = 0;
      if (sscanf(text, "%d,%d", &first, &second) == 2 && first == second) return 1;
      return 0;
    }""",
    "nothing that Clew can do": """int main(void) {
      if (klee_int("n") == 3) __asm__ volatile ("hlt");
      return 0;
    }""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_paths_are_no_cycles(tmp_path: Path, name: str) -> None:
    plain = {"merge": False, "summarize": False, "invariants": False, "navigate": False, "engine": "interpreter"}
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        summary, _ = explored(tmp_path, PROGRAMS[name], **plain)
        gc.collect()
        left = [type(one).__name__ for one in gc.garbage if isinstance(one, State | Pending)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert summary.stats.paths_completed
    assert not left


ALONE = """import gc
from clew.base.garbage import no_collection
many = 10 * gc.get_threshold()[0]
searches = []
with no_collection():
    made = [[number] for number in range(many)]
    gc.callbacks.append(lambda phase, details: searches.append(phase))
few = [0]
assert not searches, searches
later = [[number] for number in range(many)]
assert searches
"""
"""To be run by itself: the tests put aside all that is there when they begin."""


def test_no_search_follows_what_was_made_without_one() -> None:
    assert subprocess.run([sys.executable, "-c", ALONE], check=False).returncode == 0
