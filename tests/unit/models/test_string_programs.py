"""string.h: duplicates, errors, and what calls cost in programs: a branch where the program asks, none per byte."""

from __future__ import annotations

from typing import Any

import pytest

from clew.execute.ends import Failed
from clew.expr import build
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from unit.execute.support import c_program, exit_code, explore
from unit.models.drive import Driver, symbol

# Copies that the libc at hand may lack, duplicates


@pytest.mark.parametrize("source", [b"\0", b"abc\0", b"abcdefg\0"])
@pytest.mark.parametrize("count", [0, 1, 4, 8])
def test_strlcpy_and_strlcat(source: bytes, count: int) -> None:
    text, driver = source[:-1], Driver()
    at, other = driver.buffer(b"z" * 9), driver.buffer(source)
    assert driver.call("strlcpy", at, other, count) == len(text)
    copied = text[: count - 1] + b"\0" if count else b""
    assert driver.contents(at, 9, Model({})) == copied + b"z" * (9 - len(copied))
    start = driver.buffer(b"xy\0zzzzzz")
    assert driver.call("strlcat", start, other, count) == len(text) + min(count, 2)
    joined = (b"xy" + text)[: count - 1] + b"\0" if count > 2 else b"xy\0"
    assert driver.contents(start, 9, Model({})) == joined + b"z" * (9 - len(joined))


@pytest.mark.parametrize(("name", "limit"), [("strdup", ()), ("strndup", (3,)), ("strndup", (9,))])
def test_duplicates_are_as_long_as_the_string(name: str, limit: tuple[int, ...]) -> None:
    values: dict[Expr, int] = {}
    data = [symbol(f"t{at}", 8, byte, values) for at, byte in enumerate(b"hello")]
    driver = Driver(values)
    at = driver.call(name, driver.buffer([*data, 0]), *limit)
    found = driver.state.memory.find(at)
    assert found is not None
    for word in (b"hello", b"\0aaaa", b"he\0lo"):
        model = Model(dict(zip(data, word, strict=True)))
        whole = word.split(b"\0")[0][: limit[0] if limit else None] + b"\0"
        if driver.allows(model):
            assert driver.contents(at, len(whole), model) == whole
            assert model.eval(driver.state.memory.extent(found[0])) == len(whole)


def test_strerror_gives_the_text_and_keeps_it() -> None:
    driver = Driver()
    at = driver.call("strerror", 2)
    assert driver.state.memory.read_cstring(at, 100) == b"No such file or directory"
    assert driver.call("strerror", 2) == at


def test_equality_of_strings_is_a_conjunction_of_bytes() -> None:
    values: dict[Expr, int] = {}
    data = [symbol(f"q{at}", 8, 0, values) for at in range(4)]
    driver = Driver(values)
    result = driver.call("strcmp", driver.buffer([*data, 0]), driver.buffer(b"ab\0"))
    for word, wanted in ((b"ab\0x", 0), (b"abx\0", ord("x")), (b"a\0ab", -ord("b")), (b"b\0\0\0", 1)):
        assert Model(dict(zip(data, word, strict=True))).eval(result) == wanted & 0xFFFFFFFF


# Errors


BAD_CALLS = [
    ("strlen", [b"abc"], "out-of-bounds"),
    ("strlen", [0], "null-dereference"),
    ("strlen", [[97, None]], "uninitialized"),
    ("strcmp", [b"abc", b"abc"], "out-of-bounds"),
    ("strchr", [b"abc", ord("d")], "out-of-bounds"),
    ("strncmp", [b"ab", b"ab\0", 3], "out-of-bounds"),
    ("memcmp", [b"ab", b"xb\0", 3], "out-of-bounds"),
    ("memchr", [b"ab", ord("c"), 3], "out-of-bounds"),
    ("strcpy", [bytes(3), b"abc\0"], "out-of-bounds"),
    ("strcpy", [bytes(9), b"abc"], "out-of-bounds"),
    ("strcpy", [0, b"abc\0"], "null-dereference"),
    ("strcat", [b"ab\0\0\0", b"abc\0"], "out-of-bounds"),
    ("strncat", [b"ab\0\0\0", b"abcd\0", 3], "out-of-bounds"),
    ("strncpy", [bytes(3), b"a\0", 4], "out-of-bounds"),
    ("memcpy", [bytes(3), bytes(9), 4], "out-of-bounds"),
    ("__memcpy_chk", [bytes(9), bytes(9), 4, 3], "out-of-bounds"),
    ("__strcpy_chk", [bytes(9), b"abc\0", 3], "out-of-bounds"),
    ("__strcat_chk", [b"ab" + bytes(7), b"abc\0", 5], "out-of-bounds"),
    ("__memset_chk", [bytes(9), 0, 4, 3], "out-of-bounds"),
    ("strspn", [b"aaa", b"a\0"], "out-of-bounds"),
    ("strdup", [b"aaa"], "out-of-bounds"),
    ("strtok", [0, b"a\0"], "null-dereference"),
]


@pytest.mark.parametrize(("name", "arguments", "kind"), BAD_CALLS)
def test_errors_of_concrete_calls(name: str, arguments: list[Any], kind: str) -> None:
    driver = Driver()
    places = [driver.buffer(a) if isinstance(a, bytes | list) else a for a in arguments]
    with pytest.raises(Failed) as caught:
        driver.call(name, *places)
    assert caught.value.kind == kind


AT = "at"
"""Of a result: so many bytes behind the start of the first argument."""

GOOD_CALLS: list[tuple[str, list[Any], Any, bytes]] = [
    ("strchr", [b"abc", ord("c")], (AT, 2), b"abc"),
    ("strcmp", [b"abc", b"abd"], -1, b"abc"),
    ("strncmp", [b"abc", b"abc", 3], 0, b"abc"),
    ("strncpy", [bytes(3), b"abc", 3], (AT, 0), b"abc"),
    ("memchr", [b"ab", ord("b"), 99], (AT, 1), b"ab"),
    ("strnlen", [b"ab", 2], 2, b"ab"),
    ("strcat", [b"ab" + bytes(4), b"abc\0"], (AT, 0), b"ababc\0"),
    ("__memcpy_chk", [bytes(9), b"x" * 9, 4, (1 << 64) - 1], (AT, 0), b"xxxx" + bytes(5)),
    ("memcpy", [0, 0, 0], 0, b""),
    ("strncmp", [0, 0, 0], 0, b""),
    ("strcpy", [[None] * 4, b"abc\0"], (AT, 0), b"abc\0"),
    ("strlen", [[97, 0, None]], 1, b"a\0"),
]
"""A function, its arguments, what it returns, and what the first argument then holds."""


@pytest.mark.parametrize(("name", "arguments", "result", "left"), GOOD_CALLS)
def test_calls_that_look_like_errors_but_are_none(name: str, arguments: list[Any], result: Any, left: bytes) -> None:
    driver = Driver()
    places = [driver.buffer(a) if isinstance(a, bytes | list) else a for a in arguments]
    returned = driver.call(name, *places)
    if isinstance(result, tuple):
        assert returned == places[0] + result[1]
    elif result < 0:
        assert returned >> 31 == 1, "negative"
    else:
        assert returned == result
    assert driver.contents(places[0], len(left), EMPTY_MODEL) == left


# In programs

STRINGS = """
#include <string.h>
#include <strings.h>
#include <stdlib.h>
static void fill(char *s, int n) { for (int i = 0; i < n; i++) s[i] = __VERIFIER_nondet_char(); }
"""

ONE_BRANCH = {
    "strlen": "return strlen(s) == 3;",
    "strcmp": 'return strcmp(s, "hello") == 0;',
    "both": "char t[9]; fill(t, 8); t[8] = 0; return strcmp(s, t) < 0;",
    "strncmp": 'return strncmp(s, "GET ", 4) == 0;',
    "strcasecmp": 'return strcasecmp(s, "Host") == 0;',
    "memcmp": 'return memcmp(s, "\\x7f" "ELF", 4) == 0;',
    "strchr": "return strchr(s, '=') != 0;",
    "strrchr": "char *p = strrchr(s, '/'); return p == s + 4;",
    "strstr": 'return strstr(s, "ab") == s + 2;',
    "strspn": 'return strspn(s, "0123456789") == 8;',
    "strcpy": "char t[9]; strcpy(t, s); return t[0] == 'x';",
    "strcat": 'char t[20] = "ab"; strcat(t, s); return strlen(t) == 5;',
    "twice": "char t[20] = {0}; strcat(t, s); strcat(t, s); return strlen(t) == 6;",
    "strdup": "char *t = strdup(s); int r = strcmp(t, s) == 0; free(t); return r;",
}


def one_branch(name: str) -> str:
    test = f"static int f_{name}(char *s) {{ {ONE_BRANCH[name]} }}"
    return test + f"int t_{name}(void) {{ char s[9]; fill(s, 8); s[8] = 0; if (f_{name}(s)) return 1; return 0; }}"


@pytest.mark.parametrize("name", ONE_BRANCH)
def test_a_call_does_not_fork_per_byte(name: str) -> None:
    """All that forks is what the program itself asks."""
    found = explore(c_program(STRINGS + "".join(map(one_branch, ONE_BRANCH))), f"t_{name}")
    assert found.bugs == []
    assert found.codes == ([1] if name == "strdup" else [0, 1])


def test_overflow_of_a_copy_is_found_without_forks() -> None:
    code = (
        STRINGS
        + """
    int main(void) {
      char in[32], out[8];
      fill(in, 31); in[31] = 0;
      strcpy(out, in);
      return 0;
    }
    """
    )
    found = explore(code)
    assert found.bugs == [("out-of-bounds", 10)]
    assert found.endings == {"exit": 1, "bug": 1}
    assert all(byte != 0 for byte in next(way.inputs for way in found.ways if way.how == "bug")[:8])


def test_missing_terminator_is_found() -> None:
    code = STRINGS + "int main(void) { char s[4]; fill(s, 4); return strlen(s) > 2; }"
    found = explore(code)
    assert found.kinds == ["out-of-bounds"]
    assert found.codes == [0, 1] or len(found.codes) == 1


def test_strncpy_without_terminator() -> None:
    code = (
        STRINGS
        + """
    int main(void) {
      char s[9], t[4];
      fill(s, 8); s[8] = 0;
      strncpy(t, s, sizeof t);
      return strlen(t);
    }
    """
    )
    found = explore(code)
    assert found.bugs == [("out-of-bounds", 11)]


def test_null_from_strchr() -> None:
    code = (
        STRINGS
        + """
    int main(void) {
      char s[6];
      fill(s, 5); s[5] = 0;
      char *p = strchr(s, ':');
      *p = 0;
      if (strlen(s) == 3) return 3;
      return 0;
    }
    """
    )
    found = explore(code)
    assert found.bugs == [("null-dereference", 11)]
    assert found.codes == [0, 3]


def test_symbolic_length_of_a_copy() -> None:
    code = (
        STRINGS
        + """
    int main(void) {
      char a[8] = "abcdefg", b[8] = {0};
      unsigned n = __VERIFIER_nondet_uint();
      memcpy(b, a, n);
      if (strlen(b) == 5) return n;
      return 0;
    }
    """
    )
    found = explore(code)
    assert found.kinds == ["out-of-bounds"]
    assert found.codes == [0, 5]


TOKENS = (
    STRINGS
    + """
int main(void) {
  char s[] = ",a,,bc,d", t[] = "x y", *save, *p;
  int r = 0;
  for (p = strtok(s, ","); p; p = strtok(0, ",")) r = r * 4 + strlen(p);
  if (r != 1 * 16 + 2 * 4 + 1) return 1;
  if (strcmp(strtok_r(t, " ", &save), "x") || strcmp(strtok_r(0, " ", &save), "y")) return 2;
  if (strtok_r(0, " ", &save)) return 3;
  char u[] = "a,,b", *rest = u;
  if (strcmp(strsep(&rest, ","), "a") || strcmp(strsep(&rest, ","), "") || strcmp(strsep(&rest, ","), "b")) return 4;
  if (rest || strsep(&rest, ",")) return 5;
  return 0;
}
"""
)


@pytest.mark.parametrize("target", ["x86_64-linux-gnu", "x86-linux-gnu"])
def test_tokens(target: str) -> None:
    assert exit_code(TOKENS, target=target) == 0


@pytest.mark.slow
def test_tokens_of_symbolic_text() -> None:
    code = (
        STRINGS
        + """
    int main(void) {
      char s[4]; fill(s, 3); s[3] = 0;
      char *key = strtok(s, "="), *value = strtok(0, "=");
      if (key && value && *key == 'k' && *value == 'v') return 1;
      return 0;
    }
    """
    )
    found = explore(code)
    assert found.bugs == []
    assert set(found.codes) == {0, 1}
    ones = [way.inputs for way in found.ways if way.code == 1]
    assert all(bytes(int(b) & 255 for b in word) == b"k=v" for word in ones)


def test_a_literal_cannot_be_written() -> None:
    found = explore(STRINGS + 'int main(void) { char *s = "abc"; strcpy(s, "x"); return 0; }')
    assert len(found.kinds) == 1


@pytest.mark.slow
def test_more_symbolic_bytes_than_formulas_take_are_a_noted_loss() -> None:
    values: dict[Expr, int] = {}
    data = [symbol(f"l{at}", 8, 0, values) for at in range(5000)]
    driver = Driver(values)
    driver.call("strlen", driver.buffer([*data, 0]))
    assert [note.kind.value for note in driver.run.loss_notes()] == ["bounded"]


def test_path_knowledge_shortens_formulas() -> None:
    values: dict[Expr, int] = {}
    data = [symbol(f"k{at}", 8, 65, values) for at in range(3)]
    driver = Driver(values)
    at = driver.buffer([*data, 0])
    for byte in data:
        constraint = build.ne(byte, 0, 8)
        assert isinstance(constraint, Expr)
        driver.state.path = driver.state.path.add(constraint)
    assert driver.call("strlen", at) == 3
