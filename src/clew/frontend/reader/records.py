"""Debug records -> ``VariableUpdate``: which C variable has which value from here on; and the places of C labels.

``#dbg_declare`` and a ``#dbg_value`` whose expression is just ``DW_OP_deref`` say where the variable lives;
a plain ``#dbg_value`` or ``#dbg_assign`` says what it is. Any other expression, and lists of values, tell only
part of a value or need arithmetic: those records are skipped.
"""

from __future__ import annotations

import re

from clew.frontend.reader.cursor import Cursor, Malformed, UnsupportedText
from clew.frontend.reader.operands import Scope
from clew.program.module import Landmark, VariableUpdate
from clew.program.types import PointerType

_TYPE = r"(?:[a-z]\w*|%[-\w$.]+|<\d+ x \w+>|\[\d+ x [^\[\]{}<>\",]+\])"
_OPERAND = r"(?:[%@][-\w$.]+|[-+\w.]+)"
_FAST = re.compile(rf"\s*#dbg_(value|declare)\(({_TYPE}) ({_OPERAND}), !(\d+), !DIExpression\(\), !\d+\)$")
_RECORD = re.compile(r"\s*#dbg_(\w+)\(")
_LABEL = re.compile(r"\s*#dbg_label\(!(\d+)")
_EXPRESSION = re.compile(r"!DIExpression\(([^()]*)\)")
_REFERENCE = re.compile(r"!(\d+)")
_LIST = re.compile(r"!(?:DIArgList\b|\{)")


def read_label(scope: Scope, line: str, index: int) -> Landmark | None:
    """The label a ``#dbg_label`` line is about; None if the line is about something else."""
    match = _LABEL.match(line)
    if match is None:
        return None
    name, location = scope.context.debug.label(match[1])
    return Landmark(index, location, name)


def read_record(scope: Scope, line: str, index: int) -> VariableUpdate | None:
    """The update a ``#dbg_...`` line stands for; None if it tells nothing usable."""
    match = _FAST.match(line)
    if match is not None:
        variable = scope.context.debug.variable(match[4])
        return VariableUpdate(index, variable, scope.from_text(match[2], match[3]), match[1] == "declare")
    match = _RECORD.match(line)
    if match is None:
        raise Malformed("expected a debug record")
    if match[1] not in ("value", "declare", "assign"):
        return None
    try:
        return _read(scope, Cursor(line, match.end()), index, match[1])
    except UnsupportedText:
        return None


def _read(scope: Scope, cursor: Cursor, index: int, kind: str) -> VariableUpdate | None:
    if _LIST.match(cursor.text, cursor.pos):
        return None  # several values, or none
    value = scope.typed_value(cursor)
    cursor.expect(",")
    variable = cursor.match(_REFERENCE)
    if variable is None:
        raise cursor.error("the number of a variable")
    cursor.expect(",")
    expression = cursor.match(_EXPRESSION)
    if expression is None:
        raise cursor.error("a DIExpression")
    declares = kind == "declare"
    if expression[1] == "DW_OP_deref" and kind == "value" and isinstance(value.type, PointerType):
        declares = True
    elif expression[1]:
        return None
    return VariableUpdate(index, scope.context.debug.variable(variable[1]), value, declares)
