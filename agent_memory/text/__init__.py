"""Text in, text out; pure and used by capture, search, sync and recall.

``normal`` one comparable form and its hash, ``redact`` private spans and secrets, ``analyze`` search tokens,
``marker`` the wrapper around injected memory.
"""
