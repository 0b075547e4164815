"""The loops in the text of a C file: where their keywords, conditions and bodies are.

Comments, literals and lines of the preprocessor count as blanks. What a macro stands for is not looked at, so a loop
that a macro makes is not found, and text that only a macro makes a loop of is not understood.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from clew.base.dataclass import dataclass
from clew.base.pattern import pattern

_HIDDEN = pattern(
    r"//(?:\\\n|[^\n])*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
_TOKEN = pattern(r"[A-Za-z_]\w*|[(){};]")
_BEGINNING = ("{", "for", "while", "do", "if", "switch")
_CLOSING = {"(": ")", "{": "}"}


@dataclass(frozen=True, slots=True)
class LoopText:
    """One loop; offsets are those of the text."""

    keyword: str
    """``for``, ``while`` or ``do``."""
    start: int
    condition: tuple[int, int] | None
    """Where the condition of ``for`` or ``while`` is; that of ``for`` may be empty."""
    body: int
    """Where its body begins."""
    end: int


class LoopSyntax:
    """The loops of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._plain = _HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._tokens = [(found[0], found.start()) for found in _TOKEN.finditer(self._plain)]
        self.loops: list[LoopText] = []
        at = 0
        while at < len(self._tokens):
            at = self._statement(at)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, columns in bytes."""
        line = bisect_right(self._lines, offset)
        return line, len(self.text[self._lines[line - 1] : offset].encode()) + 1

    def offset(self, line: int, column: int) -> int:
        """The opposite."""
        if not 1 <= line <= len(self._lines):
            return len(self.text)
        start = self._lines[line - 1]
        data = self.text[start:].encode()[: max(column - 1, 0)]
        return start + len(data.decode("utf-8", "ignore"))

    def around(self, line: int, column: int) -> LoopText | None:
        """The innermost loop around a place."""
        at = self.offset(line, column)
        return max((loop for loop in self.loops if loop.start <= at < loop.end), key=lambda it: it.start, default=None)

    def at(self, line: int, column: int | None) -> LoopText | None:
        """The loop whose keyword is at a place; without a column, the first one of a line."""
        for loop in sorted(self.loops, key=lambda it: it.start):
            found = self.place(loop.start)
            if found[0] == line and column in (None, found[1]):
                return loop
        return None

    def begins_statement(self, offset: int) -> bool:
        """Whether another statement can be put before what is at an offset."""
        before = self._plain[:offset].rstrip()
        inside = sum(before.count(mark) * sign for mark, sign in (("{", 1), ("}", -1)))
        return inside > 0 and before.endswith(("{", "}", ";")) and not self._is_in_parentheses(offset)

    def _is_in_parentheses(self, offset: int) -> bool:
        return self._plain[:offset].count("(") > self._plain[:offset].count(")")

    # Statements, as far as loops need them: each method takes the number of a token, and gives that of the first behind

    def _statement(self, at: int) -> int:
        word, start = self._token(at)
        if word in ("for", "while"):
            return self._loop(at, word, start)
        if word == "do":
            return self._do(at, start)
        if word in ("if", "switch"):
            at = self._statement(self._behind(at + 1))
            return self._statement(at + 1) if word == "if" and self._token(at)[0] == "else" else at
        if word == "{":
            at += 1
            while self._token(at)[0] not in ("}", ""):
                at = self._statement(at)
            return at + 1
        while self._token(at)[0] not in (";", "}", ""):
            if self._token(at)[0] in _BEGINNING:
                return self._statement(at)  # the body of a function, a struct, or what a label is for
            at = self._behind(at) if self._token(at)[0] == "(" else at + 1
        return at + 1

    def _loop(self, at: int, word: str, start: int) -> int:
        if self._token(at + 1)[0] != "(":
            return at + 1
        behind = self._behind(at + 1)
        opening, closing = self._token(at + 1)[1] + 1, self._token(behind - 1)[1]
        condition: tuple[int, int] | None = (opening, closing)
        if word == "for":
            marks = list(self._separators(at + 2, behind - 1))
            condition = (marks[0] + 1, marks[1]) if len(marks) == 2 else None
        end = self._statement(behind)
        if condition is not None:
            self.loops.append(LoopText(word, start, condition, self._token(behind)[1], self._end(end)))
        return end

    def _do(self, at: int, start: int) -> int:
        end = self._statement(at + 1)
        body = self._token(at + 1)[1]
        if self._token(end)[0] == "while":
            end = self._behind(end + 1) + 1
        self.loops.append(LoopText("do", start, None, body, self._end(end)))
        return end

    def _separators(self, at: int, end: int) -> Iterator[int]:
        while at < end:
            word, offset = self._token(at)
            if word == ";":
                yield offset
            at = self._behind(at) if word in _CLOSING else at + 1

    def _behind(self, at: int) -> int:
        """Behind a pair of parentheses or braces."""
        depth = 0
        while at < len(self._tokens):
            word = self._token(at)[0]
            depth += (word in _CLOSING) - (word in _CLOSING.values())
            at += 1
            if depth <= 0:
                break
        return at

    def _token(self, at: int) -> tuple[str, int]:
        return self._tokens[at] if at < len(self._tokens) else ("", len(self.text))

    def _end(self, at: int) -> int:
        """The offset behind the token before one."""
        word, offset = self._token(at - 1)
        return offset + len(word)


def inserted(text: str, additions: Sequence[tuple[int, str]]) -> str:
    """The text with others in it, at some offsets."""
    for offset, more in sorted(additions, reverse=True):
        text = text[:offset] + more + text[offset:]
    return text
