"""One home, everything that can be done with it: the Python API, and what every surface is thin over.

>>> from agent_memory import Memory                                   # doctest: +SKIP
>>> memory = Memory()                                                 # doctest: +SKIP
>>> memory.recall("what was decided about the database?")             # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from agent_memory.flow.note_methods import NoteMethods
from agent_memory.flow.session_methods import SessionMethods

if TYPE_CHECKING:
    from agent_memory.errors import AgentMemoryError
    from agent_memory.flow.drain import DrainReport
    from agent_memory.flow.explain import Explained
    from agent_memory.flow.learn import BackfillReport, Learned
    from agent_memory.flow.status import StatusReport
    from agent_memory.forget.history import History
    from agent_memory.forget.purge import Preview
    from agent_memory.forget.rescan import RescanReport
    from agent_memory.forget.retire import ForgetReport
    from agent_memory.forget.selection import Selection
    from agent_memory.llm.usage import UsageReport
    from agent_memory.materialize.writer import MaterializeReport
    from agent_memory.model.memory import MemoryNode
    from agent_memory.recall.context import Payload
    from agent_memory.recall.hit import Hit
    from agent_memory.reflect.pipeline import ReflectReport
    from agent_memory.store.backup import Backup, Created
    from agent_memory.store.compact import CompactReport
    from agent_memory.store.import_ import ImportReport
    from agent_memory.store.purge import PurgeReport
    from agent_memory.store.rebuild import RebuildReport
    from agent_memory.store.restore import RestoreReport
    from agent_memory.store.verify import VerifyReport
    from agent_memory.sync.run import SyncReport
    from agent_memory.sync.status import SyncStatus


class Memory(NoteMethods, SessionMethods):
    """The memory of one home, see `Place` for its arguments. Notes and sessions have their methods in ``flow``."""

    # learning

    def observe_file(self, source: str, path: Path) -> Learned:
        """Capture what is new in a transcript and observe its sessions. The same file twice changes nothing."""
        from agent_memory.flow import learn

        return learn.learn_file(self, source, path)

    def explain_file(self, source: str, path: Path) -> Explained:
        """What observing a transcript would give, candidate by candidate; nothing is stored."""
        from agent_memory.flow import explain

        return explain.explain_file(self, source, path)

    def drain(self) -> DrainReport:
        """Learn from everything that waits in the inbox, reflect when due, write the views."""
        from agent_memory.flow import drain

        return drain.drain(self)

    def backfill(self, source: str, *, limit: int | None = None, dry_run: bool = False,
                 progress: Callable[[int, int, Path], None] | None = None) -> BackfillReport:
        """Learn from old transcripts of an agent, newest first, at most ``limit``."""
        from agent_memory.flow import learn

        return learn.backfill(self, source, limit=limit, dry_run=dry_run, progress=progress)

    def reflect(self, *, dry_run: bool = False) -> ReflectReport:
        """Merge, promote, demote and retire memories."""
        from agent_memory.flow import models
        from agent_memory.reflect.pipeline import reflect

        return reflect(self.store, now=self.now(), dry_run=dry_run, model=models.consultant(self))

    # views

    def materialize(self) -> MaterializeReport:
        """Take edits of the views in, then write the views that changed."""
        from agent_memory.flow import views

        return views.materialize(self)

    def sync(self, *, yes: bool = False, put_back: bool = False, dry_run: bool = False) -> SyncReport:
        """One pass of two-way sync between views and graph.

        Args:
            yes: go on where an edit looks like an accident.
            put_back: write vanished or emptied views again instead of retiring what they showed.
            dry_run: plan only.
        """
        from agent_memory.flow import views

        return views.sync(self, yes=yes, put_back=put_back, dry_run=dry_run)

    def watch(self, told: Callable[[SyncReport | AgentMemoryError], None], *, yes: bool = False) -> None:
        """Sync whenever a view changes, until interrupted; ``told`` hears of passes that did something, and errors."""
        from agent_memory.flow import views

        views.watch(self, told, yes=yes)

    def sync_status(self) -> SyncStatus:
        """Which views are edited, in conflict or unreadable. Changes nothing."""
        from agent_memory.flow import views

        return views.status(self)

    # asking

    def context(self, *, agent: str = "", cwd: str = "", task: str = "", budget_chars: int | None = None) -> Payload:
        """The start payload for a session of an agent in a folder."""
        from agent_memory.recall.context import build

        return build(self.home, agent=agent, cwd=cwd, task=task, budget_chars=budget_chars, sizes=self.sizes,
                     now=self.now())

    def recall(self, query: str, *, limit: int | None = None, project: str | None = None, cwd: str = "",
               all_projects: bool | None = None, **filters: Any) -> list[Hit]:
        """Hits for a question, best first.

        Args:
            query: any text in any script.
            limit: hits at most.
            project: a project's name, id or folder. Without it and ``cwd``, all projects are searched.
            cwd: the folder whose project is meant.
            all_projects: look into every project.
            filters: kinds, types, agents, sessions, scopes, statuses, priorities, as_of, why (recall/search.py).
        """
        from agent_memory.recall.search import recall
        from agent_memory.recall.where import project_around, project_named

        if "desk" in self.__dict__:  # notes that were stored in a burst are found too
            self.desk.flush()
        here = project_named(self.home, project) if project else project_around(self.home, cwd) if cwd else ""
        anywhere = all_projects if all_projects is not None else not here
        hits = recall(self.home, query, now=self.now(), limit=limit or self.settings.recall_limit, project=here,
                      all_projects=anywhere, meaning=self.meaning, **filters)
        least = self.settings.recall_threshold
        return [h for h in hits if h.score >= least] if least else hits

    def add_items(self, items: Iterable[Mapping[str, Any]]) -> int:
        """Add messages that are no transcript: mappings with id, text, and if known session, timestamp, speaker.

        Returns:
            How many were new. The text goes through redaction; `recall` gives them with ``external_id``.
        """
        from agent_memory.flow import add

        return add.add_items(self, items)

    # forgetting

    def forget(self, selection: Selection, *, dry_run: bool = True, reason: str = "forgotten") -> ForgetReport:
        """Hide memories; `restore` brings them back. Shows only, unless ``dry_run`` is False."""
        from agent_memory.flow import views
        from agent_memory.forget.retire import forget

        report = forget(self.store, selection, now=self.now(), reason=reason, dry_run=dry_run, many=True)
        if not dry_run:
            views.refresh(self)
        return report

    def restore(self, memory_id: str) -> MemoryNode:
        """Bring a forgotten memory back."""
        from agent_memory.flow import views
        from agent_memory.forget.retire import restore

        memory = restore(self.store, memory_id, now=self.now())
        views.refresh(self)
        return memory

    def history(self, memory_id: str) -> History:
        """The life of one memory."""
        from agent_memory.forget.history import history

        with self.store.read() as graph:
            return history(graph, memory_id)

    def plan_purge(self, selection: Selection) -> Preview:
        """What `purge` would remove."""
        from agent_memory.flow import forgetting

        return forgetting.plan_purge(self, selection)

    def purge(self, plan: Preview) -> PurgeReport:
        """Remove every byte of what a plan holds. Cannot be undone."""
        from agent_memory.flow import forgetting

        return forgetting.purge(self, plan)

    def redact_rescan(self, *, dry_run: bool = False) -> RescanReport:
        """Apply the present redaction rules to everything that is stored."""
        from agent_memory.flow import forgetting

        return forgetting.rescan(self, dry_run=dry_run)

    # keeping

    def verify(self) -> VerifyReport:
        """Compare journal, graph and search file."""
        from agent_memory.store.verify import verify

        return verify(self.store)

    def rebuild(self) -> RebuildReport:
        """Graph and search file anew from the journal."""
        from agent_memory.store.rebuild import rebuild

        return rebuild(self.store)

    def compact(self) -> CompactReport:
        """Give unused disk space back."""
        from agent_memory.store.compact import compact

        return compact(self.store)

    def backup_create(self, *, reason: str = "by hand") -> Created:
        """Make a verified backup."""
        from agent_memory.store.backup import create

        return create(self.store, now=self.now(), reason=reason, keep=self.settings.backup_keep,
                      cap_bytes=self.settings.backup_megabytes * 1_000_000)

    def backups(self) -> list[Backup]:
        """Backups on disk, newest first."""
        from agent_memory.store.backup import entries

        return entries(self.home)

    def backup_restore(self, backup_id: str) -> RestoreReport:
        """Put a backup in the place of what is there, which is saved first."""
        from agent_memory.store.restore import restore

        return restore(self.store, backup_id, now=self.now())

    def export(self, fmt: str = "jsonl", *, everything: bool = False) -> Iterator[str]:
        """Pieces of text that make the export."""
        from agent_memory.store.export import Format, export

        with self.store.read() as graph:
            yield from export(graph, cast("Format", fmt), everything=everything)

    def import_(self, path: Path, *, fmt: str = "export", dry_run: bool = False) -> ImportReport:
        """Take an export of ours in, or the folder of another tool: ``fmt`` is export or observational-memory."""
        from agent_memory.flow import views
        from agent_memory.store.import_ import import_items
        from agent_memory.store.import_read import read_items
        from agent_memory.store.observation_folder import read_observation_folder

        read = read_observation_folder if fmt == "observational-memory" else read_items
        report = import_items(self.store, read(path), now=self.now(), redact=self.redactor().text, dry_run=dry_run)
        if report.added and not dry_run:
            views.refresh(self)
        return report

    def migrate_engine(self, engine: str) -> RebuildReport:
        """Move the graph to another engine, by the journal."""
        from agent_memory.store.engine_move import move_engine

        return move_engine(self.store, engine)

    def status(self) -> StatusReport:
        """What is stored and what waits."""
        from agent_memory.flow.status import status

        return status(self)

    def usage(self) -> UsageReport:
        """What model calls have cost."""
        from agent_memory.flow import models

        return models.usage(self)


__all__: Sequence[str] = ("Memory",)
