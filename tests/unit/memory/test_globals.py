"""Laying out a program: addresses, initializers, constant expressions."""

from __future__ import annotations

import struct
from fractions import Fraction

import pytest

from clew.base.errors import Unsupported
from clew.expr.node import Expr
from clew.memory.errors import AccessError
from clew.memory.globals import UNKNOWN_SIZE, Globals, lay_out
from clew.memory.space import AddressSpace
from clew.program.instructions import Unreachable
from clew.program.layout import DataLayout
from clew.program.module import Alias, Block, Function, GlobalVariable, Program
from clew.program.types import (
    DOUBLE,
    FLOAT,
    I1,
    I8,
    I16,
    I32,
    I64,
    PTR,
    VOID,
    ArrayType,
    FloatKind,
    FloatType,
    FunctionType,
    OpaqueType,
    StructType,
    Type,
    VectorType,
)
from clew.program.values import (
    BlockAddress,
    ConstAggregate,
    Constant,
    ConstBytes,
    ConstExpr,
    ConstFloat,
    ConstInt,
    ConstNull,
    ConstUndef,
    ConstZero,
    GlobalRef,
)
from unit.memory.support import Fresh, object_at

LAYOUT = DataLayout.parse("e-m:e-i64:64-n8:16:32:64")
PAIR = StructType((I8, I32))


def variable(name: str, type: Type, initializer: Constant | None, constant: bool = False) -> GlobalVariable:
    return GlobalVariable(name, type, initializer, constant, 8)


def program(*variables: GlobalVariable, aliases: tuple[Alias, ...] = ()) -> Program:
    blocks = tuple(Block(name, (Unreachable(None, None),)) for name in ("entry", "out"))
    functions = {
        name: Function(name, FunctionType(VOID, ()), (), body) for name, body in (("main", blocks), ("puts", ()))
    }
    return Program("", LAYOUT, functions, {v.name: v for v in variables}, {a.name: a for a in aliases})


def laid_out(*variables: GlobalVariable, aliases: tuple[Alias, ...] = ()) -> tuple[AddressSpace, Globals]:
    space = AddressSpace(LAYOUT, Fresh())
    return space, lay_out(program(*variables, aliases=aliases), space)


def test_the_blocks_of_a_large_function_have_addresses_of_their_own() -> None:
    layout = DataLayout(pointer_bits=32)
    blocks = tuple(Block(f"b{number}", (Unreachable(None, None),)) for number in range(5000))
    functions = {
        name: Function(name, FunctionType(VOID, ()), (), body)
        for name, body in (("large", blocks), ("next", blocks[:1]))
    }
    space = AddressSpace(layout, Fresh())
    result = lay_out(Program("", layout, functions, {}, {}), space)
    last = result.evaluate_constant(BlockAddress("large", "b4999"))
    assert last == result.addresses["large"] + 5000
    assert object_at(space, last).base == result.addresses["large"] != result.addresses["next"]


def test_functions_have_addresses() -> None:
    space, result = laid_out()
    assert result.functions[result.addresses["main"]] == "main"
    assert object_at(space, result.addresses["puts"]).kind == "function"
    assert result.evaluate_constant(GlobalRef("puts")) == result.addresses["puts"]
    block = result.evaluate_constant(BlockAddress("main", "out"))
    assert block == result.addresses["main"] + [b.name for b in result.definitions["main"].blocks].index("out") + 1
    with pytest.raises(Unsupported):
        result.evaluate_constant(GlobalRef("nowhere"))
    with pytest.raises(Unsupported):
        result.evaluate_constant(BlockAddress("main", "nowhere"))


def test_initializers() -> None:
    array = ArrayType(2, PAIR)
    pair = ConstAggregate(PAIR, (ConstInt(I8, 0xFE), ConstInt(I32, 0x01020304)))
    text = ConstBytes(ArrayType(3, I8), b"hi\0")
    space, result = laid_out(
        variable("pairs", array, ConstAggregate(array, (ConstZero(PAIR), pair))),
        variable("text", ArrayType(3, I8), text, constant=True),
        variable("float", FLOAT, ConstFloat(FLOAT, 0x3F800000)),
        variable("flag", I1, ConstInt(I1, 1)),
        variable("numbers", ArrayType(2, I16), ConstAggregate(ArrayType(2, I16), (ConstInt(I16, 7), ConstInt(I16, 8)))),
        variable("holes", ArrayType(2, I16), ConstAggregate(ArrayType(2, I16), (ConstUndef(I16), ConstInt(I16, 8)))),
        variable(
            "vector", VectorType(2, I16), ConstAggregate(VectorType(2, I16), (ConstInt(I16, 1), ConstInt(I16, 2)))
        ),
        variable("long double", FloatType(FloatKind.X86_FP80), ConstFloat(FloatType(FloatKind.X86_FP80), 0x3FFF << 64)),
    )
    assert space.read_bytes(result.addresses["pairs"], 16) == bytes(8) + b"\xfe\0\0\0\4\3\2\1"
    assert space.read_cstring(result.addresses["text"], 10) == b"hi"
    with pytest.raises(AccessError):
        space.store_bits(result.addresses["text"], 0, 1)
    assert space.load_float(result.addresses["float"], 4) == 1.0
    assert space.load_bits(result.addresses["flag"], 1) == 1
    assert space.load_bits(result.addresses["vector"], 4) == 0x20001
    assert space.load_bits(result.addresses["numbers"], 4) == 0x80007
    assert space.load_bits(result.addresses["holes"], 4) == 0x80000
    assert space.load_bits(result.addresses["long double"] + 8, 2) == 0x3FFF


def test_globals_refer_to_each_other() -> None:
    def step(name: str) -> Constant:
        indices = (ConstInt(I64, 0), ConstInt(I64, 1), ConstInt(I32, 1))
        return ConstExpr("getelementptr", PTR, (GlobalRef(name), *indices), ArrayType(2, PAIR))

    space, result = laid_out(
        variable("a", PTR, step("b")),
        variable("b", ArrayType(2, PAIR), ConstZero(ArrayType(2, PAIR))),
        variable("c", PTR, GlobalRef("same")),
        variable("d", PTR, ConstNull()),
        aliases=(Alias("same", GlobalRef("other")), Alias("other", step("b"))),
    )
    expected = result.addresses["b"] + 12
    assert space.load_bits(result.addresses["a"], 8) == expected == space.load_bits(result.addresses["c"], 8)
    assert space.load_bits(result.addresses["d"], 8) == 0


def test_constant_expressions() -> None:
    _, result = laid_out(variable("g", I32, ConstZero(I32)))
    address = result.addresses["g"]
    number = ConstExpr("ptrtoint", I64, (GlobalRef("g"),))

    def value(op: str, type: Type, *operands: Constant) -> object:
        return result.evaluate_constant(ConstExpr(op, type, operands))

    assert value("sub", I64, number, ConstInt(I64, 1)) == address - 1
    assert value("sub", I64, ConstInt(I64, 0), ConstInt(I64, 1)) == 2**64 - 1
    assert value("trunc", I16, number) == address & 0xFFFF
    assert value("trunc", I1, ConstInt(I64, 3)) is True
    assert value("sext", I64, ConstInt(I8, 0x80)) == 2**64 - 128
    assert value("inttoptr", PTR, number) == address
    assert value("xor", I8, ConstInt(I8, 0xF0), ConstInt(I8, 0xFF)) == 0x0F
    assert value("shl", I8, ConstInt(I8, 0xF0), ConstInt(I8, 1)) == 0xE0
    assert value("bitcast", FLOAT, ConstInt(I32, 0x3F800000)) == 1.0
    back = ConstExpr("getelementptr", PTR, (GlobalRef("g"), ConstInt(I32, 2**32 - 1)), I32)
    assert result.evaluate_constant(back) == address - 4
    with pytest.raises(Unsupported, match="udiv"):
        value("udiv", I64, number, number)


def test_values_of_all_kinds() -> None:
    _, result = laid_out()
    (bits,) = struct.unpack("<Q", struct.pack("<d", -2.5))
    value = result.evaluate_constant
    assert value(ConstInt(I1, 1)) is True and value(ConstInt(I8, 1)) == 1
    assert value(ConstFloat(DOUBLE, bits)) == -2.5
    assert value(ConstFloat(FloatType(FloatKind.HALF), 0x3C00)) == 1.0
    assert value(ConstZero(StructType((I1, DOUBLE, ArrayType(2, I8), PTR)))) == (False, 0.0, (0, 0), 0)
    assert value(ConstUndef(I32)) == 0
    assert value(ConstBytes(ArrayType(2, I8), b"ab")) == (97, 98)
    assert value(ConstFloat(FloatType(FloatKind.X86_FP80), 0x3FFF8000000000000001)) == 1 + Fraction(2) ** -63
    with pytest.raises(Unsupported, match="ppc_fp128"):
        value(ConstFloat(FloatType(FloatKind.PPC_FP128), 0))


@pytest.mark.slow
def test_deeply_nested_constants() -> None:
    _, result = laid_out()
    const: Constant = ConstInt(I64, 0)
    for _ in range(20_000):
        const = ConstExpr("add", I64, (const, ConstInt(I64, 1)))
    assert result.evaluate_constant(const) == 20_000


def test_external_globals_have_unknown_contents() -> None:
    space, result = laid_out(
        variable("known", I32, None),
        variable("table", ArrayType(0, I32), None),
        variable("opaque", OpaqueType("s"), None),
    )
    assert isinstance(space.load_bits(result.addresses["known"], 4), Expr)
    assert object_at(space, result.addresses["table"]).size == UNKNOWN_SIZE
    assert object_at(space, result.addresses["opaque"]).size == UNKNOWN_SIZE


def test_large_zero_arrays_are_cheap() -> None:
    large = ArrayType(1 << 24, I64)
    space, result = laid_out(variable("zeros", large, ConstZero(large)), variable("llvm.used", PTR, ConstNull()))
    assert space.load_bits(result.addresses["zeros"] + (1 << 20), 8) == 0
    assert "llvm.used" not in result.addresses
