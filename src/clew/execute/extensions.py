"""What others than the engine keep with a state: one value per owner, in ``State.extensions``.

    class Seen(Extension): ...
    state.extend(Seen(...))
    seen = state.extension(Seen)

A value is not changed once a state has it, since siblings share it; ``extend`` puts another in its place.
"""

from __future__ import annotations

from typing import Any

from clew.base.errors import PathEnd
from clew.expr.evaluate import Model


class Extension:
    """What its owner keeps with a state. The class is the key: a state has at most one of it."""

    __slots__ = ()

    @property
    def is_surplus(self) -> bool:
        """Whether the path is of no use: it is not queued, and given up if it runs."""
        return False

    @property
    def drops_siblings(self) -> bool:
        """Whether siblings of the path are not explored, or not now: nothing follows from its end for what they do."""
        return False

    @property
    def supposes_no_errors(self) -> bool:
        """Whether what the path would show by an error is of no interest, so that checks are assumptions."""
        return False

    @property
    def counts(self) -> bool:
        """Whether the path is counted, and its losses are noted, when it ends."""
        return True

    @property
    def input_hints(self) -> Any:
        """Values that inputs get which the path is about to read, as in ``RunContext.input_hints``."""
        return {}

    def for_sibling(self, state: Any) -> Extension | None:
        """What a sibling of ``state`` gets; None for nothing."""
        return self

    def end(self, end: PathEnd) -> PathEnd:
        """What the end of the path is to be taken for."""
        return end

    def stop_tracking(self, state: Any) -> None:
        """What ``state`` does from now on does not follow from what it was, or is not explored to its end."""

    @property
    def is_long(self) -> bool:
        """Whether parts of the path are skipped, or will be: to run it again may take long, and to solve for it."""
        return False

    def skipped(self, model: Model) -> int:
        """Instructions of the path, for the inputs of a model, that were not run since what they do is known."""
        return 0
