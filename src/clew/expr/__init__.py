"""Symbolic values: a hash-consed DAG, smart constructors (``build``), the concrete oracle (``evaluate``)."""

from clew.expr import build as build
