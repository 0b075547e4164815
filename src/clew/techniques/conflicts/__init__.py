"""Conflict-driven symbolic execution: a SAT solver picks paths, and every infeasible one teaches it something.

formula.py            which paths are still worth trying (the fCFG)
guided_execution.py   executes states along the path that was picked
search.py             decide, execute, explain, learn, backtrack
prove.py              the answers to all properties of a program
"""
