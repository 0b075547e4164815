"""Projects as their own builds describe them: compile commands, link targets, and code that ``clew-cc`` kept."""
