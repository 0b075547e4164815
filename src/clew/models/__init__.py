"""Models in Python of functions the program calls but does not define, a file per header.

A model is a function ``(invocation, *arguments) -> result`` under ``@model("name", effect=...)``; its effect says what
it may do.
"""
