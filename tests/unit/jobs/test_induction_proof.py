"""``clew verify --strategy induction``: what is proved by which k, what is refuted, and what is not claimed."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import VerifyRequest
from clew.jobs.phases import induction_proof
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary
from unit.execute.support import PRELUDE

ANY = "__VERIFIER_nondet_bool()"


def verify(folder: Path, code: str, **options: object) -> Summary:
    file = folder / "p.c"
    file.write_text(PRELUDE + '#include <assert.h>\n#line 1 "p.c"\n' + code, encoding="utf-8")
    given = {"seconds": 600.0, "compiler_flags": ("-w",), "strategy": "induction", **options}
    return run_verify(VerifyRequest((file,), **given), Listener())  # type: ignore[arg-type]  # options by name


def main(body: str, before: str = "") -> str:
    return f"{before}\nint main(void) {{ {body} return 0; }}\n"


PROVED = {
    "flags": (1, main(f"unsigned char a = 0, b = 1, t; while ({ANY}) {{ t = a; a = b; b = t; assert(a != b); }}")),
    "ring": (
        1,
        main(
            "while (1) { char u = t[0]; t[0] = t[1]; t[1] = t[2]; t[2] = u; assert(t[0] + t[1] + t[2] == 1); }",
            "unsigned char t[3] = {1, 0, 0};",
        ),
    ),
    "shift register": (
        3,
        main(
            "unsigned char a = 0, b = 0, c = 0; "
            "while (1) { a = b; b = c; c = __VERIFIER_nondet_uchar(); c *= c; assert(a % 4 < 2); }"
        ),
    ),
    "recurrence": (
        2,
        main(f"unsigned char a = 0, b = 1, c; while ({ANY}) {{ c = a + b; a = b; b = c; assert((a | b) & 1); }}"),
    ),
    "machine": (
        1,
        main(
            f"""int s = 0, lit = 0;
            while (1) {{
              switch (s) {{
                case 0: if ({ANY}) s = 1; break;
                case 1: lit = 1; s = 2; break;
                case 2: lit = 0; s = {ANY} ? 0 : 3; break;
                case 3: s = 0; break;
                default: assert(0);
              }}
              if (s == 2) assert(lit);
            }}"""
        ),
    ),
    "behind the loop": (1, main(f"unsigned x = 0; while ({ANY}) x += 2; assert(x % 2 == 0);")),
    "behind two loops": (
        2,
        main(
            f"unsigned char x = 0, y = 0; "
            f"while ({ANY}) {{ x += 3; y += 3; }} while ({ANY}) {{ x++; y++; }} assert(x == y);"
        ),
    ),
    "in a function": (
        1,
        main(
            "while (1) step();",
            "static char g, h = 1; static void step(void) { char t = g; g = h; h = t; assert(g != h); }",
        ),
    ),
    "within another loop": (
        3,
        main(f"unsigned char x = 0; while ({ANY}) {{ for (int i = 0; i < 3; i++) x += 2; assert(x % 2 == 0); }}"),
    ),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", PROVED)
def test_what_is_proved_and_by_which_k(name: str, tmp_path: Path) -> None:
    most, code = PROVED[name]
    summary = verify(tmp_path, code)
    assert summary.verdict == "TRUE", summary.reason
    used = int(summary.reason.partition("-induction")[0].rpartition(" ")[2])
    assert used <= most and summary.technique == "induction"


CHANGES = {
    "ring": (("t[1] = t[2];", "t[1] = t[2] | (++n == 9);"), ("unsigned char t", "int n; unsigned char t")),
    "shift register": (("c *= c", "c *= c == 77 ? 1 : c"), ("% 4 < 2", "!= 77")),
    "machine": (("case 3: s = 0", "case 3: s = 2"),),
    "behind the loop": (("x += 2", "x += x == 8 ? 3 : 2"),),
    "behind two loops": (("y++", "y += x != 5"),),
    "in a function": (("h = t;", "h = t; if (++n == 6) h = g;"), ("static char", "int n; static char")),
    "within another loop": (("x += 2", "x += x == 10 ? 1 : 2"),),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", CHANGES)
def test_twins_are_refuted(name: str, tmp_path: Path) -> None:
    code = PROVED[name][1]
    for old, new in CHANGES[name]:
        assert old in code
        code = code.replace(old, new)
    summary = verify(tmp_path, code)
    assert summary.verdict == "FALSE", summary.reason
    assert summary.bugs[0].confirmed


def verdicts(summary: Summary) -> list[str]:
    return [item.verdict for item in summary.properties]


def test_each_property_by_itself(tmp_path: Path) -> None:
    code = f"""int main(void) {{
      unsigned char x = 0, y = 0;
      while ({ANY}) {{
        assert(y == 0);
        x += 2;
        assert(x != 8);
        y = y * 3;
      }}
      assert(x % 2 == 0);
    }}
    """
    assert verdicts(verify(tmp_path, code)) == ["TRUE", "FALSE", "TRUE"]


def test_a_refuted_property_is_no_hypothesis_of_another(tmp_path: Path) -> None:
    """Leaving the loop with x > 2 violates the first assertion, which says nothing about going on."""
    code = f"""int main(void) {{
      unsigned char x = 0;
      while ({ANY}) x++;
      if ({ANY}) assert(x <= 2);
      else assert(x <= 3);
    }}
    """
    assert verdicts(verify(tmp_path, code)) == ["FALSE", "FALSE"]


@pytest.mark.parametrize("late", [5, 40])
def test_what_is_violated_late_is_never_proved(late: int, tmp_path: Path) -> None:
    code = main(f"unsigned char x = 0, y = 0; while ({ANY}) {{ x++; if (x == {late}) y = 1; }} assert(!y);")
    assert verify(tmp_path, code, seconds=10.0).verdict != "TRUE"


def test_errors_in_memory_and_arithmetic(tmp_path: Path) -> None:
    code = """int main(void) {
      int t[8] = {0}, i = 0;
      while (1) { t[i] = 100 / (i + 1); i = i == 7 ? 0 : i + 1; }
    }
    """
    checks = ("memory", "div", "overflow")
    assert verify(tmp_path, code, checks=checks).verdict == "TRUE"
    assert verify(tmp_path, code.replace("i == 7", "i == 8"), checks=checks).verdict == "FALSE"


def test_undefined_behaviour_that_nobody_asked_for_leaves_everything_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(induction_proof, "ROUNDS", (1, 2))
    code = f"int main(void) {{ int x = 0, d = 3; while ({ANY}) {{ x = 9 / d; d--; }} assert(x != 100); }}"
    assert verify(tmp_path, code).verdict == "UNKNOWN"


def test_finitely_many_states_come_to_an_end(tmp_path: Path) -> None:
    code = main(f"unsigned char x = 0; while ({ANY}) x = x == 9 ? 0 : x + 1; assert(x != 20);")
    assert verify(tmp_path, code).verdict == "TRUE"


def test_counterexamples_are_tried_as_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(induction_proof, "ROUNDS", (1,))
    body = "unsigned char x = __VERIFIER_nondet_uchar(), y = 0; while (1) { if (++y > 20) assert(x != 77); }"
    assert verify(tmp_path, main(body)).verdict == "FALSE"


@pytest.mark.parametrize(
    "body",
    [
        'while (1) { puts("x"); assert(g == 0); }',
        "while (1) { large[g & 1] = 1; assert(g == 0); }",
        "while (1) { p = malloc(4); assert(g == 0); }",
        "if (g) goto in; while (1) { g = 0; in: assert(g == 0); }",
    ],
)
def test_loops_that_are_not_opened_are_named(body: str, tmp_path: Path) -> None:
    code = main(body, "extern int puts(const char *); int g, large[400], *p;")
    summary = verify(tmp_path, code)
    assert summary.verdict == "UNKNOWN"
    assert "induction does not support what changes in main loop at" in summary.reason


def test_floats_have_any_value(tmp_path: Path) -> None:
    assert verify(tmp_path, main(f"double d = 1; while ({ANY}) d = d / 2; assert(d >= 0);")).verdict == "TRUE"


def test_recursion_around_a_loop(tmp_path: Path) -> None:
    code = f"""static unsigned char g;
    static void f(int n) {{ while ({ANY}) {{ g += 2; if (n > 0) f(n - 1); assert(g % 2 == 0); }} }}
    int main(void) {{ f(1); return 0; }}
    """
    assert verify(tmp_path, code, seconds=20.0).verdict in ("TRUE", "UNKNOWN")
    assert verify(tmp_path, code.replace("g += 2", "g += n ? 2 : 3"), seconds=20.0).verdict in ("FALSE", "UNKNOWN")
