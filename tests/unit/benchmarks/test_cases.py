"""The programs of the table ``combination``, and what is kept of their runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import cases
from benchmarks.case import Case
from benchmarks.curve import Curve, Point
from benchmarks.kept import Kept
from benchmarks.request import BenchRequest
from benchmarks.run import Run
from benchmarks.subject import PROGRAMS
from benchmarks.targets import TARGETS
from clew.base.errors import UserError


def named(tmp_path: Path, **asked: object) -> dict[str, Case]:
    return {case.name: case for case in cases.chosen(BenchRequest(**asked), tmp_path)}  # type: ignore[arg-type]


def test_all_programs(tmp_path: Path) -> None:
    found = named(tmp_path)
    groups = {name.partition("/")[0] for name in found}
    assert groups == {"real", "engine", "merging", "summaries", "invariants", "navigation", "verify", "reach"}
    assert all(file.is_file() for case in found.values() for file in case.files)
    assert {case.command for case in found.values()} == {"test", "verify", "reach"}
    assert len(found) == len(list(cases.chosen(BenchRequest(), tmp_path))), "each has a name of its own"


def test_two_versions_of_the_realistic_programs(tmp_path: Path) -> None:
    found = named(tmp_path, only=("real/date*",))
    fixed, bugs = found["real/date"], found["real/date-bug"]
    assert (fixed.options, fixed.errors, fixed.errors_known) == (("--stdin", "10"), frozenset(), True)
    assert bugs.options == ("-DBUG", "--stdin", "10") and ("uninitialized", "date.c", 99) in bugs.errors


def test_no_program_says_which_techniques_are_on(tmp_path: Path) -> None:
    assert not [case.name for case in named(tmp_path).values() if any(word[:5] == "--no-" for word in case.options)]


def test_verdicts_are_known(tmp_path: Path) -> None:
    found = named(tmp_path, only=("verify/*", "reach/*"))
    assert {case.expected for case in found.values()} == {"TRUE", "FALSE", "REACHED", "UNREACHABLE"}
    assert found["reach/hello"].options == ("--call", "reach_error")


def test_some_programs(tmp_path: Path) -> None:
    assert set(named(tmp_path, only=("summaries/nest*",))) == {f"summaries/nest{number}" for number in (1, 2, 3)}
    assert 8 <= len(named(tmp_path, quick=True)) <= len(cases.QUICK)
    with pytest.raises(UserError, match="no program of the table combination is called nest"):
        named(tmp_path, only=("nest",))


def test_libraries(tmp_path: Path) -> None:
    for folder, names in {"cJSON": ("cJSON.h", "cJSON.c"), "jsmn": ("jsmn.h",)}.items():
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / name).write_text("", encoding="utf-8")
    found = named(tmp_path, targets=tmp_path, only=("*/jsmn-4", "targets/cjson-6"))
    verify, test = found["verify/jsmn-4"], found["targets/cjson-6"]
    assert (verify.command, verify.expected, verify.files) == ("verify", "TRUE", (PROGRAMS / "targets" / "jsmn.c",))
    assert verify.options == (f"-I{tmp_path / 'jsmn'}", "-DN=4", "--check", "memory")
    assert test.files[1] == tmp_path / "cJSON" / "cJSON.c"
    with pytest.raises(UserError, match=r"there is no .*ini\.h: fetch github\.com/benhoyt/inih into"):
        named(tmp_path, targets=tmp_path)
    with pytest.raises(UserError, match=r"no such folder: .*; fetch .*zserge/jsmn as jsmn/") as missing:
        named(tmp_path, targets=tmp_path / "none")
    assert "\n" not in str(missing.value)


def test_each_harness_is_used() -> None:
    assert {target.harness for target in TARGETS} == {path.name for path in (PROGRAMS / "targets").glob("*.c")}


def case(folder: Path, text: str = "int main(void) { return 0; }") -> Case:
    folder.mkdir(exist_ok=True)
    (folder / "p.c").write_text(text, encoding="utf-8")
    return Case("real/p", (folder / "p.c",), options=(f"-I{folder}",))


RUN = Run(
    2.5, errors=(("abort", "p.c", 3),), losses=("a call",), stats={"instructions": 7}, cpu=1.5, stopped="time",
    curve=Curve((Point(1.0, 0.5, 1, 2, 3, 4, 5),), (("abort", "p.c", 3),)),
)  # fmt: skip


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    asked, kept = case(tmp_path / "a"), Kept(tmp_path / "deep" / "kept")
    digest = asked.digest(("--no-merge",), 5.0)
    assert kept.get(asked, "no merging", 1, digest) is None
    kept.put(asked, "no merging", 1, digest, RUN)
    assert kept.get(asked, "no merging", 1, digest) == RUN
    assert kept.get(asked, "no merging", 2, digest) is None and kept.get(asked, "default", 1, digest) is None
    (file,) = (tmp_path / "deep").rglob("*.json")
    assert json.loads(file.read_text(encoding="utf-8"))["program"] == "real/p"
    file.write_text('{"run', encoding="utf-8")
    assert kept.get(asked, "no merging", 1, digest) is None, "half a file is none"


def test_what_was_asked_otherwise_is_another_run(tmp_path: Path) -> None:
    asked = case(tmp_path / "a")
    digest = asked.digest(("0",), 5.0)
    assert case(tmp_path / "b").digest(("0",), 5.0) == digest, "where the program is does not matter"
    others = [
        asked.digest(("1",), 5.0),
        asked.digest(("0",), 6.0),
        replace(asked, command="verify").digest(("0",), 5.0),
    ]
    others.append(case(tmp_path / "a", "int main(void) { return 1; }").digest(("0",), 5.0))
    assert digest not in others
    kept = Kept(tmp_path / "kept")
    kept.put(asked, "off", 0, digest, RUN)
    assert kept.get(asked, "off", 0, others[0]) is None


def test_nothing_is_kept_without_a_folder(tmp_path: Path) -> None:
    asked, kept = case(tmp_path / "a"), Kept(None)
    kept.put(asked, "off", 0, "d", RUN)
    assert kept.get(asked, "off", 0, "d") is None


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="--out"):
        Kept(tmp_path / "file")
