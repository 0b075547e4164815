"""``--function``: arguments made of inputs."""

from __future__ import annotations

import pytest

from clew.base.errors import UserError
from clew.execute.heap.surroundings import HeapOptions
from unit.execute.support import TARGETS, c_program, explore


@pytest.mark.parametrize("target", TARGETS)
def test_scalars(target: str) -> None:
    code = """
    int f(int a, char b, float c, double d, _Bool e, long long g, unsigned short h) {
      if (a == -1 && b == 2 && c == 1.5f && d == 2.5 && e && g == 7000000000 && h == 65535) return 1;
      return 0;
    }
    """
    found = explore(c_program(code, target), "f")
    assert set(found.codes) == {0, 1}
    assert next(way.inputs for way in found.ways if way.code == 1) == (-1, 2, 1.5, 2.5, 1, 7000000000, 65535)


def test_a_pointer_is_null_or_an_object() -> None:
    found = explore("int f(int *p) { if (!p) return 1; if (*p == 42) return 2; *p = 3; return *p; }", "f")
    assert found.codes == [1, 2, 3]
    assert found.kinds == []


def test_dereference_without_a_test_for_null() -> None:
    found = explore("int f(int *p) {\n return *p > 3; }", "f")
    assert found.bugs == [("null-dereference", 2)]


@pytest.mark.parametrize(("length", "bug"), [(3, True), (4, False)])
def test_array_length(length: int, bug: bool) -> None:
    found = explore("int f(int *p) { if (!p) return 0; return p[3] == 8; }", "f", array_length=length)
    assert found.kinds == (["out-of-bounds"] if bug else [])


def test_no_elements_at_all() -> None:
    found = explore("int f(int *p) { if (!p) return 0; return *p; }", "f", array_length=0)
    assert found.codes == [0]
    assert found.kinds == ["out-of-bounds"]


@pytest.mark.parametrize("target", TARGETS)
def test_structs_with_pointers_inside(target: str) -> None:
    code = """
    struct node { int value; char tag; struct node *next; short v[2]; };
    int f(struct node *n) {
      if (n && n->next && n->next->next && n->next->next->v[1] == 5 && n->tag == 'x') return 1;
      return 0;
    }
    """
    found = explore(c_program(code, target), "f")
    assert set(found.codes) == {0, 1}
    assert found.kinds == []


LIST = """
struct n { struct n *next; };
int f(struct n *p) { int d = 0; while (p && d < 6) { d++; p = p->next; } return d; }
"""


def test_lists_have_any_length() -> None:
    found = explore(LIST, "f")
    assert set(found.codes) == {0, 1, 2, 3, 4, 5, 6}
    assert not found.run.losses


def test_depth_bounds_them_and_is_a_loss() -> None:
    found = explore(LIST, "f", heap=HeapOptions(depth=1, aliases=False))
    assert set(found.codes) == {0, 1, 2}
    assert [what for _, what, _ in found.run.losses] == ["pointers behind more than 1 pointers are null (--depth)"]


def test_depth_that_nobody_needs_is_no_loss() -> None:
    code = "struct n { struct n *next; }; int f(struct n *p) { return !p; }"
    assert not explore(code, "f", heap=HeapOptions(depth=0)).run.losses


@pytest.mark.parametrize("target", TARGETS)
def test_structs_by_value(target: str) -> None:
    code = """
    struct small { int a; double b; };
    struct large { int v[10]; char c; };
    struct pair { float x, y; };
    int f(struct small s, struct large l, struct pair p) {
      if (s.a == 3 && s.b == 1.5 && l.v[7] == 9 && l.c == 'z' && p.x == 0.5f && p.y == -2.0f) return 1;
      return 0;
    }
    """
    found = explore(c_program(code, target), "f")
    assert set(found.codes) == {0, 1}
    assert found.kinds == []


@pytest.mark.slow
def test_pointer_to_pointer_and_text() -> None:
    code = "int f(char **p) { if (p && *p && (*p)[0] == 'h' && (*p)[1] == 'i') return 1; return 0; }"
    found = explore(code, "f", array_length=2)
    assert 1 in found.codes
    assert found.kinds == []


def test_unions_enums_and_bit_fields() -> None:
    code = """
    enum color { RED, GREEN = 5, BLUE };
    union u { int i; float f; };
    struct b { unsigned x : 3, y : 5; };
    int f(enum color c, union u *u, struct b *b) {
      if (c == GREEN && u && u->f == 1.0f && b && b->x == 5 && b->y == 17) return 1;
      return 0;
    }
    """
    found = explore(code, "f")
    assert 1 in found.codes
    assert found.kinds == []


def test_function_pointers_are_null_or_any_function() -> None:
    found = explore("int f(int (*g)(int)) { if (!g) return 7; if (g(3) == 5) return 1; return 2; }", "f")
    assert set(found.codes) == {7, 1, 2}


def test_returned_struct_has_a_place() -> None:
    found = explore("struct L { long v[5]; }; struct L f(long x) { struct L l = {{x, x, x, x, x}}; return l; }", "f")
    assert found.endings["exit"] == 1


def test_inputs_carry_names_and_types() -> None:
    found = explore("struct s { int key; char t[2]; }; int f(unsigned n, struct s *p) { return 0; }", "f")
    state = found.run
    assert state.statistics.paths_completed == 1
    assert len(found.ways[0].inputs) == 3  # a number, a pointer, and memory that nobody looked at


def test_variable_arguments_are_refused() -> None:
    with pytest.raises(UserError, match="variable arguments"):
        explore("int f(int n, ...) { return n; }", "f")


def test_void_functions_end_normally() -> None:
    found = explore("int g; void f(int x) { if (x == 3) g = 1; }", "f")
    assert found.codes == [0, 0]
