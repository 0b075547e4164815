"""Expression nodes: an immutable, hash-consed DAG.

Invariant: two live nodes with the same operator, sort, payload and arguments are the same object,
so identity is structural equality. Nodes are made by the smart constructors in ``clew.expr.build``
alone; ``intern``/``intern_with`` here make a node exactly as asked, without any rewriting.

The order of commutative operands follows ``Expr.key``, a structural hash that is the same in every
process (strings go through BLAKE2, never through Python's randomized hash).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from fractions import Fraction
from hashlib import blake2b
from sys import getrefcount
from typing import TYPE_CHECKING, Any, Final, TypeAlias, Union, final

from clew.expr.op import COMPREHENSION, CONST, SYMBOL, Op
from clew.expr.sort import BOOL, Sort, SortKind, bv

Payload: TypeAlias = Union[int, float, Fraction, str, bytes, tuple[int, int], None]  # noqa: UP007

_SMALL_SYMBOL_SET: Final = 64


@final
class Expr:
    """A node. Never a constant where one is handed around: constants are plain int/bool/float.

    ``value`` is the payload (see ``Op``), ``mask`` the sort's mask (``2**width - 1``).
    """

    __slots__ = ("op", "sort", "width", "mask", "args", "value", "key", "_symbols", "_facts", "_outcomes")

    op: Op
    sort: Sort
    width: int
    mask: int
    args: tuple[Expr, ...]
    value: Any  # a Payload; which type follows from the operator
    key: int
    _symbols: frozenset[Expr] | None
    _facts: Any  # of bit-vectors ``ranges.Facts``, of floats ``float_ranges.FloatRange``; None if not asked for yet
    _outcomes: tuple[Expr, dict[Any, Any]] | tuple[()] | None
    """Its values by those of its only symbol (``clew.expr.evaluate``); empty if that would not be of use."""

    def __init__(self, op: Op, sort: Sort, args: tuple[Expr, ...], value: Payload, key: int) -> None:
        self.op = op
        self.sort = sort
        self.width = sort.width
        self.mask = sort.mask
        self.args = args
        self.value = value
        self.key = key
        self._symbols = None
        self._facts = None
        self._outcomes = None

    @property
    def symbols(self) -> frozenset[Expr]:
        """The SYMBOL leaves below (and including) this node."""
        known = self._symbols
        return collect_symbols(self) if known is None else known

    def __bool__(self) -> bool:
        raise TypeError("a symbolic value has no truth value; branch on it instead")

    def __repr__(self) -> str:
        from clew.expr.printer import show

        return f"<{self.sort} {show(self, 200)}>"

    def __copy__(self) -> Expr:
        return self

    def __deepcopy__(self, memo: object) -> Expr:
        return self

    if TYPE_CHECKING:  # installed by clew.expr.operators; the sort decides what comes out

        def __add__(self, other: Value) -> Any: ...
        def __radd__(self, other: int | float) -> Any: ...
        def __sub__(self, other: Value) -> Any: ...
        def __rsub__(self, other: int | float) -> Any: ...
        def __mul__(self, other: Value) -> Any: ...
        def __rmul__(self, other: int | float) -> Any: ...
        def __and__(self, other: Value) -> Any: ...
        def __rand__(self, other: int) -> Any: ...
        def __or__(self, other: Value) -> Any: ...
        def __ror__(self, other: int) -> Any: ...
        def __xor__(self, other: Value) -> Any: ...
        def __rxor__(self, other: int) -> Any: ...
        def __invert__(self) -> Any: ...
        def __neg__(self) -> Any: ...


Value: TypeAlias = Union[int, float, Fraction, Expr]  # noqa: UP007
BV: TypeAlias = Union[int, Expr]  # noqa: UP007
Bool: TypeAlias = Union[bool, Expr]  # noqa: UP007
FP: TypeAlias = Union[float, Fraction, Expr]  # noqa: UP007
"""A number that no double is, in a wider format, is a ``Fraction`` (``clew.expr.rewrite.fpmath``)."""

# One table per operator. Where arguments determine the node, the key is its own argument tuple,
# which then costs no memory of its own.
_TABLES: Final[list[dict[tuple[object, ...], Expr]]] = [{} for _ in Op]


def intern(op: Op, sort: Sort, args: tuple[Expr, ...]) -> Expr:
    """The node of an operator without payload whose sort follows from its arguments."""
    table = _TABLES[op]
    node = table.get(args)
    if node is None:
        if len(args) == 2:  # by far the most frequent
            a, b = args
            node = table[args] = Expr(op, sort, args, None, hash((op, a.key, b.key)))
        else:
            node = table[args] = Expr(op, sort, args, None, hash((op, *[arg.key for arg in args])))
    return node


def peek(op: Op, args: tuple[Expr, ...]) -> Expr | None:
    """The node ``intern`` would return, if it exists already."""
    return _TABLES[op].get(args)


def intern_with(op: Op, sort: Sort, args: tuple[Expr, ...], value: Payload) -> Expr:
    """The node of an operator whose payload or sort does not follow from its arguments."""
    payload = _payload_key(value) if type(value) is float else value
    entry = (sort, payload, args)
    table = _TABLES[op]
    node = table.get(entry)
    if node is None:
        key = hash((op, sort.code, _stable(payload), *[arg.key for arg in args]))
        node = table[entry] = Expr(op, sort, args, value, key)
    return node


def _payload_key(value: float) -> bytes:
    """-0.0 equals 0.0 and NaN differs from itself, so floats are told apart by their bits."""
    return struct.pack("<d", value)


def _stable(payload: Payload) -> int:
    """A hash that is the same in every process."""
    if type(payload) is str:
        payload = payload.encode("utf-8", "surrogatepass")
    if type(payload) is bytes:
        return int.from_bytes(blake2b(payload, digest_size=8).digest(), "little")
    return 0 if payload is None else hash(payload)


def constant(value: int, sort: Sort) -> Expr:
    """The CONST node of a bit-vector value in range; for inside of other nodes only."""
    entry = (sort, value, ())
    node = _TABLES[CONST].get(entry)
    if node is None:
        return intern_with(CONST, sort, (), value)
    return node


def as_bv(value: BV, width: int) -> Expr:
    """``value`` as a node."""
    return value if type(value) is Expr else constant(value, bv(width))


def as_bool(value: Bool) -> Expr:
    """``value`` as a node."""
    return value if type(value) is Expr else constant(bool(value), BOOL)


def as_float(value: FP, sort: Sort) -> Expr:
    """``value`` as a node."""
    if type(value) is Expr:
        return value
    return intern_with(CONST, sort, (), value if type(value) is Fraction else float(value))


def lift(value: Value, sort: Sort) -> Expr:
    """``value``, of any sort, as a node."""
    if type(value) is Expr:
        return value
    if sort.kind is SortKind.FLOAT:
        return as_float(value, sort)
    assert isinstance(value, int)
    return constant(bool(value), sort) if sort is BOOL else constant(value & sort.mask, sort)


def lower(node: Expr) -> Any:
    """The other way: a CONST node becomes its plain value (int, bool, float); others stay."""
    return node.value if node.op is CONST else node


def symbol(name: str, sort: Sort) -> Expr:
    """The unknown called ``name``. The same name and sort give the same symbol."""
    return intern_with(SYMBOL, sort, (), name)


def index(width: int) -> Expr:
    """The symbol that is bound in the elements of a comprehension (``clew.expr.comprehension``)."""
    return symbol("index!", bv(width))


def collect_symbols(root: Expr) -> frozenset[Expr]:
    """Fill the cache of ``Expr.symbols``.

    Small sets are kept at every node; a node with many symbols keeps its set only if it was asked
    for, since a long sum over many symbols would otherwise hold quadratically many entries.
    """
    large: set[Expr] = set()
    stack = [root]
    while stack:
        node = stack[-1]
        pending = [arg for arg in node.args if arg._symbols is None and arg not in large]
        if pending:
            stack.extend(pending)
            continue
        stack.pop()
        if node._symbols is None and node not in large:
            found = _union(node, large)
            if found is None:
                large.add(node)
            else:
                node._symbols = found
    if root._symbols is None:
        root._symbols = _gather(root, large)
    return root._symbols


def _union(node: Expr, large: set[Expr]) -> frozenset[Expr] | None:
    """The union over the arguments; None if it is large."""
    if node.op is SYMBOL:
        return frozenset((node,))
    best: frozenset[Expr] = frozenset()
    for arg in node.args:
        if arg in large:
            return None
        own = arg._symbols
        assert own is not None
        if node.op is COMPREHENSION:
            own -= {index(node.sort.index_width)}
        if not own <= best:
            best = own if best <= own else best | own
    return best if len(best) <= _SMALL_SYMBOL_SET else None


def _gather(root: Expr, large: set[Expr]) -> frozenset[Expr]:
    found: set[Expr] = set()
    seen = {root}
    stack = [root]
    while stack:
        for arg in stack.pop().args:
            if arg not in seen:
                seen.add(arg)
                if arg._symbols is not None:
                    found |= arg._symbols
                else:
                    stack.append(arg)
    if root.sort.kind is SortKind.ARRAY:
        found.discard(index(root.sort.index_width))
    return frozenset(found)


def table_size() -> int:
    """How many nodes are interned."""
    return sum(map(len, _TABLES))


def prune_table() -> int:
    """Drop the nodes that nothing but the table refers to; returns how many.

    Symbols stay: they are few, and a set of symbols held by somebody must keep its identity.
    """
    order = postorder(node for table in _TABLES for node in table.values())
    dropped = 0
    while order:
        node = order.pop()
        # Held by the table, by ``node`` and by the argument of getrefcount. All parents were
        # looked at before, so no long chain is ever freed recursively.
        if getrefcount(node) == 3 and node.op is not SYMBOL:
            table = _TABLES[node.op]
            del table[_entry(node) if node.op in _KEYED_BY_PAYLOAD else node.args]
            dropped += 1
    return dropped


_KEYED_BY_PAYLOAD: Final = frozenset(
    (Op.CONST, Op.SYMBOL, Op.ZEXT, Op.SEXT, Op.EXTRACT, Op.CONST_ARRAY, Op.ARRAY_BYTES, Op.FROUND, Op.COMPREHENSION)
    + (Op.FP_TO_SBV, Op.FP_TO_UBV, Op.FP_FROM_SBV, Op.FP_FROM_UBV, Op.FP_TO_FP)
)


def _entry(node: Expr) -> tuple[object, ...]:
    value = node.value
    return node.sort, (_payload_key(value) if type(value) is float else value), node.args


def postorder(roots: Iterable[Expr]) -> list[Expr]:
    """All nodes below ``roots``, each once, arguments before users."""
    found: list[Expr] = []
    seen: set[Expr] = set()
    for root in roots:
        stack = [root]
        while stack:
            node = stack[-1]
            if node in seen:
                stack.pop()
                continue
            pending = [arg for arg in node.args if arg not in seen]
            if pending:
                pending.reverse()
                stack.extend(pending)
            else:
                seen.add(node)
                found.append(node)
                stack.pop()
    return found


def reintern(op: Op, sort: Sort, args: tuple[Expr, ...], value: Payload) -> Expr:
    """The node with these parts, whichever way its operator is keyed; for unpickling and tests."""
    return intern_with(op, sort, args, value) if op in _KEYED_BY_PAYLOAD else intern(op, sort, args)
