"""Hook payloads → events: only named fields are taken, since hosts put tokens and whole files beside them. Light."""

from __future__ import annotations

from collections.abc import Mapping

from agent_memory.model.event import HookEvent

_LIMITS = {"session": 200, "path": 4_096, "word": 60}


def _field(payload: Mapping[str, object], names: tuple[str, ...], limit: int) -> str:
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value:
            text = value.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
            return text[:limit]
    return ""


def allowed_event(agent: str, event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "",
                  source: tuple[str, ...] = (), session_names: tuple[str, ...] = ("session_id",),
                  transcript_names: tuple[str, ...] = ("transcript_path",), cwd_names: tuple[str, ...] = ("cwd",),
                  text: str = "") -> HookEvent:
    """An event from a payload, by the names that its host uses; what is missing or of another type is empty."""
    return HookEvent(
        event=event, agent=agent,
        session=_field(payload, session_names, _LIMITS["session"]) or session[:_LIMITS["session"]],
        transcript=_field(payload, transcript_names, _LIMITS["path"]),
        cwd=_field(payload, cwd_names, _LIMITS["path"]) or cwd[:_LIMITS["path"]],
        at=at, source=_field(payload, source, _LIMITS["word"]),
        agent_transcript=_field(payload, ("agent_transcript_path",), _LIMITS["path"]), text=text)
