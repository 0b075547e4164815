"""Where a traced run keeps nodes, records and the shadows of memory; ``c/trace.h`` has the same addresses."""

from __future__ import annotations

from clew.native import places

TRACE = places.SHARED + 0x80_0000
RECORDS, MOST_RECORDS = TRACE + 0x1000, 0x3FF00
NODES, MOST_NODES = places.SHARED + 0x100_0000, 0x10_0000
TABLES, TABLES_SIZE = places.SHARED + 0x300_0000, 0x40_0000
TRACED_SIZE = TABLES + TABLES_SIZE - places.SHARED
"""Bytes of shared memory of a process that traces."""
LINES = 0x0C_0000_0000
LINE_BITS = 8
RETURNED, MOST_RETURNED = TRACE + 32, 16
"""Shadows of what the last call gave."""
