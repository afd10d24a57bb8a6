"""Observing by rules: who speaks, how, and whether it still stands at the end. No model, no randomness, no clock.

``segment`` cuts text into sentences and bullets, ``lexicon`` and ``languages`` know the words that mark an act,
``speech`` names the act of a sentence, ``people``, ``agents``, ``tools`` and ``headings`` turn acts into proposals,
``retract`` drops what was taken back, ``rank`` keeps what the session deserves.
"""
