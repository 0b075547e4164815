"""k-induction: properties that hold since no error can follow k rounds of a loop without one.

``loop_opening`` makes the program whose paths are base case and step at once, ``execute.instrument.hypothesis`` has the
calls it is made of, and ``jobs.phases.induction_proof`` explores it, for one k after the other.
"""
