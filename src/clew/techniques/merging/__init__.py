"""Paths that can show nothing new are cut where they meet others.

Sits above ``execute``. What is explored below a merge point is reported to a node (``exploration_tree``, ``account``).
Every sibling that was refuted there leaves a clause (``clauses``): together they say what a state at that point must be
like so that nothing else can happen to it. A state that comes by later, and matches (``instance_matching``), is not
explored (``technique``).
"""
