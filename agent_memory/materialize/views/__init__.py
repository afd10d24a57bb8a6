"""One module a view: a snapshot of the graph in, a Document out. The list of views is in ``materialize/writer.py``."""
