"""C functions that no model can stand for: they end the path, and the losses say where.

Without an entry here a call would return any value and the path would go on as if nothing else had happened.
"""

from __future__ import annotations

from typing import Any, NoReturn

from clew.analysis.model_effect import ENDS
from clew.base.errors import Unsupported
from clew.execute.invocation import Invocation
from clew.execute.library import model


@model(
    "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp", effect=ENDS.but(diverts=True)
)
def jump(call: Invocation, *_: Any) -> NoReturn:
    raise Unsupported(f"{call.name}(): jumps between functions")


@model("pthread_create", "thrd_create", "clone", "fork", "vfork", effect=ENDS.but(diverts=True))
def concurrency(call: Invocation, *_: Any) -> NoReturn:
    raise Unsupported(f"{call.name}(): threads and processes")
