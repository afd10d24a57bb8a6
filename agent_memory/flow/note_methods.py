"""The part of the Python API that saves, corrects and judges notes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from agent_memory.flow.place import Place

if TYPE_CHECKING:
    from agent_memory.flow.notes import Captured, SavedPrompt
    from agent_memory.model.memory import MemoryNode
    from agent_memory.notes.lint import LintReport
    from agent_memory.notes.relations import Relation, ScanReport
    from agent_memory.notes.request import Stored
    from agent_memory.notes.upkeep import Archived, Due

ACTOR = "api"


class NoteMethods(Place):
    """Typed notes: store, capture, review, pin, prune, compare and judge."""

    def store_note(self, content: str, *, kind: str = "note", topic_key: str = "", scope: str = "project",
                   tags: Sequence[str] = (), priority: str = "", review_after: datetime | str | None = None,
                   valid_from: datetime | str | None = None, valid_until: datetime | str | None = None,
                   expires_at: datetime | str | None = None, ttl: str = "", operation_id: str = "",
                   project: str | None = None, cwd: str = "", agent: str = "", session: str = "", file: str = "",
                   line: int = 0) -> Stored:
        """Store a typed note, durably. The same text behind the same wall raises its seen count instead.

        Args:
            content: what to remember, in any language; secrets and private parts are taken out.
            kind: decision, preference, lesson (error), fact, context, pattern, architecture, summary, note.
            topic_key: what it is about (`suggest_topic_key`); the next note under it takes the place of this one.
            scope: project, personal (this person everywhere) or global.
            tags: words to find it by.
            priority: red, yellow or green; by kind if not given.
            review_after: when it should be looked at again; like all times ISO 8601, a datetime, or a length as 90d.
            valid_from: since when it holds.
            valid_until: until when it holds.
            expires_at: when it is not shown any more.
            ttl: the same as a length of time.
            operation_id: the same id gives the same answer and stores nothing twice.
            project: a project's name, id or folder. Without it and ``cwd`` the note belongs to no project.
            cwd: the folder whose project is meant.
            agent: who stores it.
            session: id of the session it comes from.
            file: a file it speaks of.
            line: and the line in there.

        Raises:
            UsageError: an unknown word, contradicting times, a used operation id, a forgotten or purged text.
        """
        from agent_memory.flow import notes
        from agent_memory.notes.request import Origin

        origin = Origin(agent, session, file, line)
        return notes.store(self, content, project=project, cwd=cwd, origin=origin, kind=kind,
                           topic_key=topic_key, scope=scope, tags=tags, priority=priority, review_after=review_after,
                           valid_from=valid_from, valid_until=valid_until, expires_at=expires_at, ttl=ttl,
                           operation_id=operation_id)

    def flush(self) -> None:
        """Bring graph and search file up to what was stored. Reading does it by itself."""
        self.desk.flush()

    def suggest_topic_key(self, kind: str, title: str) -> str:
        """A stable key for notes of that kind and title, in any script.

        Raises:
            UsageError: unknown kind.
        """
        from agent_memory.errors import UsageError
        from agent_memory.model.memory import kind_of
        from agent_memory.notes import topics
        from agent_memory.notes.request import KINDS

        known = kind_of(kind)
        if known is None:
            raise UsageError(f"unknown kind {kind!r}", hint=f"Kinds are: {', '.join(KINDS)}.")
        return topics.suggest(known, title)

    def capture_text(self, text: str, *, scope: str = "project", tags: Sequence[str] = (), project: str | None = None,
                     cwd: str = "", agent: str = "", session: str = "") -> Captured:
        """Store what stands under headings such as Key Learnings or Decisions, in any of several languages."""
        from agent_memory.flow import notes
        from agent_memory.notes.request import Origin

        return notes.capture(self, text, project=project, cwd=cwd, origin=Origin(agent, session), scope=scope,
                             tags=tags)

    def save_prompt(self, text: str, *, project: str | None = None, cwd: str = "", session: str = "") -> SavedPrompt:
        """Keep what a user asked; found by `recall` with ``types=["message"]``."""
        from agent_memory.flow import notes

        return notes.save_prompt(self, text, project=project, cwd=cwd, session=session)

    # keeping them useful

    def find_memory(self, given: str, *, project: str | None = None, cwd: str = "") -> MemoryNode:
        """The memory that an id, the start of one, or a topic key names."""
        from agent_memory.flow.notes import project_id
        from agent_memory.notes.naming import named

        with self.store.read() as graph:
            return named(self.store, graph, given, project_id(self, project, cwd))

    def review(self, *, project: str | None = None, cwd: str = "", limit: int = 20) -> list[Due]:
        """Memories whose review is due, longest first; of all projects unless one is named."""
        from agent_memory.flow.notes import project_id
        from agent_memory.notes import upkeep

        here = project_id(self, project, cwd) if project or cwd else None
        with self.store.read() as graph:
            return upkeep.overdue(graph, now=self.now(), project=here, limit=limit)

    def mark_reviewed(self, given: str, *, review_after: datetime | str | None = None, project: str | None = None,
                      cwd: str = "") -> MemoryNode:
        """A memory still holds; it is due again at ``review_after`` (default in 90 days)."""
        from agent_memory.notes import upkeep
        from agent_memory.notes.moments import moment

        memory = self.find_memory(given, project=project, cwd=cwd)
        again = moment(review_after, "review_after", now=self.now())
        return upkeep.mark_reviewed(self.store, memory, now=self.now(), again=again, actor=ACTOR)

    def pin(self, given: str, *, pinned: bool = True, project: str | None = None, cwd: str = "") -> MemoryNode:
        """Keep a memory for good, or with ``pinned=False`` no longer."""
        from agent_memory.flow import views
        from agent_memory.notes import upkeep

        memory = self.find_memory(given, project=project, cwd=cwd)
        done = upkeep.pin(self.store, memory, pinned=pinned, now=self.now(), actor=ACTOR)
        views.refresh(self)
        return done

    def prune(self, older_than: str, *, project: str | None = None, cwd: str = "", dry_run: bool = True) -> Archived:
        """Archive what was not seen for so long (such as 90d). Shows only, unless ``dry_run`` is False."""
        from agent_memory.flow import views
        from agent_memory.flow.notes import project_id
        from agent_memory.notes import upkeep

        here = project_id(self, project, cwd) if project or cwd else None
        report = upkeep.prune(self.store, older_than, now=self.now(), project=here, dry_run=dry_run, actor=ACTOR)
        if report.memories and not dry_run:
            views.refresh(self)
        return report

    def enforce_limit(self, *, dry_run: bool = False) -> Archived:
        """Archive the least useful observations beyond the setting ``max_observations``."""
        from agent_memory.notes import upkeep

        return upkeep.shrink(self.store, self.settings.max_observations, now=self.now(), dry_run=dry_run, actor=ACTOR)

    def lint(self, *, fix: bool = False) -> LintReport:
        """What does not fit together any more; with ``fix`` what can be put right safely is."""
        from agent_memory.notes import lint

        return lint.lint(self.store, now=self.now(), fix=fix, semantic=self.settings.semantic,
                         embed=self.meaning.embed if fix and self.meaning is not None else None,
                         session_timeout=timedelta(hours=self.settings.session_timeout_hours))

    # conflicts

    def compare(self, a: str, b: str, relation: str, *, confidence: float = 0.7, reason: str = "",
                project: str | None = None, cwd: str = "") -> Relation:
        """Propose how two memories relate; pending until `judge` decides."""
        from agent_memory.notes import relations

        first, second = (self.find_memory(given, project=project, cwd=cwd) for given in (a, b))
        return relations.compare(self.store, first, second, relation, confidence=confidence,
                                 reason=self.redactor().text(reason), now=self.now(), actor=ACTOR)

    def judge(self, relation_id: str, *, relation: str = "", winner: str = "", reason: str = "") -> Relation:
        """Decide a conflict; *supersedes* retires the one that loses on every read path."""
        from agent_memory.flow import views
        from agent_memory.notes import relations

        done = relations.judge(self.store, relation_id, relation=relation, winner=winner,
                               reason=self.redactor().text(reason), now=self.now(), actor=ACTOR)
        views.refresh(self)
        return done

    def conflicts(self, *, status: str = "pending", project: str | None = None, cwd: str = "") -> list[Relation]:
        """What was said about pairs of memories; of all projects unless one is named."""
        from agent_memory.flow.notes import project_id
        from agent_memory.notes import relations

        here = project_id(self, project, cwd) if project or cwd else None
        return relations.every(self.store, status=status, project=here)

    def scan_conflicts(self, *, project: str | None = None, cwd: str = "", dry_run: bool = False) -> ScanReport:
        """Propose pairs that contradict each other; a pair is proposed once for ever.

        Words are compared; a model that the settings name is asked for more, within its budget (also in a dry run), and
        never judges.
        """
        from agent_memory.flow import models
        from agent_memory.flow.notes import project_id
        from agent_memory.notes import relations

        here = project_id(self, project, cwd) if project or cwd else None
        return relations.scan(self.store, now=self.now(), project=here, dry_run=dry_run, model=models.proposer(self),
                              clean=self.redactor().text)

    def ignore_conflict(self, relation_id: str, *, reason: str = "") -> Relation:
        """Leave a proposal aside for good."""
        from agent_memory.notes import relations

        return relations.ignore(self.store, relation_id, reason=self.redactor().text(reason), now=self.now(),
                                actor=ACTOR)
