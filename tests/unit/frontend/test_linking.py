"""Object files as one program, by the rules of linkers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.frontend import Cache, CompileOptions, building, load
from clew.frontend.building import stored
from clew.frontend.linking import link
from clew.frontend.reader import read_file
from clew.frontend.storage import dump, restore_file
from clew.frontend.symbols import ObjectFile, Symbols
from clew.program.module import Program
from clew.program.operands import function_references, references
from clew.program.values import ConstInt

Write = Callable[[str, str], Path]

ONE = 'target datalayout = "e-p:64:64"\n'
OTHER = 'target datalayout = "e-p:32:32"\n'


def object_file(text: str) -> ObjectFile:
    data = stored(*read_file(text))
    assert data is not None
    file = restore_file(data)
    assert file is not None
    return file


def linked(*texts: str, apart: bool = False) -> Program:
    program = link([object_file(text) for text in texts], [f"{n}.c" for n in range(len(texts))], apart)
    assert program is not None
    return program


def value(program: Program, name: str) -> object:
    initializer = program.globals[name].initializer
    return initializer.value if isinstance(initializer, ConstInt) else initializer


def function(name: str, callee: str = "", linkage: str = "") -> str:
    call = f"  call void @{callee}()\n" if callee else ""
    return f"define {linkage} void @{name}() {{\n{call}  ret void\n}}\n"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("external global i32", "global i32 2", 2),
        ("global i32 1", "external global i32", 1),
        ("weak global i32 1", "global i32 2", 2),
        ("global i32 1", "weak global i32 2", 1),
        ("weak global i32 1", "weak global i32 2", 1),
        ("linkonce_odr global i32 1", "weak global i32 2", 2),
        ("available_externally global i32 1", "linkonce global i32 2", 2),
        ("common global i32 0", "global i32 2", 2),
        ("global i32 1", "common global i32 0", 1),
        ("weak global i32 1", "common global i32 0", 0),
        ("extern_weak global i32", "extern_weak global i32", None),
    ],
)
def test_the_stronger_definition_is_taken_and_of_equals_the_first(first: str, second: str, expected: object) -> None:
    """The rules of LLVM's linker."""
    program = linked(f"@x = {first}\n", f"@x = {second}\n")
    assert list(program.globals) == ["x"]
    assert value(program, "x") == expected


def test_of_common_variables_the_largest_is_taken() -> None:
    sizes = ("[2 x i8]", "[9 x i8]", "[4 x i8]")
    program = linked(*(f"@x = common global {size} zeroinitializer\n" for size in sizes))
    assert str(program.globals["x"].type) == "[9 x i8]"


def test_names_of_ones_own_do_not_clash() -> None:
    """Neither with those of others, nor with what others only declare."""
    own = function("f", linkage="internal")
    program = linked(
        own + function("a", "f"),
        own + function("b", "f"),
        "declare void @f()\n" + function("c", "f"),
        "@f.2 = global i8 7",
    )
    called = {name: set(function_references(program.functions[name])) for name in "abc"}
    assert called["c"] == {"f"}
    assert program.functions["f"].is_declaration
    assert len(set.union(*called.values())) == 3
    assert all(program.functions[name].internal for name in called["a"] | called["b"])
    assert value(program, "f.2") == 7


def test_everything_that_has_a_name_of_its_own_follows() -> None:
    text = (
        "@s = internal global i32 {n}\n@p{n} = global ptr @s\n@t{n} = global ptr getelementptr (i8, ptr @s, i64 1)\n"
        "@a = internal alias i32, ptr @s\n@q{n} = global ptr @a\n"
        "@b{n} = global ptr blockaddress(@g, %there)\n"
        "define internal void @g() {{\n  br label %there\nthere:\n  ret void\n}}\n"
    )
    program = linked(text.format(n=0), text.format(n=1))
    for name in "ptqb":
        one, two = (program.globals[f"{name}{n}"].initializer for n in (0, 1))
        assert one is not None and two is not None
        first, second = (set(references(each)) for each in (one, two))
        assert first and second and not first & second
        assert (first | second) <= program.globals.keys() | program.aliases.keys() | program.functions.keys()
    assert {value(program, name) for name, each in program.globals.items() if each.internal} == {0, 1}


def test_constructors_run_by_priority_then_in_the_order_of_the_files() -> None:
    text = (
        "@llvm.global_ctors = appending global [2 x {{ i32, ptr, ptr }}] "
        "[{{ i32, ptr, ptr }} {{ i32 {low}, ptr @i, ptr null }}, "
        "{{ i32, ptr, ptr }} {{ i32 9, ptr @{name}, ptr null }}]\n"
    )
    own = function("i", linkage="internal")
    first = text.format(low=1, name="a") + function("a") + own
    second = text.format(low=0, name="b") + function("b") + own
    program = linked(first, second, first.replace("ctors", "dtors").replace("@a", "@c"))
    assert [name.split(".")[0] for name in program.constructors] == ["i", "i", "a", "b"]
    assert program.constructors[0] != program.constructors[1]
    assert [name.split(".")[0] for name in program.destructors] == ["c", "i"]


def test_two_definitions_are_a_conflict_unless_each_is_its_own() -> None:
    texts = [
        function("f") + function("a", "f"),
        function("f") + function("b", "f"),
        function("c", "f") + "declare void @f()\n",
    ]
    with pytest.raises(UserError, match=r"cannot link 1\.c with 0\.c: both define 'f'"):
        linked(*texts)
    program = linked(*texts, apart=True)
    called = [set(function_references(program.functions[name])) for name in "abc"]
    assert called == [{"f"}, {"f.2"}, {"f"}]


def test_layouts_must_agree_where_there_are_any() -> None:
    assert linked("@x = global i8 1\n", ONE, ONE).layout.pointer_bits == 64
    with pytest.raises(UserError, match=r"0\.c and 2\.c are for different targets; compile both"):
        linked(ONE, "@x = global i8 1\n", OTHER)


def test_c_types_are_those_of_the_file(write: Write) -> None:
    files = [
        write("a.c", "struct p { int x; struct p *next; };\nint f(struct p *p, long n) { return p->x + (int)n; }\n"),
        write("b.c", "union u { char c; union u *n; };\nchar g(double d, union u *u) { return u->c; }\nshort v;\n"),
    ]
    alone = [load([file], CompileOptions(), None) for file in files]
    program = load(files, CompileOptions(), None)
    for part in alone:
        for name in part.functions.keys() & {"f", "g"}:
            before, after = part.functions[name], program.functions[name]
            assert program.ctypes.spell(after.ctype) == part.ctypes.spell(before.ctype)
            kept = [update.variable for block in before.blocks for update in block.updates]
            moved = [update.variable for block in after.blocks for update in block.updates]
            assert [part.ctypes.spell(each.ctype) for each in kept] == [
                program.ctypes.spell(each.ctype) for each in moved
            ]
    assert program.ctypes.spell(program.globals["v"].ctype) == "short"


def test_bytes_that_are_no_code_are_noticed() -> None:
    file = object_file("@x = global i8 1\n")
    assert link([file, ObjectFile(object_file("@y = global i8 1\n").symbols, b"no")], ["a.c", "b.c"], False) is None
    assert restore_file(dump(read_file(ONE)[0]) or b"") is None


def test_only_what_has_changed_is_read_again(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [write(f"{n}.c", f"int f{n}(void) {{ return {n}; }}\n") for n in range(3)]
    cache = Cache(tmp_path / "cache")
    load(files, CompileOptions(), cache)
    built: list[str] = []
    real = building.build

    def noting(file: building.TextFile, manner: building.Manner) -> tuple[Program, Symbols]:
        built.append(file.name)
        return real(file, manner)

    monkeypatch.setattr(building, "build", noting)
    write("1.c", "int f1(void) { return 7; }\n")
    program = load(files, CompileOptions(), cache)
    assert [Path(name).name for name in built] == ["1.c"]
    assert program == load(files, CompileOptions(), None)


def test_other_processes_build_the_same(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [write(f"{n}.c", f"static int own = {n};\nint f{n}(void) {{ return own; }}\n") for n in range(3)]
    here = load(files, CompileOptions(), None)
    monkeypatch.setattr(building, "_LARGE", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert load(files, CompileOptions(), None) == here
    bad = [tmp_path / "a.ll", tmp_path / "b.ll"]
    for file in bad:
        file.write_text("@x = global i8 1\nnonsense\n")
    with pytest.raises(UserError, match="bad LLVM text, line 2"):
        building.build_all([building.TextFile(file, file.name) for file in bad], building.Manner(False), tmp_path)
