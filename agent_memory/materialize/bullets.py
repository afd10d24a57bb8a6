"""What one list item says: box, mark, text, remark and the comment that carries its id."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agent_memory.materialize.escape import MARKS, canonical, decode
from agent_memory.model.view import Bullet

_TOKEN = re.compile(r"\\.|(?P<ticks>`+)|<!-- (?P<sort>[mi]):(?P<key>[0-9A-Za-z_.:@-]+) -->")
_BOX = re.compile(r"\[([ xX])\](?:[ \t]+|\Z)")
_MARK = re.compile(f"({'|'.join(MARKS)})\ufe0f?(?:[ \t]+|\\Z|(?=\\S))")
_SUFFIX = re.compile(r" \*\(((?:(?! \*\()[^\n])*)\)\*\Z")


@dataclass(frozen=True, slots=True)
class Tagged:
    """A paragraph without our comments: what stood before the first one and after it, and what the comment named."""

    before: str
    after: str
    sort: str = ""  # "m" a memory, "i" a generated line, "" no comment
    key: str = ""
    line: int = -1  # line of the paragraph on which the comment stands


def split_comment(content: str) -> Tagged:
    """Find our comment in a paragraph, outside of code spans and not behind a backslash.

    >>> split_comment("a <!-- m:01x --> b")
    Tagged(before='a', after=' b', sort='m', key='01x', line=0)
    """
    if "<!-- " not in content:
        return Tagged(content, "")
    at = 0
    found: list[re.Match[str]] = []
    while match := _TOKEN.search(content, at):
        at = match.end()
        if ticks := match["ticks"]:
            stop = content.find("\n", at)
            line = content[at:] if stop < 0 else content[at:stop]
            closing = next((m.end() for m in re.finditer("`+", line) if m[0] == ticks), 0)
            at += closing
        elif match["sort"]:
            found.append(match)
    if not found:
        return Tagged(content, "")
    first = found[0]
    after = content[first.end():]
    for extra in reversed(found[1:]):
        after = after[: extra.start() - first.end()] + after[extra.end() - first.end():]
    before = content[: first.start()].rstrip(" \t")
    return Tagged(before, after, first["sort"], first["key"], before.count("\n"))


def without_remark(bullet: Bullet) -> Bullet:
    """A bullet whose last words look like a remark of ours, with them as its suffix; the same bullet for others."""
    found = _SUFFIX.search(bullet.text)
    return replace(bullet, text=canonical(bullet.text[: found.start()]), suffix=found[1]) if found else bullet


def read_bullet(paragraphs: list[str]) -> Bullet:
    """The bullet that the blocks of an item say; the first may start with a task box and a priority mark.

    A remark of ours (``*(…)*`` before the comment) becomes the suffix; text behind the comment belongs to the text.
    """
    memory = info = suffix = ""
    texts: list[str] = []
    box: bool | None = None
    mark = ""
    for number, content in enumerate(paragraphs):
        tagged = split_comment(content)
        before = tagged.before
        if number == 0:
            if found := _BOX.match(before):
                box, before = found[1] != " ", before[found.end():]
            if found := _MARK.match(before):
                mark, before = found[1], before[found.end():]
        if tagged.sort and not (memory or info):
            memory, info = (tagged.key, "") if tagged.sort == "m" else ("", tagged.key)
            # The space belongs to the remark; an item without text has only the remark.
            if found := _SUFFIX.search(f" {before}"):
                suffix, before = found[1], f" {before}"[: found.start()]
                before = before.removeprefix(" ")
        whole = before + (" " + tagged.after.strip(" \t") if tagged.after.strip() else "")
        if text := decode(whole.split("\n")):
            texts.append(text)
    return Bullet(canonical("\n".join(texts)), id=memory, mark=mark, done=box, suffix=suffix, info=info)
