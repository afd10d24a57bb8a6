"""The model that AGENT_MEMORY_LLM_MODEL (and AGENT_MEMORY_LLM_API_BASE) name, as an observer for the bench.

Its calls are metered in memory only, within the product's default budgets; where the model fails, rules answer.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from agent_memory.llm.asking import Model
from agent_memory.llm.budget import Limits, Meter
from agent_memory.llm.open import open_llm
from agent_memory.model.graph import ModelCall
from agent_memory.observe.model_observer import ModelObserver
from agent_memory.observe.rules.observer import RulesObserver


def configured() -> list[ModelObserver]:
    """The named model's observer; empty if none is named."""
    name = os.environ.get("AGENT_MEMORY_LLM_MODEL", "")
    if not name:
        return []
    calls: list[ModelCall] = []
    llm = open_llm(name, api_base=os.environ.get("AGENT_MEMORY_LLM_API_BASE", ""))
    meter = Meter(Limits(), model=name, price=llm.price, record=calls.append, now=datetime.now(UTC))
    return [ModelObserver(Model(llm, meter), fallback=RulesObserver())]
