"""What the process of a worker and who keeps it have in common: an actor that passes messages on needs no more of us.

So nothing of ours is imported here."""

from __future__ import annotations

import struct

MESSAGE = "M"
"""The tag of messages."""
SLOT = struct.Struct("<q")
"""How the job that a worker is at is written into memory that both see."""
