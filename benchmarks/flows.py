"""Programs for the table ``merging``: an index on its way from where it is read to where it is used, in 38 variants.

The variants and their numbers are those of the Juliet test suite for C (Boland and Black, 2012), which the paper
measures; the text is our own. Per variant there are three functions: ``bad`` reads the index and checks half of it,
which is an error; ``good_source`` fixes the index; ``good_sink`` checks all of it. As in the suite, ``-DOMITBAD`` and
``-DOMITGOOD`` leave a half out, and a variant may need up to five files.

Templates: ``@SOURCE@`` is where the index comes from and ``@SINK@`` where it is used; ``@OTHER@`` and ``@SPARE@`` are
what stands in places that no run comes to; ``@N@`` is the name of the function, and begins all names it needs for
itself. The first template of a variant defines ``static void @N@(void)``, each further one belongs in its own file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_PRELUDE = """\
#include <stdio.h>
#include <stdlib.h>
"""

_READ = """\
{
  char line[14] = "";
  if (fgets(line, sizeof line, stdin) != NULL)
    data = atoi(line);
  else
    puts("nothing to read");
}"""

_FIXED = "data = 7;"

_SINK = """\
{
  int cells[10] = {0};
  if (@CHECK@) {
    @EXPECT@
    cells[data] = 1;
    for (int i = 0; i < 10; i++)
      printf("%d\\n", cells[i]);
  } else {
    puts("no such index");
  }
}"""

_HALF = _SINK.replace("@CHECK@", "data >= 0").replace("    @EXPECT@\n", "")
_HALF_BAD = _SINK.replace("@CHECK@", "data >= 0").replace("@EXPECT@", "// expect: out-of-bounds @+1")
_FULL = _SINK.replace("@CHECK@", "data >= 0 && data < 10").replace("    @EXPECT@\n", "")

_MAIN = """\
int main(void) {
#ifndef OMITGOOD
  good_source();
  good_sink();
#endif
#ifndef OMITBAD
  bad();
#endif
  return 0;
}
"""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way from source to sink: a template per file."""

    number: str
    """The suite's, two digits."""
    title: str
    files: tuple[str, ...]
    either: bool = False
    """Can a run come to ``@OTHER@`` and ``@SPARE@`` as well?"""

    @property
    def name(self) -> str:
        return f"{self.number}-{self.title}"


def write(variant: Variant, folder: Path) -> tuple[Path, ...]:
    """Write the program of a variant; returns its files, that with ``main`` first."""
    folder.mkdir(parents=True, exist_ok=True)
    letters = ("_a", "_b", "_c", "_d", "_e") if len(variant.files) > 1 else ("",)
    written = []
    for letter, template in zip(letters, variant.files, strict=False):
        file = folder / f"{variant.name}{letter}.c"
        file.write_text(_text(variant, template, letter in ("", "_a")), encoding="utf-8")
        written.append(file)
    return tuple(written)


def _text(variant: Variant, template: str, first: bool) -> str:
    """One file: the prelude, the halves, and ``main`` where it belongs."""
    texts = {name: _filled(template, name, variant.either) for name in ("good_source", "good_sink", "bad")}
    good = f"#ifndef OMITGOOD\n{texts['good_source']}\n{texts['good_sink']}#endif\n"
    bad = f"#ifndef OMITBAD\n{texts['bad']}#endif\n"
    return "\n".join((_PRELUDE, good, bad, *((_MAIN,) if first else ())))


def _filled(template: str, name: str, either: bool) -> str:
    """A template for one function; a text in place of a line keeps that line's indentation."""
    source, other, sink, spare = {
        "bad": (_READ, _FIXED, _HALF_BAD, _FULL),
        "good_source": (_FIXED, _FIXED if either else _READ, _HALF, _FULL),
        "good_sink": (_READ, _READ if either else _FIXED, _FULL, _FULL if either else _HALF),
    }[name]
    texts = {"@SOURCE@": source, "@OTHER@": other, "@SINK@": sink, "@SPARE@": spare}
    lines = []
    for line in template.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines += [indent + part for part in texts.get(line.strip(), line.strip()).splitlines()] or [""]
    return "\n".join(lines).replace("@N@", name) + "\n"


def _body(text: str, before: str = "") -> str:
    """A function that has all, or the beginning, of the way in it."""
    return f"{before}static void @N@(void) {{\n  int data = -1;\n{text}}}\n"


def _use(before: str = "", parameter: str = "int data", fetch: str = "", static: bool = True) -> str:
    """A function that gets the index somehow, and uses it."""
    begin = f"{before}{'static ' if static else ''}void @N@_use({parameter}) {{\n"
    return begin + (f"  int data = {fetch};\n" if fetch else "") + "  @SINK@\n}\n"


def _if(condition: str, before: str = "") -> tuple[str, ...]:
    """The same condition decides about source and sink."""
    ways = ("@SOURCE@", "@OTHER@"), ("@SINK@", "@SPARE@")
    body = "".join(f"  if ({condition}) {{\n    {one}\n  }} else {{\n    {two}\n  }}\n" for one, two in ways)
    return (_body(body, before),)


def _apart(call: str, declare: str, use: str, before: str = "") -> tuple[str, ...]:
    """Source here, sink in another file."""
    return _body(f"  @SOURCE@\n  {call}\n", f"{before}{declare}\n"), use


def _files(number: int) -> tuple[str, ...]:
    """The index is handed from file to file; the last one uses it."""
    middle = tuple(
        f"void @N@_{step + 1}(int data);\nvoid @N@_{step}(int data) {{ @N@_{step + 1}(data); }}\n"
        for step in range(1, number - 1)
    )
    last = f"void @N@_{number - 1}(int data) {{\n  @SINK@\n}}\n"
    return _body("  @SOURCE@\n  @N@_1(data);\n", "void @N@_1(int data);\n"), *middle, last


_FLAGGED = "void @N@_use(int data) {\n  if (@N@_flag) {\n    @SINK@\n  } else {\n    @SPARE@\n  }\n}\n"
_FLAGGING = "  @SOURCE@\n  @N@_flag = 1;\n  @N@_use(data);\n"
_BOX = "struct @N@_box {\n  int before, data;\n};\n"

VARIANTS = (
    Variant("01", "plain", (_body("  @SOURCE@\n  @SINK@\n"),)),
    Variant("02", "one", _if("1")),
    Variant("03", "five", _if("5 == 5")),
    Variant("04", "static-const", _if("@N@_yes", "static const int @N@_yes = 1;\n")),
    Variant("05", "static", _if("@N@_yes", "static int @N@_yes = 1;\n")),
    Variant("06", "static-const-five", _if("@N@_five == 5", "static const int @N@_five = 5;\n")),
    Variant("07", "static-five", _if("@N@_five == 5", "static int @N@_five = 5;\n")),
    Variant("08", "static-function", _if("@N@_yes()", "static int @N@_yes(void) { return 1; }\n")),
    Variant("09", "global-const", _if("@N@_yes", "const int @N@_yes = 1;\n")),
    Variant("10", "global", _if("@N@_yes", "int @N@_yes = 1;\n")),
    Variant("11", "global-function", _if("@N@_yes()", "int @N@_yes(void) { return 1; }\n")),
    Variant("12", "either-way", _if("@N@_may()", "static int @N@_may(void) { return rand() % 2; }\n"), either=True),
    Variant("13", "global-const-five", _if("@N@_five == 5", "const int @N@_five = 5;\n")),
    Variant("14", "global-five", _if("@N@_five == 5", "int @N@_five = 5;\n")),
    Variant("15", "switch", (_body(
        "  switch (6) {\n  case 6:\n    @SOURCE@\n    break;\n  default:\n    @OTHER@\n  }\n"
        "  switch (7) {\n  case 7:\n    @SINK@\n    break;\n  default:\n    @SPARE@\n  }\n"
    ),)),
    Variant("16", "while", (_body(
        "  while (1) {\n    @SOURCE@\n    break;\n  }\n  while (1) {\n    @SINK@\n    break;\n  }\n"
    ),)),
    Variant("17", "for", (_body(
        "  for (int j = 0; j < 1; j++) {\n    @SOURCE@\n  }\n  for (int j = 0; j < 1; j++) {\n    @SINK@\n  }\n"
    ),)),
    Variant("18", "goto", (_body(
        "  goto source;\nsource:\n  @SOURCE@\n  goto sink;\nsink:\n  @SINK@\n"
    ),)),
    Variant("21", "static-flag", (_body(_FLAGGING, f"static int @N@_flag = 0;\nstatic {_FLAGGED}"),)),
    Variant("22", "flag-two-files", (
        _body(_FLAGGING, "int @N@_flag = 0;\nvoid @N@_use(int data);\n"), f"extern int @N@_flag;\n{_FLAGGED}",
    )),
    Variant("31", "copy", (_body("  @SOURCE@\n  int copy = data;\n  {\n    int data = copy;\n    @SINK@\n  }\n"),)),
    Variant("32", "pointer-to-pointer", (_body(
        "  int *one = &data, **two = &one;\n  {\n    int data = **two;\n    @SOURCE@\n    **two = data;\n  }\n"
        "  {\n    int data = *one;\n    @SINK@\n  }\n"
    ),)),
    Variant("34", "union", (_body(
        "  union {\n    int first, second;\n  } both;\n  @SOURCE@\n  both.first = data;\n"
        "  {\n    int data = both.second;\n    @SINK@\n  }\n"
    ),)),
    Variant("41", "function", (_body("  @SOURCE@\n  @N@_use(data);\n", _use()),)),
    Variant("42", "returned", (_body(
        "  data = @N@_read(data);\n  @SINK@\n", "static int @N@_read(int data) {\n  @SOURCE@\n  return data;\n}\n"
    ),)),
    Variant("44", "function-pointer", (_body(
        "  void (*use)(int) = @N@_use;\n  @SOURCE@\n  use(data);\n", _use()
    ),)),
    Variant("45", "static-data", (_body(
        "  @SOURCE@\n  @N@_data = data;\n  @N@_use();\n", _use("static int @N@_data;\n", "void", "@N@_data")
    ),)),
    Variant("51", "two-files", _files(2)),
    Variant("52", "three-files", _files(3)),
    Variant("53", "four-files", _files(4)),
    Variant("54", "five-files", _files(5)),
    Variant("61", "returned-two-files", (
        _body("  data = @N@_read(data);\n  @SINK@\n", "int @N@_read(int data);\n"),
        "int @N@_read(int data) {\n  @SOURCE@\n  return data;\n}\n",
    )),
    Variant("63", "pointer", _apart(
        "@N@_use(&data);", "void @N@_use(int *from);", _use("", "int *from", "*from", static=False)
    )),
    Variant("64", "void-pointer", _apart(
        "@N@_use(&data);", "void @N@_use(void *from);", _use("", "void *from", "*(int *)from", static=False)
    )),
    Variant("65", "function-pointer-two-files", _apart(
        "void (*use)(int) = @N@_use;\n  use(data);", "void @N@_use(int data);", _use(static=False)
    )),
    Variant("66", "array", _apart(
        "int all[5] = {0};\n  all[2] = data;\n  @N@_use(all);", "void @N@_use(int *all);",
        _use("", "int *all", "all[2]", static=False),
    )),
    Variant("67", "struct", _apart(
        "struct @N@_box box = {0, data};\n  @N@_use(box);", "void @N@_use(struct @N@_box box);",
        _use(_BOX, "struct @N@_box box", "box.data", static=False), _BOX,
    )),
    Variant("68", "global-data", _apart(
        "@N@_data = data;\n  @N@_use();", "int @N@_data;\nvoid @N@_use(void);",
        _use("extern int @N@_data;\n", "void", "@N@_data", static=False),
    )),
)  # fmt: skip
"""In the order of their numbers."""
