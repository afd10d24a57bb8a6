"""Measurements beside their baselines, each pair in one run. Not part of the installed program."""
