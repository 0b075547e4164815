"""What code may write: by hand on small programs, and against what really changes when programs run."""

from __future__ import annotations

import pytest

from clew.analysis.callees import Callees
from clew.analysis.escape import Area, Object
from clew.analysis.mod_ref import ModRef, Region
from clew.execute.codegen import intrinsics
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Program
from unit.execute.support import c_program, llvm

UNKNOWN = {Area.HEAP, Area.OTHER}


def effects_of(program: Program) -> ModRef:
    return ModRef(program, Callees(program, all_models()))


def compiled(code: str) -> ModRef:
    return effects_of(c_program(code))


def written(effects: ModRef, function: str = "main") -> set[Object]:
    return set(effects.objects(effects.written_by_function(function)))


def escaped(effects: ModRef) -> set[Object]:
    return set(effects.objects(effects.escaped)) - UNKNOWN


# Objects


def test_a_store_to_a_global_writes_just_that() -> None:
    effects = compiled("int g, h; int main(void) { g = 1; return h; }")
    assert written(effects) == {"g"}
    assert escaped(effects) == set()
    assert effects.objects(effects.bit("h") | effects.bit("g")) == ["g", "h"]


def test_constants_and_functions_have_no_bit() -> None:
    effects = compiled("const int c = 3; int *p; int main(void) { *(int *)&c = 4; p = (int *)&c; return c; }")
    assert effects.bit("c") == effects.bit("main") == effects.bit("nowhere") == effects.bit(("main", "x")) == 0
    assert written(effects) == {"p"}


def test_locals_have_their_function() -> None:
    effects = compiled("int f(int n) { int a[4]; a[n] = 1; return a[0]; } int main(void) { return f(2); }")
    assert written(effects, "f") == written(effects) == {("f", "a")}
    assert not effects.is_escaped(("f", "a"))


def test_an_unknown_pointer_writes_all_that_escaped() -> None:
    effects = compiled("""
        int seen, hidden;
        void set(int *p) { *p = 1; }
        int main(void) { int a[2], b[2]; a[1] = hidden; b[0] = 0; set(a); set(&seen); hidden++; return a[1] + b[0]; }
    """)
    assert escaped(effects) == {"seen", ("main", "a")}
    assert written(effects, "set") == UNKNOWN | {"seen", ("main", "a")}
    assert written(effects) == UNKNOWN | {"seen", "hidden", ("main", "a"), ("main", "b")}


def test_addresses_in_initializers_escape() -> None:
    effects = compiled("""
        int a, b, c; static int d[4];
        struct { int *p; int x; } s = { &a, 1 };
        int *const q = &d[2];
        int main(void) { *s.p = 1; b = 2; return *q + c; }
    """)
    assert escaped(effects) == {"a", "d"}
    assert written(effects) == UNKNOWN | {"a", "b", "d"}


@pytest.mark.parametrize(
    "use",
    [
        "keep = &x;",
        "number = (long)&x;",
        "take(&x);",
        "unknown_function(&x);",
        "*where() = &x;",
        "struct pair s = { &x, 1 }; take_pair(s);",
        "variable(1, &x);",
        "keep = n ? &x : 0;",
        "long l = (long)&x; l = l * 2 + n; number = l / 2;",
        "number = labs((long)&x);",
        "keep = (int *)strchr((char *)&x, 0);",
        'sprintf(text, "%p", &x);',
        'sprintf(text, "%lx", &x);',
        "__atomic_store_n(&keep, &x, 5);",
        "__atomic_exchange_n(&keep, &x, 5);",
        "int *e = 0; __atomic_compare_exchange_n(&keep, &e, &x, 0, 5, 5);",
    ],
)
def test_ways_to_escape(use: str) -> None:
    effects = compiled(f"""
        struct pair {{ int *p; int n; }};
        int *keep; long number; char text[64]; int x;
        int **where(void); void unknown_function(int *); long labs(long); char *strchr(const char *, int);
        int sprintf(char *, const char *, ...);
        void take(int *p) {{ }} void variable(int n, ...) {{ }} void take_pair(struct pair s) {{ keep = s.p; }}
        int main(int n, char **v) {{ x = n; {use} return x; }}
    """)
    assert effects.is_escaped("x")


@pytest.mark.parametrize(
    "use",
    [
        "n += x[1] + (&x[1] == &x[n]);",
        "for (int *p = x; p < x + 4; p++) *p = n;",
        "int *p = n ? x : y; *p = 3;",
        "int *p = &x[n]; number = p - x;",
        "__builtin_memset(x, 0, sizeof x); __builtin_memcpy(y, x, sizeof x);",
        'scanf("%d %d", &x[0], &x[n]);',
        'printf("%s %d\\n", (char *)x, x[0]); puts((char *)x);',
        'sprintf((char *)x, "%d", n); n += strlen((char *)x);',
        "if (((long)x & 7) == 0) n++;",
        "by_value(*(struct big *)x);",
        "__atomic_fetch_add(&x[0], 1, 5);",
    ],
)
def test_what_is_no_escape(use: str) -> None:
    effects = compiled(f"""
        int x[40], y[40]; long number;
        struct big {{ int a[40]; }};
        int printf(const char *, ...); int scanf(const char *, ...); int sprintf(char *, const char *, ...);
        int puts(const char *); unsigned long strlen(const char *);
        int by_value(struct big b) {{ return b.a[3]; }}
        int main(int n, char **v) {{ {use} return n; }}
    """)
    assert not effects.is_escaped("x")


def test_stores_go_where_the_pointer_leads() -> None:
    effects = compiled("""
        int a[4], b[4], c[4];
        int main(int n, char **v) {
            int *p = n ? a : b + 1;
            for (int i = 0; i < n; i++) { p += i; if (i == 3) p = c; *p = i; }
            return 0;
        }
    """)
    assert written(effects) == {"a", "b", "c"}
    assert escaped(effects) == set()


def test_a_pointer_that_changes_from_round_to_round() -> None:
    effects = compiled("""
        int a[4], b[4], c[4], d[4];
        int main(int n, char **v) {
            int *p = a, *q = b, *r = c;
            while (n--) { *p = n; p = q; q = r; r = d; }
            return 0;
        }
    """)
    assert written(effects) == {"a", "b", "c", "d"}


def test_a_pointer_computed_from_integers() -> None:
    effects = effects_of(
        llvm("""
        @a = global i32 0
        @b = global i32 0
        define i32 @main() {
          %n = ptrtoint ptr @a to i64
          %m = add i64 %n, 4
          %p = inttoptr i64 %m to ptr
          store i32 1, ptr %p
          %d = sub i64 ptrtoint (ptr @b to i64), %n
          %q = getelementptr i8, ptr @a, i64 %d
          store i32 2, ptr %q
          ret i32 0
        }
    """)
    )
    stores = [i for i in effects.program.functions["main"].blocks[0].instructions if isinstance(i, ir.Store)]
    assert set(effects.objects(effects.written_by("main", stores[0]))) == UNKNOWN | {"a"}
    assert effects.objects(effects.written_by("main", stores[1])) == ["a", "b"]


def test_aliases_are_what_they_stand_for() -> None:
    effects = effects_of(
        llvm("""
        @a = global i32 0
        @other = alias i32, ptr @a
        define i32 @main() {
          store i32 1, ptr @other
          ret i32 0
        }
    """)
    )
    assert written(effects) == {"a"}


# Calls


def test_calls_write_what_their_functions_write() -> None:
    effects = compiled(
        """
        int a, b, c, d;
        void odd(int); void even(int n) { a = n; if (n) odd(n - 1); }
        void odd(int n) { b = n; if (n) even(n - 1); last(); }
        void last(void) { c++; }
        int main(void) { even(4); d = 0; return 0; }
    """.replace("void odd(int); ", "void odd(int); void last(void); ")
    )
    assert written(effects, "even") == written(effects, "odd") == {"a", "b", "c"}
    assert written(effects) == {"a", "b", "c", "d"}
    assert effects.calls.is_recursive("even") and effects.calls.is_recursive("odd")
    assert not effects.calls.is_recursive("main")
    assert effects.calls.reachable("odd") == {"odd", "even", "last"}


def test_calls_through_pointers() -> None:
    effects = compiled("""
        int a, b, c, d;
        void one(int n) { a = n; }
        void two(int n) { b = n; }
        long three(long n) { c = n; return n; }
        void never(int n) { d = n; }
        void (*table[2])(int) = { one, two };
        long (*other)(long) = three;
        int main(int n, char **v) { table[n & 1](n); if (n > 5) never(n); return 0; }
        int elsewhere(int n) { return other(n); }
    """)
    main = effects.program.functions["main"]
    call = next(
        i for b in main.blocks for i in b.instructions if isinstance(i, ir.Call) and effects.written_by("main", i)
    )
    assert effects.objects(effects.written_by("main", call)) == ["a", "b"]
    assert {target.name for target in effects.calls.possible_targets(call)} == {"one", "two"}
    assert written(effects, "elsewhere") == {"c"}
    assert effects.calls.taken == ("one", "two", "three")
    assert effects.calls.reachable("main") == {"main", "one", "two", "never"}


def test_a_model_behind_a_pointer() -> None:
    effects = compiled("""
        int a, seen; int *p = &seen;
        void *memset(void *, int, unsigned long); int abs(int);
        void *(*fill)(void *, int, unsigned long) = memset;
        int main(void) { fill(p, 0, 4); a = 1; return 0; }
    """)
    assert written(effects) == UNKNOWN | {"a", "seen"}


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('printf("%d %s\\n", a[0], a);', set()),
        ('printf("%d%%n\\n", a[0]);', set()),
        ('printf("%d%n\\n", a[0], a);', UNKNOWN | {"seen", "a"}),
        ("printf(p);", UNKNOWN | {"seen"}),
        ('sprintf((char *)a, "%d", b[0]);', UNKNOWN | {"a"}),
        ('sscanf((char *)a, "%d", b);', UNKNOWN | {"a", "b"}),
        ("n = abs(n) + isdigit(n) + strlen((char *)a) + __VERIFIER_nondet_int();", set()),
        ("__VERIFIER_assume(n > 3);", set()),
        ("p = malloc(8); free(p);", UNKNOWN),
        ("n = atoi((char *)a);", UNKNOWN),
        ("p = realloc(p, 9);", UNKNOWN | {"seen"}),
        ("undefined_function(3);", set()),
        ('__asm__("nop");', set()),
        ("__builtin_memcpy(a, b, 8);", {"a"}),
        ("__builtin_memset(p, 0, 4);", UNKNOWN | {"seen"}),
        ("exit(3);", set()),
    ],
)
def test_models_and_intrinsics(call: str, expected: set[Object]) -> None:
    effects = compiled(f"""
        int a[4], b[4]; char seen; char *start = &seen;
        int printf(const char *, ...); int sprintf(char *, const char *, ...);
        int sscanf(const char *, const char *, ...);
        int abs(int); int isdigit(int); unsigned long strlen(const char *); int atoi(const char *);
        void *realloc(void *, unsigned long); void undefined_function(int); void exit(int);
        int main(int n, char **v) {{ char *p = v[1]; {call} return n; }}
    """)
    assert written(effects) == expected


def test_variable_arguments_write_their_list() -> None:
    effects = compiled("""
        int sum(int n, ...) {
            __builtin_va_list list; int s = 0;
            __builtin_va_start(list, n);
            while (n--) s += __builtin_va_arg(list, int);
            __builtin_va_end(list);
            return s;
        }
        int main(void) { return sum(2, 3, 4); }
    """)
    assert written(effects) == {Area.OTHER, ("sum", "list")}


def test_intrinsics_that_may_do_more_than_compute_are_known() -> None:
    """One that is added to the engine has to be looked at: does it write memory?"""
    helpers = {name for name, handler in intrinsics._TABLE.items() if "_helper." in handler.__qualname__}
    assert helpers == {
        f"llvm.{name}"
        for name in (
            "memcpy memcpy.inline memmove memset memset.inline va_start va_copy assume trap debugtrap ubsantrap "
            "objectsize stacksave stackrestore scmp ucmp is.fpclass"
        ).split()
    }


# Regions

FLOW = """
    @a = global i32 0
    @b = global i32 0
    @c = global i32 0
    @d = global i32 0
"""


def flow(blocks: str) -> ModRef:
    return effects_of(llvm(FLOW + "define i32 @main(i1 %x, i1 %y, ptr %p) {\n" + blocks + "}\n"))


def shown(effects: ModRef, block: str) -> tuple[str, bool, list[Object]]:
    region = effects.region("main", block)
    assert isinstance(region, Region)
    return region.anchor, region.anchor_is_loop_entry, effects.objects(region.written)


def test_the_region_of_a_join() -> None:
    effects = flow("""
        entry:
        store i32 1, ptr @d
        br i1 %x, label %left, label %right
        left:
        store i32 1, ptr @a
        br i1 %y, label %join, label %deep
        deep:
        store i32 1, ptr @c
        br label %join
        right:
        br label %join
        join:
        store i32 1, ptr @b
        ret i32 0
    """)
    assert shown(effects, "join") == ("entry", False, ["a", "c"])
    assert shown(effects, "deep") == ("left", False, [])
    assert effects.region("main", "entry") is None


def test_a_region_that_comes_after_loops() -> None:
    effects = flow("""
        entry:
        br label %outer
        outer:
        store i32 1, ptr @a
        br i1 %x, label %inner, label %after
        inner:
        store i32 1, ptr @b
        br i1 %y, label %inner, label %latch
        latch:
        br i1 %x, label %outer, label %late
        late:
        store i32 1, ptr @c
        br label %after
        after:
        store i32 1, ptr @d
        ret i32 0
    """)
    assert shown(effects, "after") == ("outer", True, ["a", "b", "c"])
    assert shown(effects, "outer") == ("outer", True, ["a", "b"])
    assert shown(effects, "latch") == ("inner", True, ["b"])
    assert shown(effects, "late") == ("outer", True, ["a", "b"])
    assert shown(effects, "inner") == ("inner", True, ["b"])
    assert effects.loop_written("main", "outer") == effects.bit("a") | effects.bit("b")
    assert effects.loop_written("main", "inner") == effects.bit("b")
    with pytest.raises(KeyError):
        effects.loop_written("main", "late")


def test_a_join_in_a_loop_stays_in_its_round() -> None:
    effects = flow("""
        entry:
        br label %head
        head:
        store i32 1, ptr @a
        br i1 %x, label %left, label %join
        left:
        store i32 1, ptr @b
        br label %join
        join:
        store i32 1, ptr @c
        br i1 %y, label %head, label %out
        out:
        ret i32 0
    """)
    assert shown(effects, "join") == ("head", False, ["b"])


def test_a_loop_with_two_entries() -> None:
    effects = flow("""
        entry:
        store i32 1, ptr @d
        br i1 %x, label %one, label %two
        one:
        store i32 1, ptr @a
        br i1 %y, label %two, label %out
        two:
        store i32 1, ptr @b
        br i1 %y, label %one, label %out
        out:
        ret i32 0
    """)
    for block in ("one", "two", "out"):
        assert shown(effects, block) == ("entry", False, ["a", "b"])


def test_blocks_that_cannot_be_reached() -> None:
    effects = flow("""
        entry:
        br label %out
        never:
        store i32 1, ptr @a
        store ptr @c, ptr %p
        br label %out
        out:
        ret i32 0
    """)
    assert effects.region("main", "never") is None
    assert shown(effects, "out") == ("entry", False, [])
    assert not effects.is_escaped("c")
    assert written(effects) == set()
