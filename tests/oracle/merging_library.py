"""Ways through a program that differ in what the library keeps: heap, streams, strings, handlers.

Shapes as in ``merging_shapes``. Library functions that look at symbolic bytes go several ways themselves.
"""

from __future__ import annotations

from oracle.merging_writer import MergeWriter, Place, Shape

PRELUDE = """\
static int gatend = 0;
static char gtext[8] = "b1,a";
static void at_end(void) { if (gflag == 3) reach_error(); }
static void at_end_too(void) { if (gcells[1] > 1) gatend++; else gcount = 0; }
static int total(int count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) sum += va_arg(list, int);
  va_end(list);
  return sum;
}
static int rising(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
"""


def _heap(w: MergeWriter) -> None:
    """Memory that some ways have, or have given back, or have twice."""
    p, test = w.name("h"), w.test()
    w.line(f"int *{p} = {w.random.choice(('0', 'malloc(sizeof(int))'))};")
    w.line(f"if ({test}) {p} = {w.random.choice(('malloc(8)', 'malloc(4)', 'calloc(2, 4)', f'realloc({p}, 8)'))};")
    w.line(f"if ({p}) *{p} = {w.value()};")
    if w.chance(0.6):
        w.item()
    again = w.random.choice((test, test, w.test(), f"{p}"))
    w.line(f"if ({p} && {again}) {w.random.choice((f'*{p} = 3;', f'sink = *{p};', f'free({p});'))}")
    w.line(
        w.random.choice(
            (f"if ({w.test()}) free({p});", f"free({p});", f"if ({p}) sink = *{p};", f"if ({test}) sink = {p}[1];", "")
        )
    )
    w.look("sink")


def _sites(w: MergeWriter) -> None:
    """The same object, made at different places; who loses it?"""
    p = w.name("h")
    w.line(f"int *{p} = 0;")
    size = w.random.choice((4, 8))
    with w.block(f"if ({w.test()})"):
        w.line(f"{p} = malloc({size});")
    with w.block(w.random.choice(("else", f"else if ({w.test()})"))):
        w.line(f"{p} = {w.random.choice((f'malloc({size})', f'calloc(1, {size})'))};")
    w.line(f"if (!{p}) {w.leaving[0] if w.leaving else 'abort();'}")
    w.line(f"*{p} = {w.value()};")
    if w.chance(0.4):
        w.item()
    w.line(w.random.choice((f"if ({w.test()}) free({p});", "", f"sink = {p}[1];", f"if (*{p} > 2) free({p});")))


def _lost(w: MergeWriter) -> None:
    """Whether anything still points to an object when the program ends; nobody looks there before."""
    p, q = w.name("h"), w.name("q")
    w.line(f"int *{p} = malloc(4), *{q}[2] = {{0, 0}};")
    w.line(f"if ({w.test()}) {w.random.choice((f'{q}[0]', f'{q}[{w.input()} & 1]', 'gto', 'grich.to'))} = {p};")
    w.line(f"if ({w.test()}) {w.random.choice(('gto = &gcount;', f'free({p});', f'{q}[0] = 0;', 'grich.to = 0;'))}")
    w.line(f"{p} = 0;")
    w.item()
    if w.leaving and w.chance(0.6):
        w.line(f"if ({w.test()}) exit(0);")


def _read_twice(w: MergeWriter) -> None:
    """What is known of standard input from reading it once decides what can be read next."""
    c, d = w.name("c"), w.name("c")
    if not w.affords(9):
        return _strings(w)
    w.uses_stdin = True
    w.line(f"int {c} = getchar();")
    w.line(f"if ({c} {w.random.choice(('== -1', '== 97', '< 98', '!= -1'))}) {w.random.choice(('sink', 'gflag'))} = 1;")
    if w.chance(0.4):
        w.item()
    w.line(f"int {d} = getchar();")
    w.look(w.random.choice((f"({d} == 'b')", f"({d} == -1)", f"({d} == {c})")))
    return None


def _opened_twice(w: MergeWriter) -> None:
    """Whether a file exists does not change."""
    f, g = w.name("f"), w.name("f")
    if not w.affords(4):
        return _files(w)
    w.line(f'FILE *{f} = fopen("data", "r");')
    w.line(f"if ({f}) {{ {w.random.choice((f'sink = fgetc({f}) == 97;', ''))} fclose({f}); }}")
    if w.chance(0.4):
        w.item()
    w.line(f'FILE *{g} = fopen("data", "r");')
    w.line(f"int c{g} = {g} ? fgetc({g}) : -2;")
    w.line(f"if ({g}) fclose({g});")
    w.look(w.random.choice((f"(c{g} == -2)", f"(c{g} == 97)", f"(c{g} == -1)")))
    return None


def _copied(w: MergeWriter) -> None:
    """As many bytes as a way says."""
    n, b = w.local("int", "1"), w.name("b")
    w.line(f"char {b}[4] = {{{w.value()}, 1}};")
    w.line(f"if ({w.test()}) {n.text} = {w.constant(0, 4)};")
    w.line(
        w.random.choice(
            (f"memcpy({b}, gtext, {n.text});", f"memset({b}, 5, {n.text});", f"strncpy({b}, gtext, {n.text});",
             f"memmove({b} + 1, {b}, {n.text});", f"snprintf({b}, {n.text}, gtext);")
        )
    )  # fmt: skip
    w.look(w.random.choice((f"{b}[0]", f"{b}[1]", f"{b}[3]", f"(memcmp({b}, gtext, {n.text} & 3) == 0)")))


def _sizes(w: MergeWriter) -> None:
    """How large an object is was decided by input."""
    p, n = w.name("h"), w.local("int", "2")
    w.line(f"if ({w.test()}) {n.text} = {w.constant(1, 4)};")
    w.line(f"char *{p} = malloc({w.random.choice((n.text, f'({w.input()} & 3) + 1', f'{n.text} & 7'))});")
    w.line(f"if ({p} && {w.test()}) {p}[{w.random.choice((f'{w.input()} & 3', '1', n.text))}] = 1;")
    w.line(f"free({p});" if w.chance(0.7) else f"if ({w.test()}) free({p});")


def _order(w: MergeWriter) -> None:
    """The same objects, made in another order: other addresses."""
    p, q = w.name("h"), w.name("h")
    w.line(f"int *{p}, *{q};")
    w.line(f"if ({w.test()}) {{ {p} = malloc(4); {q} = malloc(8); }} else {{ {q} = malloc(8); {p} = malloc(4); }}")
    w.line(f"if (!{p} || !{q}) return 0;" if "return 0;" in w.leaving else f"if (!{p} || !{q}) abort();")
    w.line(f"*{p} = {w.value()};")
    w.line(f"*{q} = {w.value()};")
    w.line(f"if ({w.test()}) {{ int *t = {p}; {p} = {q}; {q} = t; }}")
    if w.chance(0.4):
        w.line(f"sink = {p}[{w.random.choice((0, 1))}];")
    w.look(f"*{p} * 8 + *{q}")
    w.line(f"free({p});")
    w.line(f"free({q});" if w.chance(0.7) else f"free({w.random.choice((p, q))});")


def _chain(w: MergeWriter) -> None:
    """A list on the heap."""
    p, i = w.name("list"), w.name("i")
    w.line(f"struct node *{p} = 0;")
    with w.loop(f"for (int {i} = 0; {i} < {w.random.choice((2, 3))}; {i}++)", 2), w.block(f"if ({w.test()})"):
        w.line("struct node *made = malloc(sizeof *made);")
        w.line("if (!made) abort();")
        w.line(f"made->key = {w.random.choice((i, w.value()))};")
        w.line(f"made->next = {p};")
        w.line(f"{p} = made;")
    w.line(f"sink = {p} ? {p}->key + ({p}->next ? {p}->next->key * 8 : 0) : -1;")
    w.look("sink")
    with w.block(f"while ({p})"):
        w.line(f"struct node *last = {p};")
        w.line(
            w.random.choice(
                (f"{p} = last->next; free(last);", f"{p} = last->next; free(last);", f"free(last); {p} = last->next;")
            )
        )


def _characters(w: MergeWriter) -> None:
    """Characters of standard input that some ways read, or put back."""
    c, d = w.name("c"), w.name("c")
    if not w.affords(6):
        return _strings(w)
    w.uses_stdin = True
    w.line(f"int {c} = 'z';")
    w.line(f"if ({w.test()}) {w.random.choice((f'{c} = ', f'{c} = ', ''))}getchar();")
    if w.chance(0.25):
        w.line(f"if ({c} == 'a') ungetc({w.random.choice((chr(39) + 'b' + chr(39), c))}, stdin);")
    if w.chance(0.5):
        w.item()
    w.line(f"int {d} = getchar();")
    w.look(w.random.choice((f"({c} == 'a') + ({d} == 'b') * 2", f"({d} == -1)", f"({c} == {d})", f"({d} < 'b')")))
    if w.chance(0.5):
        w.look("(feof(stdin) != 0)")
    return None


def _lines(w: MergeWriter) -> None:
    """A line of standard input, as a number."""
    b, n = w.name("line"), w.name("n")
    if not w.affords(16):
        return _strings(w)
    w.uses_stdin = True
    w.line(f"char {b}[{w.random.choice((3, 4))}] = {{0}};")
    w.line(f"int {n} = -1;")
    with w.block(f"if ({w.test()})"):
        w.line(f"if (fgets({b}, sizeof {b}, stdin) != 0) {n} = {w.random.choice((f'atoi({b})', f'{b}[0]', '5'))};")
        if w.chance(0.5):
            w.line(f"else {n} = {w.constant(-2, 3)};")
    w.line(f"if ({n} >= 0 && {n} < {w.random.choice((4, 5, 100))}) gcells[{n}] = 1;")
    w.look(w.random.choice((f"({n} > 3)", f"{n} == {w.constant(0, 9)}", "gcells[0] + gcells[2]")))
    return None


def _strings(w: MergeWriter) -> None:
    """Strings that ways leave different, in length and in contents."""
    s = w.name("s")
    w.line(f'char {s}[8] = "{w.random.choice(("", "a", "ab", "12"))}";')
    w.line(f'if ({w.test()}) strcpy({s}, "{w.random.choice(("b", "ab", "abc", "7", "1234567"))}");')
    if w.chance(0.4):
        index = w.random.choice((w.constant(0, 3), f"{w.input()} & 3"))
        w.line(f"if ({w.test()}) {s}[{index}] = {w.random.choice((0, 97, 49))};")
    if w.chance(0.3):
        w.line(f"if ({w.test()}) strcat({s}, {w.random.choice((s + ' + 1', chr(34) + 'xyz' + chr(34)))});")
    if w.chance(0.3):
        w.item()
    texts = (f"(int)strlen({s})", f'(strcmp({s}, "ab") == 0)', f"atoi({s})", f"(strchr({s}, 'b') != 0)", f"{s}[1]",
             f'(strncmp({s}, gtext, 1) < 0)', f"(int)strspn({s}, {chr(34)}ab{chr(34)})")  # fmt: skip
    w.look(w.random.choice(texts))


def _symbolic_strings(w: MergeWriter) -> None:
    """Functions over strings of which some bytes are inputs."""
    s, c = w.name("s"), w.name("in")
    if not w.affords(4):
        return _strings(w)
    w.line(f"WIDE({c}, unsigned char, uchar);")
    w.line(f'char {s}[4] = "{w.random.choice(("ab", "a1", "12"))}";')
    w.line(f"{s}[{w.constant(0, 1)}] = {c};")
    n = w.name("n")
    called = (f"(int)strlen({s})", f"atoi({s})", f"isdigit({s}[0]) != 0", f"strtol({s}, 0, 10)")
    w.line(f"int {n} = {w.random.choice(called)};")
    if w.chance(0.5):
        w.item()
    w.look(w.random.choice((n, f"({n} > 1)", f"({n} == 1) + ({c} == 0) * 2", f"({c} == 'b')")))
    return None


def _tokens(w: MergeWriter) -> None:
    """``strtok`` knows where it is."""
    t, s = w.name("t"), w.name("s")
    w.line(f'char {s}[8] = "a,b,c";')
    w.line(f'char *{t} = strtok({s}, ",");')
    for _ in range(2):
        w.line(f"if ({w.test()}) {w.random.choice((f'{t} = ', ''))}strtok(0, {chr(34)},{chr(34)});")
    w.look(w.random.choice((f"({t} ? *{t} : 0)", '(strtok(0, ",") != 0)')))


def _at_end(w: MergeWriter) -> None:
    """What happens at the program's end was decided on the way; globals decide there, too."""
    w.line(f"if ({w.test()}) atexit({w.random.choice(('at_end', 'at_end', 'at_end_too'))});")
    w.line(f"if ({w.test()}) {w.random.choice(('gflag = 3;', 'gcells[1] = 2;', 'gflag++;'))}")


def _errors(w: MergeWriter) -> None:
    w.line("errno = 0;")
    with w.block(f"if ({w.test()})"):
        w.line(w.random.choice(('sink = strtol("99999999999999999999", 0, 10) > 0;', "errno = 2;", "sink = 1;")))
    w.line(f"if ({w.test()}) errno = {w.constant(0, 2)};")
    w.look("errno")


def _random_numbers(w: MergeWriter) -> None:
    r, x = w.name("in"), w.local("int", "0")
    if not w.affords(4):
        return _errors(w)
    w.line(f"if ({w.test()}) {x.text} = rand() % 2;")
    w.line(f"int {r} = rand() % {w.random.choice((2, 3))};")
    w.inputs.append(r)
    w.touched.append(x)
    w.look(w.random.choice((f"{r} + {x.text} * 4", f"{r} == {x.text}")))
    return None


def _files(w: MergeWriter) -> None:
    """A file that some ways opened, wrote to, or have closed."""
    f = w.name("f")
    w.line(f"FILE *{f} = 0;")
    w.line(f'if ({w.test()}) {f} = fopen("kept", "w");')
    w.line(f"if ({f} && {w.test()}) fputc('{w.random.choice('ab')}', {f});")
    w.line(f"if ({f}) fclose({f});")
    w.line(f'{f} = fopen("kept", "r");')
    c = w.name("c")
    w.line(f"int {c} = {f} ? fgetc({f}) : -2;")
    w.line(f"if ({f}) fclose({f});")
    w.look(w.random.choice((f"({c} == 'a') + ({c} == -1) * 2", f"({c} == -2)")))


def _bulk(w: MergeWriter) -> None:
    how = w.random.choice(
        ("memset(gcells, 0, sizeof gcells);", "memcpy(gcells, gother, sizeof gcells);",
         "qsort(gcells, 4, sizeof(int), rising);", "memmove(gcells + 1, gcells, 8);",
         f"memset(gcells, 0, ({w.input()} & 3) * 4);", "memcpy(gother, gcells, 8);")
    )  # fmt: skip
    w.line(f"gcells[{w.constant(0, 3)}] = {w.value()};")
    w.line(f"if ({w.test()}) {how}")
    w.look(w.random.choice(("gcells[0] + gcells[1] * 8 + gcells[2] * 64", "gcells[2]", "gother[1]", "gcells[3]")))


def _varargs(w: MergeWriter) -> None:
    x, n = w.place(), w.name("n")
    w.line(f"int {n} = 1;")
    w.line(f"if ({w.test()}) {n} = {w.constant(0, 3)};")
    w.line(f"{x.text} = total({n}, {w.value()}, {w.value()}, {w.value()}) & 15;")
    w.touched.append(x)
    w.look(x.text)


def _kept_on_heap(w: MergeWriter) -> None:
    """A place on the heap, for whatever comes."""
    p = w.name("h")
    w.line(f"struct pair *{p} = malloc(sizeof *{p});")
    w.line(f"if (!{p}) abort();")
    w.line(f"*{p} = gpair;")
    w.places += (Place(f"{p}->a"), Place(f"{p}->b"))
    with w.block(f"if ({w.test()})"):
        w.line(f"{p}->{w.random.choice('ab')} = {w.value()};")
    w.touched += (Place(f"{p}->a"), Place(f"{p}->b"))
    w.look(f"{p}->a + {p}->b * 8")
    if w.nesting > 1 or w.chance(0.3):
        w.line(f"free({p});")
        w.places = w.places[:-2]
        w.touched = w.touched[:-2]


LIBRARY: tuple[Shape, ...] = (
    _heap, _heap, _heap, _sites, _lost, _lost, _read_twice, _read_twice, _opened_twice, _copied, _sizes, _order, _chain,
    _characters, _characters, _lines, _strings, _strings, _symbolic_strings, _symbolic_strings, _tokens, _at_end,
    _at_end, _errors, _random_numbers, _files, _bulk, _bulk, _varargs, _kept_on_heap,
)  # fmt: skip
