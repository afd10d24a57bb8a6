"""The environment of a command that a test runs: this one's, without what points at a home or an agent of the person."""

from __future__ import annotations

import os


def bare_environment(**more: str) -> dict[str, str]:
    """Our variables and those of Claude Code and Codex are gone; ``more`` are added."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("AGENT_MEMORY_", "CLAUDE", "CODEX"))}
    return kept | more
