"""Whether a sentence of a person says something that lasts, how surely, and of what kind it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_memory.model.memory import Kind
from agent_memory.observe.rules.speech import Speech

_ONLY = re.compile(
    r"\w\s(?:only|nur|seulement|uniquement|solo|sólo|solamente)\s*[,;.!\u2013\u2014]", re.IGNORECASE
)
_REPORTED = re.compile(r"[\"\u201c\u201e\u00ab\u300c\u300e]\u2026[\"\u201c\u201d\u00bb\u300d\u300f]")
_STRONG = ("rule", "neg", "never", "wish", "told", "choice")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a sentence: ``keep`` with a score, or a reason for leaving it out."""

    keep: bool
    reason: str
    score: float = 0.0
    fact: bool = False


def judge(s: Speech) -> Verdict:
    """Whether a person's sentence says something that lasts."""
    if (s.only("chat") and not s.contrast) or s.farewell:
        return Verdict(False, "small talk")
    if s.question and not _asks_for_rule(s):
        return Verdict(False, "question")
    if _REPORTED.search(s.text) is not None:
        return Verdict(False, "tells what others said")
    if s.only("told") or only_reminds(s):
        return Verdict(False, "emphasis")
    if s.only("retract"):
        return Verdict(False, "takes back")
    if "dismiss" in s.starts and not s.has("rule", "told", "wish"):
        return Verdict(False, "dismisses")
    if s.has("hypo") and not s.has("told", "remember"):
        return Verdict(False, "thought")
    if s.has("past") and not s.has("wish", "told", "recant") and "design" not in s.starts and not s.contrast:
        return Verdict(False, "tells of the past")
    score = _weight(s)
    content = len(s.terms)
    if s.has("later") and content >= 4 and s.has("task", "aim") and "self" not in s.starts:
        return Verdict(True, "", 2.0)
    if "self" in s.starts and not s.has("wish", "told", "measure") and score < 4:
        return Verdict(False, "about the speaker")
    if "task" in s.starts or (not s.lang.spaced and s.has("task") and not s.has("rule", "neg", "told", "design")):
        lasting = s.has("neg", "measure") or s.contrast or _recurs(s)
        score -= 0 if s.has("rule", "told", "wish") else 0.5 if lasting else 4
    if score < 2 or content < 2:
        fact = content >= 4 and (s.names + s.numbers > 0 or s.has("remember")) and "task" not in s.starts
        if fact and "ana" not in s.starts and not s.has("task"):
            return Verdict(True, "", 1.0 + 0.5 * s.has("cause"), True)
        return Verdict(
            False, "one-off task" if "task" in s.starts or (not s.lang.spaced and s.has("task")) else "nothing lasting"
        )
    return Verdict(
        True,
        "",
        score,
        not (
            s.has(*_STRONG, "measure")
            or _limits(s)
            or "design" in s.starts
            or s.contrast
            or s.assigns
            or _instead(s)
            or whenever(s)
            or _recurs(s)
        ),
    )


def _weight(s: Speech) -> float:
    design = "design" in s.starts or (not s.lang.spaced and s.has("design"))
    score = (
        2.0 * s.has("rule")
        + 1.5 * s.has("else")
        + 1.0 * s.has("soft")
        + 1.0 * _limits(s)
        + 2.0 * s.has("neg", "never")
        + 2.0 * s.has("wish")
        + 3.0 * s.has("told")
        + 2.0 * s.has("remember")
        + 2.0 * s.has("choice")
        + 2.0 * design
        + 2.0 * s.contrast
        + 1.5 * s.assigns
        + 2.0 * s.has("measure")
        + 2.0 * _instead(s)
        + 2.0 * whenever(s)
        + 2.0 * _recurs(s)
        + 0.5 * s.has("way")
        + 0.5 * s.has("cause")
        + 0.5 * (s.names > 0)
        + 0.5 * (s.numbers > 0)
    )
    if s.has("fail") and not (s.has("rule", "wish", "told", "never") or "neg" in s.starts or design or s.contrast):
        score -= 2
    return score


def only_reminds(s: Speech) -> bool:
    """ "I have said that twice now!" says nothing itself but stresses what stands before it."""
    return (
        s.has("told")
        and s.bare("told", "self", "fill", "ana") <= 3
        and not (s.names or s.numbers or s.contrast or ":" in s.text)
        and not s.has("rule", "neg", "wish", "design", "measure")
    )


def _instead(s: Speech) -> bool:
    """ "Scrap the files, put it all into SQLite": what goes, and what comes in its place."""
    return bool(s.starts & {"ditch", "retract"}) and s.has("design", "choice") and len(s.terms) >= 4


def _recurs(s: Speech) -> bool:
    """ "Check the gauge every morning": an order for more than once."""
    orders = s.starts & {"task", "design"} or (not s.lang.spaced and s.has("task", "design"))
    return bool(orders) and s.has("often")


def whenever(s: Speech) -> bool:
    """ "If a module takes too long, skip it": what to do in every such case."""
    first = "cond" in s.starts or (not s.lang.spaced and s.has("cond"))
    return first and s.has("design", "task", "neg", "choice")


def _limits(s: Speech) -> bool:
    """ "Only the CI may publish", "Fischer increment only": the limiting word stands first or last in a clause."""
    if _ONLY.search(s.text) is not None and s.has("soft"):
        return True
    last = len(s.tokens) if s.lang.spaced else len(s.text.rstrip("\u3002.! "))
    return "soft" in s.starts or any(f.act == "soft" and f.end == last for f in s.found)


def _asks_for_rule(s: Speech) -> bool:
    """ "Could you always run ruff first?" is a wish in the form of a question."""
    return (
        s.has("rule") and s.has("task", "design", "wish") and not s.has("hypo", "define") and "interro" not in s.starts
    )


def kind_of(s: Speech, verdict: Verdict) -> Kind:
    """Preference for how work is done, fact for how things are, decision for what the project does."""
    if s.has("later") and not s.has("rule", "told"):
        return Kind.CONTEXT
    if verdict.fact:
        return Kind.FACT
    if s.has("open") and not s.has("rule", "neg", "told", "wish"):
        return Kind.CONTEXT
    return Kind.PREFERENCE if s.has("way", "wish") or for_now(s) else Kind.DECISION


def for_now(s: Speech) -> bool:
    """ "Only plan, change nothing yet": about the task at hand."""
    return "task" in s.starts and s.has("neg") and not s.has("rule", "told", "wish", "choice")
