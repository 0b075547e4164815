"""Every rewrite keeps the meaning: constructors against arithmetic on plain integers.

The reference (``INTEGER``/``FLOAT`` tables below) knows nothing of nodes. A random tree is
evaluated twice: by the reference, and by building it with the smart constructors and asking a model.
Small trees over narrow bit-vectors are enumerated in full, deeper ones drawn at random.
"""

from __future__ import annotations

import itertools
import math
import pickle
import random
from collections.abc import Callable, Iterable
from ctypes import c_float
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr, postorder
from clew.expr.ranges import facts, signed_interval
from clew.expr.rewrite import fpmath
from clew.expr.sort import BOOL, F16, F32, F64, F79, F128, Sort, SortKind, bv
from clew.expr.walk import substitute
from depth import examples


def _s(value: int, w: int) -> int:
    return value - (1 << w) if value >> (w - 1) else value


def _sdiv(a: int, b: int, w: int) -> int:
    x, y = _s(a, w), _s(b, w)
    if y == 0:
        return 1 if x < 0 else -1
    return int(math.copysign(1, x) * math.copysign(1, y)) * (abs(x) // abs(y))


def _srem(a: int, b: int, w: int) -> int:
    x, y = _s(a, w), _s(b, w)
    return x if y == 0 else x - _sdiv(a, b, w) * y


def _wraps(value: int, w: int) -> bool:
    return not -(1 << (w - 1)) <= value < 1 << (w - 1)


# name: reference on (a, b, w); the result is reduced modulo 2**w
INTEGER: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, w: a + b,
    "sub": lambda a, b, w: a - b,
    "mul": lambda a, b, w: a * b,
    "udiv": lambda a, b, w: a // b if b else -1,
    "sdiv": _sdiv,
    "urem": lambda a, b, w: a % b if b else a,
    "srem": _srem,
    "and_": lambda a, b, w: a & b,
    "or_": lambda a, b, w: a | b,
    "xor": lambda a, b, w: a ^ b,
    "shl": lambda a, b, w: a << b if b < w else 0,
    "lshr": lambda a, b, w: a >> b,
    "ashr": lambda a, b, w: _s(a, w) >> b,
    "umin": lambda a, b, w: min(a, b),
    "umax": lambda a, b, w: max(a, b),
    "smin": lambda a, b, w: min(_s(a, w), _s(b, w)),
    "smax": lambda a, b, w: max(_s(a, w), _s(b, w)),
}
COMPARISON: dict[str, Callable[[int, int, int], bool]] = {
    "eq": lambda a, b, w: a == b,
    "ne": lambda a, b, w: a != b,
    "ult": lambda a, b, w: a < b,
    "ule": lambda a, b, w: a <= b,
    "ugt": lambda a, b, w: a > b,
    "uge": lambda a, b, w: a >= b,
    "slt": lambda a, b, w: _s(a, w) < _s(b, w),
    "sle": lambda a, b, w: _s(a, w) <= _s(b, w),
    "sgt": lambda a, b, w: _s(a, w) > _s(b, w),
    "sge": lambda a, b, w: _s(a, w) >= _s(b, w),
    "uadd_overflow": lambda a, b, w: a + b >= 1 << w,
    "usub_overflow": lambda a, b, w: a < b,
    "umul_overflow": lambda a, b, w: a * b >= 1 << w,
    "sadd_overflow": lambda a, b, w: _wraps(_s(a, w) + _s(b, w), w),
    "ssub_overflow": lambda a, b, w: _wraps(_s(a, w) - _s(b, w), w),
    "smul_overflow": lambda a, b, w: _wraps(_s(a, w) * _s(b, w), w),
}
UNARY: dict[str, Callable[[int, int], int]] = {
    "not_": lambda a, w: ~a,
    "neg": lambda a, w: -a,
    "abs_": lambda a, w: abs(_s(a, w)),
    "popcount": lambda a, w: bin(a).count("1"),
    "ctz": lambda a, w: next((i for i in range(w) if a >> i & 1), w),
    "clz": lambda a, w: next((i for i in range(w) if a >> (w - 1 - i) & 1), w),
    "bitreverse": lambda a, w: int(f"{a:0{w}b}"[::-1], 2),
}
BOOLEAN: dict[str, Callable[[bool, bool], bool]] = {
    "land": lambda a, b: a and b,
    "lor": lambda a, b: a or b,
    "lxor": lambda a, b: a != b,
    "implies": lambda a, b: not a or b,
    "iff": lambda a, b: a == b,
}


@dataclass(frozen=True)
class Tree:
    """A formula outside of Clew: how to build it, and what it is worth under an assignment."""

    sort: Sort
    make: Callable[[], Any]
    worth: Callable[[dict[Expr, Any]], Any]


def leaf(symbol: Expr) -> Tree:
    return Tree(symbol.sort, lambda: symbol, lambda env: env[symbol])


def literal(value: Any, sort: Sort) -> Tree:
    return Tree(sort, lambda: value, lambda env: value)


def apply(name: str, *trees: Tree) -> Tree:
    """One constructor that takes (operands, width) applied to trees."""
    function = getattr(build, name)
    w = trees[0].sort.width
    if name in BOOLEAN:
        holds = BOOLEAN[name]
        a, b = trees
        return Tree(BOOL, lambda: function(a.make(), b.make()), lambda env: holds(a.worth(env), b.worth(env)))
    if name in UNARY:
        single = UNARY[name]
        (a,) = trees
        return Tree(a.sort, lambda: function(a.make(), w), lambda env: single(a.worth(env), w) % (1 << w))
    a, b = trees
    make = lambda: function(a.make(), b.make(), w)  # noqa: E731
    if name in COMPARISON:
        relation = COMPARISON[name]
        return Tree(BOOL, make, lambda env: relation(a.worth(env), b.worth(env), w))
    operation = INTEGER[name]
    return Tree(a.sort, make, lambda env: operation(a.worth(env), b.worth(env), w) % (1 << w))


def choose(c: Tree, a: Tree, b: Tree) -> Tree:
    return Tree(
        a.sort,
        lambda: build.ite(c.make(), a.make(), b.make(), a.sort),
        lambda env: a.worth(env) if c.worth(env) else b.worth(env),
    )


def negation(a: Tree) -> Tree:
    return Tree(BOOL, lambda: build.lnot(a.make()), lambda env: not a.worth(env))


def cut(a: Tree, hi: int, lo: int) -> Tree:
    size = hi - lo + 1
    return Tree(bv(size), lambda: build.extract(a.make(), hi, lo), lambda env: a.worth(env) >> lo & (1 << size) - 1)


def join(a: Tree, b: Tree) -> Tree:
    m, n = a.sort.width, b.sort.width
    return Tree(bv(m + n), lambda: build.concat(a.make(), m, b.make(), n), lambda env: a.worth(env) << n | b.worth(env))


def extend(a: Tree, to: int, sign: bool) -> Tree:
    w = a.sort.width
    if sign:
        return Tree(bv(to), lambda: build.sext(a.make(), w, to), lambda env: _s(a.worth(env), w) % (1 << to))
    return Tree(bv(to), lambda: build.zext(a.make(), w, to), a.worth)


def check_value(value: Any, sort: Sort) -> None:
    """The public form: a plain value of the right type, or a node that is no constant."""
    if isinstance(value, Expr):
        assert value.op is not type(value.op).CONST
        assert value.sort is sort
    elif sort is BOOL:
        assert type(value) is bool
    elif sort.kind is SortKind.BV:
        assert type(value) is int and 0 <= value <= sort.mask
    else:
        assert type(value) is float


def check_node_facts(value: Any, model: Model) -> None:
    """What ranges says of each node below holds under the model."""
    if isinstance(value, Expr):
        for node in postorder([value]):
            if node.sort.kind is SortKind.BV:
                actual = model.eval(node)
                low, high, zeros, ones = facts(node)
                assert low <= actual <= high and not actual & zeros and not ~actual & ones, node
                least, greatest = signed_interval(node)
                assert least <= _s(actual, node.width) <= greatest, node


def check(tree: Tree, models: Iterable[Model], deep: bool = False) -> None:
    value = tree.make()
    check_value(value, tree.sort)
    for model in models:
        env = dict(model.values)
        assert model.eval(value) == tree.worth(env), (value, env)
        if deep:
            check_node_facts(value, model)
            assert substitute(value, env) == tree.worth(env), (value, env)


def everything(*symbols: Expr) -> list[Model]:
    """All assignments; the models are shared by many checks and remember common subterms."""
    domains = [(False, True) if s.sort is BOOL else range(1 << s.width) for s in symbols]
    return [Model(dict(zip(symbols, values, strict=True))) for values in itertools.product(*domains)]


CORE = list(INTEGER)[:13]
BINARY = [*INTEGER, *COMPARISON]


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("w", [1, 2, 3, 4])
def test_binary_with_all_constants_and_symbols(name: str, w: int) -> None:
    x, y = build.symbol("x", bv(w)), build.symbol("y", bv(w))
    models = everything(x, y)
    constants = [literal(k, bv(w)) for k in range(1 << w)]
    for a, b in itertools.product([leaf(x), leaf(y), *constants], repeat=2):
        both_constant = a in constants and b in constants
        check(apply(name, a, b), models[:1] if both_constant else models, deep=w < 3)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("w", [1, 2, 3, 4, 5])
def test_unary(name: str, w: int) -> None:
    x = build.symbol("x", bv(w))
    for a in [leaf(x), *(literal(k, bv(w)) for k in range(1 << w))]:
        check(apply(name, a), everything(x), deep=True)


@pytest.mark.parametrize("outer", BINARY)
def test_two_operators_deep_exhaustively(outer: str) -> None:
    """op(op'(a, b), c) and op(c, op'(a, b)) over two symbols and every constant, at width 2."""
    w = 2
    x, y = build.symbol("x", bv(w)), build.symbol("y", bv(w))
    leaves = [leaf(x), leaf(y), *(literal(k, bv(w)) for k in range(1 << w))]
    models = everything(x, y)
    for inner in CORE:
        for b in leaves:
            below = apply(inner, leaves[0], b)
            for c in leaves:
                check(apply(outer, below, c), models)
                check(apply(outer, c, below), models)


@pytest.mark.parametrize("outer", COMPARISON)
def test_comparison_of_operations_with_constants(outer: str) -> None:
    """(x op k) rel j at width 3: what the peeling rules of comparisons see."""
    w = 3
    x = build.symbol("x", bv(w))
    models = everything(x)
    for inner in CORE:
        for k, j in itertools.product(range(1 << w), repeat=2):
            below = apply(inner, leaf(x), literal(k, bv(w)))
            check(apply(outer, below, literal(j, bv(w))), models)
            check(apply(outer, literal(j, bv(w)), below), models)


@pytest.mark.parametrize("outer", BINARY)
@pytest.mark.parametrize("sign", [False, True])
def test_operations_on_extensions(outer: str, sign: bool) -> None:
    x, y = build.symbol("x", bv(2)), build.symbol("y", bv(3))
    wide_x, wide_y = extend(leaf(x), 4, sign), extend(leaf(y), 4, sign)
    models = everything(x, y)
    for c in [wide_y, extend(leaf(x), 4, not sign), *(literal(k, bv(4)) for k in range(16))]:
        check(apply(outer, wide_x, c), models, deep=True)
        check(apply(outer, c, wide_x), models, deep=True)
        if outer in INTEGER:
            for hi in range(4):
                for lo in range(hi + 1):
                    check(cut(apply(outer, wide_x, c), hi, lo), models)


@pytest.mark.slow
def test_boolean_formulas_exhaustively() -> None:
    p, q = build.symbol("p", BOOL), build.symbol("q", BOOL)
    x = build.symbol("x", bv(2))
    atoms = [leaf(p), leaf(q), apply("ult", leaf(x), literal(2, bv(2)))]
    models = everything(p, q, x)
    negations = [negation(a) for a in atoms]
    for inner, outer in itertools.product(BOOLEAN, repeat=2):
        for a, b, c in itertools.product(atoms + negations, repeat=3):
            below = apply(inner, a, b)
            check(apply(outer, below, c), models)
            check(apply(outer, negation(below), c), models)


class Forest:
    """Random trees over a few symbols of several widths."""

    NARROW = (1, 2, 3, 4, 8)
    WIDE = (8, 16, 32, 64)

    def __init__(self, seed: int, widths: tuple[int, ...] = NARROW) -> None:
        self.random = random.Random(seed)
        self.widths = widths
        self.symbols = [build.symbol(f"{name}{w}", bv(w)) for name in "ab" for w in widths]
        self.symbols += [build.symbol(name, BOOL) for name in "pq"]

    def bits(self, w: int, depth: int) -> Tree:
        r = self.random
        if depth == 0:
            own = [s for s in self.symbols if s.width == w and s.sort is not BOOL]
            if own and r.random() < 0.7:
                return leaf(r.choice(own))
            return literal(self.number(w), bv(w))
        kind = r.randrange(10)
        if kind == 0:
            return choose(self.truth(depth - 1), self.bits(w, depth - 1), self.bits(w, depth - 1))
        if kind == 1:
            return apply(r.choice(list(UNARY)), self.bits(w, depth - 1))
        if kind == 2 and w > 1:
            split = r.randrange(1, w)
            return join(self.bits(split, depth - 1), self.bits(w - split, depth - 1))
        if kind == 3 and w > 1:
            return extend(self.bits(r.randrange(1, w), depth - 1), w, r.random() < 0.5)
        if kind == 4:
            wide = max(w, self.width())
            low = r.choice([0, r.randrange(wide - w + 1)])
            return cut(self.bits(wide, depth - 1), low + w - 1, low)
        other = self.bits(w, 0 if r.random() < 0.4 else depth - 1)
        return apply(r.choice(list(INTEGER)), self.bits(w, depth - 1), other)

    def number(self, w: int) -> int:
        """Often one of those where something wraps, or a mask."""
        r = self.random
        some = r.randrange(w)
        corners = [0, 1, -1, 1 << (w - 1), (1 << (w - 1)) - 1, 1 << some, (1 << some) - 1, -1 << some, r.getrandbits(w)]
        return r.choice(corners) % (1 << w)

    def width(self) -> int:
        r = self.random
        return r.choice([*self.widths, r.randrange(1, self.widths[-1] + 1)])

    def truth(self, depth: int) -> Tree:
        r = self.random
        if depth == 0:
            return leaf(r.choice(self.symbols[-2:]))
        kind = r.randrange(6)
        if kind == 0:
            return choose(*(self.truth(depth - 1) for _ in range(3)))
        if kind == 1:
            return apply(r.choice(list(BOOLEAN)), self.truth(depth - 1), self.truth(depth - 1))
        w = self.width()
        other = self.bits(w, 0 if r.random() < 0.5 else depth - 1)
        return apply(r.choice(list(COMPARISON)), self.bits(w, depth - 1), other)

    def model(self) -> Model:
        r = self.random
        return Model({s: r.random() < 0.5 if s.sort is BOOL else self.number(s.width) for s in self.symbols})


def check_random_trees(seed: int, count: int, widths: tuple[int, ...]) -> None:
    forest = Forest(seed, widths)
    for _ in range(count):
        depth = forest.random.randrange(1, 6)
        tree = forest.bits(forest.width(), depth) if forest.random.random() < 0.5 else forest.truth(depth)
        check(tree, [forest.model() for _ in range(8)], deep=True)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([Forest.NARROW, Forest.WIDE]))
def test_random_trees(seed: int, widths: tuple[int, ...]) -> None:
    check_random_trees(seed, 10, widths)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32))
def test_negating_twice_gives_the_same_node(seed: int) -> None:
    value = Forest(seed).truth(4).make()
    assert build.lnot(build.lnot(value)) is value


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32))
def test_pickling_gives_the_same_node(seed: int) -> None:
    value = Forest(seed).bits(8, 4).make()
    copy = pickle.loads(pickle.dumps(value))
    assert copy is value or (copy == value and not isinstance(value, Expr))


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32))
def test_symbols_are_the_leaves(seed: int) -> None:
    value = Forest(seed).bits(8, 4).make()
    if isinstance(value, Expr):
        assert value.symbols == {node for node in postorder([value]) if node.op.name == "SYMBOL"}


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 15), st.booleans()), max_size=12), st.integers(0, 2**32))
def test_arrays_against_a_list(writes: list[tuple[int, int, bool]], seed: int) -> None:
    r = random.Random(seed)
    i = build.symbol("i", bv(2))
    v = build.symbol("v", bv(4))
    env = {i: r.randrange(4), v: r.randrange(16)}
    model = Model(env)
    array = build.const_array(0, 2, 4)
    cells = [0, 0, 0, 0]
    for position, value, symbolic in writes:
        array = build.store(array, build.add(i, position, 2) if symbolic else position, build.xor(v, value, 4))
        cells[(env[i] + position) % 4 if symbolic else position] = env[v] ^ value
    for position in range(4):
        assert model.eval(build.select(array, position)) == cells[position]
        assert model.eval(build.select(array, build.add(i, position, 2))) == cells[(env[i] + position) % 4]


# --- floats ---

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.5, math.inf, -math.inf, math.nan, 2.0**31, -(2.0**31), 2.0**63, 5e-324]
SPECIAL += [2.0**-149, 2.0**-126, 3.4028234663852886e38, 1.7976931348623157e308, 16777217.0, 2.0**24 - 0.5]


def single(x: float) -> float:
    return c_float(x).value


def floats(sort: Sort) -> st.SearchStrategy[Any]:
    encoded = st.integers(0, 2**sort.width - 1).map(lambda bits: fpmath.from_bits(bits, sort))
    return st.one_of(st.sampled_from(SPECIAL), st.floats(), encoded).map(lambda x: fpmath.rounded(x, sort))


def same_float(a: Any, b: Any) -> bool:
    return (a != a and b != b) or fpmath.same(a, b)


FORMATS = [F16, F32, F64, F79, F128]


FLOAT_OPERATIONS = ["fadd", "fsub", "fmul", "fdiv", "fmin", "fmax"]


@settings(max_examples=examples(150), deadline=None)
@given(st.data(), st.sampled_from(FORMATS))
def test_float_constructors_agree_with_their_constants(data: st.DataObject, sort: Sort) -> None:
    """Folding constants and evaluating nodes give the same, whichever operands are symbolic."""
    a, b, c = (data.draw(floats(sort)) for _ in range(3))
    x, y, z = (build.symbol(name, sort) for name in "xyz")
    model = Model({x: a, y: b, z: c})
    for name in FLOAT_OPERATIONS:
        function = getattr(build, name)
        expected = function(a, b, sort)
        for value in (function(x, y, sort), function(x, b, sort), function(a, y, sort)):
            assert same_float(model.eval(value), expected), (name, a, b)
        assert same_float(model.eval(function(x, x, sort)), function(a, a, sort))
    for name in ("feq", "flt", "fle"):
        function = getattr(build, name)
        for value in (function(x, y), function(x, b), function(a, y)):
            assert model.eval(value) is function(a, b)
        assert model.eval(function(x, x)) is function(a, a)
    for name in ("fneg", "fabs", "fsqrt"):
        function = getattr(build, name)
        assert same_float(model.eval(function(x, sort)), function(a, sort))
        assert same_float(model.eval(function(function(x, sort), sort)), function(function(a, sort), sort))
    for name in ("fisnan", "fisinf"):
        function = getattr(build, name)
        assert model.eval(function(build.fneg(x, sort))) is function(build.fneg(a, sort))
    assert same_float(model.eval(build.ffma(x, y, z, sort)), build.ffma(a, b, c, sort))
    for mode in ("rne", "rtz", "rtp", "rtn", "rna"):
        assert same_float(model.eval(build.fround(x, mode, sort)), build.fround(a, mode, sort))


@settings(max_examples=examples(150), deadline=None)
@given(st.data(), st.sampled_from(FORMATS), st.sampled_from(FORMATS), st.sampled_from([8, 16, 32, 64, 128]))
def test_float_conversions(data: st.DataObject, sort: Sort, other: Sort, w: int) -> None:
    a = data.draw(floats(sort))
    n = data.draw(st.integers(0, 2**w - 1))
    x, m = build.symbol("x", sort), build.symbol("n", bv(w))
    model = Model({x: a, m: n})
    for name in ("fp_to_sbv", "fp_to_ubv"):
        function = getattr(build, name)
        assert model.eval(function(x, sort, w)) == function(a, sort, w)
    for name in ("fp_from_sbv", "fp_from_ubv"):
        function = getattr(build, name)
        assert same_float(model.eval(function(m, w, sort)), function(n, w, sort))
        back = build.fp_to_sbv if name == "fp_from_sbv" else build.fp_to_ubv
        assert model.eval(back(function(m, w, sort), sort, w)) == back(function(n, w, sort), sort, w)
        for relation in (build.feq, build.flt, build.fle):
            one, two = function(m, w, sort), function(build.add(m, 1, w), w, sort)
            assert model.eval(relation(one, two)) is relation(model.eval(one), model.eval(two))
    converted = build.fp_to_fp(x, sort, other)
    assert same_float(model.eval(converted), build.fp_to_fp(a, sort, other))
    back_again = build.fp_to_fp(build.fp_to_fp(a, sort, other), other, sort)
    assert same_float(model.eval(build.fp_to_fp(converted, other, sort)), back_again)
    assert model.eval(build.fp_to_bits(x, sort)) == build.fp_to_bits(a, sort)
    assert same_float(build.fp_from_bits(build.fp_to_bits(a, sort), sort), a)
    assert build.fp_from_bits(build.fp_to_bits(x, sort), sort) is x


@settings(max_examples=examples(200), deadline=None)
@given(floats(F32), floats(F32))
def test_single_precision_matches_the_machine(a: float, b: float) -> None:
    """ctypes computes nothing in single precision, but rounding once from double is exact here."""
    for value, expected in ((build.fmul(a, b, F32), a * b), (build.fadd(a, b, F32), a + b)):
        assert type(value) is float and same_float(value, single(expected))
