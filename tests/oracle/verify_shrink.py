"""Make a program smaller while something stays true of it.

Works on the text: the generator puts every statement on a line of its own, and braces at the ends of lines. Much that
is tried does not compile; the caller's test says no to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Test = Callable[[str], bool]


def shrink(source: str, still: Test) -> str:
    """The smallest program found for which ``still`` says yes, as it does for ``source``."""
    tried: set[str] = {source}

    def fresh(candidate: str) -> bool:
        if candidate in tried:
            return False
        tried.add(candidate)
        return still(candidate)

    while True:
        before = source
        for candidates in (_without_ranges, _unwrapped, _simpler_expressions):
            source = _greedy(source, candidates, fresh)
        if source == before:
            return source


def _greedy(source: str, candidates: Callable[[str], Iterator[str]], still: Test) -> str:
    """Take each candidate that passes, and start over with it."""
    found = True
    while found:
        found = False
        for candidate in candidates(source):
            if still(candidate):
                source, found = candidate, True
                break
    return source


def _without_ranges(source: str) -> Iterator[str]:
    """Leave out runs of lines with balanced braces, long ones first; the head of the file stays."""
    lines = source.splitlines()
    head = max((at for at, line in enumerate(lines, 1) if line.startswith(("#include", "extern"))), default=0)
    depth = [0]
    for line in lines:
        depth.append(depth[-1] + line.count("{") - line.count("}"))
    size = len(lines) // 2
    while size >= 1:
        for begin in range(len(lines) - size, head - 1, -1):
            end = begin + size
            if depth[begin] == depth[end] and min(depth[begin : end + 1]) == depth[begin]:
                yield _text(lines[:begin] + lines[end:])
        size = size * 2 // 3 if size > 8 else size - 1


def _unwrapped(source: str) -> Iterator[str]:
    """Leave out the braces of a block and what stands before them."""
    lines = source.splitlines()
    for begin, line in enumerate(lines):
        if not line.startswith(" ") or not line.endswith("{"):
            continue
        depth = 0
        for end in range(begin, len(lines)):
            depth += lines[end].count("{") - lines[end].count("}")
            if depth == 0:
                yield _text([*lines[:begin], *lines[begin + 1 : end], *lines[end + 1 :]])
                break


def _simpler_expressions(source: str) -> Iterator[str]:
    """Put a number, or one of its parts, in the place of something in parentheses; a number for another."""
    lines = source.splitlines()
    for number, line in enumerate(lines):
        if not line.startswith(" "):
            continue
        for text in _simpler(line):
            yield _text([*lines[:number], text, *lines[number + 1 :]])


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
