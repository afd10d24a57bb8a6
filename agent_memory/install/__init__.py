"""Turns templates into entries in the agents' own configuration, and takes them out again without a trace.

``registry`` names the agents; ``agents/<agent>`` says where each one's files are and what goes into them; ``edit_*``
change one text format by the smallest possible insertion; ``plan`` says what would change, ``apply`` does it with a
backup and a receipt, ``status`` tells what is wired, ``rules`` keeps the files fresh that stand in for a start hook.
"""
