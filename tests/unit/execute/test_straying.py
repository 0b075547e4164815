"""An address that was computed from an object is valid in that object alone, whatever else lies where it leads."""

from __future__ import annotations

import pytest

from unit.execute.support import TARGETS, X86_64, Exploration, c_program, concrete, explore

STRAY = """
    unsigned long __VERIFIER_nondet_ulong(void);
    void *memset(void *, int, __SIZE_TYPE__);
    int main(void) {
        unsigned long n = __VERIFIER_nondet_ulong();
        unsigned char *p = malloc(4), q[4] = {0};
        memset(p, 0, 4);
        unsigned char c = p[%s];
        if (n >= 1000) return 7;
        return c + q[1];
    }
"""


def _explored(code: str, target: str = X86_64) -> Exploration:
    """All paths; every error must show again where nothing but the address is known."""
    found = explore(c_program(code, target))
    for way in found.ways:
        if way.how == "bug":
            again = concrete(code, *(int(value) for value in way.inputs), target=target)  # type: ignore[arg-type]
            assert (again.end, again.kind) == ("bug", way.kind)
    return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("index", ["n", "n - 1", "4 - n", "3 * n"])
def test_no_other_object_is_hit(index: str, target: str) -> None:
    found = _explored(STRAY % index, target)
    assert set(found.kinds) == {"out-of-bounds"}
    assert all("object of 4 bytes" in way.message for way in found.ways if way.how == "bug")
    assert 0 in found.codes
    if index != "3 * n":  # 3 * n wraps around: it is 0 for one n only, and 1 for a huge one
        assert set(found.codes) == {0}


def test_far_from_the_object_it_is_still_named() -> None:
    code = (STRAY % "n").replace("unsigned char c", "__VERIFIER_assume(n >> 40); unsigned char c")
    (way,) = [way for way in _explored(code).ways if way.how != "dropped"]
    assert way.kind == "out-of-bounds"
    assert way.message.endswith("the start of heap object of 4 bytes")


def test_what_is_gone_is_gone_at_every_index() -> None:
    code = (STRAY % "n").replace("unsigned char c", "free(p); unsigned char c")
    found = _explored(code)
    assert set(found.kinds) == {"use-after-free"}
    assert not found.codes


@pytest.mark.parametrize("target", TARGETS)
def test_a_table_of_pointers_leads_to_all_of_them(target: str) -> None:
    code = """
        int main(void) {
            unsigned char a[2] = {1, 2}, b[3] = {3, 4, 5};
            unsigned char *table[2] = {a, b};
            unsigned char *p = table[__VERIFIER_nondet_uchar() & 1];
            switch (p[__VERIFIER_nondet_uchar()]) {
                case 1: return 1; case 2: return 2; case 3: return 3; case 4: return 4; case 5: return 5;
            }
            return 0;
        }
    """
    found = _explored(code, target)
    assert set(found.codes) == {1, 2, 3, 4, 5}
    assert set(found.kinds) == {"out-of-bounds"}


@pytest.mark.parametrize("target", TARGETS)
def test_the_distance_of_two_objects_leads_to_the_other(target: str) -> None:
    code = """
        int main(void) {
            unsigned char a[2] = {1, 2}, b[2] = {3, 4};
            unsigned long distance[2] = {0, (unsigned long)b - (unsigned long)a};
            unsigned long from = (unsigned long)a + distance[__VERIFIER_nondet_uchar() & 1];
            switch (((unsigned char *)from)[__VERIFIER_nondet_uchar() & 1]) {
                case 1: return 1; case 2: return 2; case 3: return 3; case 4: return 4;
            }
            return 0;
        }
    """
    found = _explored(code, target)
    assert set(found.codes) == {1, 2, 3, 4}
    assert not found.kinds


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("index, codes, kinds", [("p - a", {3, 4}, set()), ("p - a + 1", {4}, {"out-of-bounds"})])
def test_where_a_pointer_is_in_its_object_is_an_index_of_another(
    index: str, codes: set[int], kinds: set[str], target: str
) -> None:
    """As after ``strchr``: the pointer that was found may be null as well."""
    code = """
        int main(void) {
            unsigned char a[2] = {1, 2}, b[2] = {3, 4}, n = __VERIFIER_nondet_uchar();
            unsigned char *found[] = {0, a, a + 1, 0}, *p = found[n & 3];
            if (!p) return 0;
            switch (b[%s]) { case 3: return 3; case 4: return 4; }
            return 5;
        }
    """
    found = _explored(code % index, target)
    assert set(found.codes) == {0} | codes
    assert set(found.kinds) == kinds


CHOSEN = """
    unsigned long __VERIFIER_nondet_ulong(void);
    int main(void) {
        unsigned long n = __VERIFIER_nondet_ulong(), m = __VERIFIER_nondet_ulong();
        unsigned char a[4] = {1, 1, 1, 1}, b[4] = {2, 2, 2, 2}, other[4] = {9, 9, 9, 9};
        %s
        return c + (other[m & 3] - 9);
    }
"""
TABLE = "unsigned char *table[] = {a, b, a, %s}; unsigned char c = table[m & 3][%s];"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("index", ["n", "n - 1", "4 - n"])
def test_one_of_several_pointers_leads_to_no_other(index: str, target: str) -> None:
    """Each path is in the object that its pointer points to."""
    body = TABLE % ("b", index) + f" if (c != (m & 1) + 1 || {index} > 3) return 7;"
    found = _explored(CHOSEN % body, target)
    assert set(found.kinds) == {"out-of-bounds"}
    assert set(found.codes) == {1, 2}


@pytest.mark.thorough
def test_one_of_many_pointers() -> None:
    """So many that the table becomes an array; that no other pointer is in it takes a solver long to show."""
    body = """unsigned char *table[300]; for (int i = 0; i < 300; i++) table[i] = i & 1 ? b : a;
              __VERIFIER_assume(m < 300); unsigned char c = table[m][n]; if (c != (m & 1) + 1 || n > 3) return 7;"""
    found = _explored(CHOSEN % body)
    assert set(found.kinds) == {"out-of-bounds"}
    assert set(found.codes) == {1, 2}


def test_one_of_several_sums() -> None:
    body = "unsigned char *sums[] = {a + n, b + n}, c = *sums[m & 1]; if (c != (m & 1) + 1 || n > 3) return 7;"
    found = _explored(CHOSEN % body)
    assert set(found.kinds) == {"out-of-bounds"}
    assert set(found.codes) == {1, 2}


def test_null_and_an_index_lead_nowhere() -> None:
    found = _explored(CHOSEN % (TABLE % ("(void *)0", "n") + " if (m == 3 || n > 3) return 7;"))
    assert set(found.kinds) == {"out-of-bounds", "null-dereference"}
    assert set(found.codes) == {1, 2}


NULL_INDEX = """
    unsigned long __VERIFIER_nondet_ulong(void);
    static const int fixed[2] = {1, 2};
    static int open[2];
    int main(void) {
        unsigned long n = __VERIFIER_nondet_ulong();
        int *p = 0;
        %s
        return fixed[0] + open[0];
    }
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("access", ["p[n] = 1;", "if (n >= 5000) p[n] = 1;", "*(char *)(p + n) = 1;", "return p[n];"])
def test_what_is_added_to_null_leads_to_no_error_of_other_objects(access: str, target: str) -> None:
    found = explore(c_program(NULL_INDEX % access, target))
    assert {way.kind for way in found.ways if way.how == "bug"} == {"null-dereference"}


def test_a_number_that_was_compared_with_an_address_is_one() -> None:
    code = NULL_INDEX % "if (n == (unsigned long)open || n == (unsigned long)(open + 1)) { *(int *)n = 7; return 3; }"
    found = explore(c_program(code))
    assert {way.how for way in found.ways} == {"exit"}


def test_what_a_number_leads_to_by_chance_is_explored() -> None:
    code = NULL_INDEX % "*(int *)n = 7; if (open[0] == 7) return 9;"
    ways = _explored(code).ways
    assert {way.kind for way in ways if way.how == "bug"} >= {"null-dereference"}
    assert 9 in {way.code for way in ways if way.how == "exit"}
