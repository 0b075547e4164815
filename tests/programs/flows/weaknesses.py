"""What goes wrong in the generated programs: sources that give ``data`` its value, and sinks that use it.

A bad source with the plain sink is an error on the line after the sink's ``// expect`` comment. A good source with the
plain sink is fine, and so is a bad source with the checked sink, where there is one. The shapes say how the data gets
from the source to the sink.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Weakness:
    """One way to fail; all texts are C statements on a variable ``data``."""

    name: str
    type: str
    """The C type of ``data``, which ``*`` and a name can follow."""
    start: str
    """The value of ``data`` before any source."""
    bad: str
    good: str
    sink: str
    checked: str = ""
    """A sink that is safe with the bad source; empty if no check in the sink can help."""


COMMON = """\
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int healthy = 12;
static char letters[8] = "abcdefg";
static int numbers[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
struct pair {
  int first, second;
};
static struct pair standard = {3, 4};
"""

WEAKNESSES = (
    Weakness(
        "stack-write", "int", "-1", "data = 10;", "data = 9;",
        "int buffer[10] = {0};\n// expect: out-of-bounds @+1\nbuffer[data] = 1;\nprintf(\"%d\\n\", buffer[0]);",
        "int buffer[10] = {0};\nif (data >= 0 && data < 10)\n  buffer[data] = 1;\nprintf(\"%d\\n\", buffer[0]);",
    ),
    Weakness(
        "global-read", "int", "-1", "data = __VERIFIER_nondet_int();", "data = 7;",
        "// expect: out-of-bounds @+1\nprintf(\"%d\\n\", numbers[data]);",
        "if (data >= 0 && data < 10)\n  printf(\"%d\\n\", numbers[data]);",
    ),
    Weakness(
        "negative-index", "int", "0", "data = __VERIFIER_nondet_int();", "data = 3;",
        "if (data < 10)\n  // expect: out-of-bounds @+1\n  numbers[data] = 0;",
        "if (data >= 0 && data < 10)\n  numbers[data] = 0;",
    ),
    Weakness(
        "heap-size", "char *", "NULL", "data = malloc(5);", "data = malloc(10);",
        "if (!data)\n  exit(1);\nfor (int i = 0; i < 10; i++)\n  // expect: out-of-bounds @+1\n"
        "  data[i] = 'a';\nfree(data);",
    ),
    Weakness(
        "heap-copy", "char *", "NULL", "data = malloc(sizeof letters - 1);", "data = malloc(sizeof letters);",
        "if (!data)\n  exit(1);\n// expect: out-of-bounds @+1\nmemcpy(data, letters, sizeof letters);\nfree(data);",
    ),
    Weakness(
        "symbolic-size", "unsigned", "1", "data = __VERIFIER_nondet_uint();", "data = 6;",
        "char *copy = malloc(8);\nif (!copy)\n  exit(1);\nif (data <= 9)\n  // expect: out-of-bounds @+1\n"
        "  memset(copy, 0, data);\nfree(copy);",
        "char *copy = malloc(8);\nif (!copy)\n  exit(1);\nif (data <= 8)\n  memset(copy, 0, data);\nfree(copy);",
    ),
    Weakness(
        "null-int", "int *", "NULL", "data = NULL;", "data = &healthy;",
        "// expect: null-dereference @+1\nprintf(\"%d\\n\", *data);",
        "if (data)\n  printf(\"%d\\n\", *data);",
    ),
    Weakness(
        "null-struct", "struct pair *", "&standard", "data = __VERIFIER_nondet_bool() ? NULL : &standard;",
        "data = &standard;",
        "// expect: null-dereference @+1\ndata->second = 5;",
        "if (data != NULL)\n  data->second = 5;",
    ),
    Weakness(
        "double-free", "char *", "NULL", "data = malloc(10);\nfree(data);", "data = malloc(10);",
        "// expect: double-free @+1\nfree(data);",
        "(void)data;",
    ),
    Weakness(
        "use-after-free", "int *", "NULL",
        "data = malloc(sizeof *data);\nif (!data)\n  exit(1);\n*data = 5;\nfree(data);",
        "data = &healthy;",
        "// expect: use-after-free @+1\nprintf(\"%d\\n\", *data);",
        "(void)data;",
    ),
    Weakness(
        "invalid-free", "char *", "NULL", "data = letters;", "data = malloc(8);",
        "// expect: invalid-free @+1\nfree(data);",
        "if (data != letters)\n  free(data);",
    ),
    Weakness(
        "overflow-add", "int", "0", "data = INT_MAX;", "data = 2;",
        "// expect: signed-overflow @+1\nint result = data + 1;\nprintf(\"%d\\n\", result);",
        "if (data < INT_MAX) {\n  int result = data + 1;\n  printf(\"%d\\n\", result);\n}",
    ),
    Weakness(
        "overflow-multiply", "int", "0", "data = __VERIFIER_nondet_int();", "data = -1000;",
        "if (data < 0) {\n  // expect: signed-overflow @+1\n  int result = data * 2;\n  printf(\"%d\\n\", result);\n}",
        "if (data < 0 && data > INT_MIN / 2) {\n  int result = data * 2;\n  printf(\"%d\\n\", result);\n}",
    ),
    Weakness(
        "divide", "int", "1", "data = 0;", "data = 7;",
        "// expect: division-by-zero @+1\nprintf(\"%d\\n\", 100 / data);",
        "if (data != 0)\n  printf(\"%d\\n\", 100 / data);",
    ),
    Weakness(
        "modulo", "int", "1", "data = __VERIFIER_nondet_int();", "data = 4;",
        "// expect: division-by-zero @+1\nprintf(\"%d\\n\", 100 % data);",
        "if (data > 0)\n  printf(\"%d\\n\", 100 % data);",
    ),
)  # fmt: skip
