"""The journal keeps what it acknowledged, whatever happens to its files."""

from __future__ import annotations

import gzip
import multiprocessing
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_samples import Chaos, at, base, memory

from agent_memory.errors import JournalDamaged, LeaseTimeout, SchemaNewer
from agent_memory.model.change import Batch, PutNode, SetObserved
from agent_memory.model.graph import Symbol
from agent_memory.store.journal import Journal
from agent_memory.store.lease import hold
from agent_memory.store.record import BadRecord, decode_line, encode_line


def fill(folder: Path, number: int, *, segment_bytes: int = 2000) -> list[Batch]:
    journal = Journal(folder, segment_bytes=segment_bytes)
    return [journal.append([PutNode(memory(f"m{n}", f"text {n} 你好"))], at=at(n), actor="test") for n in range(1, number + 1)]


def last_segment(folder: Path) -> Path:
    return Journal(folder).segments()[-1].path


def test_batches_come_back_in_order_over_segments(tmp_path: Path) -> None:
    written = fill(tmp_path / "j", 20)
    journal = Journal(tmp_path / "j")
    assert len(journal.segments()) > 3
    assert list(journal.batches()) == written
    assert [b.position for b in journal.batches()] == list(range(1, 21))
    assert [b.position for b in journal.batches(13)] == list(range(14, 21))
    assert list(journal.batches(20)) == []
    assert journal.position() == 20
    assert journal.damage() == []


def test_an_empty_journal_is_at_zero_and_makes_no_folder(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    assert (journal.position(), list(journal.batches()), journal.damage()) == (0, [], [])
    assert not (tmp_path / "j").exists()


def test_every_kind_of_change_survives(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    batches = [replace(b, position=0) for b in Chaos(3).batches(150)]
    journal.append_all(batches)
    assert [replace(b, position=0) for b in Journal(tmp_path / "j").batches()] == batches


@given(st.text())
@settings(max_examples=60, deadline=None)
def test_any_text_that_can_be_written_comes_back(text: str) -> None:
    batch = Batch(at(1), text, (PutNode(Symbol("y", text, "p")),), 1)
    line, as_read = encode_line(batch)
    assert line.count(b"\n") == 1
    assert decode_line(line, 1) == as_read
    assert as_read == batch or any("\ud800" <= c <= "\udfff" for c in text)


def test_a_lone_surrogate_is_replaced_not_lost(tmp_path: Path) -> None:
    stored = Journal(tmp_path / "j").append([PutNode(Symbol("y", "a\ud800b", "p"))], at=at(1), actor="x")
    assert list(Journal(tmp_path / "j").batches()) == [stored]
    assert stored.changes[0].node.name.startswith("a")  # type: ignore[union-attr]


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_any_flipped_byte_is_noticed(data: st.DataObject) -> None:
    line = encode_line(Batch(at(1), "x", (PutNode(memory("m1")),), 7))[0]
    index = data.draw(st.integers(0, len(line) - 1))
    broken = bytearray(line)
    broken[index] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(BadRecord):
        decode_line(bytes(broken), 7)


@given(st.binary(max_size=300))
@settings(max_examples=100, deadline=None)
def test_garbage_is_a_bad_record_and_nothing_else(line: bytes) -> None:
    with pytest.raises(BadRecord):
        decode_line(line, 1)


@pytest.mark.parametrize("cut", [1, 2, 40, 200])
def test_torn_end_is_moved_aside_and_does_not_block(tmp_path: Path, cut: int) -> None:
    written = fill(tmp_path / "j", 6, segment_bytes=1 << 20)
    path = last_segment(tmp_path / "j")
    data = path.read_bytes()
    path.write_bytes(data[:-cut])
    torn = data[data.rfind(b"\n", 0, -1) + 1:-cut]
    journal = Journal(tmp_path / "j")
    assert journal.position() == 5
    assert list(journal.batches()) == written[:5]
    assert [d.line for d in journal.damage()] == [6]
    new = journal.append([SetObserved("s", 1)], at=at(9), actor="x")
    assert new.position == 7, "the torn record's position stays used up"
    assert [p.read_bytes() for p in journal.asides()] == [torn]
    read = list(Journal(tmp_path / "j").batches())
    assert read[:5] == written[:5]
    assert (read[5].position, read[5].changes) == (6, ())
    assert read[6:] == [new]
    assert journal.damage() == []


def test_end_full_of_zeros_is_moved_aside(tmp_path: Path) -> None:
    fill(tmp_path / "j", 3)
    with last_segment(tmp_path / "j").open("ab") as stream:
        stream.write(b"\0" * 4096)
    journal = Journal(tmp_path / "j")
    assert journal.position() == 3
    assert journal.append([], at=at(1), actor="x").position == 5
    assert len(journal.asides()) == 1


def test_damaged_middle_is_named_with_segment_and_line(tmp_path: Path) -> None:
    fill(tmp_path / "j", 20)
    journal = Journal(tmp_path / "j")
    segment = journal.segments()[1]
    lines = segment.path.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b"text", b"test")
    segment.path.write_bytes(b"".join(lines))
    with pytest.raises(JournalDamaged, match=rf"{segment.path.name} line 2: checksum"):
        list(journal.batches())
    assert [(d.segment, d.line, d.position) for d in journal.damage()] == [(segment.path.name, 2, segment.first + 1)]
    assert [b.position for b in journal.batches(segment.first + 1)] == list(range(segment.first + 2, 21))


def test_missing_segment_is_named(tmp_path: Path) -> None:
    fill(tmp_path / "j", 20)
    journal = Journal(tmp_path / "j")
    gone = journal.segments()[1]
    gone.path.unlink()
    with pytest.raises(JournalDamaged, match="missing"):
        list(journal.batches())
    [damage] = journal.damage()
    assert (damage.line, damage.position) == (0, gone.first)


def test_missing_first_segment_is_named(tmp_path: Path) -> None:
    fill(tmp_path / "j", 20)
    journal = Journal(tmp_path / "j")
    journal.segments()[0].path.unlink()
    with pytest.raises(JournalDamaged, match="records 1 to"):
        list(journal.batches())


def test_packed_segments_read_like_plain_ones(tmp_path: Path) -> None:
    written = fill(tmp_path / "j", 12)
    journal = Journal(tmp_path / "j", segment_bytes=2000)
    for segment in journal.segments():
        with hold(journal.lock, exclusive=True, wait=1, what="the journal"):
            journal.replace(segment, segment.path.read_bytes(), packed=True)
    assert all(s.packed for s in journal.segments())
    assert list(journal.batches()) == written
    assert journal.position() == 12
    assert journal.append([], at=at(1), actor="x").position == 13
    assert [b.position for b in journal.batches(11)] == [12, 13]
    assert journal.damage() == []


def test_cut_packed_segment_is_damage(tmp_path: Path) -> None:
    fill(tmp_path / "j", 12)
    journal = Journal(tmp_path / "j")
    segment = journal.segments()[0]
    packed = gzip.compress(segment.path.read_bytes())
    segment.path.unlink()
    segment.path.with_name(segment.path.name + ".gz").write_bytes(packed[:-20])
    with pytest.raises(JournalDamaged, match="unreadable"):
        list(journal.batches())
    assert journal.damage()


def test_rewrite_empties_single_records_and_keeps_positions(tmp_path: Path) -> None:
    written = fill(tmp_path / "j", 12)
    journal = Journal(tmp_path / "j", segment_bytes=2000)
    before = {s.path.name: s.path.read_bytes() for s in journal.segments()}
    assert journal.rewrite(lambda b: replace(b, changes=()) if b.position == 7 else b) == 1
    read = list(journal.batches())
    assert [b.position for b in read] == list(range(1, 13))
    assert read[6].changes == ()
    assert read[:6] + read[7:] == written[:6] + written[7:]
    after = {s.path.name: s.path.read_bytes() for s in journal.segments()}
    assert sum(before[name] != after[name] for name in before) == 1
    assert journal.append([], at=at(1), actor="x").position == 13


def test_two_journal_objects_see_each_other(tmp_path: Path) -> None:
    one, two = Journal(tmp_path / "j"), Journal(tmp_path / "j")
    positions = [j.append([], at=at(1), actor="x").position for j in (one, two, two, one, two, one)]
    assert positions == [1, 2, 3, 4, 5, 6]
    assert one.position() == two.position() == 6


def _write_many(folder: str, writer: int, number: int) -> None:
    journal = Journal(Path(folder), segment_bytes=3000)
    for n in range(number):
        journal.append([PutNode(Symbol(f"w{writer}-{n}", "x", "p"))], at=at(n), actor=str(writer))


def test_eight_processes_append_without_loss_or_repeat(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_write_many, args=(str(tmp_path / "j"), w, 25)) for w in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    batches = list(Journal(tmp_path / "j").batches())
    assert [b.position for b in batches] == list(range(1, 201))
    names = [b.changes[0].node.id for b in batches]  # type: ignore[union-attr]
    assert sorted(names) == sorted(f"w{w}-{n}" for w in range(8) for n in range(25))
    for w in range(8):
        assert [n for n in names if n.startswith(f"w{w}-")] == [f"w{w}-{n}" for n in range(25)]


_KILLED = """
import sys
from pathlib import Path
from agent_memory.store.journal import Journal
from agent_memory.model.change import PutNode
from agent_memory.model.graph import Symbol
from datetime import datetime, UTC
journal = Journal(Path(sys.argv[1]), segment_bytes=20000)
n = journal.position()
while True:
    n += 1
    p = journal.append([PutNode(Symbol(f"y{n}", "x" * (n * 37 % 3000), "p"))], at=datetime(2026, 1, 1, tzinfo=UTC), actor="k").position
    sys.stdout.write(f"{p}\\n"); sys.stdout.flush()
"""


def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(tmp_path: Path) -> None:
    acknowledged = 0
    for round_number in range(6):
        child = subprocess.Popen([sys.executable, "-c", _KILLED, str(tmp_path / "j")], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        for _ in range(3 + 17 * round_number):
            acknowledged = int(child.stdout.readline())
        child.send_signal(signal.SIGKILL)
        for line in child.stdout.read().split():
            acknowledged = int(line)
        child.stdout.close()
        child.wait()
        positions = [b.position for b in Journal(tmp_path / "j").batches()]
        assert positions == list(range(1, len(positions) + 1))
        assert len(positions) >= acknowledged


def test_full_disk_leaves_the_journal_as_it_was(tmp_path: Path) -> None:
    fill(tmp_path / "j", 3)
    path = last_segment(tmp_path / "j")
    before = path.read_bytes()
    code = ("import sys, resource, signal\nfrom pathlib import Path\nfrom agent_memory.store.journal import Journal\n"
            "from agent_memory.errors import StoreError\nfrom datetime import datetime, UTC\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)\n"
            "try:\n    Journal(Path(sys.argv[1])).append([], at=datetime(2026,1,1,tzinfo=UTC), actor='x' * 5000)\n"
            "except StoreError as error:\n    print(error, error.hint)\n")
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "j"), str(len(before) + 100)], text=True,
                          capture_output=True, check=True)
    assert "cannot write to the journal" in done.stdout
    assert "Nothing was stored" in done.stdout
    assert path.read_bytes() == before
    assert Journal(tmp_path / "j").append([], at=at(1), actor="x").position == 4
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != len(before) + 100


def test_append_waits_only_as_long_as_told(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", wait=0.05)
    journal.append(base(), at=at(1), actor="x")
    with hold(journal.lock, exclusive=True, wait=1, what="x"), pytest.raises(LeaseTimeout, match="the journal is busy"):
        journal.append([], at=at(2), actor="x")
    assert journal.position() == 1


def test_a_record_of_a_newer_version_stops_reading(tmp_path: Path) -> None:
    import hashlib

    fill(tmp_path / "j", 2)
    body = b'{"position":3,"at":"2026-01-01T00:00:00Z","actor":"x","changes":[{"do":"teleport"}]}'
    line = hashlib.blake2b(body, digest_size=8).hexdigest().encode() + b" " + body + b"\n"
    path = last_segment(tmp_path / "j")
    path.write_bytes(path.read_bytes() + line)
    journal = Journal(tmp_path / "j")
    with pytest.raises(SchemaNewer, match="unknown content: unknown change 'teleport'"):
        list(journal.batches())
    assert journal.position() == 3
    assert journal.append([], at=at(3), actor="x").position == 4
    assert journal.asides() == [], "a newer record is not torn"
    assert line in last_segment(tmp_path / "j").read_bytes()
