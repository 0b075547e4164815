"""Layers of the query chain: each answers what it can and hands the rest to the layer below."""
