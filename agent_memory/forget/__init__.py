"""Turns a wish to forget into changes: who is meant (selection.py), hidden with undo (retire.py), gone for good
(purge.py), how it came to be (history.py), new redaction rules over old data (rescan.py).
"""
