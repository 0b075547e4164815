"""What a program is started with: ``argc`` and ``argv``, the environment, the options that choose them."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.option_values import parse_arguments
from clew.base.options import TestRequest
from unit.models.running import run_all

CONSISTENT = "if (argc < 1 || argv[argc]) return 99; for (int i = 0; i < argc; i++) if (!argv[i]) return 98; "


def test_without_arguments() -> None:
    assert run_all(CONSISTENT + "return argc;").codes == [1]


def test_known_words() -> None:
    ran = run_all(CONSISTENT + 'return argc == 3 && !strcmp(argv[1], "-v") && !*argv[2] ? 0 : 1;', args=(b"-v", b""))
    assert ran.codes == [0]
    assert ran.ends[0][1] == ()


def test_symbolic_words() -> None:
    ran = run_all(
        CONSISTENT + 'if (strlen(argv[2]) > 3) return 9; return !strcmp(argv[2], "abc") ? 1 : !*argv[2] ? 2 : 3;',
        args=(b"x", 3),
    )
    assert set(ran.codes) == {1, 2, 3}
    assert ran.inputs(1) == {"argv[2]": b"abc"}


@pytest.mark.slow
def test_words_end_inside_their_objects() -> None:
    ran = run_all("int n = 0; while (argv[1][n]) n++; return argv[1][n + 1];", args=(2,))
    assert "out-of-bounds" in ran.bugs


def test_words_can_be_written() -> None:
    assert run_all("argv[1][0] = 'y'; return argv[1][0] == 'y' && argv[1][1] == 0;", args=(b"x",)).codes == [1]


def test_arguments_come_before_standard_input() -> None:
    ran = run_all("return getchar() == 'a' && argv[1][0] == 'b' ? 5 : 0;", stdin=1, args=(1,))
    assert list(ran.inputs(5)) == ["argv[1]", "stdin length", "stdin"]


def test_the_environment_is_empty() -> None:
    code = "extern char **environ; int main(int argc, char **argv, char **envp) { return !environ[0] && !envp[0]; }"
    assert run_all(code).codes == [1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, ()),
        ("", ()),
        ("a", (b"a",)),
        ("-v,@8,in.txt", (b"-v", 8, b"in.txt")),
        ("@0", (0,)),
        ("a,,b", (b"a", b"", b"b")),
        ("a,", (b"a", b"")),
        (r"a\,b,\@x,\\", (b"a,b", b"@x", b"\\")),
        ("x@3", (b"x@3",)),
    ],
)
def test_reading_the_option(text: str | None, words: tuple[bytes | int, ...]) -> None:
    assert parse_arguments(text) == words


@pytest.mark.parametrize("text", ["@", "@x", "@-1", "@99999", "a\\", "a\0b"])
def test_refused(text: str) -> None:
    with pytest.raises(UserError, match="--args"):
        parse_arguments(text)


def test_requests_check_themselves() -> None:
    for bad in (-1, 1 << 20):
        with pytest.raises(UserError, match="--stdin"):
            TestRequest((Path("a.c"),), stdin=bad)
    with pytest.raises(UserError, match="--args"):
        TestRequest((Path("a.c"),), function="f", args=(b"x",))
