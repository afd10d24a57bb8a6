"""The full-text side of the graph: one SQLite file that any process can read without the engine.

``schema`` tables and version, ``project`` changes → rows, ``passages`` long text → pieces, ``index`` applies batches
and rebuilds, ``reader`` opens the file for reading, ``lookup`` finds memories by hash, topic, operation and id prefix.
"""
