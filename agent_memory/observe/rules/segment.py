"""Cutting what someone wrote into sentences, bullets and headings, in any script, without pasted code and logs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_memory.observe.rules.lexicon import plain

MAX_UNITS = 400
"""No single message yields more units than this: longer ones are pasted documents."""
_IDE_REQUEST = re.compile(r"^#+ My request for [^\n]*:?\s*$", re.MULTILINE)
_TAGGED = re.compile(
    r"<(system-reminder|ide_\w+|environment_context|user_instructions|hook_context|task-notification|"
    r"local-command-\w+|command-\w+|bash-\w+)\b[^>]*>.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_IMAGE = re.compile(r"\[Image #\d+\]\s?")
_PRIVATE = re.compile(r"[ \t]*\[redacted:private\][ \t]*")
_CODE = re.compile(r"`[^`\n]+`")
_QUOTED = re.compile(
    r"([\"\u201c\u201e\u00ab\u300c\u300e])"
    r"([^\"\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d\u300e\u300f\n]{12,600})"
    r"([\"\u201c\u201d\u00bb\u300d\u300f])"
)
_REPORTS = re.compile(
    r"\b(?:says?|said|wrote|writes|mailed|e-?mailed|tells?|told me|asked|posted|claims?|reads|quote|schrieb|schreibt|"
    r"meinte|meint|sagte|sagt|steht|dit|écrit|dijo|dice|escribió|puso)\b|と言|と書|说|說|写道|寫道|回复",
    re.IGNORECASE,
)
_INNER_END = re.compile(r"[.!?]\s+\S|[\u3002\uff01\uff1f].")
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_BULLET = re.compile(r"^\s{0,8}(?:[-*+•・–]|\d{1,2}[.)]|\(\d{1,2}\)|[①-⑳])\s*(?:\[[ xX]\]\s+)?(?=\S)")
_HEADING = re.compile(
    r"^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$|^\s{0,3}\*\*([^*]{2,50})\*\*:?\s*$|^\s{0,3}【([^】]{1,30})】\s*$|"
    r"^([^\W\d_][^:.。!?]{1,40})[:]\s*$"
)
_LOG = re.compile(
    r"^\s*(?:File \".*\", line \d+|at \S+\s?\(|Traceback \(most recent|[\w.$]*(?:Error|Exception|Warning)\b: |E   |\$ |"
    r">>> |"
    r"\{\"|\[?\{|\||(?:export )?[A-Z][A-Z0-9_]{2,}=\S*\s*$|\[[\w.]+\] ?\w+=|\d{4}-\d\d-\d\d[T ]\d\d:|[+-]{3} [ab]/|@@ |"
    r"diff --git|npm (?:ERR|error|WARN)|\[Image: |\[Request interrupted|API Error|warning: |error(?:\[E\d+\])?: )"
)
_TRACE = re.compile(r"^\s*(?:Traceback \(most recent|Exception in thread|panic: |thread '.*' panicked|Caused by:)")
_END = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?=\s)|[\u3002\uff01\uff1f\uff0e]+[\u300d\u300f\u201d\"\uff09)]*|[!?]+(?=[^\s\x00-\x7f])"
)
_ABBREVIATIONS = frozenset(
    (
        "e.g",
        "i.e",
        "z.b",
        "bzw",
        "etc",
        "vs",
        "nr",
        "mr",
        "mrs",
        "ms",
        "dr",
        "ca",
        "approx",
        "no",
        "st",
        "fig",
        "p.ex",
        "ej",
        "d.h",
        "u.a",
        "usw",
        "evtl",
        "ggf",
        "inkl",
        "vgl",
        "sr",
        "sra",
        "prof",
        "art",
        "cf",
        "al",
        "incl",
        "resp",
        "max",
        "min",
        "tel",
        "abs",
        "pp",
    )
)
_BEFORE_ORDINAL = frozenset(
    ("am", "im", "der", "die", "das", "dem", "den", "vom", "zum", "bis", "ab", "seit", "und", "jeder", "jeden")
)
_MONTH = re.compile(r"\s+(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|oct|okt|nov|dec|dez)", re.IGNORECASE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or a bullet of a message. ``heading`` is the section title above it, ``index`` its place."""

    text: str
    index: int
    bullet: bool = False
    heading: str = ""


def units(text: str) -> list[Unit]:
    """The sentences and bullets of a message in order; fenced code, logs, traces, tables and quotes are left out.

    >>> [u.text for u in units("ok. use v1.2, not e.g. npm.\\n- tabs")]
    ['ok.', 'use v1.2, not e.g. npm.', 'tabs']
    """
    found: list[Unit] = []
    for block, bullet, heading in _blocks(_spoken(text)):
        if bullet and len(block) <= 300:
            found.append(Unit(block, len(found), True, heading))
            continue
        for sentence in sentences(block):
            found.append(Unit(sentence, len(found), bullet, heading))
        if len(found) >= MAX_UNITS:
            return found[:MAX_UNITS]
    return found


def _spoken(text: str) -> str:
    if text.lstrip().startswith("# Context from my IDE") and (asked := list(_IDE_REQUEST.finditer(text))):
        text = text[asked[-1].end() :]
    text = _TAGGED.sub("", text) if "<" in text else text
    text = _QUOTED.sub(_without_report, text)
    text = _PRIVATE.sub(" ", text) if "[redacted:private]" in text else text
    return _IMAGE.sub("", text) if "[Image" in text else text


def _without_report(quoted: re.Match[str]) -> str:
    """A quotation without what somebody else said in it: whole sentences, or words that are said to be reported."""
    before = quoted.string[max(0, quoted.start() - 60) : quoted.start()].rpartition("\n")[2]
    words = quoted[2].count(" ") + 1
    long = words >= 5 or not quoted[2].isascii()
    if (long and _REPORTS.search(before)) or (words >= 8 and _INNER_END.search(quoted[2])):
        return f"{quoted[1]}…{quoted[3]}"
    return quoted[0]


def _blocks(text: str) -> list[tuple[str, bool, str]]:
    blocks: list[tuple[str, bool, str]] = []
    lines: list[str] = []
    heading, fence, trace, bullet = "", "", False, False

    def close() -> None:
        nonlocal bullet
        if lines:
            blocks.append((_join(lines), bullet, heading))
            lines.clear()
        bullet = False

    for raw in text.splitlines():
        line = plain(raw)
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
            close()
        elif fence:
            continue
        elif not line.strip():
            close()
            trace = False
        elif trace or _LOG.match(line) or line.lstrip().startswith(">"):
            close()
            trace = trace or _TRACE.match(line) is not None
        elif title := _HEADING.match(line):
            close()
            heading = next(t for t in title.groups() if t).strip(" :*")
        elif start := _BULLET.match(line):
            close()
            bullet = True
            lines.append(raw[start.end() :].strip())
        else:
            if bullet and not line.startswith((" ", "\t")):
                close()
            lines.append(raw.strip())
    close()
    return blocks


def _join(lines: list[str]) -> str:
    joined = lines[0]
    for line in lines[1:]:
        tight = _CJK.match(joined[-1:]) or _CJK.match(line[:1])
        joined += ("" if tight else " " if joined[-1:] in ".!?…,;:" or line[:1].islower() else ". ") + line
    return joined


def sentences(text: str) -> list[str]:
    """Split running text at the ends of sentences; dots in numbers, names and abbreviations are no ends.

    >>> sentences("Am 3. Mai um 6. Dann nicht mehr. 使わないで。はい")
    ['Am 3. Mai um 6.', 'Dann nicht mehr.', '使わないで。', 'はい']
    """
    found, start = [], 0
    code = [m.span() for m in _CODE.finditer(text)] if "`" in text else []
    for end in _END.finditer(text):
        if any(a < end.start() < b for a, b in code):
            continue
        if end[0] == "." and _inside(text, start, end.start(), end.end()):
            continue
        if piece := text[start : end.end()].strip():
            found.append(piece)
        start = end.end()
    if rest := text[start:].strip():
        found.append(rest)
    return found


def _inside(text: str, start: int, dot: int, after: int) -> bool:
    before = text[max(start, dot - 60) : dot].lower().split()[-2:]
    word = before[-1] if before else ""
    if word.strip("(\"'") in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word not in "iyk"):
        return True
    if word.isdigit() and len(word) <= 2:
        following = text[after : after + 12]
        ordinal = len(before) > 1 and before[0] in _BEFORE_ORDINAL
        return bool(_MONTH.match(following)) or (ordinal and following.lstrip()[:1].islower())
    return False
