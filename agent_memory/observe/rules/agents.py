"""What agents say that lasts: causes and cures, what was measured, what is still open, and sections under headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent_memory.model.memory import Kind, Priority
from agent_memory.model.transcript import Message, ToolEvent
from agent_memory.observe.rules.lexicon import Lexicon, words
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.scene import Scene
from agent_memory.observe.rules.segment import units
from agent_memory.observe.rules.speech import Speech, heading_kind, read
from agent_memory.observe.rules.terms import covered, overlap, terms

NEEDED = 3.0
"""Weight at which an agent's sentence counts as a cause or cure."""
_SECTION = {
    "lesson": (Kind.LESSON, Priority.YELLOW),
    "decision": (Kind.DECISION, Priority.RED),
    "fact": (Kind.FACT, Priority.GREEN),
    "open": (Kind.CONTEXT, Priority.YELLOW),
    "preference": (Kind.FACT, Priority.YELLOW),
    "architecture": (Kind.ARCHITECTURE, Priority.GREEN),
    "pattern": (Kind.PATTERN, Priority.GREEN),
}
PLANTED = 0.6
"""An agent's sentence with this share of its content words in a planted line repeats that line."""
JOINED = 260


@dataclass(slots=True)
class _Line:
    speech: Speech
    text: str
    kind: Kind
    priority: Priority
    rule: str
    score: float
    last: int = -1  # place of its last sentence, if others were joined to it


def from_scene(scene: Scene, dropped: list[tuple[str, str]]) -> Iterator[Proposal]:
    """Proposals from one message of an agent."""
    message, lang = scene.message, scene.lang
    speeches = [read(unit, lang) for unit in units(message.text)]
    if not speeches:
        return
    if scene.asked_meaning and not scene.tools:
        dropped.append((speeches[0].text, "general knowledge"))
        return
    if recap(message.text, lang):
        dropped.append((speeches[0].text, "recap"))
        return
    lines: list[_Line] = []
    still_open, before = False, None
    for s in speeches:
        found = _line(s, scene, still_open)
        if isinstance(found, str) and lines and _cures(s, lines[-1], found):
            lines[-1].text += f"{' ' if s.lang.spaced else ''}{s.text}"
            lines[-1].last = s.unit.index
            continue
        if isinstance(found, str):
            dropped.append((s.text, found))
            still_open = False
            before = s if found == "nothing lasting" else None
            continue
        still_open = found.rule == "open" and bool(s.label)
        if found.rule == "cause" and before and _points_back(s) and len(before.text) + len(found.text) < JOINED:
            found.text = f"{before.text} {found.text}"
        lines.append(found)
        before = None
    cites: tuple[Message | ToolEvent, ...] = (message, *_failed(scene))
    for line in _joined(lines):
        yield Proposal(
            line.text,
            line.kind,
            line.priority,
            cites if line.rule == "cause" else (message,),
            line.rule,
            line.score,
            line.speech.unit.index,
        )


def _cures(s: Speech, line: _Line, reason: str) -> bool:
    """ "I changed money to integer cents." says how the cause before it was cured."""
    return (
        line.rule == "cause"
        and reason in ("nothing lasting", "acknowledges", "repeats the person")
        and s.has("cure")
        and not s.has("propose", "count", "planted")
        and s.unit.index == max(line.last, line.speech.unit.index) + 1
        and not s.unit.bullet
        and len(s.terms) >= 3
        and len(line.text) + len(s.text) < JOINED
    )


def _points_back(s: Speech) -> bool:
    return "hence" in s.starts or any(f.act == "ana" and f.start <= s.lead + 1 for f in s.found)


def recap(text: str, lang: Lexicon) -> bool:
    """True for a hand-over note ("Goal: … Decisions: … Pending: …") that repeats what was said before."""
    low = text.replace("：", ":").casefold()
    return sum(1 for label in dict.fromkeys(lang.phrases("recap")) if label in low) >= 3


def _failed(scene: Scene) -> list[ToolEvent]:
    return [t for t in scene.tools if t.status == "error"][-2:]


def _line(s: Speech, scene: Scene, still_open: bool) -> _Line | str:
    """What an agent's sentence is, or why it is left out."""
    if s.has("planted") or any(covered(s.terms, words) >= PLANTED for words in scene.planted):
        return "about planted text"
    section = heading_kind(s.unit.heading, s.lang) if s.unit.heading and s.unit.bullet else ""
    if section and len(s.terms) >= 2 and not counts_only(s):
        kind, priority = _SECTION[section]
        return _Line(s, s.text, kind, priority, "open" if section == "open" else f"heading:{section}", 3.5)
    if s.question:
        return "question"
    if s.farewell:
        return "acknowledges"
    is_open = _open(s, scene)
    if is_open == "label" or (still_open and len(s.terms) >= 3 and scene.closes):
        return _Line(s, s.text, Kind.CONTEXT, Priority.YELLOW, "open", 3.5)
    if not is_open and (s.only("ack") or s.only("chat")):
        return "acknowledges"
    told = s.has("found") and (s.infers or s.has("fail"))
    if s.starts & {"narr"} and not is_open and not told:
        return "narration"
    if s.has("propose"):
        return "proposal"
    if counts_only(s):
        return "test counts"
    weight = _weight(s, scene)
    if s.has("guess") and weight < NEEDED + 1:
        return "guess"
    if is_open and scene.asked_later and overlap(s.terms, scene.asked_terms) >= 0.5:
        return "repeats the person"
    if is_open and weight < NEEDED + 0.5:
        return _Line(s, s.text, Kind.CONTEXT, Priority.YELLOW, "open", 3.0)
    if s.has("fail") and not s.infers and any(t.status == "error" for t in scene.tools) and not _says_more(s):
        return "symptom"
    telling = s.infers or s.has("fail", "needs") or s.numbers or len(s.terms) >= 6
    if weight >= NEEDED and telling and len(s.terms) >= 3 and not _echo(s, scene):
        return _Line(s, s.text, Kind.LESSON, Priority.YELLOW, "cause", weight)
    if _echo(s, scene):
        return "repeats the person"
    if scene.reports and s.names >= 1 and len(s.terms) >= 3:
        return _Line(s, s.text, Kind.FACT, Priority.GREEN, "report", 2.0)
    if scene.closes and s.unit.bullet and (s.names or s.numbers) and len(s.terms) >= 2:
        return _Line(
            s, s.text, Kind.DECISION if s.has("choice") or s.contrast else Kind.FACT, Priority.YELLOW, "summary", 1.5
        )
    if scene.closes and s.numbers and len(s.terms) >= 4 and _measured(s):
        return _Line(s, s.text, Kind.CONTEXT, Priority.GREEN, "outcome", 1.5)
    return "nothing lasting"


def _says_more(s: Speech) -> bool:
    """More than that something fails: what it needs, or figures of a named thing."""
    return s.names > 0 and (s.numbers > 0 or s.has("needs"))


def _open(s: Speech, scene: Scene) -> str:
    if s.label == "open" and len(s.rest) > 8:
        return "label"
    if (
        scene.closes
        and scene.final
        and s.has("open")
        and len(s.terms) >= 3
        and not (s.starts & {"narr"} and s.lang.spaced)
    ):
        return "phrase"
    return ""


def _weight(s: Speech, scene: Scene) -> float:
    failed = any(t.status == "error" for t in scene.tools)
    fixed = failed and scene.tools[-1].status == "ok"
    return (
        2.0 * (s.infers or (s.has("else") and s.has("fail")) or _explains(s))
        + 1.0 * s.has("fail")
        + 1.5 * s.has("found")
        + 0.5 * s.has("needs")
        + 1.0 * (s.names > 0)
        + 0.25 * (s.numbers > 0)
        + (1.0 + bool(scene.tools)) * scene.asked_why
        + 1.5 * failed
        + 0.5 * fixed
        + 0.5 * scene.reports
        - 1.5 * bool(s.starts & {"ack"})
    )


def _explains(s: Speech) -> bool:
    """ "Two tests fail: the report counts from midnight, …": what fails, a colon, and why."""
    head, colon, rest = s.text.partition(": ")
    if not colon or not s.has("fail") or not s.lang.spaced:
        return False
    at = len(words(head))
    return any(f.act == "fail" and f.end <= at for f in s.found) and len(terms(rest)) >= 4


def counts_only(s: Speech) -> bool:
    """True for "214 passed in 31 s" and "all tests green": nothing but counting."""
    if not s.has("count"):
        return False
    if s.lang.spaced:
        covered_words = {i for f in s.found if f.act == "count" for i in range(f.start, f.end)}
        rest = [t for i, t in enumerate(s.tokens) if i not in covered_words and not t[0].isdigit()]
        return len(rest) <= 1
    return s.names == 0 and s.numbers > 0 and len(s.text) <= 24 and not s.has("cause", "needs")


def _echo(s: Speech, scene: Scene) -> bool:
    """True if an agent only says back what the person just said."""
    return (
        not s.has("fail")
        and bool(scene.asked_terms)
        and not scene.asked_why
        and covered(s.terms, scene.asked_terms) >= (0.5 if s.lang.spaced else 0.34)
    )


def _measured(s: Speech) -> bool:
    return s.has("result") and (s.names > 0 or s.numbers > 1)


def _joined(lines: Sequence[_Line]) -> list[_Line]:
    """Neighbouring sentences about the same cause become one."""
    out: list[_Line] = []
    for line in lines:
        last = out[-1] if out else None
        if (
            last
            and last.rule == line.rule == "cause"
            and line.speech.unit.index == last.speech.unit.index + 1
            and len(last.text) + len(line.text) < JOINED
            and not line.speech.unit.bullet
            and (
                last.speech.terms & line.speech.terms
                or min(len(last.text), len(line.text)) < 50
                or _points_back(line.speech)
            )
        ):
            glue = " " if line.speech.lang.spaced else ""
            out[-1] = _Line(
                line.speech,
                f"{last.text}{glue}{line.text}",
                last.kind,
                last.priority,
                last.rule,
                max(last.score, line.score) + 0.5,
            )
            continue
        out.append(line)
    return out
