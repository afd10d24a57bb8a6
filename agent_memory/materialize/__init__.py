"""Turns the graph into Markdown views that people read and edit.

``snapshot`` reads the graph once, ``views/*`` turn it into Documents, ``render`` and ``parse`` are the two directions
between a Document and text (``escape`` keeps memory text from forging structure), ``merge`` puts a fresh render into a
file without moving a person's own lines, ``cursor`` remembers the last agreed text, ``writer`` writes what changed.
"""
