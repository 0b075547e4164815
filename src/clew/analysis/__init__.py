"""Facts about programs. Sits between ``program`` and ``execute``; never imports the latter."""
