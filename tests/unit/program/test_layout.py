"""Sizes and offsets against LLVM's own, for the targets Clew supports."""

from __future__ import annotations

import pickle

import pytest

from clew.program.layout import DataLayout
from clew.program.types import I8, I64, StructType

llvm = pytest.importorskip("llvmlite.binding")

from clew.frontend.reader.types import TypeReader  # noqa: E402

_LAYOUTS = {
    "x86_64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "x86": "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128",
    "aarch64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32",
}
_TYPES = [
    *("i1", "i8", "i16", "i24", "i32", "i48", "i64", "i128", "ptr", "half", "float", "double", "fp128"),
    *("[3 x i16]", "[0 x i64]", "{ i8, i64, i8 }", "<{ i8, i64, i8 }>", "{ }", "{ [3 x i8], i32 }"),
    *("{ i8, { i8, double }, i16 }", "<4 x i32>", "<2 x double>", "{ i8, <4 x float>, i8 }", "{ i8, i128 }"),
]


@pytest.mark.parametrize("target", _LAYOUTS)
@pytest.mark.parametrize("text", _TYPES)
def test_sizes(target: str, text: str) -> None:
    layout = DataLayout.parse(_LAYOUTS[target])
    data = llvm.create_target_data(_LAYOUTS[target])
    module = llvm.parse_assembly(f'target datalayout = "{_LAYOUTS[target]}"\n@g = global {text} zeroinitializer\n')
    theirs = module.get_global_variable("g").global_value_type
    ours = TypeReader().from_text(text)
    assert layout.size(ours) == data.get_abi_size(theirs)
    assert layout.align(ours) == data.get_abi_alignment(theirs)
    if isinstance(ours, StructType):
        offsets = [data.get_element_offset(theirs, index) for index in range(len(ours.fields))]
        assert list(layout.offsets(ours)) == offsets


def test_a_copy_in_another_process_does_not_take_structs_for_others() -> None:
    """Where a struct may have the identity that another one had where the copy comes from."""
    small, large = StructType((I8,)), StructType((I64, I64))
    layout = DataLayout.parse(_LAYOUTS["x86_64"])
    assert layout.size(small) == 1
    elsewhere = pickle.loads(pickle.dumps(layout))
    elsewhere._shapes[id(large)] = elsewhere._shapes.pop(id(small))
    assert (elsewhere.size(large), elsewhere.align(large), elsewhere.offsets(large)) == (16, 8, (0, 8))
