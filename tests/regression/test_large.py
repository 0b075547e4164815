"""Large and odd programs: nothing may take more than a program of its size has to."""

from __future__ import annotations

from collections.abc import Callable

from regression.conftest import Outcome

Clew = Callable[..., Outcome]
Write = Callable[..., str]


def test_thousands_of_calls_in_one_block(clew: Clew, write: Write) -> None:
    calls = "".join(f"c = f(c ^ {number}u);\n" for number in range(1500))
    text = f"static unsigned f(unsigned x) {{ return x * 2 + 1; }}\nint main(void) {{ unsigned c = 0;\n{calls}"
    outcome = clew(write(f"{text}return c == 7; }}"))
    assert outcome.code == 0
    assert outcome.summary["coverage"]["lines"] == {"covered": 1502, "total": 1502}


def test_a_switch_with_hundreds_of_cases(clew: Clew, write: Write) -> None:
    cases = "".join(f"case {number * 7}: return {number % 200};\n" for number in range(200))
    outcome = clew(write(f"int main(void) {{ switch (__VERIFIER_nondet_uint()) {{\n{cases}}} return 0; }}"))
    assert outcome.code == 0
    assert outcome.summary["tests"] == 201
    assert outcome.summary["coverage"]["branches"] == {"covered": 201, "total": 201}


def test_deeply_nested_conditions(clew: Clew, write: Write) -> None:
    levels = "".join(f"if (x != {number})\n" for number in range(100))
    outcome = clew(write(f"int main(void) {{ int x = __VERIFIER_nondet_int();\n{levels}x = 0;\nreturn 0; }}"))
    assert outcome.code == 0
    assert outcome.summary["coverage"]["branches"] == {"covered": 200, "total": 200}


def test_a_long_line_of_straight_code(clew: Clew, write: Write) -> None:
    outcome = clew(write(f"int main(void) {{ unsigned x = 0; {'x += 1;' * 3000} return x != 3000; }}"))
    assert outcome.code == 0
    assert outcome.summary["coverage"]["lines"] == {"covered": 1, "total": 1}


def test_names_beyond_ascii(clew: Clew, write: Write) -> None:
    text = 'int main(void) { int größe = 3, 变量 = 4; const char *s = "é"; return größe + 变量 + s[2] == 8; }'
    assert clew(write(text)).code == 0


def test_bytes_that_are_no_text(clew: Clew, write: Write) -> None:
    assert clew(write(b'/* caf\xe9 */ int main(void) { return "\xff"[0] == 0; }')).code == 0


def test_a_struct_in_registers_does_not_hide_the_types_of_other_parameters(clew: Clew, write: Write) -> None:
    """The pointer got an object of one byte, and its use was reported as out of bounds."""
    text = "struct s { long a; int b; };\nint f(struct s s, struct s *p) { if (!p) return 0; return s.b == p->b; }"
    outcome = clew(write(text), "--function", "f", "--target", "x86_64-linux-gnu")
    assert outcome.code == 0, outcome.summary["bugs"]


def test_a_thousand_nested_ifs(clew: Clew, write: Write) -> None:
    """Deeper than Clang's own limit."""
    levels = "".join(f"if (x != {number}) {{\n" for number in range(1000))
    text = f"int main(void) {{ int x = 0;\n{levels}x = 1;\n{'}' * 1000}\nreturn x; }}"
    outcome = clew(write(text))
    assert outcome.code == 0
    assert outcome.summary["coverage"]["branches"] == {"covered": 1, "total": 2000}


def test_nesting_that_is_too_deep_for_the_compiler_is_said_by_it(clew: Clew, write: Write) -> None:
    outcome = clew(write(f"int main(void) {{ return {'(' * 5000}1{')' * 5000}; }}"))
    assert outcome.code == 2
    assert "bracket nesting level exceeded maximum of 4096" in outcome.err
    assert "Traceback" not in outcome.err
