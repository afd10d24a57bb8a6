"""Messages that are no transcript, handed over by a program: redacted like all text, found by recall."""

from __future__ import annotations
