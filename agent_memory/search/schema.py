"""Tables of ``kg/search.db`` and how the file is opened for writing.

``doc`` has one row a revision of a memory or a message, with the columns that filters and ranking need; times are
seconds since 1970 in UTC (REAL), NULL where unknown. ``words`` is a contentless FTS5 table fed with our own tokens, one
row a passage; ``passage`` says where it stands in the text of its doc. The tag column of a passage holds the coarse
filters (which wall it stands behind, which type, alive or not), so that FTS5 applies them itself. ``blocks`` is alike
over runs of a session (blocks.py); ``gram``, ``vocab`` and ``alike`` know parts of words (vocabulary.py);
``operation`` says which memory an operation id of a caller made.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from agent_memory.text import analyze

VERSION = f"3.{analyze.VERSION}"
"""Version of the tables and of the tokens in them; a file of another version is rebuilt."""

_TOKENCHARS = "".join(chr(c) for c in range(33, 127) if not chr(c).isalnum() and chr(c) not in "\"'")
_TOKENIZER = f"ascii tokenchars ''{_TOKENCHARS}''"

TABLES = (
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE doc(
      n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, id TEXT NOT NULL, revision INTEGER NOT NULL, type TEXT NOT NULL,
      kind TEXT NOT NULL, text TEXT NOT NULL, hash TEXT NOT NULL, topic TEXT NOT NULL, scope TEXT NOT NULL,
      project TEXT NOT NULL, tags TEXT NOT NULL, agent TEXT NOT NULL, session TEXT NOT NULL, speaker TEXT NOT NULL,
      external TEXT NOT NULL, seq INTEGER NOT NULL, ord INTEGER NOT NULL, message TEXT NOT NULL, file TEXT NOT NULL,
      line INTEGER NOT NULL, line_end INTEGER NOT NULL, sha256 TEXT NOT NULL, observer TEXT NOT NULL,
      operation TEXT NOT NULL, created REAL, recorded REAL, valid_from REAL, valid_until REAL, review_after REAL,
      expires REAL, last_seen REAL, status INTEGER NOT NULL, current INTEGER NOT NULL, priority INTEGER NOT NULL,
      confidence REAL NOT NULL, pinned INTEGER NOT NULL, done INTEGER NOT NULL, seen INTEGER NOT NULL,
      sessions INTEGER NOT NULL, tag TEXT NOT NULL, norm REAL NOT NULL)""",
    "CREATE INDEX doc_id ON doc(id, revision)",
    "CREATE INDEX doc_session ON doc(session, ord)",
    "CREATE INDEX doc_hash ON doc(hash) WHERE hash <> ''",
    "CREATE INDEX doc_topic ON doc(topic, project) WHERE topic <> ''",
    "CREATE INDEX doc_operation ON doc(operation) WHERE operation <> ''",
    "CREATE INDEX doc_message ON doc(message) WHERE message <> ''",
    "CREATE TABLE passage(n INTEGER PRIMARY KEY, doc INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL)",
    "CREATE INDEX passage_doc ON passage(doc)",
    "CREATE TABLE history(id TEXT NOT NULL, at REAL NOT NULL, status INTEGER NOT NULL)",
    "CREATE INDEX history_id ON history(id, at)",
    """CREATE TABLE session(id TEXT PRIMARY KEY, agent TEXT NOT NULL, host_id TEXT NOT NULL, project TEXT NOT NULL,
      parent TEXT NOT NULL, cwd TEXT NOT NULL, branch TEXT NOT NULL, title TEXT NOT NULL, file TEXT NOT NULL,
      started REAL) WITHOUT ROWID""",
    "CREATE TABLE project(id TEXT PRIMARY KEY, name TEXT NOT NULL, root TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE alias(key TEXT PRIMARY KEY, project TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE operation(id TEXT PRIMARY KEY, memory TEXT NOT NULL, detail TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE edge(source TEXT NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL, status TEXT NOT NULL,"
    " PRIMARY KEY(source, kind, target)) WITHOUT ROWID",
    "CREATE INDEX edge_target ON edge(target)",
    f"CREATE VIRTUAL TABLE words USING fts5(tag, body, content='', tokenize='{_TOKENIZER}')",
    "CREATE TABLE block(n INTEGER PRIMARY KEY, session TEXT NOT NULL, number INTEGER NOT NULL,"
    " docs INTEGER NOT NULL, UNIQUE(session, number))",
    f"CREATE VIRTUAL TABLE blocks USING fts5(body, content='', tokenize='{_TOKENIZER}')",
    "CREATE TABLE gram(gram BLOB PRIMARY KEY, docs INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE vocab(n INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE)",
    "CREATE VIRTUAL TABLE alike USING fts5(word, content='', tokenize='trigram')",
    "CREATE VIRTUAL TABLE terms USING fts5vocab(words, 'row')",
)


def connect(path: Path) -> sqlite3.Connection:
    """Open the file for writing, owner-only, in WAL mode, without implicit transactions. It may be new and empty."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(path, timeout=30, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA secure_delete=ON")
    return connection


def create(connection: sqlite3.Connection) -> None:
    """Create the tables of this version in an empty file."""
    for statement in TABLES:
        connection.execute(statement)
    connection.execute("INSERT INTO meta VALUES('version', ?)", (VERSION,))
    connection.execute("INSERT INTO meta VALUES('position', '0')")


def version(connection: sqlite3.Connection) -> str:
    """Version of the file, "" for an empty one."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return ""
    row = connection.execute("SELECT value FROM meta WHERE name = 'version'").fetchone()
    return str(row[0]) if row else ""
