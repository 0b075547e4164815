"""Finding verification tasks in folders, in the forms that they had over the years."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.subject import PROGRAMS
from benchmarks.tasks import Task, find_tasks
from clew.base.errors import UserError

DEFINITION = """\
format_version: '{version}'

{comment}
input_files: {inputs}

properties:
  - property_file: ../properties/termination.prp
    expected_verdict: {other}
  - property_file: ../properties/unreach-call.prp
    expected_verdict: {verdict}
{options}
"""


def task(name: str, files: tuple[Path, ...], expected: str, data_model: str, label: bool = False) -> Task:
    options = ("--data-model", data_model)
    return Task(name, files, expected=expected, options=options, instance=name, label=label)


def define(
    path: Path,
    verdict: str,
    inputs: str,
    comment: str = "",
    options: str = "",
    other: str = "true",
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = DEFINITION.format(
        version="2.0", verdict=verdict, inputs=inputs, comment=comment, options=options, other=other
    )
    path.write_text(text, encoding="utf-8")


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    return path


def test_names_with_verdicts(tmp_path: Path) -> None:
    safe = touch(tmp_path / "a" / "door_1_safe.cil.c")
    unsafe = touch(tmp_path / "a" / "b" / "door_1_unsafe.cil.c")
    other = touch(tmp_path / "door_2_true-termination_false-unreach-call_true-valid-memsafety.i")
    touch(tmp_path / "helper.c")
    touch(tmp_path / "door_3_safe.h")
    assert find_tasks(tmp_path) == [
        task("door_1_safe", (safe,), "TRUE", "ILP32", label=True),
        task("door_1_unsafe", (unsafe,), "FALSE", "ILP32", label=True),
        task("door_2_unsafe", (other,), "FALSE", "ILP32", label=True),
    ]


def test_definitions(tmp_path: Path) -> None:
    """The verdict is that of unreach-call, the data model ILP32 unless named; the old name decides the task's."""
    files = {name: touch(tmp_path / name) for name in ("door.cil-1.c", "door.cil-2.c", "gate.i", "part.c", "main.c")}
    define(tmp_path / "door.cil-1.yml", "false", "'door.cil-1.c'", other="true")
    define(
        tmp_path / "door.cil-2.yml",
        "true",
        '"door.cil-2.c"',
        comment="# old file name: door_true-unreach-call_false-termination.cil.c",
        other="false",
    )
    define(tmp_path / "gate.yml", "true", "gate.i", options="options:\n  language: C\n  data_model: LP64")
    define(tmp_path / "two.yml", "false", "\n  - 'part.c'\n  - 'main.c'", options="options:\n  data_model: ILP32")
    assert find_tasks(tmp_path) == [
        task("door_safe", (files["door.cil-2.c"],), "TRUE", "ILP32"),
        task("gate_safe", (files["gate.i"],), "TRUE", "LP64"),
        task("door_unsafe", (files["door.cil-1.c"],), "FALSE", "ILP32"),
        task("two_unsafe", (files["part.c"], files["main.c"]), "FALSE", "ILP32"),
    ]


def test_the_same_task_twice_keeps_its_instance(tmp_path: Path) -> None:
    touch(tmp_path / "2013" / "door_safe.cil.c")
    touch(tmp_path / "2019" / "door.cil-1.c")
    define(tmp_path / "2019" / "door.cil-1.yml", "true", "'door.cil-1.c'")
    tasks = find_tasks(tmp_path)
    assert [task.name for task in tasks] == ["door.cil-1.c", "door_safe.cil.c"]
    assert {task.instance for task in tasks} == {"door_safe"}


def test_a_definition_of_something_else_is_no_task(tmp_path: Path) -> None:
    (tmp_path / "ci.yml").write_text("stages:\n  - test\n", encoding="utf-8")
    (tmp_path / "memory.yml").write_text(
        "input_files: 'door.c'\nproperties:\n  - property_file: valid-memsafety.prp\n    expected_verdict: false\n",
        encoding="utf-8",
    )
    with pytest.raises(UserError, match="no verification task"):
        find_tasks(tmp_path)


def test_missing_things_are_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        find_tasks(tmp_path / "none")
    define(tmp_path / "door.yml", "true", "'door.c'")
    with pytest.raises(UserError, match=r"door\.c, which is not there"):
        find_tasks(tmp_path)


def test_our_own_programs() -> None:
    tasks = find_tasks(PROGRAMS / "conflicts", None)
    names = {task.name for task in tasks}
    assert {"distance_safe", "diamond_safe", "switches_safe", "handshake_safe", "handshake_unsafe"} <= names
    assert {"handlers_safe", "ring_unsafe", "several_unsafe"} <= names
    assert all(task.options == () for task in tasks)
