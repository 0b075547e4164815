"""Paths that can show nothing new are cut where they meet others.

Sits above ``execute``. What is explored below a place where paths meet is kept account of (``tree``). Every sibling
that was refuted there leaves a clause (``clauses``): together they say what a state at that place must be like so that
nothing else can happen to it. A state that comes by later and matches (``matching``) is not explored (``observer``).
"""
