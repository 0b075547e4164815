"""Loops and invariants in source terms: from what the techniques found out to the records that ``report`` prints."""
