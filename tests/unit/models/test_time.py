"""time.h: clocks and calendars are inputs within their ranges."""

from __future__ import annotations

from random import Random

import pytest

from unit.execute.support import explore
from unit.models.libc_dates import differences
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
    assert codes("time_t t = 951782400; struct tm m; if (gmtime_r(&t, &m) != &m) return 9;"
                 "if (m.tm_year != 100 || m.tm_mon != 1 || m.tm_mday != 29 || m.tm_wday != 2) return 8;"
                 "m.tm_mon += 24; return timegm(&m) != 1014940800 || m.tm_mday != 1;") == [0]  # fmt: skip
    assert codes("time_t t = (time_t)1 << 60; return gmtime(&t) != 0;") == [0]
    assert codes("time_t t = time(0); struct tm *m = gmtime(&t);"
                 "if (m->tm_hour < 0 || m->tm_hour > 23 || m->tm_min > 59) return 9;"
                 "if (m->tm_hour == 23 && t % 60 == 7) return m->tm_sec != 7; return 2;") == [0, 2, 2]  # fmt: skip


def test_local_time_has_a_distance_from_the_clock() -> None:
    body = ("time_t t = 86400; struct tm m = *localtime(&t); if (m.tm_mday != 1 && m.tm_mday != 2) return 9;"
            "if (mktime(&m) != t) return 8; if (m.tm_hour == 14) return 1; return 0;")  # fmt: skip
    found = explore_linked(PROGRAM + "int main(void) {" + body + "}")
    assert sorted(set(found.codes)) == [0, 1]
    assert any("daylight saving" in what for _, what, *_ in found.run.losses)


def test_text() -> None:
    assert codes('struct tm m; time_t t = 951782400; gmtime_r(&t, &m);'
                 'if (strcmp(asctime(&m), "Tue Feb 29 00:00:00 2000\\n")) return 9; char b[64];'
                 'if (strftime(b, 64, "%Y-%m-%dT%H:%M:%S%z|%G-W%V %j", &m) != 37) return 8;'
                 'return 0;') == [0]  # fmt: skip
    assert codes(
        "struct tm m; memset(&m, 0, sizeof m); char b[5];"
        'return strftime(b, 4, "%Y", &m) != 0 || strftime(b, 5, "%Y", &m) != 4 || strcmp(b, "1900");'
    ) == [0]


def test_dates_are_those_of_libc() -> None:
    assert differences(Random(7), 400) == []


def test_difference_and_sleep() -> None:
    assert codes("if (difftime(10, 4) != 6.0) return 9; sleep(3); usleep(5); return 0;") == [0]


def test_a_result_that_goes_nowhere_is_a_bug() -> None:
    found = explore_linked(PROGRAM + "int main(void) { struct timeval *v = (void *)64; return gettimeofday(v, 0); }")
    assert found.kinds == ["null-dereference"]
