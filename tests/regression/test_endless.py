"""Programs without an end: an ordinary one all the same, with what was lost stated and what was found kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from regression.conftest import Outcome

Clew = Callable[..., Outcome]
Write = Callable[..., str]

ENDLESS = {
    "loop": "int main(void) { for (;;) ; }",
    "counter": "int main(void) { unsigned i = 0; for (;;) i++; }",
    "inputs": "int main(void) { unsigned n = 0; while (__VERIFIER_nondet_int()) n++; return n == 1000000; }",
    "heap": "#include <stdlib.h>\nint main(void) { for (;;) *(char *)malloc(16) = 1; }",
    "print": '#include <stdio.h>\nint main(void) { for (int i = 0;; i++) { printf("line %d\\n", i); i &= 7; } }',
    "expression": "int main(void) { unsigned x = __VERIFIER_nondet_uint(); for (;;) x = (x ^ x >> 3) * x + 1; }",
    "forks": "int main(void) { unsigned c = 0; for (;;) if (__VERIFIER_nondet_int() > 3) c++; }",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ENDLESS)
def test_ends_by_time_with_a_test(clew: Clew, write: Write, name: str) -> None:
    outcome = clew(write(ENDLESS[name]), "--time", "0.5")
    assert outcome.code == 3
    summary = outcome.summary
    assert summary["stopped"] == "time"
    assert "unexplored" in outcome.losses
    assert summary["tests"] >= 1
    assert summary["coverage"]["lines"]["covered"] >= 1


def test_recursion_without_end(clew: Clew, write: Write) -> None:
    outcome = clew(write("unsigned f(unsigned x) { return f(x + 1) + 1; }\nint main(void) { return f(0); }"))
    assert outcome.code == 0
    assert "recursion deeper than" in outcome.losses


@pytest.mark.parametrize(
    "size", ["100000000000ul", "(size_t)-1", "__VERIFIER_nondet_uint() | 0xf0000000u"], ids=["huge", "max", "symbolic"]
)
def test_too_large_for_malloc(clew: Clew, write: Write, size: str) -> None:
    text = f"#include <stdlib.h>\nint main(void) {{ char *p = malloc({size}); if (!p) return 1; return 0; }}"
    outcome = clew(write(text), "--max-instructions", "1000")
    assert outcome.code in (0, 3)
    assert outcome.summary["tests"] >= 1


@pytest.mark.parametrize("place", ["", "int main(void) {"], ids=["global", "stack"])
def test_object_too_large(clew: Clew, write: Write, place: str) -> None:
    text = f"{place} volatile char big[3000000000u]; {'' if place else 'int main(void) {'} big[5] = 1; return 0; }}"
    outcome = clew(write(text))
    if place:
        assert "a stack object of 3000000000 bytes" in outcome.losses
    else:
        outcome.refused("an object of 3000000000 bytes")


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ('int main(void) { __asm__ volatile(".word 7"); return 0; }', "inline assembly"),
        (
            "#include <pthread.h>\nstatic void *f(void *a) { return a; }\n"
            "int main(void) { pthread_t t; return pthread_create(&t, 0, f, 0); }",
            "pthread_create",
        ),
        ("int main(void) { volatile __bf16 x = 1.5; return (float)x > 1; }", "bfloat"),
    ],
)
def test_unsupported_features_are_named_with_their_line(clew: Clew, write: Write, text: str, feature: str) -> None:
    outcome = clew(write(text))
    assert outcome.code == 0
    (loss,) = outcome.summary["losses"]
    assert loss["kind"] == "unsupported" and feature in loss["what"]
    assert loss["file"] == "p.c" and loss["line"] == 3 + len(text.splitlines())
