"""The observer without a model: what stands at the end of a session, and why the rest was left out."""

from __future__ import annotations

from agent_memory.model.candidate import MAX_TEXT, Candidate, Dropped, Observed, SessionView
from agent_memory.model.transcript import Role, ToolEvent, Via
from agent_memory.observe.rules import agents, answers, assent, people, rank, retract, tools
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.scene import Scene, by_agent, by_person, scenes

VERSION = "rules/1"


class RulesObserver:
    """Observes by rules. Deterministic: equal records give equal candidates."""

    name = VERSION

    def observe(self, view: SessionView) -> Observed:
        """Candidates that stand at the end of the records, in order of where they were said."""
        told = scenes(view.records)
        proposals, dropped = _propose(view, told)
        gone = retract.taken_back(proposals, told)
        for i, line in sorted(gone.items()):
            dropped.append(_drop(proposals[i], f"taken back at line {line}"))
        standing = [p for i, p in enumerate(proposals) if i not in gone]
        again = rank.repeats(standing)
        for i, k in sorted(again.items()):
            dropped.append(_drop(standing[i], f"says the same as line {standing[k].cites[0].line}"))
        distinct = [p for i, p in enumerate(standing) if i not in again]
        chosen = rank.best(distinct, rank.budget(told))
        for i, p in enumerate(distinct):
            if i not in chosen:
                dropped.append(_drop(p, "over budget"))
        kept = sorted((distinct[i] for i in chosen), key=lambda p: (p.seq, p.unit))
        return Observed(tuple(_candidate(p) for p in kept), tuple(dropped))


def _propose(view: SessionView, told: list[Scene]) -> tuple[list[Proposal], list[Dropped]]:
    proposals: list[Proposal] = []
    dropped: list[Dropped] = []
    first = True
    for scene in told:
        message, left = scene.message, list[tuple[str, str]]()
        if by_person(message) and message.via is Via.CHOICE:
            found = list(answers.from_choice(message, scene.lang, left))
        elif by_person(message):
            opening = first and message.via is Via.PROMPT
            found = list(people.from_message(message, scene.speeches, left, scene.after, opening=opening))
            if not found and message.via is Via.REFUSAL and scene.tools and scene.tools[-1].status == "refused":
                found = list(answers.from_refusal(message, scene.speeches, scene.tools[-1].input))
            if agreed := assent.from_assent(message, scene.before, scene.lang):
                found = [agreed]
            if first and message.via is Via.PROMPT:
                first = False
                if aim := answers.goal(message, scene.speeches, {p.text for p in found}):
                    found.insert(0, aim)
        elif message.role is Role.AGENT and message.via is Via.PLAN:
            found = list(answers.from_plan(message, scene.lang, left))
        elif by_agent(message):
            found = list(agents.from_scene(scene, left))
        else:
            continue
        for p in found:
            p.text = p.text.strip()
            if 4 <= len(p.text) <= MAX_TEXT:
                proposals.append(p)
            else:
                dropped.append(_drop(p, "too long" if len(p.text) > MAX_TEXT else "too short"))
        dropped += [Dropped(text[:MAX_TEXT], "sentence", reason, message.line, message.file) for text, reason in left]
    proposals += _from_tools(view, proposals)
    return proposals, dropped


def _from_tools(view: SessionView, proposals: list[Proposal]) -> list[Proposal]:
    events = [r for r in view.records if isinstance(r, ToolEvent)]
    return list(tools.from_tools(events, [p.seq for p in proposals if p.rule == "cause"]))


def _candidate(p: Proposal) -> Candidate:
    return Candidate(p.text, p.kind, p.priority, p.cites, p.rule, min(0.95, 0.5 + 0.1 * p.score), p.scope)


def _drop(p: Proposal, reason: str) -> Dropped:
    return Dropped(p.text[:MAX_TEXT], p.rule, reason, p.cites[0].line, p.cites[0].file)
