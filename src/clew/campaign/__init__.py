"""Campaigns: many runs of Clew as one queue, over cores or a cluster, with one report.

``listing`` reads what is to be run, ``queue`` decides what runs next, ``processes`` runs it, ``store`` keeps the
results where they can be taken up again, ``results`` and ``text`` tell what came of it.
"""
