"""Pickled form of a node: a flat list of records, arguments before users, so depth does not matter.

Loading interns, so a node that exists in the process is met again. Importing this module makes it the form of nodes.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import TypeAlias

from clew.expr.node import Expr, Payload, postorder, reintern
from clew.expr.op import Op
from clew.expr.sort import Sort

Record: TypeAlias = tuple[int, Sort, Payload, tuple[int, ...]]


def records(root: Expr) -> list[Record]:
    """One record per node below ``root``; arguments by position; ``root`` last."""
    order = postorder([root])
    position = {node: i for i, node in enumerate(order)}
    return [(int(e.op), e.sort, e.value, tuple([position[arg] for arg in e.args])) for e in order]


def load(rows: list[Record]) -> Expr:
    """The node ``records`` described. Nodes were canonical when written, so nothing is rewritten."""
    nodes: list[Expr] = []
    for op, sort, value, args in rows:
        nodes.append(reintern(Op(op), sort, tuple([nodes[i] for i in args]), value))
    return nodes[-1]


def _reduced(root: Expr) -> tuple[Callable[[list[Record]], Expr], tuple[list[Record]]]:
    return load, (records(root),)


copyreg.pickle(Expr, _reduced)
