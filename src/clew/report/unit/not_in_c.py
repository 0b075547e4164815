"""What keeps a test out of a file of C."""

from __future__ import annotations


class NotInCError(Exception):
    """A test says something that has no place in such a file; the text says what."""
