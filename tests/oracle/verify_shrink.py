"""Make a program smaller while something stays true of it.

Works on the text: the generator puts every statement on a line of its own, and braces at the ends of lines. Much that
is tried does not compile; the caller's test says no to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Test = Callable[[str], bool]
Lines = list[str]


def shrink(source: str, still: Test) -> str:
    """The smallest program found for which ``still`` says yes, as it does for ``source``."""
    tried: set[str] = {source}

    def fresh(lines: Lines) -> bool:
        candidate = _text(lines)
        if candidate in tried:
            return False
        tried.add(candidate)
        return still(candidate)

    lines = source.splitlines()
    while True:
        before = lines
        for step in (_without_ranges, _unwrapped, _simpler_expressions):
            lines = step(lines, fresh)
        if lines == before:
            return _text(lines)


def _without_ranges(lines: Lines, still: Callable[[Lines], bool]) -> Lines:
    """Leave out runs of lines with balanced braces, long ones first; the head of the file stays."""
    head = max((at for at, line in enumerate(lines, 1) if line.startswith(("#include", "extern"))), default=0)
    size = len(lines) // 2
    while size >= 1:
        begin = len(lines) - size
        while begin >= head:
            if _balanced(lines[begin : begin + size]) and still(lines[:begin] + lines[begin + size :]):
                lines = lines[:begin] + lines[begin + size :]
                begin = min(begin, len(lines) - size)
            else:
                begin -= 1
        size = size * 2 // 3 if size > 8 else size - 1
    return lines


def _balanced(lines: Lines) -> bool:
    depth = 0
    for line in lines:
        depth += line.count("{") - line.count("}")
        if depth < 0:
            return False
    return depth == 0


def _unwrapped(lines: Lines, still: Callable[[Lines], bool]) -> Lines:
    """Leave out the braces of a block and what stands before them."""
    begin = 0
    while begin < len(lines):
        end = _end_of_block(lines, begin)
        if end is not None and still(shorter := [*lines[:begin], *lines[begin + 1 : end], *lines[end + 1 :]]):
            lines = shorter
        else:
            begin += 1
    return lines


def _end_of_block(lines: Lines, begin: int) -> int | None:
    """The line that ends the block inside a function that begins on a line."""
    if not lines[begin].startswith(" ") or not lines[begin].endswith("{"):
        return None
    depth = 0
    for end in range(begin, len(lines)):
        depth += lines[end].count("{") - lines[end].count("}")
        if depth == 0:
            return end
    return None


def _simpler_expressions(lines: Lines, still: Callable[[Lines], bool]) -> Lines:
    """Put a number, or one of its parts, in the place of something in parentheses."""
    for number in range(len(lines)):
        found = lines[number].startswith(" ")
        while found:
            found = False
            for text in _simpler(lines[number]):
                shorter = [*lines[:number], text, *lines[number + 1 :]]
                if len(text) < len(lines[number]) and still(shorter):
                    lines, found = shorter, True
                    break
    return lines


def _simpler(line: str) -> Iterator[str]:
    for begin in (at for at, c in enumerate(line) if c == "("):
        depth = 0
        for end in range(begin, len(line)):
            depth += (line[end] == "(") - (line[end] == ")")
            if depth == 0:
                break
        else:
            continue
        inside = line[begin + 1 : end]
        called = begin > 0 and (line[begin - 1].isalnum() or line[begin - 1] in "_ ") and not _operator(line[:begin])
        parts = _parts(inside)
        for part in (["0", "1"] if len(inside) > 1 else []) + parts:
            yield f"{line[:begin]}({part}){line[end + 1 :]}" if called else f"{line[:begin]}{part}{line[end + 1 :]}"
    equal = line.find(" = ")
    if equal > 0 and line.endswith(";") and not line.lstrip().startswith(("for", "while", "if")):
        for part in ["0", *_parts(line[equal + 3 : -1])]:
            yield f"{line[: equal + 3]}{part};"


def _operator(before: str) -> bool:
    return bool(re.search(r"[-+*/%&|^<>=!?:,~(] ?$", before))


def _parts(text: str) -> list[str]:
    """The operands on the outermost level of an expression."""
    parts, depth, begin = [], 0, 0
    for match in re.finditer(r"[()\[\]]| (?:[-+*/%&|^?:]|<<|>>|[<>=!]=|[<>]|&&|\|\|) ", text):
        if match[0] in "([":
            depth += 1
        elif match[0] in ")]":
            depth -= 1
        elif depth == 0:
            parts.append(text[begin : match.start()])
            begin = match.end()
    return [*parts, text[begin:]] if parts else []


def _text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
