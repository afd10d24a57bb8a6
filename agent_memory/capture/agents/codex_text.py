"""Whose words stand in a Codex message with role user, and what a tool's output says about how it ended."""

from __future__ import annotations

import json
import re
from typing import Any

from agent_memory.text import marker

# Texts with role user that the harness writes, in files that do not say so themselves.
_HARNESS = re.compile(
    r"\s*(?:<(?P<tag>environment_context|user_instructions|turn_aborted|INSTRUCTIONS|permissions instructions|skill|"
    r"skills|collaboration_mode|subagent_notification|user_shell_command|apps_instructions|personality_spec|model_switch|"
    r"hook_prompt|goal_context|environments_instructions)\b|# AGENTS\.md instructions|"
    r"Another language model started to solve this problem|<image\b)")
_ELEMENTS = re.compile(
    r"<(?P<tag>environment_context|user_instructions|turn_aborted|INSTRUCTIONS|user_shell_command|subagent_notification)\b"
    r"[^>\n]*>(?:.*?</(?P=tag)>|.*\Z)", re.S)
_IDE = re.compile(r"\A\s*# Context from my IDE setup:.*?^## My request for Codex:[ \t]*\n?", re.S | re.M)
_ATTACHED = re.compile(r"\A\s*# Files mentioned by the user:.*?^## My request for Codex:[ \t]*\n?", re.S | re.M)
_EXIT = re.compile(r"(?:Process exited with code|Exit code:)\s*(-?\d{1,6})")
_OUTPUT = re.compile(r"\A(?:Chunk ID|Wall time|Exit code|Process exited|Process running|Original token count|"
                     r"Total output lines)\b.*?^Output:[ \t]*\n", re.S | re.M)
_REFUSED = re.compile(r"\s*(?:exec command |patch |command )?(?:was )?rejected by (?:the )?user\b"
                      r"(?:[:.]?\s*(.*))?\Z", re.I | re.S)


def words(text: str) -> str:
    """The person's own words in a text with role user; "" if it is only harness text.

    >>> words("# Context from my IDE setup:\\n## Open tabs:\\n- a.rs\\n\\n## My request for Codex:\\nCap the cache.")
    'Cap the cache.'
    >>> words("<environment_context>\\n <cwd>/x</cwd>\\n</environment_context>")
    ''
    """
    text = marker.strip(text)
    text = _ATTACHED.sub("", _IDE.sub("", text, count=1), count=1)
    if _HARNESS.match(text):
        rest = _ELEMENTS.sub("", text).strip()
        return "" if _HARNESS.match(rest) or rest == text.strip() else rest
    return _ELEMENTS.sub("", text).strip() if "<" in text else text.strip()


def outcome(output: object) -> tuple[str, str, int | None, str]:
    """Text, status, exit code and a refusing person's words of a tool's output, in any of its forms."""
    text, code = _text_of(output)
    if code is None and (found := _EXIT.search(text[:400])):
        code = int(found[1])
    refused = _REFUSED.match(text)
    if refused:
        return "", "refused", code, (refused[1] or "").strip()
    text = _OUTPUT.sub("", text, count=1)
    return text, "ok" if code in (None, 0) else "error", code, ""


def _text_of(output: object) -> tuple[str, int | None]:
    if isinstance(output, str):
        if output[:1] == "{":
            try:
                return _text_of(json.loads(output))
            except (ValueError, RecursionError):
                return output, None
        return output, None
    if isinstance(output, list):
        return "\n".join(str(b.get("text", "")) for b in output if isinstance(b, dict)), None
    if isinstance(output, dict):
        about = output.get("metadata")
        code = about.get("exit_code") if isinstance(about, dict) else None
        inner = next((output[k] for k in ("output", "content", "text") if k in output), None)
        if inner is None:
            return json.dumps(output, ensure_ascii=False), code if isinstance(code, int) else None
        text, found = _text_of(inner) if not isinstance(inner, str) else (inner, None)
        return text, code if isinstance(code, int) else found
    return "", None


def answers(given: str, output: object) -> list[tuple[str, str]]:
    """Questions and a person's answers of ``request_user_input``: arguments and output, both JSON."""
    try:
        asked: Any = json.loads(given)
        said: Any = json.loads(output) if isinstance(output, str) else output
    except (ValueError, RecursionError):
        return []
    if not isinstance(asked, dict) or not isinstance(said, dict) or not isinstance(said.get("answers"), dict):
        return []
    questions = asked.get("questions")
    titles = {str(q.get("id")): str(q.get("question", "")) for q in questions if isinstance(q, dict)} \
        if isinstance(questions, list) else {}
    pairs = []
    for key, answer in said["answers"].items():
        values = answer.get("answers") if isinstance(answer, dict) else answer
        text = ", ".join(str(v) for v in values) if isinstance(values, list) else str(values or "")
        if text.strip():
            pairs.append((titles.get(str(key)) or str(key), text.removeprefix("user_note: ").strip()))
    return pairs
