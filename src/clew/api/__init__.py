"""The Python API (``import clew``) and the pytest plug-in. Nothing is imported before it is used."""
