"""What the analysis says that code may write, against what it writes: programs that report accesses, and walks."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clew.analysis.callees import Callees, LibraryModel
from clew.analysis.escape import Area, Object
from clew.analysis.mod_ref import ModRef
from clew.execute.invocation import Invocation
from clew.execute.library import MODELS
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.types import METADATA, PTR, VOID, FunctionType
from clew.program.values import GlobalRef, MetadataArg, Value
from clew.runtime.linking import link
from oracle.generator import generate
from support.concrete import run_concrete
from unit.execute.support import c_program, llvm

PROBE = "clew.test.probe"
FEATURES = Path(__file__).resolve().parents[2] / "programs" / "features"


def probe(key: int, pointer: Value) -> ir.Call:
    """The call that tells of an access."""
    passed = (ir.Argument(MetadataArg(str(key))), ir.Argument(pointer))
    return ir.Call(None, None, GlobalRef(PROBE), FunctionType(VOID, (METADATA, PTR)), passed)


class Watch:
    """A program with a probe before every access and after every ``alloca``, and what they see."""

    def __init__(self, program: Program) -> None:
        self.effects = ModRef(program, Callees(program, all_models()))
        self.sites: list[tuple[str, ir.Instruction]] = []
        self.allocas: dict[int, Object] = {}
        self.seen = 0
        functions = {
            name: function if function.is_declaration else self._watched(function)
            for name, function in program.functions.items()
        }
        self.program = dataclasses.replace(program, functions=functions)

    def _watched(self, function: Function) -> Function:
        blocks = []
        for block in function.blocks:
            instructions: list[ir.Instruction] = []
            for instruction in block.instructions:
                pointers = self._pointers(instruction)
                key = len(self.sites)
                if pointers:
                    self.sites.append((function.name, instruction))
                before = [probe(key, pointer) for pointer in pointers]
                after = isinstance(instruction, ir.Alloca)
                instructions += [instruction, *before] if after else [*before, instruction]
            blocks.append(Block(block.name, tuple(instructions)))
        return dataclasses.replace(function, blocks=tuple(blocks))

    def _pointers(self, instruction: ir.Instruction) -> list[Value]:
        match instruction:
            case ir.Alloca(result=result) if result is not None:
                return [result]
            case ir.Load(pointer=pointer) | ir.Store(pointer=pointer):
                return [pointer]
            case ir.AtomicUpdate(pointer=pointer) | ir.CompareExchange(pointer=pointer):
                return [pointer]
            case ir.Call(callee=GlobalRef(name=name), arguments=arguments):
                if name.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
                    return [arguments[0].value]
        return []

    def saw(self, call: Invocation, _: Any, address: Any) -> None:
        text = call.argument(0)
        assert isinstance(text, MetadataArg)
        function, instruction = self.sites[int(text.text)]
        found = call.state.memory.find(call.pointer(address))
        if found is None:
            return
        base = found[0].base
        if isinstance(instruction, ir.Alloca):
            assert instruction.result is not None
            self.allocas[base] = (function, instruction.result.name)
            return
        self.seen += 1
        effects = self.effects
        thing = self._object(call, base, found[0].kind)
        bit = effects.bit(thing)
        assert bit or isinstance(instruction, ir.Load), f"{thing} is written by {instruction}"
        assert effects.pointed(function, call.argument(1)) & bit == bit, f"{instruction} in {function} is at {thing}"
        if isinstance(instruction, ir.Load):
            return
        assert effects.written_by(function, instruction) & bit, f"{instruction} in {function} writes {thing}"
        frame = call.frame
        while frame is not None:
            name = frame.function.name
            assert effects.written_by_function(name) & bit, f"{instruction} in {function} writes {thing} for {name}"
            frame = frame.parent  # type: ignore[assignment]

    def _object(self, call: Invocation, base: int, kind: str) -> Object:
        if base in self.allocas and kind == "stack":
            return self.allocas[base]
        if kind == "heap":
            return Area.HEAP
        for name, address in call.state.run.globals.addresses.items():
            if address == base:
                return name
        return Area.OTHER


def check(program: Program, inputs: list[int], monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch(program)
    all_models()
    monkeypatch.setitem(MODELS, PROBE, LibraryModel(PROBE, watch.saw, True))
    outcome = run_concrete(watch.program, inputs)
    assert outcome.end != "lost" or "more inputs" in outcome.detail, outcome
    return watch


@pytest.mark.slow
@pytest.mark.sample(12)
@pytest.mark.parametrize("seed", range(12))
def test_generated_programs_write_what_they_may(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = generate(seed)
    source = tmp_path / "program.c"
    source.write_text(drawn.source, encoding="utf-8")
    program = load([source], CompileOptions(flags=("-std=gnu11", "-w")), None)
    assert check(program, [*drawn.inputs, *[0] * 2000], monkeypatch).seen > 10


@pytest.mark.slow
@pytest.mark.sample(5)
@pytest.mark.parametrize("path", sorted(FEATURES.glob("*.c")), ids=lambda path: path.stem)
def test_features_write_what_they_may(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = CompileOptions(flags=("-std=gnu11", "-w"))
    program = link(load([path], options, None), options)
    for seed in range(6):
        random = Random(seed)
        inputs = [random.choice((random.getrandbits(32), random.getrandbits(3), 0, 1)) for _ in range(2000)]
        check(program, inputs, monkeypatch)


POINTERS = """
    #include <stdlib.h>
    #include <string.h>
    struct node { struct node *next; int *data; int value; } pool[8], *head, **tail = &head;
    static int plain[8], shared[8], private_counter;
    int compare(const void *a, const void *b) { private_counter++; return *(const int *)a - *(const int *)b; }
    struct node *make(int n) {
        struct node *r = n % 2 ? malloc(sizeof *r) : &pool[n];
        r->next = 0; r->value = n; r->data = n > 4 ? shared + n : &r->value;
        return r;
    }
    void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
    struct node by_value(struct node n) { n.value++; return n; }
    int *pick(int n, int *a, int *b) { return n & 1 ? a : b; }
    int deep(int n, int *up) { int mine = n; if (n) deep(n - 1, &mine); *up += mine; return mine; }
    int main(void) {
        int local[8], kept[8] = {0}, x = 1, y = 2, sum = 0;
        char text[16];
        for (int i = 0; i < 8; i++) { local[i] = 8 - i; plain[i] = i; *tail = make(i); tail = &(*tail)->next; }
        for (struct node *n = head; n; n = n->next) { *n->data += n->value; sum += by_value(*n).value; }
        qsort(local, 8, sizeof *local, compare);
        swap(&x, &y); *pick(x, &kept[1], shared) = 3; deep(5, &sum);
        int *p = sum & 1 ? plain : kept, *end = p + 8;
        while (p < end) *p++ = x;
        memcpy(text, "hello", 6); memmove(shared, plain, sizeof plain); strcpy(text + 2, "abc");
        __atomic_fetch_add(&plain[2], 4, 5);
        unsigned long where = (unsigned long)&local[3]; *(int *)(where + 4) = 9;
        int vla[x + 3]; for (int i = 0; i < x + 3; i++) vla[i] = i;
        return (sum + local[4] + kept[0] + plain[1] + vla[0] + private_counter) & 63;
    }
"""


def test_pointers_of_all_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    program = link(c_program(POINTERS), CompileOptions())
    watch = check(program, [], monkeypatch)
    assert watch.seen > 300
    assert not watch.effects.is_escaped("plain") and not watch.effects.is_escaped("private_counter")
    assert not watch.effects.is_escaped(("main", "vla")) and watch.effects.is_escaped("shared")


# Regions


def random_flow(random: Random, size: int) -> Program:
    """Blocks that jump anywhere, each of which writes a variable of its own."""
    lines = [f"@g{n} = global i32 0" for n in range(size)]
    lines += ["define void @main(i1 %c) {", "start:", "br label %b0"]
    for number in range(size):
        lines += [f"b{number}:", f"store i32 1, ptr @g{number}"]
        targets = [random.randrange(size) for _ in range(random.choice((0, 1, 2, 2, 2)))]
        if random.random() < 0.6 and number + 1 < size:
            targets = [number + 1, *targets][:2]
        match targets:
            case []:
                lines.append("ret void")
            case [only]:
                lines.append(f"br label %b{only}")
            case _:
                lines.append(f"br i1 %c, label %b{targets[0]}, label %b{targets[1]}")
    return llvm("\n".join([*lines, "}"]))


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(60))
def test_regions_cover_every_walk(seed: int) -> None:
    random = Random(seed)
    program = random_flow(random, random.randrange(3, 14))
    effects = ModRef(program, Callees(program, all_models()))
    blocks = {block.name: block for block in program.functions["main"].blocks}
    for _ in range(20):
        walk = ["start"]
        while len(walk) < 60 and (onward := ir.successors(blocks[walk[-1]].terminator)):
            walk.append(random.choice(onward))
        for at in range(1, len(walk)):
            region = effects.region("main", walk[at])
            assert region is not None
            since = last_anchor(effects, walk, at, region.anchor, region.anchor_is_loop_entry)
            for name in walk[since:at]:
                for each in blocks[name].instructions:
                    assert region.written | effects.written_by("main", each) == region.written, (walk, at, region)


def last_anchor(effects: ModRef, walk: list[str], at: int, anchor: str, is_loop_entry: bool) -> int:
    """From which place of a walk on blocks lie between a region's anchor and the block at ``at``."""
    if not is_loop_entry:
        return max(place for place in range(at) if walk[place] == anchor) + 1
    shape = effects._shape("main")
    loop = shape.forest.headed_by(shape.graph.numbers[anchor])
    assert loop is not None and not loop.irreducible
    inside = {shape.graph.names[block] for block in loop.blocks}
    entering = [place for place in range(1, at + 1) if walk[place] == anchor and walk[place - 1] not in inside]
    return max(entering)
