"""Contracts of recursive functions: invariants of calls instead of rounds, found and used in the same way."""
