"""The drawn programs for path merging have what merging could fail on, and a wrong merge would be noticed."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from oracle import merging_library, merging_shapes
from oracle.merging_claims import HEAD, observed, with_claims
from oracle.merging_compare import Way, alone, contradictions, every_path, explore
from oracle.merging_programs import draft, generate, stdin_of

SMALL = (
    HEAD
    + """\
int main(void) {
  IN(x, int, int, 0, 3);
  int a = 0, b = 0;
  if (x & 1) a = 1;
  if (x & 2) b = 1;
  LOOK(a + b);
  LOOK(x);
  return 0;
}
"""
)
SECONDS = 600.0


@cache
def drafts() -> str:
    """What is drawn, without what every program has."""
    fixed = HEAD + merging_shapes.PRELUDE + merging_library.PRELUDE
    return "".join(draft(Random(seed)).replace(fixed, "") for seed in range(150))


def test_the_same_seed_gives_the_same_program() -> None:
    assert generate(3).source == generate(3).source
    assert generate(3).source != generate(4).source


@pytest.mark.parametrize(
    "shape",
    [
        r"else \{", r"switch \(", r"goto over", r"for \(int i", r"while \(", r"break;", r"continue;", r" \? ",
        r"&& ", r"\|\| ", r"int dead", r"volatile int", r"return 0;\n.*\n", r"exit\(0\)", r"__VERIFIER_assume\(",
        r"UNSET\(int", r"\? &\w.* : &\w", r"gto = ", r"\*gtoto = ", r"gcells\[\(?in\d+", r"gpair = s\d", r"memcpy\(",
        r"tick\(", r"once\(", r"gcalled = ", r"down\(", r"fill\(", r"\+ in\d+\) & 15", r"struct node n\d",
        r"double d\d", r"p\d+ = &v\d", r"gboth\.parts", r"grich\.few", r"work\d+\(", r"&gcount", r"\(\*out\)",
        r"\(struct pair\)\{", r"malloc\(", r"realloc\(", r"free\(", r"getchar\(", r"ungetc\(", r"fgets\(", r"feof\(",
        r"strcpy\(", r"strcat\(", r"strlen\(", r"atoi\(", r"strtok\(0", r"atexit\(",
        r"errno", r"rand\(\)", r"fopen\(", r"qsort\(", r"memset\(gcells", r"total\(", r"h\d+->a",
    ],
)  # fmt: skip
def test_the_family_has_every_shape(shape: str) -> None:
    assert re.search(shape, drafts())


def test_claims_follow_what_is_seen(tmp_path: Path) -> None:
    seen = observed(SMALL, tmp_path)
    assert [set(seen[line]) for line in sorted(seen)] == [{0, 1, 2}, {0, 1, 2, 3}]
    programs = {with_claims(SMALL, seen, Random(seed)) for seed in range(20)}
    assert len(programs) > 10
    assert not any("LOOK" in program for program in programs)


def test_programs_say_what_they_read() -> None:
    assert stdin_of(SMALL) is None
    assert stdin_of("// stdin: 3\n" + SMALL) == 3


@pytest.mark.thorough
def test_programs_are_worth_running(tmp_path: Path) -> None:
    paths, errors = [], set()
    for seed in range(5, 10):
        program = tmp_path / f"{seed}.c"
        program.write_text(generate(seed).source, encoding="utf-8")
        run = explore(program, Way("path"), SECONDS)
        paths.append(run.paths)
        errors |= {kind for kind, _ in run.errors}
    assert sum(count >= 8 for count in paths) >= 3
    assert len(errors) >= 3


def test_a_wrong_answer_is_noticed(tmp_path: Path) -> None:
    program = tmp_path / "small.c"
    source = SMALL.replace("LOOK(a + b);", "assert(a + b < 2);").replace("LOOK(x);", "if (x == 1) reach_error();")
    program.write_text(source, encoding="utf-8")
    way = alone("error", "dfs")
    every = explore(program, every_path(way), SECONDS)
    run = replace(every, way=way)
    assert {kind for kind, _ in every.errors} == {"assert", "error-call"}
    assert every.ended
    assert every.paths == 4
    branch = next(iter(every.branches))

    def wrong(**other: object) -> list[str]:
        return [text.split(":")[0] for text in contradictions(every, replace(run, **other))]

    assert wrong() == []
    assert wrong(branches=every.branches - {branch}) == ["branches lost"]
    assert wrong(branches=every.branches - {branch}, ended=False) == []
    assert wrong(branches=every.branches | {("main", "nowhere", 0)})[0] == "covered, but on no path"
    assert wrong(errors=frozenset()) == ["errors lost"]
    assert wrong(errors=frozenset(), way=alone("branch", "dfs")) == []
    assert wrong(errors=every.errors | {("assert", "x.c:1")}) == ["found, but on no path"]
    assert wrong(shown=every.shown - {branch}) == ["no test covers"]
    assert wrong(failure="it broke") == ["it broke"]
