"""The agents we know by name. An agent has one stem, the same in every folder that has a file per agent."""

from __future__ import annotations

from typing import Final

TITLES: Final[dict[str, str]] = {
    "claude": "Claude Code",
    "codex": "OpenAI Codex CLI",
    "grok": "Grok Build",
    "devin": "Devin CLI",
    "antigravity": "Google Antigravity",
    "gemini": "Gemini CLI",
    "windsurf": "Windsurf",
    "opencode": "OpenCode",
    "agent_terminal_ui": "agent-terminal-ui",
    "cowork": "Claude Cowork",
    "hermes": "Hermes agent",
}
"""Stem → title as people know it. A stem is added together with its parser, tests and page."""
