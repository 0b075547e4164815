"""The phases of commands: each works on the question of its command for a while, and writes what it finds out to the
ledger. ``clew.jobs.ladders`` says in which order, and with which part of the budget."""
