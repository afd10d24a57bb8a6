"""Which observer, consultant and proposer a home uses: rules, or the model that its settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.llm.budget import Limits, Meter
from agent_memory.llm.usage import UsageReport
from agent_memory.llm.usage import usage as sum_up
from agent_memory.model.change import PutNode
from agent_memory.model.graph import ModelCall
from agent_memory.observe.pipeline import Observer
from agent_memory.observe.rules.observer import RulesObserver

if TYPE_CHECKING:
    from agent_memory.flow.place import Place
    from agent_memory.llm.asking import Model
    from agent_memory.notes.model_relations import Proposer
    from agent_memory.reflect.consult import Consultant


def limits(place: Place) -> Limits:
    """The budgets of a home."""
    chosen = place.settings
    return Limits(tokens_per_day=chosen.llm_tokens_per_day, tokens_per_session=chosen.llm_tokens_per_session,
                  usd_per_day=chosen.llm_usd_per_day, usd_per_session=chosen.llm_usd_per_session,
                  usd_per_million_tokens=chosen.llm_usd_per_million_tokens)


def observer(place: Place) -> Observer:
    """The model's observer with the rules behind it, where a model is named and may be asked; else the rules."""
    rules = RulesObserver()
    model = _model(place)
    if model is None:
        return rules
    from agent_memory.observe.model_observer import ModelObserver

    return ModelObserver(model, fallback=rules)


def consultant(place: Place) -> Consultant | None:
    """The model that reflection may ask; None for rules only."""
    model = _model(place)
    if model is None:
        return None
    from agent_memory.reflect.model_consultant import ModelConsultant

    return ModelConsultant(model)


def proposer(place: Place) -> Proposer | None:
    """The model that a scan for conflicts may ask; None to compare words only."""
    model = _model(place)
    if model is None:
        return None
    from agent_memory.notes.model_relations import ModelProposer

    return ModelProposer(model)


def usage(place: Place) -> UsageReport:
    """What model calls have cost."""
    with place.store.read() as graph:
        return sum_up(graph, place.now())


def _model(place: Place) -> Model | None:
    """The named model within its budget; None if none is named or a budget of 0 forbids every call."""
    if not place.settings.llm_model or limits(place).forbid_all():
        return None
    from agent_memory.llm.asking import Model
    from agent_memory.llm.open import open_llm

    llm = open_llm(place.settings.llm_model, api_base=place.settings.llm_api_base)
    with place.store.read() as graph:
        spent = graph.model_calls()
    now = place.now()

    def record(call: ModelCall) -> None:
        place.store.append([PutNode(call)], at=now, actor="meter")

    meter = Meter(limits(place), model=place.settings.llm_model, price=llm.price, spent=spent, record=record, now=now)
    return Model(llm, meter, timeout=place.settings.llm_timeout)
