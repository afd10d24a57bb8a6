"""Observations become lasting memory: merged, promoted, superseded, contested, archived.

``pipeline`` reads, plans and applies; ``due`` tells when it is time. ``snapshot`` is what a plan looks at and ``step``
what it consists of. One subject a module: ``near`` (says the same), ``promote`` and ``follow`` (lasting nodes and their
sources), ``supersede`` and ``reversal`` (no longer holds), ``contradictions`` (cannot both hold), ``decay`` (not heard
for long). ``likeness`` compares texts with the words of ``language``. ``consult`` is the interface of a helper that
proposes more; ``model_consultant`` shows memories to a model and ``patch`` judges what it proposes.
"""
