"""Clew for BenchExec: ``clew_benchexec.clew`` is its tool-info module."""
