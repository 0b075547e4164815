"""stdlib.h: random numbers, the environment, ends of the program, errno, signals: small programs, all paths."""

from __future__ import annotations

import pytest

from unit.models.typed import I32, TypedDriver, explore_linked, outputs

DECLARATIONS = """
int rand(void); int rand_r(unsigned *); long random(void); double drand48(void);
char *getenv(const char *); int setenv(const char *, const char *, int); int unsetenv(const char *); int putenv(char *);
int strcmp(const char *, const char *); int system(const char *); int abs(int); long labs(long);
int atexit(void (*)(void)); int on_exit(void (*)(int, void *), void *); void exit(int); void _exit(int);
int at_quick_exit(void (*)(void)); void quick_exit(int); int puts(const char *); int printf(const char *, ...);
int *__errno_location(void); int getpid(void); int getuid(void);
void (*signal(int, void (*)(int)))(int); int raise(int); void klee_make_symbolic(void *, unsigned long, const char *);
#line 1
"""


def codes(body: str) -> list[int]:
    return explore_linked(DECLARATIONS + body).codes


@pytest.mark.parametrize(("name", "value"), [("abs", 5), ("abs", -5 & 0xFFFFFFFF), ("labs", 1 << 31)])
def test_absolute_values(name: str, value: int) -> None:
    signed = value - (1 << 32) if value >> 31 else value
    assert TypedDriver().typed(name, I32, (I32, value)) == abs(signed) & 0xFFFFFFFF


@pytest.mark.slow
def test_random_numbers_are_inputs_in_their_range() -> None:
    assert codes("int main(void) { if (rand() < 0) return 9; return rand() % 3 == 2; }") == [0]
    found = explore_linked(DECLARATIONS + "int main(void) { int r = rand(); if (r == 0x7fffffff) return 1; return 0; }")
    assert found.codes == [0, 1]
    assert {way.inputs for way in found.ways if way.code} == {(0x7FFFFFFF,)}
    assert codes("int main(void) { unsigned s = 3; if (rand_r(&s) < 0 || random() < 0) return 9; return 0; }") == [0]
    body = "int main(void) { double d = drand48(); if (d < 0 || d >= 1) return 9; if (d == 0.5) return 1; return 0; }"
    assert codes(body) == [0, 1]


def test_environment_variables_are_null_or_short_strings() -> None:
    body = """
    int main(void) {
        char *p = getenv("HOME");
        if (!p) return 1;
        if (p != getenv("HOME")) return 9;
        if (strcmp(p, "ab") == 0) return 2;
        if (p[8] != 0) return 9;
        return 0;
    }"""
    assert codes(body) == [0, 1, 2]


def test_what_a_program_sets_it_gets_back() -> None:
    body = """
    int main(void) {
        static char pair[] = "K=v";
        if (setenv("A", "x", 1) || strcmp(getenv("A"), "x")) return 1;
        if (setenv("A", "y", 0) || strcmp(getenv("A"), "x")) return 2;
        if (setenv("", "y", 0) == 0) return 3;
        if (putenv(pair) || getenv("K") != pair + 2) return 4;
        unsetenv("A");
        return getenv("A") ? 5 : 0;
    }"""
    assert codes(body) == [0]


def test_system_returns_anything_and_is_a_loss() -> None:
    found = explore_linked(DECLARATIONS + 'int main(void) { if (system("ls") == 3) return 1; return 0; }')
    assert found.codes == [0, 1]
    assert any("system()" in what for _, what, _ in found.run.losses)


def test_errno_is_one_int_per_path() -> None:
    body = """
    int main(void) {
        int *e = __errno_location();
        if (*e != 0) return 9;
        *e = 5;
        return *__errno_location();
    }"""
    assert codes(body) == [5]


def test_identity_does_not_change() -> None:
    assert codes("int main(void) { return getpid() != getpid() || getpid() <= 0 || getuid() != getuid(); }") == [0]


HANDLERS = """
static void late(void) { puts("late"); }
static void one(void) { puts("one"); atexit(late); }
static void two(void) { puts("two"); }
static void status(int code, void *p) { printf("%d %s\\n", code, (char *)p); }
static void deep(int n) { if (n == 0) exit(7); deep(n - 1); }
"""


def test_handlers_run_when_main_returns_and_at_exit() -> None:
    body = (
        HANDLERS
        + """
    __attribute__((destructor)) static void gone(void) { puts("gone"); }
    int main(void) {
        atexit(one); atexit(two); on_exit(status, "end");
        int x = __VERIFIER_nondet_int();
        if (x == 1) deep(3);
        if (x == 2) _exit(9);
        return 4;
    }"""
    )
    found = explore_linked(DECLARATIONS + body)
    assert sorted((way.code, way.output) for way in found.ways) == [
        (4, b"4 end\ntwo\none\nlate\ngone\n"),
        (7, b"7 end\ntwo\none\nlate\ngone\n"),
        (9, b""),
    ]


def test_destructors_run_without_any_handler() -> None:
    body = '__attribute__((destructor)) static void gone(void) { puts("gone"); }\nint main(void) { return 3; }'
    found = explore_linked(DECLARATIONS + body)
    assert (found.codes, outputs(found)) == ([3], [b"gone\n"])


def test_exit_in_a_handler_goes_on_with_the_rest() -> None:
    body = HANDLERS + "static void again(void) { exit(5); }\nint main(void) { atexit(two); atexit(again); return 0; }"
    found = explore_linked(DECLARATIONS + body)
    assert (found.codes, outputs(found)) == ([5], [b"two\n"])


def test_quick_exit_has_handlers_of_its_own() -> None:
    body = HANDLERS + "int main(void) { atexit(one); at_quick_exit(two); quick_exit(2); }"
    found = explore_linked(DECLARATIONS + body)
    assert (found.codes, outputs(found)) == ([2], [b"two\n"])


def test_a_bug_in_a_handler_is_found() -> None:
    body = "static int *p;\nstatic void use(void) { *p = 1; }\nint main(void) { atexit(use); return 0; }"
    assert explore_linked(DECLARATIONS + body).bugs == [("null-dereference", 2)]


def test_signals_the_program_raises() -> None:
    body = """
    static int got;
    static void handler(int number) { got = number; }
    int main(void) {
        if (signal(10, handler) != 0) return 1;
        raise(10);
        if (got != 10) return 2;
        if (signal(10, (void (*)(int))1) != handler) return 3;
        got = 0;
        raise(10);
        raise(17);
        if (got) return 4;
        int x = __VERIFIER_nondet_int();
        if (x == 1) raise(15);
        if (x == 2) raise(6);
        return 0;
    }"""
    found = explore_linked(DECLARATIONS + body)
    assert found.codes == [0, 143]
    assert found.bugs == [("abort", 15)]
