"""All small heaps, natively: a C program that builds each one, calls the function, and tells what was violated.

Every choice (which node a pointer points to, a number, what a callback does) is a digit of an odometer, and is made
when it is needed. A new node is always the next one of its pool: heaps that differ by names only are built once.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from oracle.heaps import _BY_NAME, VALUES, Batch, Function

MOST_RUNS = 400_000
"""Heaps tried per function; what is beyond that is not looked at."""

RUNTIME = """
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#define VALUES %(values)d
#define NODES 2
static int digits[256], radix[256], at, used;
static jmp_buf out;
static int failed;
void violated(int number) { failed = number; longjmp(out, 1); }
static int pick(int count) {
  if (at == used) { if (used == 256) longjmp(out, 2); digits[used] = 0; radix[used++] = count; }
  return digits[at++];
}
static int advance(void) {
  used = at;
  while (used && ++digits[used - 1] == radix[used - 1]) used--;
  return used;
}
static struct node nodes[NODES]; static int node_count;
static struct tree trees[2]; static int tree_count;
static unsigned numbers[2]; static int number_count;
static struct pair pairs[1]; static int pair_count;
static struct node *links[2]; static int link_count;
static struct node *pick_node(void);
static unsigned *pick_number(void);
/* What is there already, null, and (if there is room) one that is new. */
static struct node *pick_node(void) {
  int room = node_count < NODES, which = pick(2 + node_count + room);
  if (which == 0) return 0;
  if (which == 1) return &anchor;
  if (which - 2 < node_count) return &nodes[which - 2];
  struct node *made = &nodes[node_count++];
  made->v = (unsigned)pick(VALUES);
  made->next = pick_node();
  return made;
}
static struct tree *pick_tree(void) {
  int room = tree_count < 2, which = pick(1 + tree_count + room);
  if (which == 0) return 0;
  if (which - 1 < tree_count) return &trees[which - 1];
  struct tree *made = &trees[tree_count++];
  made->v = (unsigned)pick(VALUES);
  made->l = pick_tree();
  made->r = pick_tree();
  return made;
}
/* A number of its own, or one inside of something: made for it, if it is not there yet. */
static unsigned *pick_number(void) {
  unsigned *places[16]; int count = 0;
  places[count++] = &shared;
  places[count++] = &anchor.v;
  for (int i = 0; i < number_count; i++) places[count++] = &numbers[i];
  for (int i = 0; i < node_count; i++) places[count++] = &nodes[i].v;
  for (int i = 0; i < tree_count; i++) places[count++] = &trees[i].v;
  for (int i = 0; i < pair_count; i++) places[count++] = &pairs[i].w;
  int which = pick(1 + count + (number_count < 2) + (node_count < NODES));
  if (which == 0) return 0;
  if (which - 1 < count) return places[which - 1];
  if (which - 1 == count && number_count < 2) {
    numbers[number_count] = (unsigned)pick(VALUES);
    return &numbers[number_count++];
  }
  struct node *made = &nodes[node_count++];
  made->v = (unsigned)pick(VALUES);
  made->next = pick_node();
  return &made->v;
}
static struct pair *pick_pair(void) {
  int which = pick(2);
  if (which == 0) return 0;
  if (!pair_count) {
    pair_count = 1;
    pairs[0].w = (unsigned)pick(VALUES);
    pairs[0].n = pick_node();
    pairs[0].u = pick_number();
  }
  return &pairs[0];
}
static struct node **pick_link(void) {
  struct node **places[16]; int count = 0;
  places[count++] = &anchor.next;
  for (int i = 0; i < link_count; i++) places[count++] = &links[i];
  for (int i = 0; i < node_count; i++) places[count++] = &nodes[i].next;
  for (int i = 0; i < pair_count; i++) places[count++] = &pairs[i].n;
  int which = pick(1 + count + (link_count < 2));
  if (which == 0) return 0;
  if (which - 1 < count) return places[which - 1];
  struct node **made = &links[link_count++];
  *made = pick_node();
  return made;
}
/* Callbacks: they change what they can get at, once. */
static void act(struct node *given) {
  struct node *reached[3] = { given, given ? given->next : 0, anchor.next };
  int which = pick(3);
  struct node *chosen = reached[which];
  switch (pick(5)) {
    case 1: shared = (unsigned)pick(VALUES); break;
    case 2: anchor.v = (unsigned)pick(VALUES); break;
    case 3: if (chosen) chosen->v = (unsigned)pick(VALUES); break;
    case 4: if (chosen) chosen->next = pick(2) ? reached[pick(3)] : 0; break;
  }
}
static unsigned apply(unsigned given) { (void)given; if (pick(2)) act(0); return (unsigned)pick(VALUES); }
static void visit(struct node *given) { act(given); }
static struct node *find(struct node *given) {
  struct node *before[3] = { 0, given, given ? given->next : 0 };
  act(given);
  return before[pick(3)];
}
static unsigned (*pick_apply(void))(unsigned) { return pick(2) ? apply : 0; }
static void (*pick_visit(void))(struct node *) { return pick(2) ? visit : 0; }
static struct node *(*pick_find(void))(struct node *) { return pick(2) ? find : 0; }
static void start(void) {
  at = 0;
  node_count = tree_count = number_count = pair_count = link_count = 0;
  memset(nodes, 0, sizeof nodes); memset(trees, 0, sizeof trees);
  memset(pairs, 0, sizeof pairs); memset(links, 0, sizeof links);
  shared = 0; memset(&anchor, 0, sizeof anchor);
}
static void enumerate(const char *name, void (*call)(void)) {
  static volatile long runs; static volatile char seen[10000];
  memset((void *)seen, 0, sizeof seen);
  used = 0;
  runs = 0;
  do {
    start();
    int how = setjmp(out);
    if (how == 0) call();
    else if (how == 1) seen[failed] = 1;
  } while (++runs < %(most)d && advance());
  printf("%%s %%ld", name, runs);
  for (int i = 0; i < 10000; i++) if (seen[i]) printf(" %%d", i);
  printf("\\n");
}
"""


@dataclass(frozen=True)
class Truth:
    """What happened natively to one function: how many heaps, and which assertions failed."""

    runs: int
    violated: frozenset[int]

    @property
    def complete(self) -> bool:
        return self.runs < MOST_RUNS


def enumerate_heaps(batch: Batch, folder: Path, compiler: str = "cc") -> dict[str, Truth]:
    """Try all small heaps on every function of a batch."""
    file, program = folder / "native.c", folder / "native"
    runtime = RUNTIME % {"values": VALUES, "most": MOST_RUNS}
    text = "#define ORACLE\n" + batch.source + runtime + "\n".join(map(_caller, batch.functions)) + _main(batch)
    file.write_text(text)
    command = [compiler, "-std=gnu11", "-O1", "-fno-strict-aliasing", "-w", str(file), "-o", str(program)]
    subprocess.run(command, check=True)
    lines = subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=60).stdout.splitlines()
    return {words[0]: Truth(int(words[1]), frozenset(map(int, words[2:]))) for words in map(str.split, lines)}


def _caller(function: Function) -> str:
    """Arguments are picked in order, so that later ones may point to what earlier ones brought."""
    lines = [f"static void call_{function.name}(void) {{"]
    for name, kind in function.parameters:
        known = _BY_NAME[kind]
        lines.append(f"  {known.declaration.format(name)} = {known.pick};")
    arguments = ", ".join(name for name, _ in function.parameters)
    return "\n".join([*lines, f"  {function.name}({arguments});", "}"])


def _main(batch: Batch) -> str:
    calls = "".join(f'  enumerate("{f.name}", call_{f.name});\n' for f in batch.functions)
    return f"\nint main(void) {{\n{calls}  return 0;\n}}\n"
