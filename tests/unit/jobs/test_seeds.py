"""``--seeds``: which files are inputs, and exploration that starts from them."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from clew.base.errors import UserError
from clew.base.options import TestRequest
from clew.jobs.seeds import LARGEST, read_seeds
from clew.jobs.test import run_test
from clew.report.listener import Listener
from clew.report.records import Summary, Test
from unit.execute.support import PRELUDE

OFF = {"merge": False, "summarize": False, "invariants": False, "navigate": False}


def ktest(*objects: tuple[bytes, bytes]) -> bytes:
    """A file of KLEE's, without arguments."""
    parts = [part for one in objects for part in one]
    numbers = struct.pack(">IIIII", 3, 0, 0, 0, len(objects))
    return b"KTEST" + numbers + b"".join(struct.pack(">I", len(part)) + part for part in parts)


class Heard(Listener):
    """Remembers tests and warnings."""

    def __init__(self) -> None:
        self.tests: list[Test] = []
        self.warnings: list[str] = []

    def test_found(self, test: Test) -> None:
        self.tests.append(test)

    def warning(self, text: str) -> None:
        self.warnings.append(text)


def job(folder: Path, code: str, **options: Any) -> tuple[Summary, Heard]:
    path = folder / "program.c"
    path.write_text(PRELUDE + code, encoding="utf-8")
    heard = Heard()
    request = TestRequest(files=(path,), seconds=600.0, compiler_flags=("-w",), **{**OFF, **options})
    return run_test(request, heard), heard


def write(folder: Path, **files: bytes) -> Path:
    seeds = folder / "seeds"
    seeds.mkdir()
    for name, data in files.items():
        (seeds / name).write_bytes(data)
    return seeds


def clew_test(*inputs: tuple[str, int]) -> bytes:
    values = [{"name": name, "type": "int", "value": value, "bits": 32, "kind": "nondet"} for name, value in inputs]
    return json.dumps({"clew": "1", "inputs": values}).encode()


# Files


def test_formats(tmp_path: Path) -> None:
    klee = ktest((b"s", b"ab"), (b"n", b"\1\0\0\0"), (b"s", b"c"))
    seeds = write(tmp_path, a=b"raw", b=klee, c=clew_test(("x", -1), ("y", 2), ("x", 3)))
    warnings: list[str] = []
    assert read_seeds(seeds, None, warnings.append) == [
        b"raw",
        {"s": [0x6261, 0x63], "n": [1]},
        {"x": [0xFFFFFFFF, 3], "y": [2]},
    ]
    assert warnings == []


def test_bytes_are_standard_input_where_there_is_one(tmp_path: Path) -> None:
    seeds = write(tmp_path, long=b"abcdef", short=b"x")
    expected = [{"stdin length": [4], "stdin": [0x64636261]}, {"stdin length": [1], "stdin": [0x78]}]
    assert read_seeds(seeds, 4, lambda text: None) == expected


def test_json_of_others_is_bytes(tmp_path: Path) -> None:
    seeds = write(tmp_path, a=b'{"inputs": []}')
    assert read_seeds(seeds, None, lambda text: None) == [b'{"inputs": []}']


def test_what_is_left_out(tmp_path: Path) -> None:
    good = clew_test(("x", 1))
    seeds = write(
        tmp_path, again=good, cut=good[:30], empty=b"", good=good, klee=ktest((b"s", b"ab"))[:-1],
        large=bytes(LARGEST + 1), odd=b'{"clew": 1, "inputs": [7]}',
    )  # fmt: skip
    (seeds / "folder").mkdir()
    (seeds / ".hidden").write_bytes(b"x")
    warnings: list[str] = []
    assert read_seeds(seeds, None, warnings.append) == [{"x": [1]}]
    assert [Path(text.split()[1]).name for text in warnings] == ["cut", "klee", "large", "odd"]
    assert all(text.startswith("--seeds: ") and "left out" in text and "\n" not in text for text in warnings)


def test_output_folders(tmp_path: Path) -> None:
    tests = write(tmp_path, **{"000001.json": clew_test(("x", 1)), "000001.c": b"int main;"})
    (tmp_path / "summary.json").write_text("{}")
    tests.rename(tmp_path / "tests")
    assert read_seeds(tmp_path, None, lambda text: None) == [{"x": [1]}]
    assert read_seeds(tmp_path / "tests", None, lambda text: None) == [{"x": [1]}]


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--seeds: cannot read"):
        read_seeds(tmp_path / "nowhere", None, lambda text: None)
    with pytest.raises(UserError, match="--seeds: cannot read"):
        job(tmp_path, "int main(void) { return 0; }", seeds=tmp_path / "nowhere")


# Exploration

HASH = """
int main(void) {
  unsigned char s[8];
  klee_make_symbolic(s, sizeof s, "s");
  unsigned long h = 14695981039346656037u;
  for (int i = 0; i < 8; i++) h = (h ^ s[i]) * 1099511628211u;
  if (h == 0x%x) return s[0] == 'n' ? 1 : 2;
  return 0;
}
"""


def fnv(data: bytes) -> int:
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 % (1 << 64)
    return value


def test_a_seed_leads_where_no_solver_does(tmp_path: Path) -> None:
    seeds = write(tmp_path, other=b"otherwise", seed=b"needles!")
    _, heard = job(tmp_path, HASH % fnv(b"needles!"), seeds=seeds, max_instructions=400)
    assert 1 in [test.exit_code for test in heard.tests]


TREE = """
int __VERIFIER_nondet_int(void);
int main(void) {
  int found = 0;
  for (int i = 0; i < 4; i++) {
    int x = __VERIFIER_nondet_int();
    if (x == 7 * i) found += 1 << i;
  }
  return found;
}
"""


def path_codes(heard: Heard) -> list[int | None]:
    return [test.exit_code for test in heard.tests]


def test_seeds_come_first_and_nothing_twice(tmp_path: Path) -> None:
    name = "x"
    seeds = write(
        tmp_path,
        a=clew_test((name, 1), (name, 7), (name, 1), (name, 21)),
        b=clew_test((name, 0), (name, 7), (name, 14), (name, 2)),
        c=clew_test((name, 0), (name, 7), (name, 14), (name, 21)),
        d=clew_test((name, 5), (name, 7), (name, 5), (name, 21)),
    )
    summary, heard = job(tmp_path, TREE, seeds=seeds, goal="path")
    assert path_codes(heard)[0] == 0b1010
    assert set(path_codes(heard)[1:3]) == {0b0111, 0b1111}
    assert sorted(path_codes(heard)) == list(range(16))
    assert summary.stats.paths_completed == 16
    assert not summary.losses and "all paths explored" in summary.reason


@pytest.mark.parametrize("search", ["bfs", "coverage", "dfs", "generational", "random-path"])
def test_all_searches_explore_everything(tmp_path: Path, search: str) -> None:
    name = "x"
    seeds = write(tmp_path, a=clew_test((name, 0)), b=clew_test((name, 9), (name, 7)))
    _, heard = job(tmp_path, TREE, seeds=seeds, goal="path", search=search)
    assert sorted(path_codes(heard)) == list(range(16))


def test_with_all_techniques(tmp_path: Path) -> None:
    name = "x"
    seeds = write(tmp_path, a=clew_test((name, 0)), b=clew_test((name, 9), (name, 7)))
    on = dict.fromkeys(OFF, True)
    with_seeds, _ = job(tmp_path, TREE, seeds=seeds, **on)
    without, _ = job(tmp_path, TREE, **on)
    assert with_seeds.coverage.branches_covered == without.coverage.branches_covered
    assert with_seeds.losses == without.losses == ()


ASSUMED = """
int main(void) {
  char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  klee_assume(s[4] == 0);
  if (strlen(s) != 4) return 0;
  if (s[0] * s[1] * s[2] + s[3] == 'w' * 'o' * 'r' + 'd') return 1;
  return 2;
}
"""


def test_a_seed_that_an_assumption_forbids_is_adapted(tmp_path: Path) -> None:
    seeds = write(tmp_path, a=b"", b=b"no", c=b"wordy")
    _, heard = job(tmp_path, ASSUMED, seeds=seeds, goal="path")
    inputs = [test.inputs[0].value for test in heard.tests if test.exit_code == 1]
    assert b"word\0" in inputs


def test_standard_input(tmp_path: Path) -> None:
    code = """
    int main(void) {
      char s[8] = {0};
      unsigned long n = fread(s, 1, 8, stdin), h = n;
      for (int i = 0; i < n; i++) h = (h ^ s[i]) * 1099511628211u;
      return n == 3 && h == ((((3 ^ 'a') * 1099511628211u ^ 'b') * 1099511628211u) ^ 'c') * 1099511628211u;
    }
    """
    seeds = write(tmp_path, a=b"abc")
    _, heard = job(tmp_path, "#include <stdio.h>\n" + code, seeds=seeds, stdin=8, goal="path", max_instructions=300)
    assert 1 in path_codes(heard)


def test_the_same_seed_gives_the_same_run(tmp_path: Path) -> None:
    name = "x"
    seeds = write(tmp_path, a=clew_test((name, 0)), b=clew_test((name, 9), (name, 7)))
    runs = [job(tmp_path, TREE, seeds=seeds, goal="path")[1] for _ in range(2)]
    assert path_codes(runs[0]) == path_codes(runs[1])


def test_bad_files_are_warned_of_and_lose_nothing(tmp_path: Path) -> None:
    seeds = write(tmp_path, bad=b"KTEST?", good=clew_test(("x", 7)))
    _, heard = job(tmp_path, TREE, seeds=seeds, goal="path")
    assert len(heard.warnings) == 1 and "bad" in heard.warnings[0]
    assert sorted(path_codes(heard)) == list(range(16))


def test_what_afl_leaves_are_the_queues_and_crashes_of_all_fuzzers(tmp_path: Path) -> None:
    for name in ("main/queue/id:000000,orig", "main/crashes/id:000000", "main/crashes/README.txt", "main/fuzzer_stats"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "side" / "queue" / ".state").mkdir(parents=True)
    (tmp_path / "side" / "queue" / "id:000001").write_bytes(b"side")
    found = [b"main/queue/id:000000,orig", b"main/crashes/id:000000", b"side"]
    assert read_seeds(tmp_path, None, pytest.fail) == found
    assert read_seeds(tmp_path / "main", None, pytest.fail) == found[:2]
    assert read_seeds(tmp_path / "main" / "queue", None, pytest.fail) == found[:1]
