"""Tests as native programs: compiled, run contained, and compared with what the engine says."""
