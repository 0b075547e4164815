"""Invariants of more kinds: candidates that one iteration of every loop keeps, exactly as the engine runs it.

``find`` is the front: conditions at the heads of loops (``heads``), for those who assume them there.
"""
