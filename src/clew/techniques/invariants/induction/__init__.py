"""k-induction: properties that hold since no error can follow k rounds of a loop without one.

``loop_opening`` makes the program whose paths are base case and step at once, of calls that are in
``execute.instrument.hypothesis``; ``probing`` strengthens the hypothesis by what would be errors of other paths.
"""
