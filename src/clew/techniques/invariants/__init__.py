"""Invariants: linear facts about variables, inputs and loop counters, and what they are good for.

``find`` computes them for a program that is ready to run; the rest of the package spells them in terms of the source,
makes inputs of them, and proves properties by them.
"""
