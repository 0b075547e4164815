"""Values of variables after a number of iterations."""

from __future__ import annotations

from clew.expr import build
from clew.expr.sort import bv
from clew.techniques.summaries.induction import Added, InductionForm, Replaced
from clew.techniques.summaries.integer_sum import Whole, of

K8, K32 = build.symbol("K8", bv(8)), build.symbol("K32", bv(32))
N, V, STEP = build.symbol("n", bv(32)), build.symbol("v", bv(32)), build.symbol("step", bv(32))


def times(count: int) -> Whole:
    return Whole.number(count)


AS_THE_INPUT_SAYS = of(N, 32, False)


def test_linear() -> None:
    assert Added(InductionForm(3, 0, 8)).after(10, 8, times(4)) == 22
    assert Added(InductionForm(3, 0, 8)).after(10, 8, times(100)) == (10 + 300) % 256
    assert Added(InductionForm(STEP, 0, 32)).after(V, 32, AS_THE_INPUT_SAYS) is build.add(V, build.mul(STEP, N, 32), 32)


def test_summed() -> None:
    """Iteration K adds 5 + 2 * K."""
    motion = Added(InductionForm(5, 2, 8))
    assert [motion.after(1, 8, times(count)) for count in range(5)] == [1, 6, 13, 22, 33]
    assert motion.after(1, 8, times(300)) == (1 + sum(5 + 2 * k for k in range(300))) % 256


def test_replaced() -> None:
    """The value that the last iteration gave it, if there was one."""
    motion = Replaced(build.add(build.mul(K8, K8, 8), 7, 8), ((8, K8), (32, K32)))
    assert [motion.after(99, 8, times(count)) for count in range(4)] == [99, 7, 8, 11]
    last = build.sub(N, 1, 32)
    expected = build.ite(build.eq(N, 0, 32), V, build.xor(last, 3, 32), bv(32))
    assert Replaced(build.xor(K32, 3, 32), ((32, K32),)).after(V, 32, AS_THE_INPUT_SAYS) is expected


def test_a_variable_that_is_set_to_one_value() -> None:
    motion = Replaced(7, ((8, K8),))
    assert [motion.after(99, 8, times(count)) for count in range(3)] == [99, 7, 7]
