"""The semantic arm: which documents mean what is asked, by vectors, exactly compared. Optional; see encoder.py.

`Meaning` belongs to a warm process: it keeps the encoder, the vectors and which passage each belongs to. Without it
recall is as it is without the extra.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from agent_memory.recall.encoder import Encoder
from agent_memory.recall.filters import Filters
from agent_memory.recall.lexical import Place, slices
from agent_memory.search import vectors
from agent_memory.search.reader import open_reader

SHARE: Final = 0.5
"""What meaning counts beside words."""
SHARE_CODE: Final = 0.65
"""The same where most of what the words found is code."""
TAKE: Final = 200
_AT_ONCE: Final = 512
_CODE: Final = frozenset("(){}[]=;_<>")


class Meaning:
    """Vectors of one home. Not for several threads at once. ``weight`` is what meaning counts, None: by what is found.
    """

    def __init__(self, search: Path, encoder: Encoder, *, weight: float | None = None) -> None:
        self._search, self._encoder, self._weight = search, encoder, weight
        self.model = vectors.Model(encoder.name, encoder.version, encoder.dim)
        self._loaded: tuple[object, ...] = ()
        self._matrix: Any = None
        self._owners: Any = None
        self._docs = 0

    def embed(self) -> int:
        """Embed every passage that has no row yet; how many. Files of other models go when all is done."""
        connection = open_reader(self._search)
        if connection is None:
            return 0
        try:
            known = vectors.keys(vectors.path_of(self._search, self.model))
            waiting: dict[bytes, str] = {}
            made = 0
            for _, _, text in vectors.passages(connection):
                key = vectors.key_of(text)
                if key not in known:
                    waiting[key] = text
                    known.add(key)
                if len(waiting) >= _AT_ONCE:
                    made += self._write(waiting)
                    waiting = {}
            made += self._write(waiting)
        finally:
            connection.close()
        vectors.drop_other(self._search, self.model)
        return made

    def _write(self, waiting: dict[bytes, str]) -> int:
        if waiting:
            rows = self._encoder.encode(list(waiting.values())).astype("<f2")
            vectors.append(self._search, self.model, zip(waiting, (r.tobytes() for r in rows), strict=True))
        return len(waiting)

    def ask(self, connection: sqlite3.Connection, question: str, filters: Filters,
            places: dict[int, Place]) -> dict[int, float]:
        """Documents that pass the filters and mean most of what is asked, best is 1; empty without vectors."""
        import numpy

        if not question.strip() or not self._load(connection):
            return {}
        asked = self._encoder.encode([question])[0]
        similar = self._matrix @ asked
        best = numpy.full(self._docs + 1, -2.0, numpy.float32)
        numpy.maximum.at(best, self._owners, similar)
        scores: dict[int, float] = {}
        where, values = filters.where()
        take = TAKE * 2
        while True:
            first = numpy.argsort(-best, kind="stable")[:take]
            order = [int(n) for n in first if best[n] > -2.0]
            allowed: set[int] = set()
            for part in slices(order):
                for n, session, ordinal, project in connection.execute(
                        f"SELECT d.n, d.session, d.ord, d.project FROM doc d WHERE d.n IN "
                        f"({', '.join(map(str, part))}) AND {where}", values):
                    allowed.add(n)
                    places[n] = Place(session, ordinal, project)
            if len(allowed) >= TAKE or len(order) < take:
                break
            take *= 4
        scores = {n: float(best[n]) for n in order if n in allowed}
        kept = dict(list(scores.items())[:TAKE])
        low, high = min(kept.values(), default=0.0), max(kept.values(), default=0.0)
        return {n: (s - low) / (high - low) for n, s in kept.items()} if high > low else dict.fromkeys(kept, 1.0)

    def share(self, texts: list[str]) -> float:
        """What meaning counts: as was chosen, else by what the words found, more for code."""
        if self._weight is not None:
            return self._weight
        code = sum(sum(c in _CODE for c in t[:1000]) > len(t[:1000]) * 0.03 for t in texts)
        return SHARE_CODE if texts and code * 2 > len(texts) else SHARE

    def _load(self, connection: sqlite3.Connection) -> bool:
        """Bring vectors and owners up to the search file; False if there are no vectors of this model."""
        import numpy

        path = vectors.path_of(self._search, self.model)
        if not path.exists():
            return False
        state = connection.execute("SELECT max(n), count(*) FROM passage").fetchone()
        now = (path.stat().st_size, path.stat().st_mtime_ns, *state)
        if now == self._loaded:
            return self._matrix is not None
        rows: dict[bytes, int] = {}
        kind = numpy.dtype([("mark", "V8"), ("key", "V16"), ("v", "<f2", (self.model.dim,))])
        with path.open("rb") as file:
            offset = len(file.readline(4096))
            data = numpy.fromfile(file, kind, (path.stat().st_size - offset) // self.model.row)
        for number, key in enumerate(data["key"]):
            rows.setdefault(key.tobytes(), number)
        pairs = [(rows[key], doc) for _, doc, text in vectors.passages(connection)
                 if (key := vectors.key_of(text)) in rows]
        self._docs = max((doc for _, doc in pairs), default=0)
        self._owners = numpy.array([doc for _, doc in pairs], numpy.int64)
        self._matrix = data["v"][[row for row, _ in pairs]].astype(numpy.float32) if pairs else None
        self._loaded = now
        return self._matrix is not None
