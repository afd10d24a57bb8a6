"""A bare yes, or the letter of an option: the decision stands in the agent's question, so both are kept together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent_memory.model.memory import Kind, Priority
from agent_memory.model.transcript import Message
from agent_memory.observe.rules.lexicon import Lexicon, plain
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.segment import units
from agent_memory.observe.rules.speech import Speech, read

_YES = re.compile(
    r"^\W*(?:(?:ok|okay|hm+|oh|ah)[, ]+)?(?:yes|yeah|yep|yup|sure|y|ja|jawohl|genau|gerne|oui|d'accord|sí|si|claro|"
    r"dale|vale|do it|do that|go for it|sounds good|please do|mach das|mach mal|vas-y|hazlo|"
    r"はい|ええ|うん|それで|お願いします|好的?|可以|行|对|對|嗯|是的|就这样)"
    r"(?:[\s,.!、]+(?:gerne?|genau|natürlich|klar|unbedingt|of course|absolutely|thanks|danke|merci|gracias|volontiers|"
    r"claro|please|do that|do it|go ahead|bitte|mach das|s'il te plaît|por favor|お願いします|"
    r"それでお願いします|吧|就这样))*[\s,.!。]*$",
    re.IGNORECASE,
)
_PICK = re.compile(
    r"^\W*(?:option|variant|variante|opción|案|方案|go with|take|use|let's do|let's go with|"
    r"nehmen wir|nimm|on prend|la|die|the)?\s*"
    r"\(?([a-e1-5])\)?(?:\s*(?:please|bitte|で|にします|でお願いします|吧))?[\s.!。]*$",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"^\s*(?:[-*]\s+)?(?:\*\*)?(?:option|variante|opción|方案|案)?\s*"
    r"\(?([A-Ea-e1-5])[).:]\s*(?:\*\*)?\s*(\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)


def from_assent(message: Message, asked: Message | None, lang: Lexicon) -> Proposal | None:
    """The question an agent asked just before and the bare yes to it, or the option that was picked by its letter."""
    if asked is None or len(message.text) > 60:
        return None
    answer = plain(message.text).strip()
    if pick := _PICK.match(answer):
        options = {letter.lower(): text.strip(" *") for letter, text in _OPTION.findall(plain(asked.text))}
        text = options.get(pick[1].lower(), "")
        if len(options) >= 2 and len(text) >= 8:
            return _proposal(text[:300], message, asked)
    if not _YES.match(answer):
        return None
    question = _last_question([read(unit, lang) for unit in units(asked.text)[-3:]])
    return _proposal(f"{question.text} → {message.text.strip()}", message, asked) if question else None


def _last_question(speeches: Sequence[Speech]) -> Speech | None:
    """The question that a yes answers, if what it asks would last."""
    if not speeches or not speeches[-1].question:
        return None
    s = speeches[-1]
    lasting = s.has("design", "choice", "rule", "neg") or s.numbers or s.names
    passing = s.has("task") and not (s.numbers or s.has("rule", "choice", "neg"))
    return s if lasting and not passing and len(s.terms) >= 3 and len(s.text) <= 260 else None


def _proposal(text: str, message: Message, asked: Message) -> Proposal:
    return Proposal(text, Kind.DECISION, Priority.RED, (message, asked), "assent", 2.5, 0, True)
