"""Recursive functions by contracts that hold for every call, whatever its depth: candidates that induction confirms."""
