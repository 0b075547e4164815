"""Why a path cannot go where it cannot go.

Sits above ``execute``, below the techniques. Execution substitutes values and forgets where they came
from; here a path is walked once more and every value keeps its definition. What a conclusion rests on is
then read off the definitions, or found by the solver as a core over labelled equations.
"""
