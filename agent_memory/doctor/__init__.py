"""Turns a home and its agents into findings: `run` asks every check, `remedies` does what is safe, `checks` look.

Every check looks by itself; one that fails is a finding and stops no other. Nothing is changed without `remedies`, and
nothing that was said is ever part of a finding.
"""
