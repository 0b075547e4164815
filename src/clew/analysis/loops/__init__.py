"""Loops as relations between states: one iteration, and any number of them.

``relation.LoopRelation`` is one iteration, from header to header, in pieces: one per path through the body, and per way
in which its arithmetic wraps around. ``reading.Loops(effects).relation(function, header)`` reads it from the program,
or gives a ``Refusal`` with the reason. ``closing.close(relation)`` gives the ``closure.Closure``, exact or not.
"""
