"""Close matches for a name the user may have mistyped."""

from __future__ import annotations

from collections.abc import Iterable


def suggest(name: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """Up to ``limit`` known names that look like ``name``, the closest first."""
    import difflib  # by who has mistyped something

    by_lower: dict[str, str] = {}
    for candidate in known:
        by_lower.setdefault(candidate.lower(), candidate)
    matches = difflib.get_close_matches(name.lower(), by_lower, n=limit, cutoff=0.6)
    return [by_lower[match] for match in matches]


def unknown_name(what: str, name: str, known: Iterable[str], others: Iterable[str] = ()) -> str:
    """One line for an unknown name: ``no function 'mian'; did you mean 'main'?``.

    ``others`` are names that are less likely to be meant.
    """
    names = sorted(set(known))
    close = suggest(name, names) or suggest(name, sorted(others))
    if close:
        return f"no {what} {name!r}; did you mean {' or '.join(repr(match) for match in close)}?"
    if names:
        shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
        return f"no {what} {name!r}; there is {shown}"
    return f"no {what} {name!r}, and none other either"
