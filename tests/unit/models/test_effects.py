"""The lists of what models do: every name is a model, and spot checks against models that run."""

from __future__ import annotations

import pytest

from clew.analysis.escape import Writes
from clew.models import effects
from clew.models.effects import FRESH, FRESH_BOUNDED, PURE, WRITES_NOTHING, effect_of
from clew.models.registry import all_models
from unit.execute.support import explore


def test_every_name_is_a_model() -> None:
    assert set(effects._EFFECTS) <= set(all_models())
    assert PURE | FRESH | FRESH_BOUNDED <= WRITES_NOTHING
    assert not (PURE & FRESH) and not (FRESH & FRESH_BOUNDED)


def test_no_name_is_in_two_lists() -> None:
    lists = [WRITES_NOTHING, effects._OWN, effects._INTO_ARGUMENTS, effects._RETURNING_ARGUMENTS]
    lists += [frozenset(effects._PRINTING), frozenset(effects._FORMATTING)]
    assert sum(map(len, lists)) == len(frozenset().union(*lists)) == len(effects._EFFECTS)


@pytest.mark.parametrize(
    "name", "strtok strcpy memcpy fgets scanf sqrt pow atoi strtol malloc realloc time modf read sprintf printf".split()
)
def test_what_writes_is_not_said_to_write_nothing(name: str) -> None:
    assert name not in WRITES_NOTHING


def test_unknown_models_may_do_anything() -> None:
    assert effect_of("strtok").writes is effect_of("no_such_model").writes is Writes.ANYTHING
    assert effect_of("strtok").keeps


def test_all_inputs_of_competitions_are_fresh() -> None:
    names = {name for name in all_models() if name.startswith("__VERIFIER_nondet_")}
    assert names <= FRESH | FRESH_BOUNDED


WATCHED = """
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <strings.h>
    #include <ctype.h>
    #include <errno.h>
    #include <unistd.h>
    int number = 7; char text[16] = "some text"; char copy[16] = "some text";
    int main(void) {
        int n = __VERIFIER_nondet_int();
        errno = 5;
        { %s }
        return !(number == 7 && errno == 5 && !__builtin_memcmp(text, copy, 16));
    }
"""


@pytest.mark.parametrize(
    "use",
    [
        "abs(n); isdigit(n); toupper(n); ffs(n);",
        "strlen(text); strcmp(text, copy); memcmp(text, copy, 5); strspn(text, copy);",
        "strchr(text, 'x'); strstr(text, \"tex\"); memchr(text, 't', 16); strrchr(text, 'e');",
        "puts(text); putchar(n); fputs(text, stderr); fwrite(text, 1, 5, stdout); write(1, text, 4);",
        'printf("%d %s\\n", n, text); fprintf(stderr, "%c", n); perror(text);',
        "getchar(); feof(stdin); ungetc('x', stdin); fflush(stdout);",
        "rand(); srand(n); getpid(); sleep(n);",
        "free(malloc(8));",
    ],
)
def test_memory_and_errno_are_as_before(use: str) -> None:
    ways = explore(WATCHED % use).ways
    assert ways and all(way.how == "exit" and way.code == 0 for way in ways), ways


def test_two_fresh_inputs_are_independent() -> None:
    found = explore("""
        int main(void) {
            unsigned char a = __VERIFIER_nondet_uchar();
            unsigned char b = __VERIFIER_nondet_uchar();
            if (a != b) return 4;
            if (a == 0) return 1;
            if (a == 255) return 2;
            return 3;
        }
    """)
    assert set(found.codes) == {1, 2, 3, 4}
