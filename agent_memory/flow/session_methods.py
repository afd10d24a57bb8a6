"""The part of the Python API that tells what happened."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from agent_memory.flow.place import Place

if TYPE_CHECKING:
    from agent_memory.flow.sessions import Moment, ProjectContext, Shown
    from agent_memory.sessions.finding import EventHit, SessionHit, Tree
    from agent_memory.sessions.summary import Summary
    from agent_memory.sessions.trouble import Trouble


class SessionMethods(Place):
    """Sessions, tool calls and subagents. ``project`` is a name, id or folder, ``cwd`` a folder; with neither and
    without ``all_projects`` only what belongs to no project is looked at, except where said otherwise."""

    def search_sessions(self, query: str, *, project: str | None = None, cwd: str = "",
                        all_projects: bool | None = None, limit: int = 10, agent: str = "",
                        subagents: bool | None = None) -> list[SessionHit]:
        """Sessions in which something was said or learned that fits.

        ``subagents``: True for them only, False for none, None for both.
        """
        from agent_memory.flow.notes import project_id
        from agent_memory.sessions import finding

        here = project_id(self, project, cwd)
        return finding.search_sessions(
            self.store, query, now=self.now(), project=here, limit=limit, agents=(agent,) if agent else (),
            all_projects=not here if all_projects is None else all_projects,
            only=lambda s: subagents is None or bool(s.parent) is subagents)

    def list_sessions(self, *, project: str | None = None, cwd: str = "", all_projects: bool | None = None,
                      limit: int = 20, agent: str = "", subagents: bool = False) -> list[Summary]:
        """Summaries of sessions, latest first."""
        from agent_memory.flow import sessions

        everywhere = not (project or cwd) if all_projects is None else all_projects
        return sessions.listed(self, project=project, cwd=cwd, all_projects=everywhere, limit=limit, agent=agent,
                               subagents=subagents)

    def show_session(self, given: str, *, after: int = -1, limit: int = 100) -> Shown:
        """One session: its summary, and its records after a sequence number."""
        from agent_memory.flow import sessions

        return sessions.show(self, given, after=after, limit=limit)

    def session_tree(self, given: str) -> Tree:
        """A session's family of subagents, from the root."""
        from agent_memory.flow import sessions

        return sessions.tree(self, given)

    def search_events(self, query: str, *, project: str | None = None, cwd: str = "",
                      all_projects: bool | None = None, limit: int = 20, status: str = "",
                      since: datetime | None = None) -> list[EventHit]:
        """Tool calls whose name, input or output holds all words, newest first."""
        from agent_memory.flow.notes import project_id
        from agent_memory.sessions import finding

        here = project_id(self, project, cwd)
        return finding.search_events(self.store, query, project=here, limit=limit, status=status, since=since,
                                     all_projects=not here if all_projects is None else all_projects)

    def timeline(self, around: str = "", *, project: str | None = None, cwd: str = "",
                 all_projects: bool | None = None, limit: int = 20, before: int = 5, after: int = 5) -> list[Moment]:
        """Sessions in order of time, or what stands around one memory."""
        from agent_memory.flow import sessions

        everywhere = not (project or cwd) if all_projects is None else all_projects
        return sessions.timeline(self, around=around, project=project, cwd=cwd, all_projects=everywhere, limit=limit,
                                 before=before, after=after)

    def project_context(self, *, project: str | None = None, cwd: str = "", limit: int = 5) -> ProjectContext:
        """What was done in a project recently, what is contested and due there."""
        from agent_memory.flow import sessions

        return sessions.project_context(self, project=project, cwd=cwd, limit=limit)

    def analyze(self, *, project: str | None = None, cwd: str = "", all_projects: bool | None = None, days: int = 0,
                least: int = 2) -> list[Trouble]:
        """Commands that were repeated at once, looked up in their help, or failed; worst first."""
        from agent_memory.flow import sessions

        everywhere = not (project or cwd) if all_projects is None else all_projects
        return sessions.analyze(self, project=project, cwd=cwd, all_projects=everywhere, days=days, least=least)
