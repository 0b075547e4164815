"""Keyword arguments become requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.api.options import make_request, option_names, paths_of
from clew.base.errors import UserError
from clew.base.options import InvariantsRequest, ReachRequest, StartValue, TestRequest, VerifyRequest

FILE = (Path("p.c"),)


def request(**options: object) -> TestRequest:
    return make_request(TestRequest, FILE, options)


def test_files_are_one_or_several() -> None:
    assert paths_of("p.c") == paths_of(Path("p.c")) == paths_of(["p.c"]) == FILE


def test_options_have_the_names_of_the_command_line() -> None:
    made = request(time=5, memory=100, check="memory,div", flags=["-DN=3"], stdin=4, merge=False)
    assert (made.seconds, made.memory_mb, made.checks) == (5, 100, ("memory", "div"))
    assert (made.compiler_flags, made.stdin, made.merge) == (("-DN=3",), 4, False)


def test_time_is_limited_unless_it_is_not_to_be() -> None:
    assert request().seconds == 60
    assert request(time=None).seconds is None
    assert request(time=float("inf")).seconds is None


def test_start_values_by_name_and_in_order() -> None:
    assert request(start={"x": 5}).start == (StartValue("x", 5),)
    assert request(start=[1, b"ab"]).start == (StartValue(None, 1), StartValue(None, b"ab"))


def test_text_is_read_as_on_the_command_line() -> None:
    made = request(start="x=5,y='a'", args="-v,@8", loop_bound="auto")
    assert made.start == (StartValue("x", 5), StartValue("y", 97))
    assert (made.args, made.loop_bound) == ((b"-v", 8), "auto")
    reached = make_request(ReachRequest, FILE, {"line": "q.c:12"})
    assert (reached.file, reached.line) == ("q.c", 12)


def test_words_of_the_program_are_bytes() -> None:
    assert request(args=["-v", 8, b"x"]).args == (b"-v", 8, b"x")


@pytest.mark.parametrize(
    ("named", "program"), [("p.c", "p"), ("a/b.tool.c", "b.tool"), ("./tool", "tool"), ("b.bc", "b")]
)
def test_a_program_is_called_as_what_is_tested(named: str, program: str) -> None:
    made = make_request(TestRequest, (Path(named), Path("q.c")), {"args": "-v"})
    assert made.argv == (program.encode(), b"-v")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tiem": 3}, "no option 'tiem'; did you mean 'time'?"),
        ({"files": "q.c"}, "no option 'files'"),
        ({"time": "3"}, "time must be a number or None, not '3'"),
        ({"depth": True}, "depth must be a whole number or None, not True"),
        ({"loop_bound": 1.5}, "loop_bound must be a whole number or 'auto' or None, not 1.5"),
        ({"check": ","}, "check names nothing: leave it out for the default"),
        ({"interrupt": 1}, "interrupt must be of type Interrupt, not 1"),
        ({"merge": 1}, "merge must be True or False, not 1"),
        ({"flags": 3}, "flags must be a list, not 3"),
        ({"goal": "all"}, "unknown value 'all' for --goal (there are: branch"),
        ({"time": -1}, "must be a number above 0"),
    ],
)
def test_mistakes_are_told_in_one_line(options: dict[str, object], message: str) -> None:
    with pytest.raises(UserError) as caught:
        request(**options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_program_is_needed() -> None:
    with pytest.raises(UserError, match="no input file"):
        make_request(TestRequest, (), {})


@pytest.mark.parametrize("kind", [TestRequest, VerifyRequest, ReachRequest, InvariantsRequest])
def test_every_option_of_a_command_can_be_named(kind: type[TestRequest]) -> None:
    names = option_names(kind).keys()
    assert {"time", "function", "target", "clang"} <= names
    assert not names & {"files", "seconds", "verbose", "json", "out"}
    assert ("merge" in names) == (kind is TestRequest)
