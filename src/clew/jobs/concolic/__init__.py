"""Concolic execution of compiled code: traces of native runs as terms, flips of their conditions solved and run."""
