"""Answering "is this path feasible?": path conditions, the query chain, its layers and backends."""
