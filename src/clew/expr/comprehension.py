"""Arrays of bytes in which a range of elements is a function of their number: ``a[start + stride * j] = f(j)``.

    comprehend(older, start, count, stride, f, size)        for all j < count: ``size`` bytes from start + stride * j on

Such an array is a layer over an older one. ``f`` is an expression over ``index``, a symbol that is bound there. Reading
takes the layers off one by one, exactly and without quantifiers:

    select(layer, i)  =  if i is byte k of element q < count then byte k of f(q) else select(older, i)

so that no other operator is ever applied to one: neither evaluation nor solvers meet it. A store into such an array is
a layer with one element; words that were written whole are read whole.

The number of an element is found without a division. In w bits, a multiple r of ``odd << t`` has exactly one quotient,
``(r >> t) / odd``, where the division by an odd number is the product with its inverse; and a number whose quotient, so
computed, is below ``count`` is such a multiple, as long as count * stride is at most 2**w (here: half of that).
"""

from __future__ import annotations

from typing import Final

from clew.base.bits import signed
from clew.expr.node import BV, Bool, Expr, as_bv, index, intern_with, lower
from clew.expr.op import COMPREHENSION, CONST
from clew.expr.ranges import facts
from clew.expr.rewrite import arrays
from clew.expr.rewrite.arith import mul
from clew.expr.rewrite.boolean import land
from clew.expr.rewrite.choice import ite
from clew.expr.rewrite.equality import eq
from clew.expr.rewrite.linear import add, decompose, sub
from clew.expr.rewrite.order import ult
from clew.expr.rewrite.slices import concat, extract, zext
from clew.expr.sort import bv
from clew.expr.walk import instantiate

Residue = tuple[int, int]
"""(r, m): what is known of an index, which is below half of 2**w: that it is r modulo m."""
UNKNOWN: Final[Residue] = (0, 1)

_Arm = tuple[Bool, BV]
"""A condition, and the value where it holds, unless an arm before this one has it."""


def comprehend(older: Expr, start: BV, count: BV, stride: int, element: BV, size: int) -> Expr:
    """``older`` with ``count`` elements of ``size`` bytes, ``stride`` apart, that are what ``element`` says.

    ``element`` is an expression over ``index``. Elements do not overlap (``size <= stride``), and ``count * stride`` is
    at most half of 2**w for indices of w bits, which the caller sees to. Indices are computed modulo 2**w.
    """
    assert 0 < size <= stride
    if type(count) is not Expr and count == 0:
        return older
    width = older.sort.index_width
    parts = (older, as_bv(start, width), as_bv(count, width), as_bv(element, 8 * size))
    return intern_with(COMPREHENSION, older.sort, parts, stride)


def at_index(element: BV, number: BV, width: int) -> BV:
    """An expression over the bound index of so many bits, for one number."""
    value = instantiate(element, index(width), number)
    assert isinstance(value, int | Expr)
    return value


def store(array: Expr, place: BV, value: BV) -> Expr:
    """An array with another byte at a place."""
    if array.op is COMPREHENSION:
        return comprehend(array, place, 1, 1, value, 1)
    return arrays.store(array, place, value)


def store_word(array: Expr, place: BV, value: BV, size: int) -> Expr:
    """An array with another number of ``size`` bytes at a place, the lowest byte first."""
    if array.op is COMPREHENSION:
        return comprehend(array, place, 1, size, value, size)
    for number in range(size):
        byte = extract(value, 8 * number + 7, 8 * number)
        array = arrays.store(array, add(place, number, array.sort.index_width), byte)
    return array


def select(array: Expr, place: BV) -> BV:
    """The byte at a place."""
    arms: list[_Arm] = []
    while array.op is COMPREHENSION:
        for arm in _byte_arms(array, place):
            arms.append(arm)
            if arm[0] is True:
                return _folded(arms, 0, 8)
        array = array.args[0]
    byte = arrays.select(array, place)
    return _folded(arms, byte, 8) if arms else byte


def select_word(array: Expr, place: BV, size: int, residue: Residue = UNKNOWN) -> BV:
    """The number in ``size`` bytes from a place on, the lowest byte first; ``residue``: what is known of the place."""
    arms: list[_Arm] = []
    while array.op is COMPREHENSION:
        arm = _word_arm(array, place, size, residue)
        if arm is None:
            break
        if arm[0] is not False:
            arms.append(arm)
            if arm[0] is True:
                return _folded(arms, 0, 8 * size)
        array = array.args[0]
    width = array.sort.index_width
    word = select(array, place)
    for number in range(1, size):
        word = concat(select(array, add(place, number, width)), 8, word, 8 * number)
    return _folded(arms, word, 8 * size)


def _folded(arms: list[_Arm], otherwise: BV, width: int) -> BV:
    value = otherwise
    for condition, chosen in reversed(arms):
        value = ite(condition, chosen, value, bv(width))  # type: ignore[assignment]  # of that sort
    return value


def _byte_arms(layer: Expr, place: BV) -> list[_Arm]:
    """The conditions under which a byte is one of a layer's, and what it is then."""
    _, start, count, element = layer.args
    width = layer.sort.index_width
    distance = sub(place, lower(start), width)
    found: list[_Arm] = []
    for number in range(element.width >> 3):
        inside, which = _element(sub(distance, number, width), lower(count), layer.value, width)
        if inside is not False:
            word = at_index(lower(element), which, width)
            found.append((inside, extract(word, 8 * number + 7, 8 * number)))
    return found


def _word_arm(layer: Expr, place: BV, size: int, residue: Residue) -> _Arm | None:
    """The same for a word: it is one element of the layer, or has nothing to do with it; None where it may be both."""
    _, start, count, element = layer.args
    width = layer.sort.index_width
    distance = sub(place, lower(start), width)
    into = _into_element(distance, layer.value, start, residue)
    held = element.width >> 3
    if into is None:
        return None
    if held <= into and into + size <= layer.value:
        return False, 0
    if into or held != size:
        return None
    inside, which = _element(distance, lower(count), layer.value, width)
    return inside, at_index(lower(element), which, width) if inside is not False else 0


def _into_element(distance: BV, stride: int, start: Expr, residue: Residue) -> int | None:
    """How many bytes behind an element's start a place is, or behind where one would be, if that is known."""
    if type(distance) is not Expr:
        return signed(distance, start.width) % stride
    if not stride & (stride - 1):
        _, _, zeros, ones = facts(distance)
        if (zeros | ones) & (stride - 1) == stride - 1:
            return ones & (stride - 1)
    if start.op is CONST and residue[1] % stride == 0:
        return (residue[0] - signed(start.value, start.width)) % stride
    return None


def _element(distance: BV, count: BV, stride: int, width: int) -> tuple[Bool, BV]:
    """Whether so many bytes behind the start an element of the layer starts, and its number."""
    if type(count) is not Expr and count == 1:
        return eq(distance, 0, width), 0
    shift = (stride & -stride).bit_length() - 1
    low = eq(extract(distance, shift - 1, 0), 0, shift) if shift else True
    if low is False:
        return False, 0
    narrow = width - shift
    number = (
        zext(_quotient(distance, shift, stride >> shift, width), narrow, width)
        if shift
        else _quotient(distance, 0, stride, width)
    )
    return land(low, ult(number, count, width)), number


def _quotient(distance: BV, shift: int, odd: int, width: int) -> BV:
    """``(distance >> shift) / odd`` in ``width - shift`` bits, for multiples of both; where possible, term by term."""
    narrow = width - shift
    inverse = pow(odd, -1, 1 << narrow)
    if type(distance) is not Expr:
        return (distance >> shift) * inverse % (1 << narrow)
    terms, rest = decompose(distance)
    if any(factor % (1 << shift) for factor in (*terms.values(), rest)):
        return mul(extract(distance, width - 1, shift), inverse, narrow)
    total: BV = (rest >> shift) * inverse % (1 << narrow)
    for term, factor in terms.items():
        product = mul(extract(term, narrow - 1, 0), (factor >> shift) * inverse % (1 << narrow), narrow)
        total = add(total, product, narrow)
    return total
