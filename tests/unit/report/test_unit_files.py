"""``--emit``: tests as C that people keep. They compile, pass as generated, and fail when the code changes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.options import FRAMEWORKS, TestRequest
from clew.jobs.test import run_test
from clew.report.folder import OutputFolder
from clew.report.recorder import Recorder
from clew.report.unit import frameworks

pytestmark = pytest.mark.native

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")

SOURCE = r"""
#include <stdlib.h>
struct node { int v; struct node *next; };
typedef struct { unsigned char flags; union { int i; float f; } u; char name[4]; struct node *head; double d; } box;
struct pt { short x, y; };
static int calls;
static int put(box *b, struct node *n) {
  calls++;
  if (!b || !n) return -1;
  if (b->flags & 4) { free(n); return calls; }
  n->next = b->head;
  b->head = n;
  b->name[0] = 'x';
  b->u.i ^= 3;
  b->d = b->d > 1 ? 0.5 : -2;
  return (signed char)b->flags;
}
char *word(unsigned n) {
  if (n > 2) return NULL;
  char *text = malloc(n + 1);
  for (unsigned i = 0; i < n; i++) text[i] = 'a';
  text[n] = 0;
  return text;
}
unsigned short larger(struct pt p, const struct pt *q) { return q && p.x > q->x ? 1 : 65535; }
int quotient(int a, int b) { return b > 5 ? a / 2 : a / b; }
typedef int (*reader)(struct pt *, const char **);
int fold(const char **names, reader read) {
  struct pt p;
  if (!read || read(&p, names) < 2) return -1;
  return read(&p, names) == 1 && p.x > p.y ? 1 : 0;
}
struct buffer { char *data, *end; void *(*allocate)(size_t); void (*release)(void *); void *user; };
int grow(struct buffer *b) {
  char *more = b->allocate(4000);
  if (!more) return 1;
  b->data = more;
  b->end = more + 3000;
  return 0;
}
unsigned long mixed(struct buffer *b) { b->user = &b->end; return (unsigned long)b->data ^ 0x5555; }
const int *features(_Bool all) { static const int list[] = {1, 2}; return all ? list : NULL; }
_Bool between(int x) { return x > 3 && x < 9; }
struct pt origin(void) { struct pt p = {0, 0}; return p; }
int main(void) { return 0; }
"""


def _emit(folder: Path, function: str, framework: str = "plain", source: str = SOURCE) -> Path:
    """The folder with the files of ``--emit``."""
    (folder / "code.c").write_text(source)
    return _emitted(folder, TestRequest((folder / "code.c",), function=function, emit=framework, seconds=60))


def _emitted(folder: Path, request: TestRequest) -> Path:
    out = OutputFolder.claim(folder / f"out-{request.function}-{request.emit}")
    recorder = Recorder(out, request)
    recorder.finish(run_test(request, recorder))
    return out.path


def _passes(folder: Path, function: str) -> bool:
    """Whether the tests, compiled here and now, pass."""
    warnings = ["-Wall", "-Wno-unused", "-Werror", "-Wno-error=missing-braces"]
    command = ["cc", *warnings, f"test_{function}.c", "-lm", "-o", "t"]
    subprocess.run(command, cwd=folder, check=True)
    return subprocess.run([folder / "t"], capture_output=True).returncode == 0


@pytest.mark.sample(2)
@needs_cc
@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        ("put", "b->head = n;", "b->head = n->next;"),
        ("word", "'a'", "'b'"),
        ("larger", "65535", "65534"),
        ("quotient", "a / 2", "a / 2 + 1"),
        ("fold", "p.y ? 1 : 0", "p.y ? 1 : 5"),
        ("fold", "names) < 2", "names) < 2 || read(&p, names) < 2"),
        ("grow", "more + 3000", "more + 2000"),
        ("mixed", "&b->end", "&b->data"),
        ("features", "list : NULL", "NULL : list"),
        ("between", "x > 3 &&", "x > 3 ||"),
    ],
)
def test_tests_pass_until_the_code_changes(tmp_path: Path, function: str, old: str, new: str) -> None:
    folder = _emit(tmp_path, function)
    assert _passes(folder, function)
    assert old in SOURCE
    (tmp_path / "code.c").write_text(SOURCE.replace(old, new))
    assert not _passes(folder, function)


@needs_cc
def test_a_struct_that_is_returned_is_not_looked_at(tmp_path: Path) -> None:
    assert _passes(_emit(tmp_path, "origin"), "origin")


def test_what_does_not_matter_is_not_told(tmp_path: Path) -> None:
    text = (_emit(tmp_path, "grow") / "test_grow.c").read_text()
    assert "struct buffer b = {.allocate = grow_1_b_allocate};" in text
    assert "release" not in text and ".user" not in text


def test_what_shows_a_bug_is_disabled_and_says_so(tmp_path: Path) -> None:
    text = (_emit(tmp_path, "quotient") / "test_quotient.c").read_text()
    disabled = text.partition("#if 0")[2].partition("#endif")[0]
    assert "division-by-zero" in disabled
    assert "quotient(0, 0)" in disabled


def test_what_has_no_place_in_it_is_counted(tmp_path: Path) -> None:
    source = "int outside(int);\nint ask(int x) { return x > 3 ? outside(x) : 0; }\n"
    text = (_emit(tmp_path, "ask", source=source) / "test_ask.c").read_text()
    assert "1 not here, since it needs what outside() does, which nobody defines: see tests.c." in text


def test_a_function_that_is_passed_is_one_of_the_file(tmp_path: Path) -> None:
    text = (_emit(tmp_path, "fold") / "test_fold.c").read_text()
    assert " not here" not in text
    assert "static int fold_2_read(struct pt *a1, const char **a2) {" in text
    assert "EXPECT(fold_2_read_calls == 1);" in text


def test_memory_that_is_freed_is_allocated(tmp_path: Path) -> None:
    text = (_emit(tmp_path, "put") / "test_put.c").read_text()
    assert "struct node *n = calloc(1, sizeof *n);" in text
    assert "EXPECT(b.head == &n);" in text


def test_runs_give_equal_files(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    files = [(_emit(tmp_path / each, "put") / "test_put.c").read_text() for each in "ab"]
    assert files[0] == files[1].replace(str(tmp_path / "b"), str(tmp_path / "a"))


@pytest.mark.parametrize(
    ("framework", "beside", "expected"),
    [
        ("ctest", "test_word.cmake", "add_test(NAME word_1 COMMAND test_word 1)"),
        ("check", "test_word.c", "tcase_add_test(tests, word_1);"),
        ("unity", "test_word.c", 'RUN_TEST(word_1)|alone(word_1, "word_1")'),
        ("gtest", "test_word.cc", "TEST(Word, Word1) {"),
    ],
)
def test_frameworks_run_each_test(tmp_path: Path, framework: str, beside: str, expected: str) -> None:
    text = (_emit(tmp_path, "word", framework) / beside).read_text()
    assert any(form in text for form in expected.split("|"))


@needs_cc
@pytest.mark.parametrize(("function", "included", "others"), [("quad", "b.c", "a.c"), ("lowest", "a.c", "")])
def test_files_that_are_needed_are_linked_and_no_others(
    tmp_path: Path, function: str, included: str, others: str
) -> None:
    """A function of a header is that of a file which includes it."""
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc/api.h").write_text("int twice(int);\n#ifdef OWN\nint lowest(int x) { return x & -x; }\n#endif\n")
    (tmp_path / "a.c").write_text('#define OWN\n#include "api.h"\nint twice(int x) { return x * LEVEL; }\n')
    (tmp_path / "b.c").write_text("#include <api.h>\nint quad(int x) { return twice(twice(x & 63)); }\n")
    (tmp_path / "main.c").write_text("int quad(int);\nint main(void) { return quad(3); }\n")
    files = tuple(tmp_path / name for name in ("a.c", "b.c", "main.c"))
    flags = (f"-I{tmp_path / 'inc'}", "-DLEVEL=2")
    folder = _emitted(tmp_path, TestRequest(files, function=function, emit="plain", seconds=60, compiler_flags=flags))
    text = (folder / f"test_{function}.c").read_text()
    linked = f" ../{others}" if others else ""
    command = f"cc -I../inc -DLEVEL=2 test_{function}.c{linked} -lm -o test_{function}"
    assert f" *   {command}\n" in text
    assert f'#include "../{included}"' in text
    subprocess.run(command.split(), cwd=folder, check=True)
    assert subprocess.run([folder / f"test_{function}"], capture_output=True).returncode == 0


def test_every_framework_is_offered() -> None:
    assert set(FRAMEWORKS) == set(frameworks.FRAMEWORKS)


def test_a_program_has_no_unit_tests(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"--emit .* --function"):
        TestRequest((tmp_path / "p.c",), emit="plain")
