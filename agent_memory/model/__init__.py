"""Frozen values that the stages hand to each other; no I/O.

``transcript`` what was said, ``event`` what a hook reported, ``memory`` what was learned, ``graph`` nodes, edges
and their columns, ``change`` what a batch may do, ``lifecycle`` the batches that a memory's life consists of,
``candidate`` what an observer proposes, ``view`` what a Markdown file says.
"""
