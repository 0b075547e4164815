"""Symbolic execution of a ``Program``: states, blocks compiled to Python, forking, events.

``codegen`` turns functions into Python; ``access``, ``decide`` and ``invoke`` are what the generated
code calls when a value is symbolic or an event needs the engine; ``engine`` runs states and asks
``clew.search`` which one is next.
"""
