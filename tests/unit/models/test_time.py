"""time.h: clocks and calendars are inputs within their ranges."""

from __future__ import annotations

import pytest

from unit.execute.support import explore
from unit.models.typed import explore_linked, linked

PROGRAM = """
#include <time.h>
#include <sys/time.h>
#include <string.h>
#include <unistd.h>
#line 1
"""


def codes(body: str) -> list[int]:
    return explore_linked(PROGRAM + "int main(void) {" + body + "}").codes


def test_time_never_goes_back() -> None:
    assert codes("time_t a; time_t b = time(&a); if (a != b || b < 0) return 9; if (time(0) < a) return 8;"
                 "if (time(0) > a + 1000) return 1; return 0;") == [0, 1]  # fmt: skip
    assert codes("clock_t a = clock(), b = clock(); return a < 0 || b < a;") == [0]


@pytest.mark.parametrize("target", ["x86_64-linux-gnu", "x86-linux-gnu"])
def test_parts_of_a_second_are_in_range(target: str) -> None:
    body = """
    int main(void) {
        struct timeval v; struct timespec s;
        gettimeofday(&v, 0); clock_gettime(CLOCK_REALTIME, &s);
        if (v.tv_usec < 0 || v.tv_usec > 999999 || s.tv_nsec < 0 || s.tv_nsec > 999999999) return 9;
        if (s.tv_sec < v.tv_sec) return 8;
        if (v.tv_usec == 999999) return 1;
        return 0;
    }"""
    assert explore(linked(PROGRAM + body, target)).codes == [0, 1]


def test_broken_down_time() -> None:
    assert codes("time_t t = time(0); struct tm *m = localtime(&t);"
                 "if (m->tm_mon < 0 || m->tm_mon > 11 || m->tm_mday < 1) return 9;"
                 "if (m->tm_mon == 11 && m->tm_mday == 24) return 1; return 0;") == [0, 0, 1]  # fmt: skip
    assert codes("time_t t = 0; struct tm m; if (gmtime_r(&t, &m) != &m) return 9; if (m.tm_hour == 23) return 1;"
                 "mktime(&m); return m.tm_sec > 60;") == [0, 1]  # fmt: skip


def test_text() -> None:
    assert codes("time_t t = 0; return strlen(ctime(&t)) != 25;") == [0]
    assert codes('struct tm m; memset(&m, 0, sizeof m); char b[8]; return strftime(b, 8, "%Y", &m) != strlen(b);') == [
        0
    ]


def test_difference_and_sleep() -> None:
    assert codes("if (difftime(10, 4) != 6.0) return 9; sleep(3); usleep(5); return 0;") == [0]


def test_a_result_that_goes_nowhere_is_a_bug() -> None:
    found = explore_linked(PROGRAM + "int main(void) { struct timeval *v = (void *)64; return gettimeofday(v, 0); }")
    assert found.kinds == ["null-dereference"]
