"""Migrations, ontology and shapes of the graph, read as package data."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib import resources
from typing import Final

_NAME: Final = re.compile(r"(\d{4})_([a-z0-9_]+)\.cypher\Z")


@dataclass(frozen=True, slots=True)
class Migration:
    """One forward step of the schema. ``statements`` are single Cypher statements in order."""

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the statements, hex; comments and white space between statements do not count."""
        return hashlib.sha256("\n".join(self.statements).encode()).hexdigest()

    @property
    def statements(self) -> list[str]:
        """Statements without comments; a statement ends with a semicolon at the end of a line."""
        lines = [line for line in self.text.splitlines() if not line.lstrip().startswith("//")]
        parts = re.split(r";[ \t]*(?:\n|\Z)", "\n".join(lines) + "\n")
        return [" ".join(part.split()) for part in parts if part.strip()]


def migrations() -> list[Migration]:
    """All migrations, by number. Numbers start at 1 and have no gap."""
    folder = resources.files(__name__) / "migrations"
    found = [Migration(int(match[1]), match[2], entry.read_text(encoding="utf-8"))
             for entry in folder.iterdir() if (match := _NAME.match(entry.name))]
    return sorted(found, key=lambda m: m.number)


def _texts(folder: str) -> dict[str, str]:
    place = resources.files(__name__) / folder
    return {e.name: e.read_text(encoding="utf-8")
            for e in sorted(place.iterdir(), key=lambda e: e.name) if e.name.endswith(".ttl")}


def ontology() -> dict[str, str]:
    """File name → Turtle text of the ontology."""
    return _texts("ontology")


def shapes() -> dict[str, str]:
    """File name → Turtle text of the SHACL shapes."""
    return _texts("shapes")
