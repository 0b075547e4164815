/* Traces of runs: what a traced program computes from its input, as nodes, and what depended on them, as records.

   A register's shadow is the number of a node, 0 if its value does not depend on input. The shadow of a byte of the
   arena is a node and which of its bytes it is; lines of 256 bytes that have such shadows are marked, so that other
   memory costs one look. clew.native.trace has the same numbers. */

#ifndef CLEW_TRACE_H
#define CLEW_TRACE_H

#include "native.h"

#define TRACE (SHARED + 0x800000ull)
#define RECORDS (TRACE + 0x1000ull)
#define MOST_RECORDS 0x3ff00u
#define NODES (SHARED + 0x1000000ull)
#define MOST_NODES 0x100000u
#define TABLES (SHARED + 0x3000000ull)
#define TABLES_SIZE 0x400000u
#define LINES 0x0c00000000ull
#define BYTES 0x2000000000ull
#define LINE_BITS 8

enum operation {
  OP_INPUT = 1, OP_CONST, OP_ADD, OP_SUB, OP_MUL, OP_UDIV, OP_SDIV, OP_UREM, OP_SREM, OP_AND, OP_OR, OP_XOR, OP_SHL,
  OP_LSHR, OP_ASHR, OP_EQ, OP_NE, OP_ULT, OP_ULE, OP_SLT, OP_SLE, OP_ZEXT, OP_SEXT, OP_EXTRACT, OP_CONCAT, OP_ITE,
  OP_TABLE, OP_SADD_OVERFLOW, OP_UADD_OVERFLOW, OP_SSUB_OVERFLOW, OP_USUB_OVERFLOW, OP_SMUL_OVERFLOW, OP_UMUL_OVERFLOW,
  OP_UMIN
};

/* An operand that is 0 is the constant `immediate`. `value` is what the run computed. The width of what gives one bit is
   that of its operands. */
struct node {
  u8 op, width;
  unsigned short extra;
  u32 a, b, c;
  u64 immediate, value;
};

/* FORK: a condition was `taken`. CASE: a switch saw `value`. FIXED: the value of a node was used as it is. BOUNDS: an
   address was within `value` and `more`. LOST: from here on the trace does not have everything. */
enum kind { FORK = 1, CASE, FIXED, BOUNDS, LOST };

struct record {
  u32 site, node, kind, taken;
  u64 value, more;
};

struct trace {
  u64 nodes, records, is_cut, tables_used;
  u32 returned[16]; /* shadows of what the last call gave */
};
#define trace ((struct trace *)TRACE)
#define node_list ((struct node *)NODES)
#define record_list ((struct record *)RECORDS)

void clew_reset_trace(void);

#endif
