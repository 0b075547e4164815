"""stdio.h in programs: standard input, output, formatting into memory, variable arguments."""

from __future__ import annotations

import pytest

from unit.execute.support import TARGETS
from unit.models.running import run_all


def test_characters_up_to_the_end() -> None:
    ran = run_all("int n = 0; while (getchar() != EOF) n++; return n + 10 * !!feof(stdin);", stdin=3)
    assert ran.codes == [10, 11, 12, 13]
    assert ran.losses == []


def test_a_byte_that_is_minus_one_is_not_the_end() -> None:
    ran = run_all("int c = getchar(); if (c == EOF) return 1; return c == 255 ? 2 : 3;", stdin=1)
    assert ran.codes == [1, 2, 3]
    assert ran.inputs(2) == {"stdin length": 1, "stdin": b"\xff"}


def test_without_an_option_standard_input_is_like_any_file() -> None:
    ran = run_all("return getchar() == EOF;")
    assert ran.codes == [0, 1]
    assert not ran.losses
    ran = run_all("int n = 0; while (getchar() != EOF) n++; return n > 20;")
    assert set(ran.codes) == {0}
    assert any("--stdin" in loss for loss in ran.losses)


def test_known_length_of_zero() -> None:
    assert run_all("return getchar() == EOF;", stdin=0).codes == [1]


def test_pushing_back() -> None:
    ran = run_all(
        """int c = getchar(); if (ungetc(c, stdin) == EOF) return 1; if (feof(stdin)) return 9;
        int d = getc(stdin); if (d != c) return 8; return fgetc(stdin) == EOF ? 2 : 3;""",
        stdin=2,
    )
    assert ran.codes == [1, 2, 3]


def test_lines() -> None:
    ran = run_all(
        """char b[4]; if (!fgets(b, sizeof b, stdin)) return 1; size_t n = strlen(b);
        if (n == 3 && b[2] == '\\n') return 2; if (n == 1 && b[0] == '\\n') return 3; return 4;""",
        stdin=4,
    )
    assert set(ran.codes) == {1, 2, 3, 4}


def test_a_second_line_starts_after_the_first() -> None:
    ran = run_all(
        """char a[8], b[8]; if (!fgets(a, 8, stdin) || a[0] != 'x' || a[1] != '\\n') return 1;
        if (!fgets(b, 8, stdin)) return 2; return b[0] == 'y' && !b[1] ? 3 : 4;""",
        stdin=3,
    )
    assert set(ran.codes) == {1, 2, 3, 4}
    assert bytes(ran.inputs(3)["stdin"])[:3] == b"x\ny"  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "body",
    [
        "char b[4]; gets(b); return 0;",
        'char b[4]; scanf("%s", b); return 0;',
        "char b[4]; fgets(b, 8, stdin); return 0;",
        "char b[4]; fread(b, 1, 8, stdin); return 0;",
        "char b[4]; read(0, b, 8); return 0;",
    ],
)
def test_input_that_is_too_long_is_out_of_bounds(body: str) -> None:
    prelude = "char *gets(char *);\nint main(void) { "
    ran = run_all(prelude + body + " }", stdin=6)
    assert ran.bugs == ["out-of-bounds"]
    assert ran.codes


def test_blocks() -> None:
    ran = run_all(
        """char b[4] = "...."; size_t n = fread(b, 2, 2, stdin);
        if (n == 2) return b[3] == 'z' ? 2 : 3; if (n == 1) return b[3] == '.' ? 1 : 9; return feof(stdin) ? 0 : 9;""",
        stdin=5,
    )
    assert set(ran.codes) == {0, 1, 2, 3}
    ran = run_all("char b[4]; long n = read(0, b, 4); return n < 0 ? 9 : n;", stdin=2)
    assert set(ran.codes) <= {0, 1, 2}


def test_getline() -> None:
    ran = run_all(
        """char *line = 0; size_t room = 0; long n = getline(&line, &room, stdin);
        if (n < 0) return 1; if (n != (long)strlen(line) && !memchr(line, 0, n)) return 9;
        int r = n == 2 && line[0] == 'k' ? 2 : 3; free(line); return r;""",
        stdin=3,
    )
    assert set(ran.codes) == {1, 2, 3}


def test_scanf_of_symbolic_input() -> None:
    ran = run_all('int x; if (scanf("%d", &x) != 1) return 1; return x == -42 ? 2 : 3;', stdin=3)
    assert set(ran.codes) == {1, 2, 3}
    assert ran.inputs(2) == {"stdin length": 3, "stdin": b"-42"}


@pytest.mark.slow
def test_a_number_in_a_line() -> None:
    ran = run_all(
        """char line[32]; int a, b; if (!fgets(line, sizeof line, stdin)) return 1;
        if (sscanf(line, "%d/%d", &a, &b) == 2) return b == 0 ? 2 : 3; return 4;""",
        stdin=4,
    )
    assert set(ran.codes) == {1, 2, 3, 4}


def test_scanf_notices_the_end() -> None:
    body = 'char w[8]; int x; scanf("%7s", w); if (feof(stdin)) return 1; scanf("%d", &x); return feof(stdin) ? 2 : 3;'
    assert set(run_all(body, stdin=3).codes) == {1, 2, 3}


def test_output_is_printed_and_does_not_fork() -> None:
    ran = run_all('int c = getchar(); printf("%d %s\\n", c, "s"); puts("x"); fputs("no", stderr); return 0;', stdin=1)
    assert len(ran.ends) == 1
    assert ran.ends[0][2] in (b"0 s\nx\n", b"-1 s\nx\n")


def test_printf_returns_the_length() -> None:
    ran = run_all(
        'unsigned char c = getchar(); return printf("<%d>", c) == 5 ? c >= 100 ? 1 : 9 : c < 100 ? 2 : 9;', stdin=1
    )
    assert set(ran.codes) == {1, 2}


def test_sprintf_of_a_symbolic_number() -> None:
    ran = run_all(
        """short v; if (fread(&v, 2, 1, stdin) != 1) return 0; char b[16]; int n = sprintf(b, "%d;", v);
        if (n != (int)strlen(b)) return 9; return !strcmp(b, "-123;") ? 1 : 2;""",
        stdin=2,
    )
    assert set(ran.codes) == {0, 1, 2}
    assert ran.inputs(1)["stdin"] == (-123 % 65536).to_bytes(2, "little")


def test_sprintf_that_overflows() -> None:
    ran = run_all(
        'unsigned short v; if (fread(&v, 2, 1, stdin) != 1) return 0; char b[5]; sprintf(b, "%u", v); return 1;',
        stdin=2,
    )
    assert ran.bugs == ["out-of-bounds"]
    assert set(ran.codes) == {0, 1}


def test_snprintf_cuts() -> None:
    ran = run_all(
        """char s[5]; if (!fgets(s, 5, stdin)) return 0; char b[3]; int n = snprintf(b, sizeof b, "%s", s);
        if (n != (int)strlen(s) || strlen(b) > 2 || strncmp(b, s, 2)) return 9;
        return snprintf(0, 0, "%s", s) == n ? 1 : 9;""",
        stdin=4,
    )
    assert set(ran.codes) == {0, 1}


@pytest.mark.parametrize("target", TARGETS)
def test_variable_arguments(target: str) -> None:
    ran = run_all(
        """static int f(char *b, const char *form, ...) { va_list a; va_start(a, form);
        int n = vsnprintf(b, 64, form, a); va_end(a); return n; }
        static int g(const char *t, const char *form, ...) { va_list a; va_start(a, form);
        int n = vsscanf(t, form, a); va_end(a); return n; }
        int main(void) { char b[64]; int n = f(b, "%d %s %lld %c %.2f %lu|", -5, "ab", 1LL << 40, 'z', 2.5, 7UL);
        if (strcmp(b, "-5 ab 1099511627776 z 2.50 7|") || n != (int)strlen(b)) return 1;
        int x; char w[8]; return g("12 ab", "%d %7s", &x, w) == 2 && x == 12 && !strcmp(w, "ab") ? 0 : 2; }""",
        target=target,
    )
    assert ran.codes == [0]


def test_asprintf() -> None:
    ran = run_all(
        'char *p; if (asprintf(&p, "%s-%d", "a", 7) != 3) return 1; int r = strcmp(p, "a-7"); free(p); return r;'
    )
    assert ran.codes == [0]


@pytest.mark.parametrize("body", ["fputs(0, stdout)", "puts(0)", 'fputs("x", 0)', 'fprintf(0, "x")', "fgetc(0)"])
def test_null_pointers(body: str) -> None:
    assert run_all(f"{body}; return 0;").bugs == ["null-dereference"]
