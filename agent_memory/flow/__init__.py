"""Where the stages meet: capture then observe, reflect when due, edits then views.

The stages do not know each other; ``app`` calls what is here.
"""
