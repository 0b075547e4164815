"""What depends on input, and where paths meet: by hand on small programs. Variables are named by their C names."""

from __future__ import annotations

from clew.analysis.divergence import Influence
from clew.analysis.escape import Area, Object
from clew.frontend.options import CompileOptions
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.values import ConstInt, Register
from clew.runtime.linking import link
from unit.analysis.influences import influence_of
from unit.execute.support import c_program, llvm

HEAD = """
    #include <stdlib.h>
    #include <stdio.h>
    #include <string.h>
    void probe(long, int);
"""


class Probed:
    """A program in C; a call of ``probe(n, x)`` asks for ``x`` at that place."""

    def __init__(self, code: str, entry: str = "main", sanitize: tuple[str, ...] = ()) -> None:
        self.program: Program = c_program(HEAD + code, sanitize=sanitize)
        self.influence: Influence = influence_of(self.program, entry)

    def asked(self) -> set[int]:
        """The probes whose value depends on input where they stand."""
        found = set()
        for function in self.program.functions.values():
            for block in function.blocks:
                for each in block.instructions:
                    if isinstance(each, ir.Call) and getattr(each.callee, "name", "") == "probe":
                        number, value = (argument.value for argument in each.arguments)
                        assert isinstance(number, ConstInt)
                        if isinstance(value, Register) and self.influence.depends(
                            function.name, value.name, block.name
                        ):
                            found.add(number.value)
        return found

    def objects(self, *things: Object) -> set[Object]:
        return {thing for thing in things if self.influence.object_depends(thing)}

    def points(self, function: str = "main") -> list[str]:
        """Merge points, as block names; with a + for those that are not behind the phis of a block."""
        places = self.influence.merge_points(function)
        return [name + "+" * (index != first(self.program.functions[function], name)) for name, index in places]


def first(function: Function, name: str) -> int:
    [block] = [block for block in function.blocks if block.name == name]
    return sum(isinstance(each, ir.Phi) for each in block.instructions)


# Data


def test_results_of_sources_and_what_is_computed_from_them() -> None:
    probed = Probed(
        "int main(void) { int x = rand(), y = 3; probe(1, x); probe(2, x * 2 + 1); probe(3, y); return 0; }"
    )
    assert probed.asked() == {1, 2}


def test_memory_that_a_source_fills() -> None:
    probed = Probed("""
        char other[8]; int plain(char *p) { return p[1]; }
        int main(void) {
            char line[8], *heap = malloc(4);
            strcpy(other, "x"); strcpy(heap, "y");
            fgets(line, 8, stdin);
            probe(1, line[2]); probe(2, other[0]); probe(3, heap[0]); probe(4, plain(other));
            return 0;
        }
    """)
    assert probed.asked() == {1}
    assert probed.objects(("main", "line"), "other", Area.HEAP, Area.OTHER) == {("main", "line")}


def test_copies_and_conversions() -> None:
    probed = Probed("""
        char a[8], b[8], c[8], d[8]; char *e;
        int main(void) {
            fgets(a, 8, stdin); memcpy(b, a, 8); strcpy(c, b); memset(d, 0, 8); e = strdup(c);
            probe(1, b[0]); probe(2, c[0]); probe(3, d[0]); probe(4, atoi(a)); probe(5, strlen(d)); probe(6, e[0]);
            return 0;
        }
    """)
    assert probed.asked() == {1, 2, 4, 6}


def test_an_index_from_input_reads_and_writes_what_depends() -> None:
    probed = Probed("""
        int a[4], b[4]; const int c[4] = {1, 2, 3, 4};
        int main(void) { int i = rand() & 3; a[i] = 1; probe(1, a[0]); probe(2, b[i]); probe(3, b[1]); probe(4, c[i]);
            return 0; }
    """)
    assert probed.asked() == {1, 2, 4}
    assert probed.objects("a", "b") == {"a"}


def test_parameters_and_results() -> None:
    probed = Probed("""
        int twice(int n) { probe(1, n); return n * 2; }
        int constant(int n) { probe(2, n); return 5; }
        int *where(int *p) { return p + 1; }
        int main(void) {
            int x = rand(), a[2] = {0}, b[2] = {0};
            probe(3, twice(x)); probe(4, constant(x)); *where(a) = x; *where(b) = 1; probe(5, a[1]); probe(6, b[1]);
            return 0;
        }
    """)
    assert probed.asked() == {1, 2, 3, 5, 6}  # all calls of a function count together


def test_pointers_through_memory() -> None:
    probed = Probed("""
        struct s { int *to; struct s *next; } one, two; int x, y;
        void set(struct s *s, int v) { *s->next->to = v; }
        int main(void) { one.next = &two; two.to = &x; one.to = &y; set(&one, rand());
            probe(1, x); probe(2, *one.to); return 0; }
    """)
    assert probed.objects("one", "two", "x", "y") == {"x"}
    assert probed.asked() == {1}


def test_variable_arguments_and_copied_ones() -> None:
    probed = Probed("""
        #include <stdarg.h>
        struct big { int v[8]; };
        int sum(int n, ...) { va_list l; va_start(l, n); int r = va_arg(l, int); va_end(l); probe(1, r); return r; }
        int pick(struct big b) { probe(2, b.v[1]); return 0; }
        int main(void) { struct big b = {{0}}; sum(1, rand()); b.v[3] = rand(); pick(b); return 0; }
    """)
    assert probed.asked() == {1, 2}


def test_functions_that_nobody_defines_give_anything() -> None:
    probed = Probed("int unknown(int); int main(void) { probe(1, unknown(3)); return 0; }")
    assert probed.asked() == {1}


def test_what_the_entry_is_given() -> None:
    code = "int f(int n) { probe(1, n); return n; } int main(int c, char **v) { probe(2, c); probe(3, v[0][1]); f(4); }"
    assert Probed(code).asked() == {2, 3}
    assert Probed(code, entry="f").asked() >= {1}


def test_variables_that_are_defined_elsewhere() -> None:
    probed = Probed("extern int far; int near; int main(void) { probe(1, far); probe(2, near); return 0; }")
    assert probed.asked() == {1}


def test_functions_that_never_run() -> None:
    probed = Probed('int idle(int n) { if (n) puts("x"); return n; } int main(void) { return 0; }')
    assert probed.influence.depends("idle", "n")
    assert probed.points("idle") == []


# Control


def test_a_value_that_a_decision_chooses() -> None:
    probed = Probed("""
        int main(void) {
            int a = 0, b = 0, c = 0, flag = 7;
            if (rand()) { a = 1; c = 0; probe(1, a); }
            if (flag == 7) b = 2;
            probe(2, a); probe(3, b); probe(4, c);
            return 0;
        }
    """)
    assert probed.asked() == {2}


def test_a_store_under_a_decision() -> None:
    probed = Probed("""
        int a, b, c;
        void set(void) { c = 1; }
        int main(void) { b = 1; if (rand()) { a = 1; set(); } b = 2; return a + b + c; }
    """)
    assert probed.objects("a", "b", "c") == {"a", "c"}


def test_what_a_function_called_under_a_decision_keeps_for_itself() -> None:
    probed = Probed("""
        int fill(int n) { int mine[4]; for (int i = 0; i < 4; i++) mine[i] = n; probe(1, mine[2]); return mine[1]; }
        int main(void) { int r = 0; if (rand()) r = fill(3); probe(2, r); probe(3, fill(3)); return 0; }
    """)
    assert probed.asked() == {2}


def test_ways_that_end_the_program_separate_nothing() -> None:
    probed = Probed("""
        int g;
        int main(void) { int x = rand(); if (x < 0) abort(); if (x > 9) exit(3); g = 1; probe(1, g); puts("x"); }
    """)
    assert probed.asked() == set() and probed.points() == []


def test_leaving_the_first_function_early_separates_nothing_behind_it() -> None:
    probed = Probed('int g; int main(void) { if (rand()) return 1; g = 1; probe(1, g); puts("x"); return 0; }')
    assert probed.asked() == set() and probed.points() == []


def test_handlers_see_where_the_program_was_left() -> None:
    code = 'int g; void last(void) { if (g) puts("x"); } int main(void) { atexit(last); if (rand()) exit(1); g = 1; }'
    influence = influence_of(link(c_program(HEAD + code), CompileOptions()))
    assert influence.object_depends("g")


def test_leaving_a_function_early() -> None:
    probed = Probed("""
        int g, h;
        int f(int n) { h = 1; if (n) return 1; g = 1; return 2; }
        int main(void) { probe(1, f(rand())); return 0; }
    """)
    assert probed.asked() == {1}
    assert probed.objects("g", "h") == {"g"}
    assert len(probed.points("f")) == 1 and probed.points() == []


# Loops


def test_a_counter_is_the_same_in_each_round() -> None:
    probed = Probed("""
        int main(void) {
            int n = rand(), i, odd = 0;
            for (i = 0; i < n; i++) { probe(1, i); if (rand()) odd++; probe(2, odd); }
            probe(3, i);
            return 0;
        }
    """)
    assert probed.asked() == {2, 3}
    assert probed.influence.depends("main", "i.1") and not probed.influence.depends("main", "i.1", "for.body")


def test_an_early_end_of_a_loop() -> None:
    probed = Probed("""
        int main(void) {
            int i, j, found = 0;
            for (i = 0; i < 8; i++) { probe(1, i); if (rand() == i) { found = 1; break; } }
            for (j = 0; j < 8; j++) if (rand() == j) abort();
            probe(2, i); probe(3, j); probe(4, found);
            return 0;
        }
    """)
    assert probed.asked() == {2, 4}


def test_memory_of_a_loop_that_input_ends() -> None:
    probed = Probed("int g, h; int main(void) { int n = rand(); while (n-- > 0) g++; for (n = 0; n < 4; n++) h++; }")
    assert probed.objects("g", "h") == {"g"}


# Merge points


def test_joins_of_decisions_of_input_alone() -> None:
    probed = Probed("""
        int main(void) {
            int x = rand(), flag = 0, s = 0;
            if (x == 1) s = 1; else s = 2;
            for (int i = 0; i < 4; i++) if (i & 1) flag++;
            if (flag == 2) s++;
            printf("%d", s);
            return 0;
        }
    """)
    assert probed.points() == ["if.end"]


def test_headers_of_loops_that_input_ends() -> None:
    probed = Probed('int main(void) { int n = rand(); while (n > 3) n -= 2; printf("%d", n); return 0; }')
    assert probed.points() == ["while.cond"]


def test_continuing_in_several_places() -> None:
    probed = Probed("""
        int main(void) { for (int i = 0; i < 4;) { i++; if (rand()) continue; puts("x"); } puts("y"); return 0; }
    """)
    assert len(probed.points()) == 1


def test_checks_of_a_sanitizer_separate_nothing() -> None:
    probed = Probed(
        'int a[4]; int main(void) { int i = rand(); a[i] = 1; puts("x"); return 0; }', sanitize=("array-bounds",)
    )
    assert probed.points() == []


def test_calls_that_fork() -> None:
    probed = Probed("""
        char a[8], b[8];
        int main(void) {
            fgets(a, 8, stdin); strcpy(b, "x");
            probe(1, strlen(b)); probe(2, strlen(a)); probe(3, atoi(a));
            return 0;
        }
    """)
    block = probed.program.functions["main"].blocks[0]
    before = [block.instructions[index - 1] for name, index in probed.influence.merge_points("main") if name == "entry"]
    called = [getattr(each.callee, "name", "") for each in before if isinstance(each, ir.Call)]
    assert called == ["fgets", "strlen", "atoi"] and len(before) == len(probed.influence.merge_points("main"))


def test_calls_through_a_pointer_that_input_chooses() -> None:
    probed = Probed("""
        int g, h; int one(int n) { g = 1; return 1; } int two(int n) { return 2; } int only(char c) { return h = 1; }
        int (*table[2])(int) = {one, two}; int (*single)(char) = only;
        int main(void) { int r = table[rand() & 1](3); probe(1, r); probe(2, single('x')); return 0; }
    """)
    assert probed.points() == ["entry+"]
    assert probed.asked() == {1}
    assert probed.objects("g", "h") == {"g"}


def test_functions_with_several_returns() -> None:
    program = llvm("""
        declare i32 @rand()
        define i32 @f(i32 %n) {
          %c = icmp eq i32 %n, 0
          br i1 %c, label %a, label %b
        a:
          ret i32 1
        b:
          ret i32 2
        }
        define i32 @main() {
        entry:
          %x = call i32 @rand()
          %r = call i32 @f(i32 %x)
          %s = call i32 @f(i32 3)
          ret i32 %r
        }
    """)
    influence = influence_of(program)
    assert influence.merge_points("main") == (("entry", 2), ("entry", 3))
    assert influence.merge_points("f") == ()
    assert influence.depends("main", "r")


def heads(body: str) -> int:
    """How many loops of ``main`` no counter ends."""
    program = c_program("int getchar(void);\nint main(void) { int c = 0, i = 0; " + body + " }")
    return len(influence_of(program, "main").heads("main"))


def test_heads_of_loops_that_no_counter_ends() -> None:
    assert heads("while (1) c = getchar();") == 1
    assert heads("while (c >= 0) c = getchar(); return i;") == 1
    assert heads("for (i = 0; i < 10; i++) c = getchar(); return c;") == 0
    assert heads("while (1) { c = getchar(); if (++i > 9) break; } return c;") == 0
    assert heads("while (1) { for (i = 0; i < 3; i++) c += getchar(); }") == 1
