"""What a question means beyond its words: things by the name of their class, and the kind of memory that is asked for.

People ask for "the database" and the memory says "PostgreSQL". The classes are those that developers ask for by name;
their members count less than the word itself. A word such as "decided" asks for decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from agent_memory.text.analyze import Query, index_text

SHARE: Final = 0.7
"""What a member of a class counts beside the word for the class."""

_CLASSES: Final[Mapping[str, str]] = {
    "database db datenbank datenbanken データベース 数据库 資料庫": (
        "postgresql postgres mysql mariadb sqlite mongodb redis duckdb oracle cockroachdb dynamodb kuzu neo4j"),
    "package-manager paketmanager": (
        "npm pnpm yarn bun pip uv poetry conda cargo maven gradle composer bundler apt brew"),
    "test-framework testing-framework test-runner": (
        "pytest unittest jest vitest mocha junit testng rspec minitest cypress playwright selenium xunit nunit"),
    "ci pipeline": "github-actions gitlab jenkins circleci travis buildkite teamcity workflow",
    "queue broker message-queue": "kafka rabbitmq sqs celery nats redis sidekiq pulsar",
    "cloud hosting provider": "aws gcp azure hetzner fly heroku vercel netlify cloudflare digitalocean",
    "container orchestration": "docker podman kubernetes k8s compose helm nomad",
    "search-engine": "elasticsearch opensearch solr meilisearch typesense lucene",
    "linter formatter": "eslint prettier ruff flake8 black pylint clippy rustfmt gofmt biome",
    "editor ide": "vscode vim neovim emacs intellij pycharm zed",
    "language programmiersprache": (
        "python typescript javascript rust golang java kotlin swift ruby php elixir c++ c#"),
    "framework": "react vue svelte angular django flask fastapi rails laravel spring nextjs express",
    "auth authentication login": "oauth oidc jwt saml sso passkey session-cookie",
    "deploy deployment rollout": "blue/green rolling canary",
    "commit-style commit-message": "conventional imperative",
}
_KINDS: Final[Mapping[str, str]] = {
    "decision": "decide decided decision decisions chose chosen choice entschieden entscheidung beschlossen 决定 決定 "
                "décidé décision decidió decisión",
    "preference": "prefer prefers preferred preference preferences likes wants style bevorzugt vorliebe 偏好 好み "
                  "préfère prefiere",
    "lesson": "fail failed fails failing error errors broke broken cause reason lesson learned fehler ursache 错误 "
              "原因 失敗 erreur causa",
    "context": "open todo remaining next status left pending offen stand 待办 残り reste pendiente",
}


_members: dict[frozenset[str], tuple[str, ...]] = {}
_meant: dict[str, str] = {}


def _load() -> None:
    """Tokenise the tables once, on the first question."""
    if _members:
        return
    for names, things in _CLASSES.items():
        known = tuple(dict.fromkeys(token for thing in things.split() for token in index_text(thing).split()[:1]))
        for name in names.split():
            _members[frozenset(t for t in index_text(name).split() if "-" not in t)] = known
    _meant.update({t: kind for kind, words in _KINDS.items() for w in words.split() for t in index_text(w).split()})


def members(query: Query) -> dict[str, str]:
    """Token of a thing → term of the question that names its class. Empty if the question names no class.

    >>> from agent_memory.text.analyze import query
    >>> members(query("which database?"))["sqlite"] == query("database").terms[0]
    True
    >>> members(query("which manager?"))
    {}
    """
    _load()
    asked = set(query.terms)
    found: dict[str, str] = {}
    for name, things in _members.items():
        if name <= asked:
            term = next(t for t in query.terms if t in name)
            found.update({token: term for token in things if token not in asked and token not in found})
    return found


def kinds(terms: Iterable[str]) -> dict[str, str]:
    """Kind of memory that the question asks for → the term that says so."""
    _load()
    return {_meant[t]: t for t in reversed(tuple(terms)) if t in _meant}
