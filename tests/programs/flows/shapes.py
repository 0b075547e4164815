"""How data gets from its source to its sink in the generated programs: one C template per control or data flow.

``@T@`` is the type of ``data``, ``@START@`` its first value, ``@SOURCE@`` the source that runs, ``@DEAD@`` the opposite
one, which does not run, ``@GOOD@`` the good source, ``@SINK@`` the sink and ``@N@`` a prefix that makes names unique.
Each template defines ``static void @N@(void)``. A source runs at most once, and no sink runs twice.
"""

from __future__ import annotations


def _body(text: str) -> str:
    """A shape that is all in one function."""
    return "static void @N@(void) {\n  @T@ data = @START@;\n" + text + "}\n"


def _branch(condition: str) -> str:
    return _body(f"  if ({condition}) {{\n    @SOURCE@\n  }} else {{\n    @DEAD@\n  }}\n  @SINK@\n")


def _chain(length: int) -> str:
    """The data goes through so many functions before it is used."""
    functions = ["static void @N@_1(@T@ data) {\n  @SINK@\n}\n"]
    for i in range(2, length + 1):
        functions.append(f"static void @N@_{i}(@T@ data) {{ @N@_{i - 1}(data); }}\n")
    return "".join(functions) + _body(f"  @SOURCE@\n  @N@_{length}(data);\n")


def _with_sink(before: str, parameters: str, fetch: str, call: str) -> str:
    """A sink function that takes the data out of what it is given."""
    return (
        f"{before}static void @N@_sink({parameters}) {{\n  @T@ data = {fetch};\n  @SINK@\n}}\n"
        + _body(f"  @SOURCE@\n  {call}\n")
    )  # fmt: skip


SHAPES: dict[str, str] = {
    "plain": _body("  @SOURCE@\n  @SINK@\n"),
    "if-true": _branch("1"),
    "if-false": _body("  if (0) {\n    @DEAD@\n  } else {\n    @SOURCE@\n  }\n  @SINK@\n"),
    "constant": "static const int @N@_five = 5;\n" + _branch("@N@_five == 5"),
    "static-flag": "static int @N@_flag = 1;\n" + _branch("@N@_flag"),
    "global-flag": "int @N@_flag = 0;\n" + _branch("!@N@_flag"),
    "function-condition": "static int @N@_yes(void) { return 1; }\n" + _branch("@N@_yes()"),
    "computed-condition": "static int @N@_odd(int n) { return n % 2; }\n" + _branch("@N@_odd(7) && !@N@_odd(8)"),
    "input-condition": _body(
        "  if (__VERIFIER_nondet_bool()) {\n    @SOURCE@\n  } else {\n    @GOOD@\n  }\n  @SINK@\n"
    ),
    "same-condition-twice": _body(
        "  int chosen = __VERIFIER_nondet_int() > 100;\n  if (chosen) {\n    @SOURCE@\n  }\n"
        "  if (chosen) {\n    @SINK@\n  }\n"
    ),
    "guarded-sink": "static int @N@_flag = 5;\n"
    + _body("  @SOURCE@\n  if (@N@_flag == 5) {\n    @SINK@\n  } else {\n    puts(\"not used\");\n  }\n"),
    "switch": _body(
        "  switch (6) {\n  case 6:\n    @SOURCE@\n    break;\n  default:\n    @DEAD@\n    break;\n  }\n  @SINK@\n"
    ),
    "switch-sink": _body(
        "  @SOURCE@\n  switch (7) {\n  case 7: {\n    @SINK@\n    break;\n  }\n  default:\n    break;\n  }\n"
    ),
    "while": _body("  while (1) {\n    @SOURCE@\n    break;\n  }\n  @SINK@\n"),
    "for": _body("  for (int i = 0; i < 1; i++) {\n    @SOURCE@\n  }\n  @SINK@\n"),
    "for-sink": _body("  @SOURCE@\n  for (int j = 0; j < 1; j++) {\n    @SINK@\n  }\n"),
    "do": _body("  do {\n    @SOURCE@\n  } while (0);\n  @SINK@\n"),
    "nested-loops": _body(
        "  for (int i = 0; i < 3; i++)\n    for (int j = 0; j < 3; j++)\n      if (i * 3 + j == 4) {\n"
        "        @SOURCE@\n      }\n  @SINK@\n"
    ),
    "goto": _body("  goto source;\n  @DEAD@\nsource:\n  @SOURCE@\n  goto sink;\nsink: {\n  @SINK@\n}\n"),
    "static-count": "static int @N@_calls(void) {\n  static int calls;\n  return ++calls;\n}\n"
    + _body(
        "  @N@_calls();\n  if (@N@_calls() == 2) {\n    @SOURCE@\n  } else {\n    @DEAD@\n  }\n  @SINK@\n"
    ),
    "one-function": _chain(1),
    "two-functions": _chain(2),
    "three-functions": _chain(3),
    "five-functions": _chain(5),
    "returned": "static @T@ @N@_source(@T@ data) {\n  @SOURCE@\n  return data;\n}\n"
    + _body("  data = @N@_source(data);\n  @SINK@\n"),
    "out-parameter": "static void @N@_source(@T@ *out) {\n  @T@ data = *out;\n  @SOURCE@\n  *out = data;\n}\n"
    + _body("  @N@_source(&data);\n  @SINK@\n"),
    "pointer-to-pointer": _body(
        "  @T@ *one = &data;\n  @T@ **two = &one;\n  {\n    @T@ data = **two;\n    @SOURCE@\n    *one = data;\n  }\n"
        "  {\n    @T@ data = **two;\n    @SINK@\n  }\n"
    ),
    "by-reference": _with_sink("", "@T@ *from", "*from", "@N@_sink(&data);"),
    "struct-by-value": _with_sink(
        "struct @N@_box {\n  int before;\n  @T@ data;\n};\n", "struct @N@_box box", "box.data",
        "struct @N@_box box = {1, data};\n  @N@_sink(box);",
    ),
    "struct-pointer": _with_sink(
        "struct @N@_box {\n  char before;\n  @T@ data;\n  char after;\n};\n", "const struct @N@_box *box", "box->data",
        "struct @N@_box box = {.data = data};\n  @N@_sink(&box);",
    ),
    "union": _body(
        "  union {\n    @T@ first;\n    @T@ second;\n  } both;\n  @SOURCE@\n  both.first = data;\n"
        "  {\n    @T@ data = both.second;\n    @SINK@\n  }\n"
    ),
    "array": _with_sink("", "@T@ *all", "all[2]", "@T@ all[5] = {0};\n  all[2] = data;\n  @N@_sink(all);"),
    "list": _with_sink(
        "struct @N@_node {\n  struct @N@_node *next;\n  @T@ data;\n};\n", "const struct @N@_node *list",
        "list->next->data",
        "struct @N@_node last = {NULL, data}, first = {&last, data};\n  @N@_sink(&first);",
    ),
    "global": _with_sink("@T@ @N@_global;\n", "void", "@N@_global", "@N@_global = data;\n  @N@_sink();"),
    "static-local": "static @T@ *@N@_place(void) {\n  static @T@ place;\n  return &place;\n}\n"
    + _with_sink("", "void", "*@N@_place()", "*@N@_place() = data;\n  @N@_sink();"),
    "void-pointer": _with_sink("", "void *from", "*(@T@ *)from", "@N@_sink(&data);"),
    "copied-bytes": _body(
        "  @SOURCE@\n  unsigned char raw[sizeof data];\n  memcpy(raw, &data, sizeof data);\n"
        "  {\n    @T@ data;\n    memcpy(&data, raw, sizeof data);\n    @SINK@\n  }\n"
    ),
    "varargs": _with_sink(
        "", "int count, ...", "@START@; va_list all; va_start(all, count); data = va_arg(all, @T@); va_end(all)",
        "@N@_sink(1, data);",
    ),
    "recursion": "static void @N@_down(@T@ data, int depth) {\n  if (depth > 0) {\n    @N@_down(data, depth - 1);\n"
    "    return;\n  }\n  @SINK@\n}\n" + _body("  @SOURCE@\n  @N@_down(data, 4);\n"),
}  # fmt: skip

SHAPES["function-pointer"] = SHAPES["one-function"].replace(
    "@N@_1(data);\n}\n", "void (*use)(@T@) = @N@_1;\n  use(data);\n}\n"
)
SHAPES["function-table"] = (
    "static void @N@_nothing(@T@ data) { (void)data; }\n"
    "static void @N@_sink(@T@ data) {\n  @SINK@\n}\n"
    "static void (*@N@_table[])(@T@) = {@N@_nothing, @N@_sink};\n"
    "static int @N@_index = 1;\n" + _body("  @SOURCE@\n  @N@_table[@N@_index](data);\n")
)
SHAPES["chosen-function"] = (
    "static @T@ @N@_same(@T@ data) { return data; }\n"
    "static @T@ @N@_source(@T@ data) {\n  @SOURCE@\n  return data;\n}\n"
    + _body("  @T@ (*from)(@T@) = __VERIFIER_nondet_bool() ? @N@_source : NULL;\n"
            "  if (!from)\n    return;\n  data = @N@_same(from(data));\n  @SINK@\n")
)  # fmt: skip
