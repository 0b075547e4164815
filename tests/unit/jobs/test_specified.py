"""Functions whose parameters are specified, declared or guessed: results, what they name, and what bugs need."""

from __future__ import annotations

from pathlib import Path

import pytest

import clew
from clew.base.errors import UserError

SUM = "int sum(int *v, unsigned n) { int s = 0; for (unsigned i = 0; i <= n; i++) s |= v[i]; return s; }"


def test_bugs_beyond_what_is_specified_are_certain() -> None:
    found = clew.test(source=SUM, function="sum(v: array[2], n: len(v))", time=30)
    assert [(bug.kind, bug.is_possible) for bug in found.bugs] == [("out-of-bounds", False)]
    assert found.summary.assumed == ("v: array[2], n: len(v) (--function)",)


def test_a_proof_says_what_it_assumes() -> None:
    proved = clew.verify(source=SUM, function="sum(v: array[3], n: 0..2)", check="memory", time=30)
    assert proved.verdict == "TRUE"
    assert proved.summary.reason.endswith(", assuming v: array[3], n: 0..2 (--function)")
    assert clew.verify(source=SUM, function="sum(v: array[3], n: 0..3)", check="memory", time=30).verdict == "FALSE"


BUFFER = """
struct buffer { char *data; unsigned used, size; };
int append(struct buffer *b, char c) {
  if (b->used >= b->size) { full: return -1; }
  b->data[b->used++] = c;
  return 0;
}
"""


def test_members_in_every_command() -> None:
    said = "append(b.data: array[4], b.size: 0..len(b.data), b.used: 0..len(b.data))"
    proved = clew.verify(source=BUFFER, function=said, check="memory", time=30)
    assert proved.verdict == "TRUE"
    assert "assuming b: array[1], b.data: array[4], b.size: 0..len(b.data)" in proved.summary.reason
    wrong = said.replace("b.size: 0..len(b.data)", "b.size: 5")
    (bug,) = clew.test(source=BUFFER, function=wrong, check="memory", guess=False, time=30).bugs
    assert (bug.kind, bug.is_possible) == ("out-of-bounds", False)
    assert clew.verify(source=BUFFER, function=wrong, check="memory", time=30).verdict == "FALSE"
    empty = said.replace("b.used: 0..len(b.data)", "b.used: 0").replace("b.size: 0..", "b.size: 1..")
    assert clew.reach(source=BUFFER, function=said, label="full", time=30).verdict == "REACHED"
    assert clew.reach(source=BUFFER, function=empty, label="full", time=30).verdict == "UNREACHABLE"


def test_a_proof_guesses_only_if_it_is_told_to() -> None:
    code = "int last(int *v, int n) { return n > 0 ? v[n - 1] : 0; }"
    assert clew.verify(source=code, function="last", check="memory", time=30).verdict != "TRUE"
    guessed = clew.verify(source=code, function="last", check="memory", guess=True, time=30)
    assert guessed.verdict == "TRUE"
    assert "assuming v: array[8] or null, n: 0..len(v) (guessed" in guessed.summary.reason


PACKET = """#include <stddef.h>
#include <stdint.h>
int tag(const TYPE *bytes, size_t size) { return size ? bytes[8] : 0; }
"""


def test_what_lies_behind_bytes_is_known_and_behind_characters_not() -> None:
    """A length of ``uint8_t`` is that of an array; characters may be a string, and the number something else."""
    for spelling, certain in (("uint8_t", 1), ("unsigned char", 0)):
        found = clew.test(source=PACKET.replace("TYPE", spelling), function="tag", time=30)
        assert sum(bug.kind == "out-of-bounds" and not bug.is_possible for bug in found.bugs) == certain, spelling


RING = """#include <stddef.h>
struct ring { int *items; size_t capacity; };
int resize(struct ring *ring, size_t capacity) {
  ring->capacity = capacity;
  if (capacity > 100) return 1;
  return 0;
}
int total(const struct ring *rings, size_t n) {
  size_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += rings[i].capacity;
  return sum > 7;
}
int last(const struct ring *rings, size_t n) {
  const struct ring *end = rings + n;
  return n && end[-1].capacity > 7;
}
"""


def test_a_struct_whose_members_are_used_is_no_array() -> None:
    """Its number may be any; where the function goes along a pointer, there are as many."""
    one = clew.test(source=RING, function="resize", time=30)
    assert not any("array" in text for text in one.summary.assumed)
    assert any(value.name == "capacity" and value.value > 100 for test in one.tests for value in test.inputs)
    for name in ("total", "last"):
        found = clew.test(source=RING, function=name, time=30)
        assert "rings: array[8] or null, n: 0..len(rings)" in found.summary.assumed[0], name


def test_a_large_object_is_searched_for_pointers_quickly() -> None:
    """What a pointer in the middle of much memory leads to is not lost, and the end of the object counts, too."""
    code = """#include <stdlib.h>
    char **all;
    int main(void) {
      all = calloc(10000001, sizeof *all);
      all[5000000] = malloc(3);
      all[10000000] = malloc(4);
      char *lost = malloc(5);
      return lost == all[5000000];
    }"""
    (bug,) = clew.test(source=code, time=60).bugs
    assert (bug.kind, bug.location.line) == ("memory-leak", 7)


def test_targets_that_the_specification_excludes() -> None:
    code = "int f(int n) { if (n * 3 == 21) { deep: return 1; } return 0; }"
    excluded = clew.reach(source=code, function="f(n: 0..6)", label="deep", time=30)
    assert (excluded.verdict, "assuming n: 0..6" in excluded.summary.reason) == ("UNREACHABLE", True)
    assert clew.reach(source=code, function="f(n: 0..7)", label="deep", time=30).verdict == "REACHED"


def test_a_recursive_function_is_held_to_it_by_its_first_call_alone() -> None:
    code = "#include <assert.h>\nint f(int n) { assert(n != 1); return n <= 0 ? 0 : f(n - 2); }"
    assert clew.verify(source=code, function="f(n: 4 or 6)", time=30).verdict == "TRUE"
    assert clew.verify(source=code, function="f(n: 4..6)", time=30).verdict == "FALSE"


def test_wrong_names_are_an_error() -> None:
    with pytest.raises(UserError, match="no parameter of sum 'nn'; did you mean 'n'"):
        clew.test(source=SUM, function="sum(nn: 5)", time=30)


def test_the_files_say_how_they_were_made(tmp_path: Path) -> None:
    source = tmp_path / "s.c"
    source.write_text(SUM.replace("<=", "<"))
    clew.test(source, function="sum(v: array[2], n: len(v))", emit="plain", time=30, out=tmp_path / "o")
    for name in ("tests.c", "test_sum.c"):
        assert "--function 'sum(v: array[2], n: len(v))'" in (tmp_path / "o" / name).read_text()


def test_bugs_show_the_inputs_that_they_need(tmp_path: Path) -> None:
    code = """
    struct s { int a[40]; int mode, index; char name[20]; };
    int f(struct s *s, int other) {
      int table[4] = {0};
      if (other > 5) table[0] = 1;
      if (s->name[2] == 'x') table[0] = 2;
      if (s->mode == 3 && s->index > 2) return table[s->index] + s->a[7];
      return table[0];
    }
    """
    found = clew.test(source=code, function="f(s: array[1])", check="memory", time=30, out=tmp_path / "o")
    (bug,) = found.bugs
    assert bug.decisive is not None
    assert {bug.inputs[at].name for at in bug.decisive} == {"s->mode", "s->index"}
    text = (tmp_path / "o/bugs/000001.txt").read_text()
    assert "s->mode = 3;" in text
    assert "other inputs do not matter)" in text
    assert "s->a = " not in text


def test_zero_and_null_may_be_what_matters() -> None:
    (bug,) = clew.test(source="int f(int a, int b) { return b > 3 ? 8 / a : a; }", function="f", time=30).bugs
    assert bug.decisive == (0, 1)
    code = "int f(int *p, int *q) { return p && q ? *p : *q; }"
    found = clew.test(source=code, function="f", time=30).bugs
    needed = [{bug.inputs[at].name for at in bug.decisive or ()} for bug in found if bug.kind == "null-dereference"]
    assert needed == [{"q"}]


DECLARED = """
#include <stddef.h>
struct list { size_t n; int *data __attribute__((counted_by(n))); };
struct tail { int n; int data[] __attribute__((counted_by(n))); };
int never(int *const _Nonnull p) { return *p != 0; }
int all(struct list *l) { int s = 0; for (size_t i = 0; i < l->n && i < 3; i++) s |= l->data[i]; return s; }
int past(struct list *l) { return l->n < 3 ? l->data[l->n] : 0; }
int ends(struct tail *t) { return t->n > 2 ? t->data[2] : 0; }
"""


@pytest.mark.parametrize(
    ("call", "kinds", "assumed"),
    [
        ("never", [], "p: nonnull (as declared)"),
        ("all(l: nonnull)", [], "data of struct list: n elements (as declared)"),
        ("past(l: nonnull)", ["out-of-bounds"], "data of struct list: n elements (as declared)"),
        ("ends(t: nonnull)", [], "data of struct tail: n elements (as declared)"),
    ],
)
def test_what_the_declaration_promises(call: str, kinds: list[str], assumed: str) -> None:
    found = clew.test(source=DECLARED, function=call, check="memory", guess=False, time=30)
    assert [bug.kind for bug in found.bugs] == kinds
    assert assumed in found.summary.assumed


def test_counted_memory_is_no_proof_for_what_is_not_counted() -> None:
    code = DECLARED + "int copied(struct list *l) { int *d = l->data; return l->n == 1 ? d[1] : 0; }"
    assert clew.verify(source=code, function="copied(l: nonnull)", check="memory", time=30).verdict != "TRUE"


def test_preconditions_in_c() -> None:
    code = """
    void clew_assume(int condition);
    int share(const int *v, int n) { return v[0] / n; }
    int share_as_promised(const int *v, int n) { clew_assume(v && n > 0); return share(v, n); }
    """
    assert clew.test(source=code, function="share", time=30).bugs
    assert not clew.test(source=code, function="share_as_promised", time=30).bugs
