"""How well and how quickly recall finds: ours beside baselines, on labelled questions.

    make bench-recall                          the small set below, invented for this file
    python bench/recall.py DATA.json.gz …      sets of your own

A set is gzip JSON: {"collections": [{"id", "docs": [{id, text, session, timestamp, speaker}],
"queries": [{id, text, category, group, relevant}]}]}. Each collection is a store of its own. Baselines that are not
installed are left out and named. Packages: requirements/bench.txt.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent_memory.model.change import Batch
from agent_memory.paths import Home
from agent_memory.recall import items, links, search
from agent_memory.recall.filters import Filters
from agent_memory.search.index import SearchIndex
from agent_memory.search.reader import open_reader

NOW = datetime(2026, 11, 30, tzinfo=UTC)
DEPTH = 50
Doc = dict[str, Any]


class Ours:
    """Recall as shipped, over items."""

    def index(self, docs: Sequence[Doc]) -> int:
        """Index the documents; gives the bytes on disk."""
        home = Home(Path(tempfile.mkdtemp()))
        with SearchIndex(home.search) as index:
            for n, changes in enumerate(items.batches(home, docs, now=NOW, clean=str), 1):
                index.apply([Batch(NOW, "bench", tuple(changes), n)])
        self._db = open_reader(home.search)
        return sum(f.stat().st_size for f in home.search.parent.iterdir())

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        assert self._db is not None
        return [h.external_id for h in search.find(self._db, question, Filters(NOW), limit=DEPTH)]


class OursWithoutLinks(Ours):
    """The lexical arm alone."""

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        kept = links.BLOCK, links.NEXT
        links.BLOCK = links.NEXT = 0.0  # type: ignore[misc]
        try:
            return super().search(question)
        finally:
            links.BLOCK, links.NEXT = kept  # type: ignore[misc]


class PlainFts:
    """SQLite FTS5, porter, OR of all words."""

    def index(self, docs: Sequence[Doc]) -> int:
        """Index the documents; gives the bytes in memory."""
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, body, tokenize='porter unicode61')")
        self._db.executemany("INSERT INTO t VALUES(?, ?)", [(d["id"], _text(d)) for d in docs])
        return int(self._db.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
                   .fetchone()[0])

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        words = dict.fromkeys(re.findall(r"\w+", question.lower()))
        if not words:
            return []
        match = " OR ".join(f'"{w}"' for w in words)
        return [r[0] for r in self._db.execute("SELECT id FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?",
                                               (match, DEPTH))]


class RankBm25:
    """rank-bm25 over stemmed words without stop words."""

    def index(self, docs: Sequence[Doc]) -> int:
        """Index the documents."""
        from rank_bm25 import BM25Okapi

        self._ids = [d["id"] for d in docs]
        self._bm25 = BM25Okapi([_words(_text(d)) or [""] for d in docs])
        return 0

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        scores = self._bm25.get_scores(_words(question))
        return [self._ids[i] for i in sorted(range(len(scores)), key=lambda i: -scores[i])[:DEPTH] if scores[i] > 0]


class Bm25s:
    """bm25s with its own stop list."""

    def index(self, docs: Sequence[Doc]) -> int:
        """Index the documents."""
        import bm25s

        self._lib = bm25s
        self._ids = [d["id"] for d in docs]
        self._bm25 = bm25s.BM25()
        self._bm25.index(bm25s.tokenize([_text(d) for d in docs], show_progress=False), show_progress=False)
        return 0

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        tokens = self._lib.tokenize(question, show_progress=False)
        found, scores = self._bm25.retrieve(tokens, k=min(DEPTH, len(self._ids)), show_progress=False)
        return [self._ids[i] for i, s in zip(found[0], scores[0], strict=True) if s > 0]


SYSTEMS: dict[str, Callable[[], Any]] = {
    "ours": Ours, "ours, lexical only": OursWithoutLinks, "BM25 (rank-bm25)": RankBm25, "BM25 (bm25s)": Bm25s,
    "FTS5, OR": PlainFts,
}


def _text(doc: Doc) -> str:
    return doc["text"] if doc.get("speaker", "") in ("", "code") else f"{doc['speaker']}: {doc['text']}"


def _words(text: str) -> list[str]:
    import Stemmer  # type: ignore[import-not-found]

    from agent_memory.text.analyze_stop import without_stop_words

    words = re.findall(r"\w+", text.lower())
    kept = [w for w, keep in zip(words, without_stop_words(words), strict=True) if keep]
    return list(Stemmer.Stemmer("english").stemWords(kept))


@dataclass
class Result:
    """Figures of one system over one set; lists have one value a question."""

    recall5: list[float] = field(default_factory=list)
    recall10: list[float] = field(default_factory=list)
    reciprocal: list[float] = field(default_factory=list)
    gain: list[float] = field(default_factory=list)
    session5: list[float] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    index_seconds: float = 0.0
    bytes: int = 0

    def add(self, ranked: list[str], relevant: set[str], session_of: dict[str, str]) -> None:
        """Score one answer."""
        hits = [doc in relevant for doc in ranked]
        self.recall5.append(sum(hits[:5]) / len(relevant))
        self.recall10.append(sum(hits[:10]) / len(relevant))
        self.reciprocal.append(next((1 / (i + 1) for i, hit in enumerate(hits) if hit), 0.0))
        ideal = sum(1 / math.log2(i + 2) for i in range(min(10, len(relevant))))
        self.gain.append(sum(hit / math.log2(i + 2) for i, hit in enumerate(hits[:10])) / ideal)
        sessions = list(dict.fromkeys(session_of[d] for d in ranked))[:5]
        self.session5.append(float(bool(set(sessions) & {session_of[d] for d in relevant})))


def interval(values: Sequence[float], rounds: int = 1000) -> tuple[float, float]:
    """95 % interval of the mean by bootstrap over questions."""
    chance = random.Random(7)
    means = sorted(statistics.fmean(chance.choices(values, k=len(values))) for _ in range(rounds))
    return means[int(0.025 * rounds)], means[int(0.975 * rounds)]


def measure(make: Callable[[], Any], collections: Sequence[dict[str, Any]]) -> Result:
    """Index and ask every collection. Raises ModuleNotFoundError where a baseline is not installed."""
    result = Result()
    for collection in collections:
        system, session_of = make(), {d["id"]: d.get("session", "") for d in collection["docs"]}
        start = time.perf_counter()
        result.bytes += system.index(collection["docs"])
        result.index_seconds += time.perf_counter() - start
        for question in collection["queries"]:
            relevant = set(question.get("relevant_fixed", question["relevant"]))
            if not relevant or question.get("group", "core") != "core":
                continue
            start = time.perf_counter()
            ranked = system.search(question["text"])
            result.milliseconds.append(1000 * (time.perf_counter() - start))
            result.add(ranked, relevant, session_of)
    return result


def table(name: str, collections: Sequence[dict[str, Any]]) -> dict[str, Result]:
    """Print the table of one set; gives its results for the picture."""
    results: dict[str, Result] = {}
    docs = sum(len(c["docs"]) for c in collections)
    print(f"\n### {name}: {len(collections)} collections, {docs} documents\n")
    print("| system | R@5 | R@10 (95 %) | MRR | nDCG@10 | session hit@5 | p50 ms | p95 ms | index s | index MB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for label, make in SYSTEMS.items():
        try:
            found = measure(make, collections)
        except ModuleNotFoundError as missing:
            print(f"| {label} | not installed: {missing.name} |")
            continue
        results[label] = found
        low, high = interval(found.recall10)
        times = sorted(found.milliseconds)
        mean = statistics.fmean
        print(f"| {label} | {mean(found.recall5):.3f} | {mean(found.recall10):.3f} ({low:.3f} … {high:.3f}) "
              f"| {mean(found.reciprocal):.3f} | {mean(found.gain):.3f} | {mean(found.session5):.3f} "
              f"| {times[len(times) // 2]:.1f} | {times[int(0.95 * (len(times) - 1))]:.1f} "
              f"| {found.index_seconds:.1f} | {found.bytes / 1e6:.1f} |", flush=True)
    return results


def picture(results: dict[str, dict[str, Result]], path: Path) -> None:
    """Recall against latency, one mark a system and set. Needs matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(results), figsize=(4 * len(results), 3.5), squeeze=False)
    for axis, (name, systems) in zip(axes[0], results.items(), strict=True):
        for label, found in systems.items():
            x, y = statistics.median(found.milliseconds), statistics.fmean(found.recall10)
            axis.scatter([x], [y])
            axis.annotate(label, (x, y), fontsize=7, xytext=(3, 3), textcoords="offset points")
        axis.set(title=name, xscale="log", xlabel="median ms", ylabel="R@10")
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    """Measure the sets that were named, or the small one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", type=Path)
    parser.add_argument("--picture", type=Path, help="write recall against latency as SVG or PNG")
    options = parser.parse_args()
    paths = options.data or [Path(__file__).with_name("recall_small.json")]
    results = {}
    for path in paths:
        raw = path.read_bytes()
        data = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
        name = path.name.partition(".")[0]
        results[name] = table(name, data["collections"])
    if options.picture:
        picture(results, options.picture)


if __name__ == "__main__":
    main()
