"""The runtime in C: what is linked, that it is invisible, and that it does what the C library does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from clew.execute.coverage import all_branches, all_lines
from clew.frontend.options import CompileOptions
from clew.program.module import FINISH
from clew.runtime.linking import FLAGS, PROVIDED, SOURCES, link
from support.concrete import run_concrete
from support.verifier import verify_program
from unit.execute.support import TARGETS, c_program, explore
from unit.models.typed import linked

DECLARATIONS = """
typedef __SIZE_TYPE__ size_t; typedef int (*order)(const void *, const void *);
void qsort(void *, size_t, size_t, order); void *bsearch(const void *, const void *, size_t, size_t, order);
void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
void *lsearch(const void *, void *, size_t *, size_t, order);
void *lfind(const void *, const void *, size_t *, size_t, order);
typedef struct { int quot, rem; } div_t; typedef struct { long quot, rem; } ldiv_t;
div_t div(int, int); ldiv_t ldiv(long, long);
void *tsearch(const void *, void **, order); void *tfind(const void *, void *const *, order);
void *tdelete(const void *, void **, order); int printf(const char *, ...);
static int up(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
#line 1
"""


def run(body: str, *inputs: int, target: str = TARGETS[0]) -> tuple[int | None, bytes]:
    outcome = run_concrete(linked(DECLARATIONS + body, target), list(inputs))
    assert outcome.end == "exit", outcome
    return outcome.exit_code, outcome.stdout


def test_nothing_needed_nothing_done() -> None:
    program = c_program("int main(void) { return 0; }")
    assert link(program, CompileOptions()) is program


def test_only_what_is_needed_comes_and_has_no_place_in_the_source() -> None:
    plain = c_program(DECLARATIONS + "int main(void) { int a[2] = {2, 1}; qsort(a, 2, 4, up); return a[0]; }")
    program = link(plain, CompileOptions(target=TARGETS[0]))
    assert program.runtime == {"qsort", "__clew_sort", "__clew_merge", "__clew_compare"}
    assert "bsearch" not in program.functions
    assert (program.ctypes, program.source_files) == (plain.ctypes, plain.source_files)
    assert all_lines(program) == all_lines(plain)
    assert all_branches(program) == all_branches(plain)
    verify_program(program)


def test_a_definition_of_the_program_wins() -> None:
    body = "void qsort(void *a, size_t n, size_t s, order o) { *(int *)a = 7; }\n"
    code, _ = run(
        body + "int main(void) { int a[2] = {2, 1}; qsort(a, 2, 4, up); div_t d = div(9, 2); return a[0] * d.quot; }"
    )
    assert code == 28


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_every_source_compiles_and_keeps_its_names_apart(target: str) -> None:
    from clew.frontend.loading import load

    for source in set(PROVIDED.values()):
        part = load([SOURCES / f"{source}.c"], CompileOptions(FLAGS, target), None)
        public = {name for name, place in PROVIDED.items() if place == source} | {"exit", "quick_exit", FINISH}
        public |= {"optarg", "optind", "opterr", "optopt"}
        for function in part.functions.values():
            assert all(i.location is None for block in function.blocks for i in block.instructions)
            assert function.is_declaration or function.name in public or function.name.startswith("__clew_")
        for variable in part.globals.values():
            external = variable.initializer is None
            assert external or variable.name in public or variable.name.startswith("__clew_"), variable.name


@pytest.mark.parametrize("target", TARGETS)
def test_sorting_and_searching(target: str) -> None:
    body = """
    static int down(const void *a, const void *b, void *sign) { return *(int *)sign * up(a, b); }
    int main(void) {
        int a[9] = {5, 3, 9, 1, 5, 0, -4, 8, 2}, minus = -1, key = 8, none = 7;
        qsort(a, 9, sizeof a[0], up);
        for (int i = 0; i < 9; i++) printf("%d ", a[i]);
        int *hit = bsearch(&key, a, 9, sizeof a[0], up);
        printf("%d %d ", (int)(hit - a), bsearch(&none, a, 9, sizeof a[0], up) == 0);
        qsort_r(a, 9, sizeof a[0], down, &minus);
        for (int i = 0; i < 9; i++) printf("%d ", a[i]);
        size_t count = 8;
        lsearch(&none, a, &count, sizeof a[0], up);
        printf("%d %d %d", (int)count, a[8], lfind(&key, a, &count, sizeof a[0], up) == &a[1]);
        qsort(a, 0, 4, up);
        return 0;
    }"""
    assert run(body, target=target) == (0, b"-4 0 1 2 3 5 5 8 9 7 1 9 8 5 5 3 2 1 0 -4 9 7 1")


def test_sorting_is_stable_and_moves_whole_elements() -> None:
    body = """
    struct pair { int key; char name[3]; };
    static int by(const void *a, const void *b) { return ((struct pair *)a)->key - ((struct pair *)b)->key; }
    int main(void) {
        struct pair p[4] = {{2, "a"}, {1, "b"}, {2, "c"}, {1, "d"}};
        qsort(p, 4, sizeof p[0], by);
        for (int i = 0; i < 4; i++) printf("%d%s ", p[i].key, p[i].name);
        return 0;
    }"""
    assert run(body)[1] == b"1b 1d 2a 2c "


@pytest.mark.parametrize("target", TARGETS)
def test_division(target: str) -> None:
    body = """
    int main(void) {
        div_t d = div(-7, 2);
        ldiv_t l = ldiv(17, -5);
        printf("%d %d %ld %ld", d.quot, d.rem, l.quot, l.rem);
        return 0;
    }"""
    assert run(body, target=target)[1] == b"-3 -1 -3 2"


def test_trees() -> None:
    body = """
    int main(void) {
        int keys[5] = {4, 2, 6, 1, 3}; void *root = 0;
        for (int i = 0; i < 5; i++) if (**(int **)tsearch(&keys[i], &root, up) != keys[i]) return 1;
        for (int i = 0; i < 5; i++) if (!tfind(&keys[i], &root, up)) return 2;
        for (int i = 0; i < 5; i++) { if (!tdelete(&keys[i], &root, up)) return 3;
                                      if (tfind(&keys[i], &root, up)) return 4; }
        return root != 0;
    }"""
    assert run(body)[0] == 0


@pytest.mark.slow
def test_symbolic_elements_come_out_in_order() -> None:
    body = """
    int main(void) {
        int a[3];
        for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int();
        qsort(a, 3, sizeof a[0], up);
        return !(a[0] <= a[1] && a[1] <= a[2]);
    }"""
    found = explore(linked(DECLARATIONS + body))
    assert set(found.codes) == {0}
    assert len(found.codes) >= 6


def test_an_error_inside_is_reported_where_the_program_calls() -> None:
    body = "int main(void) {\n int a[2] = {2, 1};\n div_t d = div(1, __VERIFIER_nondet_int());\n return d.quot;\n}"
    found = explore(linked(DECLARATIONS + body))
    assert found.bugs == [("division-by-zero", 3)]
    assert [frame.function for frame in next(way.stack for way in found.ways if way.how == "bug")] == ["div", "main"]


def test_options_of_the_command_line() -> None:
    body = """
    #include <getopt.h>
    #include <stdio.h>
    int main(void) {
        char *v[] = {"p", "-a", "-bfoo", "-c", "x", "--long=3", "--other", "-z", "rest", 0};
        static struct option t[] = {{"long", 1, 0, 'l'}, {"other", 0, 0, 'o'}, {0}};
        int c;
        opterr = 0;
        while ((c = getopt_long(9, v, "ab:c:", t, 0)) != -1) printf("%c %s,", c, optarg ? optarg : "-");
        printf("%d", optind);
        return 0;
    }"""
    outcome = run_concrete(linked(body), [])
    assert outcome.stdout == b"a -,b foo,c x,l 3,o -,? -,8"


PATHS = """
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#undef basename
char *gnu(const char *) __asm__("basename");
int main(void) {
    char path[6];
    for (int number = 0; number < 3 * 3 * 3 * 3 * 3; number++) {
        for (int way = 0; way < 3; way++) {
            int rest = number;
            for (int at = 0; at < 5; at++, rest /= 3) path[at] = "/a"[rest % 3] * (rest % 3 < 2);
            path[5] = 0;
            char *found = way == 0 ? dirname(path) : way == 1 ? __xpg_basename(path) : gnu(path);
            printf("%s,", found);
        }
    }
    printf("%s %s", dirname(0), __xpg_basename(0));
    return 0;
}
"""


@pytest.mark.slow
def test_parts_of_paths_as_the_c_library_has_them(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(PATHS, encoding="utf-8")
    subprocess.run(["cc", "-w", "p.c", "-o", "p"], cwd=tmp_path, check=True)
    native = subprocess.run([tmp_path / "p"], capture_output=True, check=True).stdout
    assert run_concrete(linked(PATHS), []).stdout == native


def test_a_symbolic_path_has_a_last_part() -> None:
    body = """char *__xpg_basename(char *);
    int main(void) {
        char path[4] = {0};
        for (int i = 0; i < 3; i++) path[i] = __VERIFIER_nondet_char();
        char *last = __xpg_basename(path);
        for (int i = 0; last[i]; i++) if (last[i] == '/' && (i || last[1])) return 1;
        return !last[0];
    }"""
    found = explore(linked(DECLARATIONS + body))
    assert set(found.codes) == {0}
    assert found.bugs == []


def test_messages_end_the_program() -> None:
    body = """
    #include <err.h>
    #include <errno.h>
    #include <locale.h>
    int main(int argc, char **argv) {
        if (!setlocale(LC_ALL, "") || setlocale(LC_ALL, "xx_YY") || !setlocale(LC_ALL, "POSIX")) return 1;
        errno = ENOENT;
        warn("%s %d", "some", 3);
        warnx("other");
        errno = 2;
        if (argc > 5) err(4, "%s", "a");
        errx(5, "%d", 7);
    }"""
    outcome = run_concrete(linked(body), [])
    assert (outcome.end, outcome.exit_code) == ("exit", 5)
