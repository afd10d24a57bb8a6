"""Every error a person can meet, as one tree.

AgentMemoryError
├── UsageError            exit 2: the call itself is wrong
├── NotFoundError         exit 1: a named thing does not exist
├── AmbiguousError        exit 1: a prefix or text names several things
├── HomeError             exit 1: the data directory cannot be read or written
├── LeaseTimeout          exit 1: another process kept the graph longer than we may wait
├── StoreError            exit 1: the journal, graph or search file is damaged or refused a batch
│   ├── JournalDamaged
│   ├── GraphDamaged
│   ├── SchemaNewer       the home was written by a newer version
│   ├── SchemaOlder       the graph waits for its migration
│   └── BatchRefused      a batch breaks the model's rules; nothing was written
├── TranscriptError       exit 1: a transcript cannot be read at all
├── ViewError             exit 1: a view cannot be read or written
│   └── SyncStopped       a change looks like an accident and needs a yes
├── InstallError          exit 1: an agent's configuration could not be changed
│   └── EditRefused       a file was left alone: it cannot be read safely, or holds something foreign
├── ModelError            exit 1: the language model failed; rules were used instead
│   └── BudgetExhausted
└── InternalError         exit 3: a bug; the log has the trace

An error says what happened with the value (``message``), and what was left unchanged and what to do next
(``hint``). ``code`` is stable and listed in ``docs/reference/errors.md``.
"""

from __future__ import annotations


class AgentMemoryError(Exception):
    """Base of all errors that are shown to people."""

    code = "error"
    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message


class UsageError(AgentMemoryError):
    """The call itself is wrong: an unknown value, a missing or contradictory option."""

    code = "usage"
    exit_code = 2


class NotFoundError(AgentMemoryError):
    """Something named by the caller does not exist."""

    code = "not-found"


class AmbiguousError(AgentMemoryError):
    """A prefix or text names more than one thing; the hint lists the candidates."""

    code = "ambiguous"


class HomeError(AgentMemoryError):
    """The data directory cannot be created, read or written."""

    code = "home-unusable"


class LeaseTimeout(AgentMemoryError):
    """Another process kept the graph longer than we may wait; a journaled write is still durable."""

    code = "lease-timeout"


class StoreError(AgentMemoryError):
    """The journal, the graph or the search file failed."""

    code = "store"


class JournalDamaged(StoreError):
    """A journal record fails its checksum or a segment is missing."""

    code = "journal-damaged"


class GraphDamaged(StoreError):
    """The graph file does not open or contradicts the journal."""

    code = "graph-damaged"


class SchemaNewer(StoreError):
    """The home was written by a newer version; nothing was touched."""

    code = "schema-newer"


class SchemaOlder(StoreError):
    """The graph must be migrated first, which a read-only opening cannot do."""

    code = "schema-older"


class BatchRefused(StoreError):
    """A batch breaks the rules of the model; nothing was written."""

    code = "batch-refused"


class TranscriptError(AgentMemoryError):
    """A transcript cannot be read at all."""

    code = "transcript-unreadable"


class ViewError(AgentMemoryError):
    """A view cannot be read or written."""

    code = "view"


class SyncStopped(ViewError):
    """A change of the views looks like an accident (emptied, vanished, more than a fifth retired)."""

    code = "sync-stopped"


class InstallError(AgentMemoryError):
    """The configuration of an agent could not be changed."""

    code = "install"


class EditRefused(InstallError):
    """A configuration file was left alone, because changing it safely is not possible."""

    code = "config-left-alone"


class ModelError(AgentMemoryError):
    """The language model could not be used."""

    code = "model"


class BudgetExhausted(ModelError):
    """A token or money budget leaves no room for another call."""

    code = "budget-exhausted"


class InternalError(AgentMemoryError):
    """A bug in this program; the hint names the log file."""

    code = "internal"
    exit_code = 3


def in_brief(problem: BaseException) -> str:
    """An error as a log may hold it: what kind, and where in our code; its own words only where they are ours.

    Errors of libraries quote what they were given, which may be what a person said.
    """
    kind = type(problem).__name__
    if isinstance(problem, AgentMemoryError):
        return f"{kind}: {problem.message}"
    if isinstance(problem, OSError):
        own = str(problem) if type(problem).__module__ == "builtins" else ""  # a library's may quote an address
        return f"{kind}: {problem.strerror or own}"
    trace, place = problem.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if "agent_memory" in code.co_filename:
            place = f" in {code.co_filename.replace(chr(92), '/').rpartition('agent_memory/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return kind + place
