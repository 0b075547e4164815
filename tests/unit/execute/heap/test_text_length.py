"""How long strings are that nobody has told the length of."""

from __future__ import annotations

import pytest

from clew.execute.heap.text_length import FEWEST, text_length
from unit.execute.support import c_program

COPIES = """
#include <string.h>
struct entry { int number; char name[20]; };
static char kept[40];
static const char banner[60] = "hello";
void to_local(const char *s) { char buffer[%d]; strcpy(buffer, s); }
void to_member(struct entry *e, const char *s) { strcpy(e->name, s); }
void to_variable(const char *s) { strcpy(kept, s); }
void through(const char *s) { to_variable(s); }
int compares(const char *s) { return strcmp(banner, s); }
"""


@pytest.mark.parametrize(
    "name, length",
    [("to_local", 33), ("to_member", 25), ("to_variable", 41), ("through", 41), ("compares", FEWEST)],
)
def test_a_string_is_longer_than_the_buffers_it_may_come_to(name: str, length: int) -> None:
    program = c_program(COPIES % 32)
    assert text_length(program, program.functions[name]) == length


def test_buffers_that_are_too_large_count_for_nothing() -> None:
    program = c_program(COPIES % 4096)
    assert text_length(program, program.functions["to_local"]) == FEWEST
