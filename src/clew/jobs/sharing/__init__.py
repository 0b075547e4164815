"""An exploration that several processes share: how a phase of one process takes part in it."""
