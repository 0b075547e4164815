"""Exploration by several processes: work that travels, what is shared, who gets what; a file for each."""
