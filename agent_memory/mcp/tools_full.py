"""All the other tools, for ``--profile full``: one for each thing the Python API does for agents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from agent_memory.errors import UsageError
from agent_memory.mcp import tools_default
from agent_memory.mcp.inputs import Param
from agent_memory.mcp.results import plain
from agent_memory.mcp.tool import LIMIT, PROJECT, Call, Tool
from agent_memory.mcp.tools_default import STORE_MORE, STORE_PARAMS
from agent_memory.notes.moments import moment

ID: Final = Param("id", about="id, its first characters, or a topic key", required=True,
                  also=("observationId", "memoryId", "topicKey", "observation"))
SESSION: Final = Param("sessionId", required=True, also=("id", "session"))
ALL: Final = Param("allProjects", "boolean")
QUERY: Final = Param("query", required=True, also=("q", "text"))


def _suggest(call: Call) -> dict[str, Any]:
    return {"topic_key": call.memory.suggest_topic_key(call.args.text("kind", "note"), call.args.text("title"))}


def _capture(call: Call) -> dict[str, Any]:
    args = call.args
    done = call.memory.capture_text(args.text("content"), scope=args.text("scope"), tags=args.many("tags"),
                                    agent=args.text("agent"), session=args.text("sessionId"), **call.where())
    return {"stored": plain(done.stored), "unknown_headings": list(done.unknown_headings),
            "refused": [{"text": t, "reason": r} for t, r in done.refused]}


def _save_prompt(call: Call) -> dict[str, Any]:
    done = call.memory.save_prompt(call.args.text("content"), session=call.args.text("sessionId"), **call.where())
    return dict(plain(done))


def _review(call: Call) -> dict[str, Any]:
    found = call.memory.review(limit=call.args.number("limit", 20, most=200), **_if_named(call))
    return {"due": [{"days": d.days, **plain(d.memory)} for d in found]}


def _if_named(call: Call) -> dict[str, Any]:
    return call.where() if "projectPath" in call.args else {}


def _mark_reviewed(call: Call) -> dict[str, Any]:
    done = call.memory.mark_reviewed(call.args.text("id"), review_after=call.args.text("reviewAfter"), **call.where())
    return {"memory": plain(done)}


def _pin(call: Call) -> dict[str, Any]:
    return {"memory": plain(call.memory.pin(call.args.text("id"), **call.where()))}


def _unpin(call: Call) -> dict[str, Any]:
    return {"memory": plain(call.memory.pin(call.args.text("id"), pinned=False, **call.where()))}


def _prune(call: Call) -> dict[str, Any]:
    done = call.memory.prune(call.args.text("olderThan"), dry_run=call.args.flag("dryRun", True), **_if_named(call))
    return {"dry_run": done.dry_run, "kept": done.kept,
            "archived": [{"reason": reason, **plain(m)} for m, reason in done.memories]}


def _lint(call: Call) -> dict[str, Any]:
    done = call.memory.lint(fix=call.args.flag("fix"))
    return {"findings": plain(done.findings), "fixed": done.fixed}


def _history(call: Call) -> dict[str, Any]:
    return tools_default.expand(call)


def _restore(call: Call) -> dict[str, Any]:
    return {"memory": plain(call.memory.restore(call.args.text("id")))}


def _sessions_search(call: Call) -> dict[str, Any]:
    found = call.memory.search_sessions(
        call.args.text("query"), limit=call.args.number("limit", 10, most=100), agent=call.args.text("agent"),
        all_projects=call.args.maybe_flag("allProjects"), **call.where())
    return {"sessions": [_session_hit(h) for h in found]}


def _subagents_search(call: Call) -> dict[str, Any]:
    found = call.memory.search_sessions(
        call.args.text("query"), limit=call.args.number("limit", 10, most=100), subagents=True,
        all_projects=call.args.maybe_flag("allProjects"), **call.where())
    return {"sessions": [_session_hit(h) for h in found]}


def _session_hit(hit: Any) -> dict[str, Any]:
    s = hit.session
    return {"id": s.id, "host_id": s.host_id, "agent": s.agent, "title": s.title, "parent": s.parent,
            "started_at": plain(s.started_at), "score": round(hit.score, 4), "passages": list(hit.passages),
            "hits": hit.hits}


def _sessions_list(call: Call) -> dict[str, Any]:
    found = call.memory.list_sessions(
        limit=call.args.number("limit", 20, most=200), agent=call.args.text("agent"),
        all_projects=call.args.maybe_flag("allProjects"), subagents=call.args.flag("subagents"), **call.where())
    return {"sessions": plain(found)}


def _sessions_show(call: Call) -> dict[str, Any]:
    found = call.memory.show_session(call.args.text("sessionId"), limit=call.args.number("limit", 50, most=500),
                                     after=call.args.number("after", -1, least=-1, most=1_000_000_000))
    return {"summary": plain(found.summary), "records": plain(found.records), "more": found.more}


def _sessions_tree(call: Call) -> dict[str, Any]:
    def shown(tree: Any) -> dict[str, Any]:
        s = tree.session
        return {"id": s.id, "agent": s.agent, "title": s.title, "messages": s.messages,
                "children": [shown(child) for child in tree.children]}

    return {"tree": shown(call.memory.session_tree(call.args.text("sessionId")))}


def _events_search(call: Call) -> dict[str, Any]:
    args = call.args
    found = call.memory.search_events(
        args.text("query"), limit=args.number("limit", 20, most=200), status=args.text("status"),
        since=moment(args.text("since"), "since", now=call.memory.now()),
        all_projects=args.maybe_flag("allProjects"), **call.where())
    return {"events": [{"id": h.event.id, "session": h.event.session, "tool": h.event.name, "command": h.command,
                        "status": h.event.status, "exit_code": h.event.exit_code, "at": plain(h.event.at),
                        "input": h.event.input[:1000], "output": h.event.output[:1000], "file": h.event.file,
                        "line": h.event.line} for h in found]}


def _project_context(call: Call) -> dict[str, Any]:
    return dict(plain(call.memory.project_context(limit=call.args.number("limit", 5, most=50), **call.where())))


def _analyze(call: Call) -> dict[str, Any]:
    found = call.memory.analyze(days=call.args.number("days", 0, least=0, most=36_500),
                                least=call.args.number("least", 2), all_projects=call.args.maybe_flag("allProjects"),
                                **call.where())
    return {"commands": plain(found[:call.args.number("limit", 20, most=200)])}


def _with_action(action: str) -> Any:
    def run(call: Call) -> dict[str, Any]:
        return tools_default.conflicts(replace(call, args=call.args.saying("action", action)))

    return run


_REASON: Final = Param("reason")
_RELATION_ID: Final = Param("relationId", required=True, also=("id", "conflictId"))
_RELATION: Final = Param("relation", about="supersedes|conflicts_with|compatible|scoped|related|not_conflict")

TOOLS: Final = (
    Tool("suggest_topic_key", "A stable topic key for a kind and title.",
         (Param("kind", also=("type",)), Param("title", required=True)), _suggest, reads=True),
    Tool("capture", "Store notes from text with headed sections (Key Learnings, Decisions, Errors, …).",
         (Param("content", required=True, also=("text",)), Param("scope"), Param("tags", "array"), Param("agent"),
          Param("sessionId", also=("session",)), PROJECT), _capture),
    Tool("save_prompt", "Keep what the user asked.",
         (Param("content", required=True, also=("prompt", "text")), Param("sessionId", also=("session",)), PROJECT),
         _save_prompt),
    Tool("review", "Memories whose review is due, with days.", (LIMIT, PROJECT), _review, reads=True),
    Tool("mark_reviewed", "A memory still holds; set when to look again.",
         (ID, Param("reviewAfter", about="date or 90d"), PROJECT), _mark_reviewed),
    Tool("pin", "Keep a memory for good.", (ID, PROJECT), _pin),
    Tool("unpin", "No longer keep a memory for good.", (ID, PROJECT), _unpin),
    Tool("prune", "Archive what was not seen for long; shows only unless dryRun is false.",
         (Param("olderThan", about="such as 90d", required=True), Param("dryRun", "boolean"), PROJECT), _prune),
    Tool("lint", "What does not fit together any more.", (Param("fix", "boolean"),), _lint),
    Tool("history", "The life of one memory.", (ID, PROJECT), _history, reads=True),
    Tool("restore", "Bring a forgotten memory back.", (ID,), _restore),
    Tool("compare", "Propose how two memories relate.",
         (Param("observationA", required=True, also=("a", "memoryA")),
          Param("observationB", required=True, also=("b", "memoryB")),
          Param("relation", about=_RELATION.about, required=True), Param("confidence", "number"), _REASON, PROJECT),
         _with_action("compare")),
    Tool("judge", "Decide a conflict; supersedes retires the loser.",
         (_RELATION_ID, _RELATION, Param("winner", also=("winnerId",)), _REASON), _with_action("judge")),
    Tool("conflicts_list", "What was said about pairs.",
         (Param("status", about="pending|judged|ignored|all"), LIMIT, PROJECT), _with_action("list"), reads=True),
    Tool("conflicts_scan", "Propose contradicting pairs.", (Param("dryRun", "boolean"), PROJECT),
         _with_action("scan")),
    Tool("conflicts_ignore", "Leave a proposal aside for good.", (_RELATION_ID, _REASON), _with_action("ignore")),
    Tool("sessions_search", "Sessions by what was said or learned in them.",
         (QUERY, LIMIT, Param("agent"), ALL, PROJECT), _sessions_search, reads=True),
    Tool("sessions_list", "Latest sessions with summaries.",
         (LIMIT, Param("agent"), Param("subagents", "boolean"), ALL, PROJECT), _sessions_list, reads=True),
    Tool("sessions_show", "One session: summary and records.", (SESSION, Param("after", "integer"), LIMIT),
         _sessions_show, reads=True),
    Tool("sessions_tree", "A session's family of subagents.", (SESSION,), _sessions_tree, reads=True),
    Tool("events_search", "Tool calls whose name, input or output holds all words.",
         (QUERY, Param("status", about="ok|error|refused|open"), Param("since"), LIMIT, ALL, PROJECT), _events_search,
         reads=True),
    Tool("subagents_search", "Subagent sessions by what was said in them.", (QUERY, LIMIT, ALL, PROJECT),
         _subagents_search, reads=True),
    Tool("project_context", "What was done in a project recently.", (LIMIT, PROJECT), _project_context, reads=True),
    Tool("analyze", "Commands that were retried, looked up in help, or failed.",
         (Param("days", "integer"), Param("least", "integer", also=("minUses",)), LIMIT, ALL, PROJECT), _analyze,
         reads=True),
)


def profile(name: str) -> tuple[Tool, ...]:
    """The tools of a profile, ``default`` or ``full``.

    Raises:
        UsageError: there is none of that name.
    """
    if name == "default":
        return tools_default.TOOLS
    if name != "full":
        raise UsageError(f"unknown profile {name!r}", hint="Profiles are: default, full.")
    full_store = Tool("store", "Save one lasting thing. Repeats are counted, not doubled.", STORE_PARAMS + STORE_MORE,
                      tools_default.store)
    return (*(full_store if t.name == "store" else t for t in tools_default.TOOLS), *TOOLS)
