"""Test files that people keep: the tests of a function as readable C, for the test framework of their choice."""
