"""``clew project``: which functions are run, what comes together, and what is kept for the next time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.base.options import TestRequest
from clew.cli import project_session
from clew.cli.app import run
from clew.cli.workers import Workers
from clew.report.listener import Listener
from clew.report.records import Summary

SHARED = """
struct item { int value; struct item *next; };
int total(const struct item *list, int most);
static inline int unused_here(int x) { return x + 1; }
"""
LIST = """
#include "shared.h"
static int clip(int v) { return v > 100 ? 100 : v < 0 ? 0 : v; }
int total(const struct item *list, int most) {
  int sum = 0;
  for (int seen = 0; list && seen < 2 && seen < most; seen++, list = list->next) sum += clip(list->value);
  return sum;
}
static int only_here(int x) { return x > 5; }
int third(const int *values) { return values[0] / 3; }
"""
TEXT = """
#include <string.h>
int kind(const char *word) { return strcmp(word, "up") == 0 ? 1 : strcmp(word, "down") == 0 ? 2 : 0; }
int broken(int index) { int table[4] = {1, 2, 3, 4}; return index >= 0 && index < 5 ? table[index] : 0; }
int main(void) { return kind("up"); }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in (("shared.h", SHARED), ("list.c", LIST), ("text.c", TEXT)):
        (tmp_path / name).write_text(text)
    return tmp_path


Clew = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def clew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Clew:
    """Runs ``clew project`` in the folder of the test: the exit code, the summary, and what else was said."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, dict[str, Any], str]:
        code = run(["project", *words, "--json", "--time", "300"])
        captured = capfd.readouterr()
        assert code != 2, captured.err
        return code, json.loads(captured.out), captured.err

    return call


def test_a_project_is_tested_function_by_function(project: Path, clew: Clew) -> None:
    code, summary, _ = clew(".", "--out", "o", "--emit", "plain")
    runs = {run["function"]: run for run in summary["runs"]}
    # Those that others can call, and one that nobody calls; neither clip, which total runs, nor what a header has.
    assert set(runs) == {"total", "third", "kind", "broken", "main", "only_here"}
    assert {run["state"] for run in runs.values()} == {"done"}
    assert code == 1
    certain = [bug for bug in summary["bugs"] if not bug["rests_on"]]
    assert [(bug["kind"], bug["entries"]) for bug in certain] == [("out-of-bounds", ["broken"])]
    covered = {each["function"]: each["branches"] for each in summary["functions"]}
    assert covered["clip"] == {"covered": 4, "total": 4}
    assert covered["kind"]["covered"] == covered["kind"]["total"]  # "down" is found: its parameter is a string
    assert "unused_here" not in covered
    assert "cc test_total.c -lm -o test_total" in (project / "o/functions/total/test_total.c").read_text()
    assert "BRDA" in (project / "o/coverage.info").read_text()
    log = json.loads((project / "o/results.sarif").read_text())["runs"][0]
    told = {result["ruleId"] for result in log["results"] if result["properties"]["class"] == "bug"}
    assert told == {"out-of-bounds"}


def test_null_that_no_caller_is_likely_to_pass_is_a_possible_bug(project: Path, clew: Clew) -> None:
    _, summary, _ = clew("list.c", "--only", "third", "--out", "o")
    assert [bug["rests_on"] for bug in summary["bugs"]] == ["depends on whether callers pass null for values"]
    code, summary, _ = clew("list.c", "--only", "third", "--no-guess", "--out", "p")
    assert (code, [bug["rests_on"] for bug in summary["bugs"]]) == (1, [None])


def test_a_failure_that_needs_an_unlikely_caller_says_so(project: Path, clew: Clew) -> None:
    code = """
    #include <assert.h>
    struct place { int line, column; };
    int next(struct place *p) { return p->line + 1; }
    int twice(int n) { return n + n; }
    int each(int (*f)(int)) { int table[4] = {0}; return table[f(2)]; }
    int first(const struct place *q) { assert(q); return 0; }
    int last(const struct place *end) { return (end - 1)->line; }
    """
    (project / "more.c").write_text(code)
    _, summary, _ = clew("more.c", "--out", "o")
    told = {(bug["kind"], bug["entries"][0], bug["rests_on"]) for bug in summary["bugs"]}
    assert told == {
        ("null-dereference", "next", "depends on whether callers pass null for p"),
        ("signed-overflow", "next", "depends on how large the number is that callers keep in p->line"),
        ("signed-overflow", "twice", None),
        ("null-dereference", "each", "depends on whether callers pass null for f"),
        ("out-of-bounds", "each", "depends on what the functions do that callers pass"),
        ("assert", "first", "depends on whether callers pass null for q"),
        ("out-of-bounds", "last", "depends on how many elements the caller provides (--array-length)"),
    }


def test_what_has_not_changed_is_kept(project: Path, clew: Clew) -> None:
    clew("list.c", "text.c", "--out", "o")
    changed = LIST.replace("return x > 5", "return x > 6")
    (project / "list.c").write_text(changed)
    shutil.copy(project / "o/results.sarif", project / "before.sarif")
    code, summary, _ = clew("list.c", "text.c", "--out", "o", "--resume", "--baseline", "before.sarif")
    assert code == 0, "the bug is known"
    assert {bug["baseline"] for bug in summary["bugs"]} == {"unchanged"}
    assert {run["function"] for run in summary["runs"] if not run["kept"]} == {"only_here"}
    assert len(summary["runs"]) == 6


def test_only_what_git_says_has_changed(project: Path, clew: Clew) -> None:
    def git(*words: str) -> None:
        who = ["-c", "user.name=n", "-c", "user.email=e"]
        subprocess.run(["git", *who, *words], cwd=project, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    (project / "list.c").write_text(LIST.replace("v > 100", "v > 90"))
    _, summary, _ = clew("list.c", "text.c", "--since", "HEAD", "--out", "o")
    assert [run["function"] for run in summary["runs"]] == ["total"]  # clip has changed, which total runs


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("empty",), "empty has no C files"),
        (("list.c", "--only", "nothing"), "no function"),
        (("list.c", "--resume"), "name it with --out"),
        (("list.c", "--since", "no-such-revision"), "--since: git says"),
        ((), "Missing argument 'FILE|DIR...'"),
        (("list.c", "-p", ".", "--all"), "leave out --all"),
        (("-p", "empty"), "empty has no compile_commands.json"),
    ],
)
def test_what_cannot_be_done_is_said(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    said: str,
) -> None:
    (project / "empty").mkdir()
    monkeypatch.chdir(project)
    assert run(["project", *words]) == 2
    told = capfd.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_a_folder_may_hold_several_programs_and_files_that_do_not_compile(tmp_path: Path, clew: Clew) -> None:
    (tmp_path / "one.c").write_text("static int half(int x) { return x / 2; }\nint main(void) { return half(3); }\n")
    (tmp_path / "two.c").write_text("static int half(int x) { return x >> 1; }\nint main(void) { return half(1); }\n")
    (tmp_path / "broken.c").write_text("int f(int x) { return y; }\n")
    kept = tmp_path / "clew-out" / "1"
    kept.mkdir(parents=True)
    (kept / "tests.c").write_text("no C of the project's\n")
    code, summary, said = clew(".", "--out", "o", "--emit", "plain")
    assert code == 0
    assert {run["file"]: run["state"] for run in summary["runs"]} == {"one.c": "done", "two.c": "done"}
    assert {(each["function"], each["file"]) for each in summary["functions"]} == {
        (name, file) for name in ("main", "half") for file in ("one.c", "two.c")
    }
    assert said.count("\n") == 1
    assert "broken.c" in said
    (tmp_path / "self").symlink_to(tmp_path)
    (tmp_path / "dangling.c").symlink_to("nothing.c")
    again = tmp_path / "o"  # what was found is no code of the project's
    _, summary, said = clew(".", "--out", "p")
    assert {run["file"] for run in summary["runs"]} == {"one.c", "two.c"}, again
    assert "names of C files lead nowhere: dangling.c; they are left out" in said


def test_all_files_of_a_build(tmp_path: Path, clew: Clew) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "f.c").write_text("int f(int x) { return x == N; }\n")
    (tmp_path / "g.c").write_text("int g(int x) { return x; }\n")
    entries = [
        {"directory": str(tmp_path), "file": "f.c", "command": "icc -DN=3 -xHost -qopt-report -c f.c -o b/f.o"},
        {"directory": str(tmp_path), "file": "g.c", "command": "cc 'no end -c g.c"},
        {"directory": str(tmp_path), "file": "gone.c", "command": "cc -c gone.c"},
        {"directory": str(tmp_path), "file": "part.cc", "command": "c++ -c part.cc"},
    ]
    (tmp_path / "b" / "compile_commands.json").write_text(json.dumps(entries))
    code, summary, said = clew("-p", "b", "--all", "--out", "o")
    assert code == 0
    assert [run["function"] for run in summary["runs"]] == ["f"]
    notes = said.splitlines()
    assert len(notes) == 3
    assert "gone.c" in notes[0]
    assert "entry 2 (g.c)" in notes[1]
    assert "-qopt-report" in notes[2]


def test_a_function_of_a_build_is_found_without_naming_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.c").write_text(f"int {name}(int x) {{ return x > 3; }}\nint main(void) {{ return 0; }}\n")
    entries = [{"directory": ".", "file": f"{name}.c", "command": f"cc -c {name}.c"} for name in ("one", "two")]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    asked = ["test", "-p", str(tmp_path), "--time", "60"]
    assert run([*asked, "--function", "two", "--out", str(tmp_path / "out")]) == 0
    assert json.loads((tmp_path / "out" / "summary.json").read_bytes())["build"]["entry"] == "two"
    assert run([*asked, "--out", str(tmp_path / "more")]) == 2
    assert "several files define main (" in capsys.readouterr().err


def test_static_functions_of_one_name_are_told_apart(tmp_path: Path, clew: Clew) -> None:
    for name, sign in (("a", "<"), ("b", ">")):
        text = f"static int own(int x) {{ if (x {sign} 5) return 1; return 0; }}\n"
        (tmp_path / f"{name}.c").write_text(text)
    _, summary, _ = clew("a.c", "b.c", "--out", "o", "--emit", "plain")
    folders = {run["folder"]: (run["file"], run["tests"]) for run in summary["runs"]}
    assert folders == {"functions/a.c.own": ("a.c", 2), "functions/b.c.own": ("b.c", 2)}
    for file in ("a", "b"):
        text = (tmp_path / f"o/functions/{file}.c.own/test_own.c").read_text()
        assert f'#include "../../../{file}.c"' in text
        assert "int result = own(" in text


def test_pointers_lead_to_the_same_object_only_where_the_function_compares_them(tmp_path: Path, clew: Clew) -> None:
    text = """
    #include <assert.h>
    struct item { int value; char *name; };
    int apart(struct item *a, struct item *b) { a->value = 1; b->value = 2; assert(a->value == 1); return 0; }
    int same(struct item *a, struct item *b) { if (a != b) return 0; a->value = 1; b->value = 2; return a->value == 2; }
    int word(const struct item *a) { if (a->name[0] == 'u') if (a->name[1] == 'p') return 1; return 0; }
    int flag(char *text, int boolean) { return text[0] == 'x' && boolean; }
    """
    (tmp_path / "p.c").write_text(text)
    _, summary, _ = clew("p.c", "--out", "o")
    assert {bug["kind"] for bug in summary["bugs"]} == {"null-dereference"}
    assert all(bug["rests_on"] for bug in summary["bugs"])
    covered = {each["function"]: each["branches"] for each in summary["functions"]}
    for name in ("same", "word"):
        assert covered[name]["covered"] == covered[name]["total"], name


def test_the_time_holds_while_the_project_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Loading that does not end is stopped, and the result is one of a project of which nothing was run."""
    (tmp_path / "a.c").write_text("int f(int x) { return x; }\n")

    def plan_of(request: object, listener: object) -> object:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(project_session, "plan_of", plan_of)
    assert run(["project", str(tmp_path / "a.c"), "--time", "0.5", "--out", str(tmp_path / "out")]) == 3
    said = capsys.readouterr()
    assert "stopped by time while the project was compiled and read: nothing was run" in said.err
    assert said.out.startswith("no bug found in what was explored, in 0 functions; stopped early")
    summary = json.loads((tmp_path / "out" / "summary.json").read_bytes())
    assert (summary["stopped"], summary["runs"]) == ("time", [])


def test_what_runs_tell_at_the_same_time_is_read(tmp_path: Path) -> None:
    """Both runs end while nobody reads: the second one's last words count as much as the first one's."""
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")

    def job(request: TestRequest, listener: Listener) -> Summary:
        return Summary("test", ("p.c",))

    workers = Workers(job, ("a", "b"))
    for name in ("a", "b"):
        workers.start(TestRequest(files=(tmp_path / "p.c",)), tmp_path / name, name, 1.0)
    for number in range(2):
        os.waitid(os.P_PID, workers._crew.process_of(number), os.WEXITED | os.WNOWAIT)
    ended = []
    while workers.any:
        heard = workers.wait(5.0)
        assert heard is not None
        ended += [heard[0]] * heard[1].ended
    assert sorted(ended) == ["a", "b"]


def test_bugs_of_a_kind_on_one_line_are_told_apart(project: Path, clew: Clew) -> None:
    (project / "more.c").write_text("int ratio(int n, int d) { return d == 0 ? 0 : 2 * n / d; }")
    _, summary, _ = clew("more.c", "--out", "o")
    told = [(bug["kind"], bug["line"], bug["message"]) for bug in summary["bugs"]]
    assert sorted(told) == [
        ("signed-overflow", 1, "division of the most negative number by -1"),
        ("signed-overflow", 1, "signed multiplication overflows"),
    ]
