"""Local variables whose address never leaves registers."""

from __future__ import annotations

import pytest

from clew.analysis.callees import Callees
from clew.analysis.nonescaping import Contained
from clew.models.registry import all_models
from unit.execute.support import c_program

CASES = {
    "read and written": ("a[i] = 1; return a[i];", True),
    "handed to the library": ('memset(a, 0, sizeof a); printf("%p", 0); return strlen((char *)a);', True),
    "given back by the library": ("char *p = strchr((char *)a, 3); return p ? *p : 0;", True),
    "handed to a function that reads it": ("return reads(a, i);", True),
    "handed to a function that keeps it": ("keeps(a); return 0;", False),
    "handed to a function that gives it back": ("return *gives(a);", False),
    "stored": ("kept = a; return 0;", False),
    "made a number": ("number = (long)a ^ 77; return 0;", False),
    "kept by the library": ('strtok((char *)a, ","); return 0;', False),
    "where a number ends": ("char *end; return strtol((char *)a, &end, 10);", False),
}


@pytest.mark.parametrize(("body", "expected"), [pytest.param(*case, id=name) for name, case in CASES.items()])
def test_addresses(body: str, expected: bool) -> None:
    code = f"""
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    int *kept; long number;
    static int reads(int *p, int i) {{ return i ? p[i] : reads(p + 1, i); }}
    static void keeps(int *p) {{ kept = p; }}
    static int *gives(int *p) {{ return p; }}
    int main(int argc, char **argv) {{ int a[8] = {{0}}; int i = argc; {body} }}
    """
    program = c_program(code)
    assert Contained(program, Callees(program, all_models())).is_contained("main", "a") is expected
