"""Verification tasks in the form that is measured: two rewritings of C text, nothing else of it changes.

    ERROR: return (-1);      ->   ERROR: __VERIFIER_error(); return (-1);
    while (1) { again: ...   ->   for (n = 0; ; ) { again: if (n++ >= 50) exit(0); ...

The first makes the label of the tasks of 2013 a property. The second is the bounded form of the published figures:
the program exits silently after so many passes. The counter is a variable of the function, so that a ``goto`` into
the loop finds it initialised; the test stands behind the labels that a body begins with, so that a ``goto`` to them
counts as a pass. Lines keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<skipped> /\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | ^[ \t]*\#(?:\\\n|[^\n])* | \s+ )
    | (?P<token> \w+ | . )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_LABEL = "ERROR"
_ERROR_CALLS = frozenset({"__VERIFIER_error", "reach_error"})
_BEFORE_A_LABEL = frozenset({";", "{", "}", ":", ")", "else", "do"})
_DECLARE_ERROR = "extern void __VERIFIER_error(void) __attribute__((__noreturn__));"
_DECLARE_EXIT = "extern void exit(int) __attribute__((__noreturn__));"


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Edit:
    """Characters ``start`` to ``end`` become ``text``."""

    start: int
    end: int
    text: str


def visible_errors(text: str) -> str:
    """The label ERROR calls ``__VERIFIER_error``, unless it does so already."""
    tokens = _tokens(text)
    edits = [
        _Edit(tokens[i + 1].end, tokens[i + 1].end, " __VERIFIER_error();")
        for i in range(len(tokens))
        if _text(tokens, i) == _LABEL
        and _is_label(tokens, i)
        and _text(tokens, i - 1) in _BEFORE_A_LABEL
        and _text(tokens, i + 2) not in _ERROR_CALLS
    ]
    return _apply(text, edits, _DECLARE_ERROR)


def bounded(text: str, passes: int) -> str:
    """Every ``while (1)`` ends the program after so many passes."""
    tokens = _tokens(text)
    edits: list[_Edit] = []
    for number, (i, function) in enumerate(_endless_loops(tokens)):
        counter = f"clew_passes_{number}"
        brace = tokens[function].end
        edits.append(_Edit(brace, brace, f" int {counter} = 0;"))
        start = _start_of_do(tokens, i)
        if start is None:
            edits += _bound_body(tokens, tokens[i], i + 4, counter, passes)
        else:
            edits += _bound_body(tokens, tokens[start], start + 1, counter, passes, tokens[start].end)
            edits.append(_Edit(tokens[i].start, tokens[i + 4].end, ""))
    return _apply(text, edits, _DECLARE_EXIT)


def _bound_body(
    tokens: list[_Token], head: _Token, body: int, counter: str, passes: int, head_end: int | None = None
) -> list[_Edit]:
    """The loop's head from ``head`` on becomes a counting one; ``body`` is where the loop's body begins."""
    end = tokens[body - 1].end if head_end is None else head_end
    if _text(tokens, body) != "{":
        header = f"for ({counter} = 0; {counter} < {passes} || (exit(0), 0); {counter}++)"
        return [_Edit(head.start, end, header)]
    place = body
    while _is_label(tokens, place + 1) and _text(tokens, place + 1) not in ("default", "case"):
        place += 2
    test = f" if ({counter}++ >= {passes}) exit(0);"
    return [
        _Edit(head.start, end, f"for ({counter} = 0; ; )"),
        _Edit(tokens[place].end, tokens[place].end, test),
    ]


def _endless_loops(tokens: list[_Token]) -> Iterator[tuple[int, int]]:
    """Indices of each ``while`` of a ``while (1)`` and of the brace that opens the function around it."""
    depth, function = 0, 0
    for i, token in enumerate(tokens):
        if token.text == "{":
            if depth == 0:
                function = i
            depth += 1
        elif token.text == "}":
            depth -= 1
        elif token.text == "while" and depth > 0 and [_text(tokens, i + k) for k in (1, 2, 3)] == ["(", "1", ")"]:
            yield i, function


def _start_of_do(tokens: list[_Token], i: int) -> int | None:
    """For the ``while`` at the end of ``do { ... } while (1);``: the ``do``. None for any other ``while``."""
    if _text(tokens, i - 1) != "}" or _text(tokens, i + 4) != ";":
        return None
    depth = 0
    for j in range(i - 1, 0, -1):
        depth += {"}": 1, "{": -1}.get(tokens[j].text, 0)
        if depth == 0:
            return j - 1 if tokens[j - 1].text == "do" else None
    return None


def _is_label(tokens: list[_Token], i: int) -> bool:
    word = _text(tokens, i)
    return word[:1].isidentifier() and _text(tokens, i + 1) == ":"


def _text(tokens: list[_Token], i: int) -> str:
    return tokens[i].text if 0 <= i < len(tokens) else ""


def _tokens(text: str) -> list[_Token]:
    """Words and signs; comments, texts and preprocessor lines are not among them."""
    found = (match for match in _TOKEN.finditer(text) if match["token"] is not None)
    return [_Token(match["token"], match.start(), match.end()) for match in found]


def _apply(text: str, edits: Iterable[_Edit], declaration: str) -> str:
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    if not parts:
        return text
    return "".join([declaration, "\n#line 1\n", *parts, text[done:]])
