"""Programs that carry one weakness through many control and data flows, each with a bad and a good half.

    python tests/programs/flows/generate.py DIRECTORY

Per weakness there are two programs: ``NAME_bad.c``, where every function holds one error, named in an ``// expect:``
comment, and ``NAME_good.c``, where none does. An input chooses the function, so one run sees them all. The text depends
on nothing but the tables in this folder.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from programs.flows.shapes import SHAPES
from programs.flows.weaknesses import COMMON, WEAKNESSES, Weakness


def _filled(template: str, texts: dict[str, str]) -> str:
    """The template with its placeholders replaced; a text that stands alone on a line keeps that line's indentation."""
    lines = []
    for line in template.splitlines():
        key = line.strip()
        if key in texts and key != "@T@":
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + part for part in texts[key].splitlines()]
        else:
            lines.append(line)
    result = "\n".join(lines) + "\n"
    for key in ("@START@", "@T@", "@N@"):
        result = result.replace(key, texts[key])
    return result


def _without_expectation(sink: str) -> str:
    return "\n".join(line for line in sink.splitlines() if "// expect:" not in line)


def _functions(weakness: Weakness, bad: bool) -> Iterator[tuple[str, str]]:
    """Name and text of each function of one half."""
    for shape, template in SHAPES.items():
        name = shape.replace("-", "_")
        common = {"@T@": weakness.type, "@START@": weakness.start, "@GOOD@": weakness.good}
        if bad:
            texts = {"@SOURCE@": weakness.bad, "@DEAD@": weakness.good, "@SINK@": weakness.sink, "@N@": f"bad_{name}"}
            yield texts["@N@"], _filled(template, {**common, **texts})
            continue
        plain = _without_expectation(weakness.sink)
        texts = {"@SOURCE@": weakness.good, "@DEAD@": weakness.bad, "@SINK@": plain, "@N@": f"good_source_{name}"}
        yield texts["@N@"], _filled(template, {**common, **texts})
        if weakness.checked and not _leaks(shape, weakness):
            texts = {"@SOURCE@": weakness.bad, "@DEAD@": weakness.good, "@SINK@": weakness.checked}
            texts["@N@"] = f"good_sink_{name}"
            yield texts["@N@"], _filled(template, {**common, **texts})


def _leaks(shape: str, weakness: Weakness) -> bool:
    """The good source gives memory that the checked sink would not free."""
    return "@GOOD@" in SHAPES[shape] and "malloc" in weakness.good


def program(weakness: Weakness, bad: bool) -> str:
    """The text of one half."""
    names, texts = zip(*_functions(weakness, bad), strict=True)
    cases = "".join(f"  case {number}:\n    {name}();\n    break;\n" for number, name in enumerate(names))
    main = f"int main(void) {{\n  switch (__VERIFIER_nondet_uint()) {{\n{cases}  }}\n  return 0;\n}}\n"
    return "\n".join((COMMON, *texts, main))


def write_all(folder: Path) -> list[Path]:
    """Write every program into the folder; returns the files."""
    files = []
    for weakness in WEAKNESSES:
        for half in ("bad", "good"):
            file = folder / f"{weakness.name.replace('-', '_')}_{half}.c"
            file.write_text(program(weakness, half == "bad"), encoding="utf-8")
            files.append(file)
    return files


if __name__ == "__main__":
    for written in write_all(Path(sys.argv[1])):
        print(written)
