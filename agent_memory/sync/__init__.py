"""Brings a person's edits of the views back into the graph.

``read`` looks at the files, ``plan`` decides (pure), ``apply`` turns actions into changes of the graph, ``run`` is one
pass, ``watch`` keeps doing it, ``status`` says what is edited and what is in conflict.
"""
