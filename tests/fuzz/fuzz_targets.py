"""What is fuzzed: each target takes any bytes, and fails only by raising. Run by ``make fuzz`` and by the suite.

A target states what must hold for every input, so that a wrong answer is found and not only a crash.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agent_memory.capture import hook, inbox
from agent_memory.capture.registry import AGENTS, agent
from agent_memory.errors import AgentMemoryError, EditRefused, JournalDamaged, SchemaNewer
from agent_memory.install import edit_json, edit_toml, edit_yaml, jsonc
from agent_memory.llm.parse import parse as parse_answer
from agent_memory.materialize import merge
from agent_memory.materialize.parse import document, join, parse
from agent_memory.model.event import EVENTS
from agent_memory.model.transcript import Cursor, Message, ToolEvent
from agent_memory.paths import Home
from agent_memory.recall.when import span_of
from agent_memory.store.import_read import read_items
from agent_memory.store.journal import Journal
from agent_memory.text import analyze, marker
from agent_memory.text.redact import Redactor

NOW: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
SHM = "/dev/shm"
FOLDER: Final = Path(tempfile.mkdtemp(prefix="fuzz-", dir=SHM if os.path.isdir(SHM) else None))

Target = Callable[[bytes], None]


def _read(name: str, path: Path, after: Cursor | None) -> tuple[list[Message | ToolEvent], Cursor | None]:
    records, cursor = [], after
    for record in agent(name).read(path, after, now=NOW):
        if isinstance(record, Cursor):
            cursor = record
        elif isinstance(record, Message | ToolEvent):
            records.append(record)
    return records, cursor


def transcript(data: bytes) -> None:
    """No file stops a reader; a file that grows gives what it gives when it is read whole."""
    if len(data) < 2:
        return
    name = ("claude", "codex")[data[0] % 2]
    cut = data[1] * len(data) // 256
    data = data[2:]
    path = FOLDER / "00000000-0000-4000-8000-0000000000aa.jsonl"
    path.write_bytes(data)
    whole, last = _read(name, path, None)
    for record in whole:
        texts = [record.text] if isinstance(record, Message) else [record.name, record.input, record.output]
        json.dumps(texts, ensure_ascii=False).encode("utf-8")
    assert [r.seq for r in whole] == list(range(len(whole)))
    assert last is None or last.offset <= len(data)
    path.write_bytes(data[:cut])
    before = agent(name).head(path)
    if before is None or before != _head(name, path, data):
        return  # without its beginning, or with another one, a session is read under another name
    first, cursor = _read(name, path, None)
    path.write_bytes(data)
    rest, _ = _read(name, path, cursor)
    assert first + rest == whole


def _head(name: str, path: Path, data: bytes) -> object:
    path.write_bytes(data)
    return agent(name).head(path)


def redactor(data: bytes) -> None:
    """Redacting twice is redacting once, also in structured data."""
    text = data.decode("utf-8", "surrogateescape" if data[:1] == b"\x00" else "replace")
    once = Redactor().text(text)
    assert Redactor().text(once) == once
    Redactor().value({"a": text, text[:40]: [text, list(data[:40])]})


def journal(data: bytes) -> None:
    """A damaged segment is named; what can be read is the beginning of the records, and writing goes on or is refused."""
    folder = FOLDER / "journal"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    packed = data[:2] == b"\x1f\x8b"
    (folder / f"00000001.jsonl{'.gz' if packed else ''}").write_bytes(data)
    one = Journal(folder, wait=1)
    try:
        found = [b.position for b in one.batches()]
        assert found == list(range(1, len(found) + 1))
    except (JournalDamaged, SchemaNewer):
        assert one.damage()
    one.damage()
    try:
        position = one.position()
        written = one.append((), at=NOW, actor="fuzz")
    except AgentMemoryError:
        return
    assert written.position > position
    assert Journal(folder).position() == written.position


def markdown(data: bytes) -> None:
    """Reading a view loses no line, and a view that nobody changed comes out as it is."""
    text = data.decode("utf-8", "replace")
    parsed = parse(text)
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    assert "\n".join(parsed.lines) + ("\n" if parsed.ends and parsed.lines else "") == plain
    join(parsed.lines, parsed)
    document("profile.md", text)
    merge.gaps(parsed)
    ends = 0
    for unit in parsed.units:
        assert ends <= unit.start <= unit.end <= len(parsed.lines) or unit.kind == "bullet"
        ends = max(ends, unit.start)


def payload(data: bytes) -> None:
    """A payload is an event that comes back from the inbox as it is, or is refused."""
    home = Home(FOLDER / "home")
    try:
        given = hook.parse(data)
    except hook.BadPayload:
        return
    for name in AGENTS:
        event = hook.event_of(EVENTS[len(data) % len(EVENTS)], hook.host_of(name, given, {}) if name == "claude" else name,
                              given, at="2026-11-30T12:00:00Z", cwd="", session="") \
            if hook.host_of(name, given, {}) in AGENTS else None
        if event is None:
            continue
        path = inbox.put(home, event, nanoseconds=10**18)
        assert path.parent == home.inbox
        assert inbox.pending(home)[0].event == event
        path.unlink()


def exported(data: bytes) -> None:
    """Every line of an export is an item or is named with a reason."""
    path = FOLDER / "export.jsonl"
    path.write_bytes(data)
    try:
        for number, _ in read_items(path):
            assert number > 0
    except AgentMemoryError:
        return


def configuration(data: bytes) -> None:
    """A configuration is edited and given back as it was, or left alone."""
    text = data[1:].decode("utf-8", "replace")
    template = '{"hooks": {"Stop": [{"command": "agent-utilities-memory hook checkpoint --agent claude"}]}}'
    try:
        match data[:1]:
            case b"t":
                edit_toml.ours(text)
            case b"y":
                edit_yaml.ours(text)
            case _:
                made, notes = edit_json.add(text, template)
                given_back = edit_json.remove(made, notes)  # byte for byte where there is more than comments in it
                assert given_back == text or not jsonc.parse(given_back).items
    except EditRefused:
        return


def words(data: bytes) -> None:
    """Any text has tokens, any question is a query, any answer of a model is read as something."""
    text = data.decode("utf-8", "replace")
    for token in analyze.tokens(text):
        assert token
        assert not token.isspace()
    analyze.query(text)
    analyze.index_text(text)
    span_of(text, NOW)
    parse_answer(text)
    assert marker.strip(marker.wrap(text)).strip() == ""


TARGETS: Final[dict[str, Target]] = {
    "transcript": transcript, "redactor": redactor, "journal": journal, "markdown": markdown, "payload": payload,
    "exported": exported, "configuration": configuration, "words": words}
