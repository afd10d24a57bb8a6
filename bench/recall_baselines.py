"""What recall is measured against: rankings of words, of vectors, and of both."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from agent_memory.recall.encoder import open_encoder
from agent_memory.text.analyze_stop import without_stop_words

Doc = dict[str, Any]


def text_of(doc: Doc) -> str:
    """What every system indexes: who speaks, when, and what."""
    said = doc["text"] if doc.get("speaker", "") in ("", "code") else f"{doc['speaker']}: {doc['text']}"
    return f"{said} ({doc['timestamp']})" if doc.get("timestamp") else said


def words_of(text: str) -> list[str]:
    """Stems without stop words."""
    import Stemmer

    words = re.findall(r"\w+", text.lower())
    kept = [w for w, keep in zip(words, without_stop_words(words), strict=True) if keep]
    return list(Stemmer.Stemmer("english").stemWords(kept))


class PlainFts:
    """SQLite FTS5, porter, OR of the words without stop words."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def index(self, docs: Sequence[Doc]) -> int:
        """Index the documents; gives the bytes in memory."""
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, body, tokenize='porter unicode61')")
        self._db.executemany("INSERT INTO t VALUES(?, ?)", [(d["id"], text_of(d)) for d in docs])
        return int(self._db.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
                   .fetchone()[0])

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        words = list(dict.fromkeys(re.findall(r"\w+", question.lower())))
        kept = [w for w, keep in zip(words, without_stop_words(words), strict=True) if keep] or words
        if not kept:
            return []
        match = " OR ".join(f'"{w}"' for w in kept)
        return [r[0] for r in self._db.execute("SELECT id FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?",
                                               (match, self._depth))]


class RankBm25:
    """rank-bm25 over stems without stop words."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def index(self, docs: Sequence[Doc]) -> int:
        """Index the documents, in memory only."""
        from rank_bm25 import BM25Okapi

        self._ids = [d["id"] for d in docs]
        self._bm25 = BM25Okapi([words_of(text_of(d)) or [""] for d in docs])
        return 0

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        scores = self._bm25.get_scores(words_of(question))
        order = sorted(range(len(scores)), key=lambda i: -scores[i])
        return [self._ids[i] for i in order[:self._depth] if scores[i] > 0]


class Bm25s:
    """bm25s with stems and its own stop list."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def index(self, docs: Sequence[Doc]) -> int:
        """Index the documents, in memory only."""
        import bm25s
        import Stemmer

        self._lib, self._stems = bm25s, Stemmer.Stemmer("english")
        self._ids = [d["id"] for d in docs]
        self._bm25 = bm25s.BM25()
        self._bm25.index(self._tokens([text_of(d) for d in docs]), show_progress=False)
        return 0

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        found, scores = self._bm25.retrieve(self._tokens(question), k=min(self._depth, len(self._ids)),
                                            show_progress=False)
        return [self._ids[i] for i, s in zip(found[0], scores[0], strict=True) if s > 0]

    def _tokens(self, text: str | list[str]) -> Any:
        return self._lib.tokenize(text, stopwords="en", stemmer=self._stems, show_progress=False)


@cache
def _encoder(model: Path) -> Any:
    return open_encoder(str(model))


@cache
def _embedded(model: Path, texts: tuple[str, ...]) -> tuple[Any, float]:
    """Vectors and the seconds they took, which every system that uses them is charged with."""
    start = time.perf_counter()
    return _encoder(model).encode(texts), time.perf_counter() - start


class Dense:
    """Cosine over one vector a document, compared exactly."""

    def __init__(self, depth: int, model: Path) -> None:
        self._depth, self._model = depth, model
        self.more_seconds = 0.0

    def index(self, docs: Sequence[Doc]) -> int:
        """Embed the documents; gives the bytes of the vectors."""
        self._ids = [d["id"] for d in docs]
        start = time.perf_counter()
        self._rows, took = _embedded(self._model, tuple(map(text_of, docs)))
        self.more_seconds = max(0.0, took - (time.perf_counter() - start))
        return int(self._rows.nbytes)

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        near = self._rows @ _encoder(self._model).encode([question])[0]
        return [self._ids[i] for i in (-near).argsort(kind="stable")[:self._depth]]


class Hybrid:
    """Reciprocal rank fusion (k = 60) of BM25 and vectors, a hundred of each."""

    def __init__(self, depth: int, model: Path) -> None:
        self._depth = depth
        self._arms = (RankBm25(100), Dense(100, model))
        self.more_seconds = 0.0

    def index(self, docs: Sequence[Doc]) -> int:
        """Index the documents in both."""
        size = sum(arm.index(docs) for arm in self._arms)
        self.more_seconds = self._arms[1].more_seconds
        return size

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        fused: dict[str, float] = {}
        for arm in self._arms:
            for rank, found in enumerate(arm.search(question), 1):
                fused[found] = fused.get(found, 0.0) + 1 / (60 + rank)
        return sorted(fused, key=lambda name: -fused[name])[:self._depth]


def systems(depth: int, model: Path | None) -> dict[str, Callable[[], Any]]:
    """Makers by name; those with vectors only with a model."""
    made: dict[str, Callable[[], Any]] = {
        "BM25 (rank-bm25)": lambda: RankBm25(depth), "BM25 (bm25s)": lambda: Bm25s(depth),
        "SQLite FTS5": lambda: PlainFts(depth),
    }
    if model:
        made["dense (the same model)"] = lambda: Dense(depth, model)
        made["hybrid, RRF"] = lambda: Hybrid(depth, model)
    return made
