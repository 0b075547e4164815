"""C programs with the verdict of every assertion in comments, run through ``clew verify``'s job.

    // expect: VERDICT @N     of the property on line N; ``@+1`` is the line after the comment
    // verdict: VERDICT       of the program
    // reason: TEXT           part of the reason given
    // paths: N               at most so many paths are explored
    // unroll: N              as --unroll
    // model: NAME            as --data-model
    // plain: no              exploring all paths is hopeless, or knows less: not to be compared
    // unsupported: TEXT      the strategy conflicts knows nothing, and says so; what is expected is for the others

Properties found and properties expected must be the same, whichever way paths are decided on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest

from clew.base.location import Location
from clew.base.options import VerifyRequest
from clew.checks.check import chosen_kinds, sanitizers
from clew.checks.properties import properties
from clew.frontend.selects import convert
from clew.jobs.prepare import load_program
from clew.jobs.verify import run_verify
from clew.program.module import Program
from clew.report.listener import Listener
from depth import TURN
from support.patience import limit_conflicts
from targets import target_for

HERE = Path(__file__).resolve().parent / "verify"
DIRECTIVE = re.compile(r"^\s*// (?P<key>[a-z-]+): *(?P<value>.*?)\s*$")
EXPECTED = re.compile(r"(?P<verdict>TRUE|FALSE|UNKNOWN) @(?P<sign>\+?)(?P<line>\d+)")
KEYS = {"expect", "verdict", "reason", "paths", "unroll", "model", "plain", "unsupported"}
WAYS = ("learn:10", "guide", "blackbox", "plain", "kept")
"""How paths are decided on; ``kept``: ``learn:10``, with simple branches as they are in the source."""
WAYS_WITHOUT_CONFLICTS = ("learn:10", "auto", "plain")
"""For what the strategy conflicts does not support: however it decides, and what is tried in its place."""


@dataclass(frozen=True)
class Expectation:
    properties: dict[int, str]
    options: dict[str, str]


def read(path: Path) -> Expectation:
    properties, options = {}, {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        directive = DIRECTIVE.match(line)
        if directive is None or directive["key"] not in KEYS:
            continue
        if directive["key"] != "expect":
            options[directive["key"]] = directive["value"]
            continue
        expected = EXPECTED.fullmatch(directive["value"])
        assert expected is not None, f"{path.name}:{number}: cannot read {line.strip()!r}"
        properties[int(expected["line"]) + (number if expected["sign"] else 0)] = expected["verdict"]
    return Expectation(properties, options)


def request_for(path: Path, options: dict[str, str], way: str) -> VerifyRequest:
    other = way in ("plain", "auto", "kept")
    return VerifyRequest(
        files=(path,),
        seconds=600.0,
        compiler_flags=("-w",),
        validate=True,
        strategy=way if way in ("plain", "auto") else "conflicts",
        decide="learn:10" if other else way,
        unroll=int(options["unroll"]) if "unroll" in options else None,
        data_model=options.get("model"),
        target=target_for(path.name) if "model" not in options else None,
        keep_branches=way == "kept",
    )


def ways(options: dict[str, str]) -> tuple[str, ...]:
    chosen = WAYS_WITHOUT_CONFLICTS if "unsupported" in options else WAYS
    return tuple(way for way in chosen if way != "plain" or options.get("plain") != "no")


def cases() -> list[tuple[str, str]]:
    return [(path.stem, way) for path in sorted(HERE.glob("*.c")) for way in ways(read(path).options)]


def expected_of(path: Path, way: str) -> Expectation:
    """What is expected of one way to verify."""
    found = read(path)
    if "unsupported" not in found.options or way in ("plain", "auto"):
        return found
    given = {**found.options, "verdict": "UNKNOWN", "reason": f"does not support {found.options['unsupported']}"}
    return Expectation(dict.fromkeys(found.properties, "UNKNOWN"), given)


def is_sampled(name: str, way: str) -> bool:
    """Every other program is verified by learning, the rest in one of the other ways; all these take turns."""
    first, *others = ways(read(HERE / f"{name}.c").options)
    at = crc32(name.encode()) + TURN
    return way == (first if at % 2 else others[at // 2 % len(others)])


@pytest.mark.parametrize(
    ("name", "way"),
    [pytest.param(*case, marks=[] if is_sampled(*case) else [pytest.mark.thorough]) for case in cases()],
)
def test_verdicts(name: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_conflicts(monkeypatch)
    path = HERE / f"{name}.c"
    expected = expected_of(path, way)
    summary = run_verify(request_for(path, expected.options, way), Listener())
    found = {item.location.line: item.verdict for item in summary.properties if item.location is not None}
    assert found == expected.properties
    assert summary.verdict == expected.options["verdict"]
    assert expected.options.get("reason", "") in summary.reason
    assert summary.stopped is None
    assert all(bug.confirmed for bug in summary.bugs)
    assert len(summary.bugs) == list(found.values()).count("FALSE")
    if "paths" in expected.options:
        assert summary.stats.paths_explored <= int(expected.options["paths"])


def all_properties(program: Program, kinds: frozenset[str]) -> list[tuple[str, Location | None, str, int]]:
    found = properties(program, kinds, program.functions["main"])
    return [(item.kind, item.location, item.function, len(item.spots)) for item in found]


@pytest.mark.sample(8)
@pytest.mark.parametrize("path", sorted(HERE.glob("*.c")), ids=lambda path: path.stem)
def test_if_conversion_leaves_all_properties(path: Path) -> None:
    """Of all kinds, with the checks of Clang's compiled in and without."""
    kinds = chosen_kinds(None)
    request = request_for(path, read(path).options, "plain")
    program = load_program(request, Listener(), sanitizers(kinds))
    assert all_properties(convert(program), kinds) == all_properties(program, kinds)
    plain = load_program(request, Listener())
    assert all_properties(convert(plain), kinds) == all_properties(plain, kinds)


def test_directives_are_read() -> None:
    found = read(HERE / "bounded_but_violated.c")
    assert found.properties == {10: "FALSE", 12: "UNKNOWN"}
    assert found.options == {"verdict": "FALSE", "unroll": "4"}
