/* What the code of a traced program calls where something depends on input: see trace.h. */

#include "trace.h"

void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);

#define MOST_LINES 0x10000u
#define LARGEST_TABLE 16384u
#define FARTHEST 65536u /* bytes that are looked at for the bounds of an object */
#define MOST_TABLES 256u

static u32 lines[MOST_LINES], line_count; /* those that are marked */
static u32 input_nodes[INPUT_SIZE];
static struct table { u64 address, at; u32 size; } tables[MOST_TABLES];
static u32 table_count;

static _Noreturn void cut(void) {
  trace->is_cut = 1;
  clew_end(END_MEMORY, 0, 0);
}

void clew_reset_trace(void) {
  for (u32 at = 0; at < line_count; at++) {
    memset((void *)(BYTES + ((u64)lines[at] << (LINE_BITS + 2))), 0, 4u << LINE_BITS);
    *AT(LINES + lines[at]) = 0;
  }
  line_count = table_count = 0;
  memset(trace, 0, sizeof *trace);
  trace->nodes = 1;
}

/* Nodes */

static u32 result_width(const struct node *of) {
  int is_bit = (of->op >= OP_EQ && of->op <= OP_SLE) || (of->op >= OP_SADD_OVERFLOW && of->op <= OP_UMUL_OVERFLOW);
  return is_bit ? 1 : of->width;
}

static u32 made(u32 what, u32 a, u32 b, u32 c, u64 immediate, u64 value) {
  u64 number = trace->nodes;
  if (number >= MOST_NODES)
    cut();
  node_list[number] = (struct node){what, what >> 8, what >> 16, a, b, c, immediate, value};
  trace->nodes = number + 1;
  return number;
}

/* ``what``: the operation, 8 bits further its width. */
u32 clew_node(u32 what, u32 a, u32 b, u64 left, u64 right, u64 value) {
  return made(what, a, b, 0, a ? b ? 0 : right : left, value);
}

u32 clew_unary(u32 what, u32 a, u64 value) { return made(what, a, 0, 0, 0, value); }

static u32 constant(u32 width, u64 value) { return made(OP_CONST | width << 8, 0, 0, 0, value, value); }

/* Three operands, of which constants become nodes. */
u32 clew_ternary(u32 what, u32 a, u32 b, u32 c, u64 first, u64 second, u64 third, u64 value) {
  u32 width = what >> 8 & 255;
  return made(what, a ? a : constant(width, first), b ? b : constant(width, second), c ? c : constant(width, third), 0,
              value);
}

u32 clew_choice(u32 width, u32 condition, u32 a, u32 b, u64 left, u64 right, u64 value) {
  if (!a && !b) {
    if (left == right)
      return 0;
    b = constant(width, right);
  }
  return made(OP_ITE | width << 8, a, b, condition, a ? right : left, value);
}

static u64 mask(u32 width) { return width < 64 ? (1ull << width) - 1 : ~0ull; }

static u32 extracted(u32 node, u32 low, u32 width) {
  if (!low && result_width(&node_list[node]) == width)
    return node;
  return made(OP_EXTRACT | width << 8 | low << 16, node, 0, 0, 0, node_list[node].value >> low & mask(width));
}

/* The address that is an index of a size further than another one. */
u32 clew_element(u32 base, u32 index, u64 address, u64 number, u32 width, u64 step) {
  if (index && width < 64)
    index = made(OP_SEXT | 64 << 8, index, 0, 0, 0, number);
  if (index && step != 1)
    index = made(OP_MUL | 64 << 8, index, 0, 0, step, number * step);
  return clew_node(OP_ADD | 64 << 8, base, index, address, number * step, address + number * step);
}

static u32 input_node(u64 at) {
  if (at >= INPUT_SIZE)
    return 0;
  u32 known = input_nodes[at];
  if (known && known < trace->nodes && node_list[known].op == OP_INPUT && node_list[known].immediate == at)
    return known;
  return input_nodes[at] = made(OP_INPUT | 8 << 8, 0, 0, 0, at, at < shared->input_size ? *AT(INPUT + at) : 0);
}

/* Records */

static void record(u32 kind, u32 site, u32 node, u32 taken, u64 value, u64 more) {
  u64 number = trace->records;
  if (number >= MOST_RECORDS)
    cut();
  record_list[number] = (struct record){site, node, kind, taken, value, more};
  trace->records = number + 1;
}

void clew_fork(u32 site, u32 node, u32 taken) { record(FORK, site, node, taken, taken, 0); }

void clew_case(u32 site, u32 node, u64 value) { record(CASE, site, node, 0, value, 0); }

void clew_fix(u32 site, u32 node, u64 value) {
  if (node_list[node].op != OP_CONST)
    record(FIXED, site, node, 0, value, 0);
}

void clew_lose(u32 site) { record(LOST, site, 0, 0, 0, 0); }

/* Shadows of memory */

static int is_in_arena(u64 address, u64 size) {
  u64 offset = address - ARENA;
  return offset < ARENA_SIZE && size <= ARENA_SIZE - offset;
}

static u32 *shadows(u64 address) { return (u32 *)(BYTES + 4 * (address - ARENA)); }

static int is_marked(u64 address) { return *AT(LINES + ((address - ARENA) >> LINE_BITS)); }

static void mark_line(u64 address) {
  u64 line = (address - ARENA) >> LINE_BITS;
  if (*AT(LINES + line))
    return;
  if (line_count == MOST_LINES)
    cut();
  *AT(LINES + line) = 1;
  lines[line_count++] = line;
}

static void set_shadow(u64 address, u32 shadow) {
  if (shadow)
    mark_line(address);
  else if (!is_marked(address))
    return;
  *shadows(address) = shadow;
}

/* The shadow of a byte; a byte that somebody has changed without a word has none. */
static u32 byte_shadow(u64 address, u8 value) {
  if (!is_marked(address))
    return 0;
  u32 shadow = *shadows(address);
  if (shadow && (u8)(node_list[shadow >> 3].value >> 8 * (shadow & 7)) != value)
    shadow = *shadows(address) = 0;
  return shadow;
}

static u32 byte_node(u32 shadow) { return extracted(shadow >> 3, 8 * (shadow & 7), 8); }

static u32 joined(u32 high, u32 low, u64 high_value, u64 low_value, u32 low_width) {
  return clew_node(OP_CONCAT | (low_width + 8) << 8 | low_width << 16, high, low, high_value, low_value,
                   high_value << low_width | low_value);
}

/* The number that bytes with these shadows are, the lowest one first. */
static u32 node_of(const u32 *found, u32 size, u64 value) {
  u32 at = 0, any = 0, node;
  for (; at < size; at++)
    any |= found[at];
  if (!any)
    return 0;
  for (at = 1; at < size && found[at] == found[0] + at; at++)
    ;
  if (at == size && found[0] && (found[0] & 7) + size <= 8)
    return extracted(found[0] >> 3, 8 * (found[0] & 7), 8 * size);
  node = found[0] ? byte_node(found[0]) : 0;
  for (at = 1; at < size; at++) {
    u32 next = found[at] ? byte_node(found[at]) : 0;
    if (node || next)
      node = joined(next, node, value >> 8 * at & 255, value & mask(8 * at), 8 * at);
  }
  return node;
}

/* The node of what was just read, a number of at most 8 bytes; of the input itself, too. */
u32 clew_load_node(u64 address, u32 size, u64 value) {
  u32 found[8];
  int is_input = address >= INPUT && address - INPUT < shared->input_size;
  if (!is_input && !is_in_arena(address, size))
    return 0;
  for (u32 at = 0; at < size; at++)
    found[at] = is_input ? input_node(address - INPUT + at) << 3 : byte_shadow(address + at, value >> 8 * at);
  return node_of(found, size, value);
}

void clew_store_node(u64 address, u32 size, u32 node) {
  if (!is_in_arena(address, size))
    return;
  if (node && result_width(&node_list[node]) < 8 * size)
    node = made(OP_ZEXT | 8 * size << 8, node, 0, 0, 0, node_list[node].value);
  for (u32 at = 0; at < size; at++)
    set_shadow(address + at, node ? node << 3 | at : 0);
}

void clew_clear_nodes(u64 address, u64 size) {
  for (u64 at = address; is_in_arena(address, size) && at < address + size; at++)
    set_shadow(at, 0);
}

/* Bytes are used as they are. */
void clew_fix_memory(u32 site, u64 address, u64 size) {
  for (u64 at = address; is_in_arena(address, size) && at < address + size; at++) {
    u32 shadow = byte_shadow(at, *AT(at));
    if (shadow)
      clew_fix(site, byte_node(shadow), *AT(at));
  }
}

void clew_fix_string(u32 site, u64 text) {
  u64 size = 0;
  while (is_in_arena(text + size, 1) && *AT(text + size))
    size++;
  clew_fix_memory(site, text, size + 1);
}

/* Bytes are about to be copied. */
void clew_copy_nodes(u64 to, u64 from, u64 size) {
  if (!is_in_arena(to, size) || to == from)
    return;
  for (u64 number = 0; number < size; number++) {
    u64 at = to < from ? number : size - 1 - number, source = from + at;
    u32 shadow = 0;
    if (is_in_arena(source, 1))
      shadow = byte_shadow(source, *AT(source));
    else if (source >= INPUT && source - INPUT < shared->input_size)
      shadow = input_node(source - INPUT) << 3;
    set_shadow(to + at, shadow);
  }
}

/* Addresses that depend on input */

static u32 granule(u64 address) { return is_in_arena(address, 1) ? *AT(SHADOW + ((address - ARENA) >> 3)) : 0; }

/* From where to where the object reaches that has this address; whether that is known. */
static int find_object(u64 address, u64 *start, u64 *end) {
  u64 first = address & ~7ull, last = first;
  if (!granule(first) || (address & 7) >= granule(first))
    return 0;
  while (granule(first - 8) == 8)
    if (address - (first -= 8) > FARTHEST)
      return 0;
  while (granule(last) == 8 && granule(last + 8))
    if ((last += 8) - address > FARTHEST)
      return 0;
  *start = first, *end = last + granule(last);
  return 1;
}

void clew_bounds(u32 site, u32 node, u64 address, u64 size) {
  u64 start, end;
  if (find_object(address, &start, &end) && end - address >= size)
    record(BOUNDS, site, node, size, start, end);
}

/* The number of a copy of an object's bytes, as they are now; MOST_TABLES if there is no room. */
static u32 table_of(u64 start, u32 size) {
  for (u32 at = table_count; at--;)
    if (tables[at].address == start && tables[at].size == size && !memcmp(AT(tables[at].at), AT(start), size))
      return at;
  if (table_count == MOST_TABLES || trace->tables_used + size + 16 > TABLES_SIZE)
    return MOST_TABLES;
  u64 at = TABLES + trace->tables_used;
  memcpy(AT(at), &start, 8);
  ((u32 *)at)[2] = size;
  memcpy(AT(at + 16), AT(start), size);
  trace->tables_used += (size + 16 + 15) & ~15u;
  tables[table_count] = (struct table){start, at + 16, size};
  return table_count++;
}

/* The node of what was read at an address that depends on input: that of a table, if the object is small and nothing
   in it depends on input; otherwise the address is used as it is. */
u32 clew_load_at(u32 site, u32 node, u64 address, u32 size, u64 value) {
  u64 start = 0, end = 0;
  if (!node)
    return clew_load_node(address, size, value);
  int plain = find_object(address, &start, &end) && end - address >= size && end - start <= LARGEST_TABLE;
  for (u64 at = start; plain && at < end; at = (at | ((1 << LINE_BITS) - 1)) + 1)
    plain = !is_marked(at);
  u32 number = plain ? table_of(start, end - start) : MOST_TABLES;
  if (number < MOST_TABLES) {
    u64 at = tables[number].at - 16 - TABLES;
    return made(OP_TABLE | 8 * size << 8, node, 0, 0, at, value);
  }
  clew_fix(site, node, address);
  return clew_load_node(address, size, value);
}

/* Input */

u64 clew_traced_input(u32 size) {
  u32 found[8];
  u64 at = shared->input_used, value = clew_input(size);
  for (u32 number = 0; number < size; number++)
    found[number] = shared->reads_stdin ? 0 : input_node(at + number) << 3;
  trace->returned[0] = node_of(found, size, value);
  return value;
}

void clew_traced_input_to(u64 address, u64 size) {
  u64 at = shared->input_used;
  clew_input_to(address, size);
  for (u64 number = 0; number < size; number++)
    set_shadow(address + number, shared->reads_stdin ? 0 : input_node(at + number) << 3);
}
