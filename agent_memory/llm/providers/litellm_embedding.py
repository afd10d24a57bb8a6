"""Embedding models of any provider that LiteLLM knows."""

from __future__ import annotations

import os
from collections.abc import Sequence

from agent_memory.errors import StoreError
from agent_memory.llm.providers import litellm_provider

TIMEOUT = 60.0


def embed(model: str, texts: Sequence[str]) -> list[list[float]]:
    """A vector for each text, in their order, in one request.

    Raises:
        StoreError: the provider refused or cannot be reached; nothing was stored.
    """
    library = litellm_provider._library()
    try:
        options = {"api_base": base} if (base := os.environ.get("AGENT_MEMORY_EMBEDDING_BASE")) else {}
        answer = library.embedding(model=model, input=list(texts), timeout=TIMEOUT, num_retries=0, **options)
    except Exception as problem:
        raise StoreError(f"the embedding model {model} failed: {type(problem).__name__}",
                         hint="Nothing was stored. Recall goes on without it.") from problem
    return [list(row["embedding"]) for row in answer.data]
