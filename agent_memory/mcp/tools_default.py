"""The eight tools of the default profile: little to read for an agent, enough to work with."""

from __future__ import annotations

from typing import Any, Final

from agent_memory.errors import NotFoundError
from agent_memory.forget.selection import Selection
from agent_memory.mcp.inputs import Param
from agent_memory.mcp.results import plain
from agent_memory.mcp.tool import LIMIT, PROJECT, Call, Tool
from agent_memory.recall.filters import DEFAULT_TYPES, TYPES
from agent_memory.recall.handles import expand as expand_handle
from agent_memory.service.served import ServedMemory

STORE_PARAMS: Final = (
    Param("content", required=True, also=("text", "observation", "body", "note")),
    Param("kind", about="decision|preference|lesson|fact|context|pattern|architecture|summary|note",
          also=("type", "category")),
    Param("topicKey", about="same key replaces", also=("topic",)),
    Param("scope", about="project|personal|global"),
    Param("tags", "array"),
    Param("reviewAfter", about="date or 90d"),
    Param("ttl"),
    Param("operationId", about="for safe retries", also=("idempotencyKey",)),
    PROJECT,
)
STORE_MORE: Final = (
    Param("title"), Param("priority", about="red|yellow|green"), Param("validFrom"), Param("validUntil"),
    Param("expiresAt"), Param("agent"), Param("sessionId", also=("session",)), Param("file", also=("filePath",)),
    Param("line", "integer"))


def context(call: Call) -> dict[str, Any]:
    """The start payload."""
    where = call.where()
    found = call.memory.context(agent=call.args.text("agent"), task=call.args.text("task"),
                                cwd=where.get("cwd") or _root(call, where.get("project", "")),
                                budget_chars=call.args.number("budgetChars", 8000, least=500, most=100_000))
    return {"text": found.text}


def _root(call: Call, project: str) -> str:
    with call.memory.store.read() as graph:
        return next((p.project.root for p in graph.projects() if p.project.id == project), "")


def recall(call: Call) -> dict[str, Any]:
    """Hits."""
    args = call.args
    types = tuple(t for t in args.many("types") if t in TYPES) or DEFAULT_TYPES
    hits = call.memory.recall(
        args.text("query"), limit=args.number("limit", 8, most=100), kinds=args.many("kinds"), types=types,
        scopes=args.many("scopes"), all_projects=True if args.flag("allProjects") else None, **call.where())
    return {"hits": [h.as_json() for h in hits], **_behind(call)}


def expand(call: Call) -> dict[str, Any]:
    """All of a handle, or one memory with its life and sources."""
    given = call.required("id").strip()
    if given.startswith("startup:"):
        where = call.where()
        chunks = expand_handle(call.memory.home, given, now=call.memory.now(),
                               cwd=where.get("cwd") or _root(call, where.get("project", "")))
        return {"handle": given, "items": [{"id": c.bullet.id, "text": c.bullet.text} for c in chunks]}
    memory = call.memory.find_memory(given, **call.where())
    found = call.memory.history(memory.id)
    return {"memory": plain(found.memory), "revisions": [plain(r) for r in found.revisions],
            "happenings": [{"at": plain(h.at), "what": h.what, "value": h.value, "detail": h.detail}
                           for h in found.happenings if h.what != "operation"],
            "sources": [plain(s) for s in found.sources],
            "relations": [{"relation": e.kind, "from": e.source, "to": e.target, "status": e.status,
                           "reason": e.reason} for e in found.relations if e.kind != "mentions"]}


def store(call: Call) -> dict[str, Any]:
    """What came of it."""
    args = call.args
    title = args.text("title").strip()
    content = args.text("content")
    where = call.where()
    if "project" in where:
        where = {"project": where["project"]}
    done = call.memory.store_note(
        f"{title}\n{content}" if title and title not in content else content, kind=args.text("kind"),
        topic_key=args.text("topicKey"), scope=args.text("scope"), tags=args.many("tags"),
        priority=args.text("priority"), review_after=args.text("reviewAfter"), valid_from=args.text("validFrom"),
        valid_until=args.text("validUntil"), expires_at=args.text("expiresAt"), ttl=args.text("ttl"),
        operation_id=args.text("operationId"), agent=args.text("agent"), session=args.text("sessionId"),
        file=args.text("file"), line=args.number("line", 0, least=0, most=10_000_000), **where)
    data: dict[str, Any] = plain(done)
    if done.conflicts:
        data["hint"] = "May contradict what is stored. Judge it with conflicts, or leave it to a person."
    return {**data, **_behind(call)}


def timeline(call: Call) -> dict[str, Any]:
    """Moments."""
    args = call.args
    found = call.memory.timeline(args.text("around"), limit=args.number("limit", 15, most=200),
                                 before=args.number("before", 5, least=0, most=50),
                                 after=args.number("after", 5, least=0, most=50), **call.where())
    return {"moments": plain(found)}


def conflicts(call: Call) -> dict[str, Any]:
    """List, scan, compare, judge or ignore."""
    args, memory = call.args, call.memory
    action = args.text("action", "list").strip().lower()
    here = call.where() if "projectPath" in args else {}
    if action == "judge":
        return {"conflict": plain(memory.judge(call.required("relationId"), relation=args.text("relation"),
                                               winner=args.text("winner"), reason=args.text("reason")))}
    if action == "ignore":
        return {"conflict": plain(memory.ignore_conflict(call.required("relationId"), reason=args.text("reason")))}
    if action == "compare":
        done = memory.compare(call.required("observationA"), call.required("observationB"), call.required("relation"),
                              confidence=args.real("confidence", 0.7), reason=args.text("reason"), **call.where())
        return {"conflict": plain(done)}
    if action == "scan":
        report = memory.scan_conflicts(dry_run=args.flag("dryRun"), **here)
        return {"proposed": plain(report.proposed), "compared": report.compared, "more": report.more,
                "notes": plain(report.notes)}
    if action == "list":
        found = memory.conflicts(status=args.text("status", "pending"), **here)
        return {"conflicts": plain(found[:args.number("limit", 20, most=200)]), "total": len(found)}
    raise NotFoundError(f"conflicts knows no action {action!r}",
                        hint="Nothing was done. Actions: list, scan, compare, judge, ignore.")


def forget(call: Call) -> dict[str, Any]:
    """Hide by ids at once, by words only after a look."""
    args = call.args
    ids = tuple(call.memory.find_memory(i, **call.where()).id for i in args.many("ids"))
    by_words = not ids
    dry_run = args.flag("dryRun", by_words)
    selection = Selection(ids=ids, query=args.text("query"), project=_project(call) if by_words else "")
    done = call.memory.forget(selection, dry_run=dry_run, reason=args.text("reason", "forgotten"))
    data = {"forgotten": [] if dry_run else [plain(m) for m in done.memories],
            "would_forget": [plain(m) for m in done.memories] if dry_run else []}
    if dry_run:
        return {**data, "hint": "Nothing was changed. Give ids, or dryRun false, to hide them; restore undoes it."}
    return data


def _project(call: Call) -> str:
    return str(call.where().get("project", ""))


def status(call: Call) -> dict[str, Any]:
    """Counts."""
    report = call.memory.status()
    return {**plain(report), **_behind(call)}


def _behind(call: Call) -> dict[str, Any]:
    """How many batches others do not see yet; nothing if all do."""
    waiting = call.memory.behind() if isinstance(call.memory, ServedMemory) else 0
    return {"behind": waiting} if waiting else {}


TOOLS: Final = (
    Tool("context", "What to know before working here: rules, decisions, open work.",
         (Param("task"), Param("agent"), Param("budgetChars", "integer", also=("budget",)), PROJECT), context,
         reads=True),
    Tool("recall", "Search memory in plain words, any language.",
         (Param("query", required=True, also=("q", "question", "text")), LIMIT, Param("kinds", "array", also=("kind",)),
          Param("types", "array", about="also message", also=("type",)), Param("scopes", "array", also=("scope",)),
          Param("allProjects", "boolean"), PROJECT), recall, reads=True),
    Tool("expand", "All of a startup: handle, or a memory's history and sources by id or topic key.",
         (Param("id", required=True, also=("handle", "observationId", "memoryId", "topicKey")), PROJECT), expand,
         reads=True),
    Tool("store", "Save one lasting thing: a decision, preference, lesson, fact. Repeats are counted, not doubled.",
         STORE_PARAMS, store),
    Tool("timeline", "Sessions in order, or what happened around one memory.",
         (Param("around", about="id", also=("id", "observationId", "memoryId")), LIMIT, PROJECT), timeline, reads=True),
    Tool("conflicts", "Contradicting memories: list, scan, compare a and b, judge or ignore one.",
         (Param("action", about="list|scan|compare|judge|ignore"), Param("relationId", also=("id", "conflictId")),
          Param("observationA", also=("a", "memoryA")), Param("observationB", also=("b", "memoryB")),
          Param("relation", about="supersedes|conflicts_with|compatible|scoped|related|not_conflict"),
          Param("winner", also=("winnerId",)), Param("reason"), PROJECT), conflicts),
    Tool("forget", "Hide memories by id (undo: restore), or preview by query.",
         (Param("ids", "array", also=("id", "observationId", "memoryId")), Param("query"), Param("reason"),
          Param("dryRun", "boolean")), forget),
    Tool("status", "What is stored and what waits.", (), status, reads=True),
)
