"""What models declare about themselves: all do, what they say agrees, and spot checks against models that run."""

from __future__ import annotations

import pytest

from clew.analysis.model_effect import ANYTHING, PURE, UNDECLARED, ModelEffect, Writes
from clew.base.errors import InternalError
from clew.execute.library import MODELS, model
from clew.models.registry import all_models, effect_of
from unit.execute.support import explore


def test_every_model_declares_its_effect() -> None:
    silent = [name for name, model in all_models().items() if model.effect is UNDECLARED]
    assert not silent, f"@model(..., effect=ANYTHING) if it may do anything: {silent}"


def test_a_model_that_declares_nothing_may_do_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    all_models()
    monkeypatch.delitem(MODELS, "abs")
    model("abs")(lambda call, number: number)
    assert effect_of("abs") == effect_of("no_such_model") == ANYTHING
    assert ANYTHING.writes is Writes.ANYTHING and ANYTHING.keeps and not ANYTHING.exact


def test_a_name_has_one_model() -> None:
    all_models()
    with pytest.raises(InternalError, match="two models are called strlen"):
        model("strlen", effect=PURE)(lambda call, text: 0)


def _contradiction(effect: ModelEffect) -> str:
    if (effect.pure or effect.fresh or effect.bounded or effect.assumes or effect.ends) and (
        effect.writes is not Writes.NOTHING or effect.keeps or effect.format is not None
    ):
        return "computes or ends the path, and writes or keeps something"
    if effect.pure + effect.fresh + effect.bounded + effect.assumes + effect.ends > 1:
        return "two kinds at once"
    return "gives back what it does not keep" if effect.gives_back and not effect.keeps else ""


def test_effects_do_not_contradict_themselves() -> None:
    wrong = {name: _contradiction(model.effect) for name, model in all_models().items()}
    assert not {name: why for name, why in wrong.items() if why}


@pytest.mark.parametrize(
    "name", "strtok strcpy memcpy fgets scanf sqrt pow atoi strtol malloc realloc time modf read sprintf".split()
)
def test_what_writes_is_not_said_to_write_nothing(name: str) -> None:
    assert effect_of(name).writes is not Writes.NOTHING


def test_all_inputs_of_competitions_are_fresh() -> None:
    names = [name for name in all_models() if name.startswith("__VERIFIER_nondet_")]
    assert names and all(effect_of(name).fresh or effect_of(name).bounded for name in names)


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
