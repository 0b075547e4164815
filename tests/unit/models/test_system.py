"""Where the program runs, temporary files, commands, pages."""

from __future__ import annotations

from unit.models.typed import explore_linked

PROGRAM = """
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#line 1
"""


def codes(body: str) -> list[int]:
    return sorted(set(explore_linked(PROGRAM + "int main(void) {" + body + "}").codes))


def test_names_are_inputs_that_fit_or_not() -> None:
    assert codes('char b[4]; if (!getcwd(b, 4)) return errno == ERANGE ? 1 : 9; if (b[0] != 47) return 8;'
                 'if (!strcmp(b, "/ab")) return 2; return 3;') == [1, 2, 3]  # fmt: skip
    assert codes("char *p = getcwd(0, 0); int bad = !p || strlen(p) > 9; free(p); return bad;") == [0]
    assert codes('char h[64]; if (gethostname(h, 64)) return 9; if (!strcmp(h, "me")) return 1; return 0;') == [0, 1]


def test_numbers_of_the_system() -> None:
    assert codes("if (sysconf(_SC_PAGESIZE) != 4096) return 9; long n = sysconf(_SC_NPROCESSORS_ONLN); if (n < -1)"
                 "return 8; if (sysconf(_SC_NPROCESSORS_ONLN) != n) return 7;"
                 "if (n > 4) return 1; return 0;") == [0, 1]  # fmt: skip


def test_temporary_files_have_names_of_their_own() -> None:
    assert codes('char a[] = "tXXXXXX", b[] = "tXXXXXX", c[] = "no"; int f = mkstemp(a), g = mkstemp(b);'
                 'if (f < 0 || g < 0 || f == g || !strcmp(a, b) || mkstemp(c) != -1) return 9; write(f, "xy", 2);'
                 "lseek(f, 0, SEEK_SET); return read(f, c, 2) != 2 || c[1] != 'y';") == [0]  # fmt: skip


def test_a_command_prints_anything() -> None:
    assert codes("FILE *f = popen(\"ls\", \"r\"); int c = getc(f); pclose(f); if (c == EOF) return 1;"
                 "if (c == 'x') return 2; return 3;") == [1, 2, 3]  # fmt: skip


def test_pages() -> None:
    assert codes("char *p = mmap(0, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);"
                 "if (p == MAP_FAILED || p[8191]) return 9; p[4999] = 3; munmap(p, 5000);"
                 "return mmap(0, 8, PROT_READ, MAP_PRIVATE, 0, 0) != MAP_FAILED;") == [0]  # fmt: skip
    found = explore_linked(PROGRAM + "int main(void) { char *p = mmap(0, 9, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);"
                           "munmap(p, 9); return *p; }")  # fmt: skip
    assert found.kinds == ["use-after-free"]
