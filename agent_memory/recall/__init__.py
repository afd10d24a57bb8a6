"""Memory given back: a question → hits with their proof, a start of a session → what to know first.

``search`` is recall: ``filters`` say what may be seen, ``lexical`` finds, ``links`` spreads over the graph's edges,
``weigh`` orders, ``hit`` is the answer. ``context`` builds the payload of a session's start from the Markdown views.
"""
