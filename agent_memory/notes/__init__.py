"""Typed notes that agents and people save on purpose: stored, revised by topic, compared, reviewed and pruned.

``desk`` knows what is stored without opening the graph, ``saving`` stores, ``relations`` judges how two notes relate.
"""
