"""The store of a home: what is committed is readable, what fails is safe, and the crowd gets along."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from store_samples import Chaos, at, base, memory

import agent_memory.store.migrate as migrate_module
from agent_memory.errors import BatchRefused, GraphDamaged, HomeError, LeaseTimeout, SchemaNewer, StoreError, UsageError
from agent_memory.model import lifecycle
from agent_memory.model.change import Batch, PutEdge, PutNode, SetState
from agent_memory.model.graph import Edge, Happening, Symbol
from agent_memory.paths import Home
from agent_memory.store import aside
from agent_memory.store.applier import Applier
from agent_memory.store.engines.memory import MemoryGraph
from agent_memory.store.lease import lease
from agent_memory.store.open import Store
from agent_memory.store.validate import TEXT_CHARACTERS
from graph_schema import Migration


class FakeIndex:
    """A search file that only counts; kept by path."""

    files: dict[Path, list[int]] = {}  # noqa: RUF012
    rebuilt: int = 0

    def __init__(self, path: Path) -> None:
        self.seen = self.files.setdefault(path, [])

    def position(self) -> int:
        return self.seen[-1] if self.seen else 0

    def apply(self, batches: Sequence[Batch]) -> None:
        self.seen += [b.position for b in batches]

    def rebuild(self, batches: Iterable[Batch]) -> None:
        FakeIndex.rebuilt += 1
        self.seen[:] = [b.position for b in batches]

    def close(self) -> None:
        pass


@pytest.fixture
def store(home: Home) -> Store:
    FakeIndex.files.clear()
    FakeIndex.rebuilt = 0
    return Store(home, index=FakeIndex, actor="test")


def learn(store: Store, name: str) -> int:
    return store.commit(lifecycle.learn(memory(name)), at=at(1))


def ids(store: Store) -> list[str]:
    with store.read() as graph:
        return [m.id for m in graph.memories()]


def test_what_is_committed_is_read(store: Store, home: Home) -> None:
    assert store.commit(base(), at=at(0)) == 1
    assert learn(store, "m1") == 2
    assert ids(store) == ["m1"]
    assert ids(Store(home, index=FakeIndex)) == ["m1"]
    assert FakeIndex.files[home.search] == [1, 2]
    assert store.position() == 2
    assert [b.position for b in store.batches(1)] == [2]


def test_reading_a_new_home_creates_nothing(store: Store, home: Home) -> None:
    assert ids(store) == []
    assert store.position() == 0
    assert not home.root.exists()


def test_everything_in_the_home_is_owner_only(store: Store, home: Home) -> None:
    store.commit(base(), at=at(0))
    for path in [home.root, *home.root.rglob("*")]:
        if path.name.startswith("knowledge_graph.db"):
            continue  # made by the engine; its folder is closed
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_appended_batches_reach_graph_and_search_with_the_next_reader(store: Store, home: Home) -> None:
    store.commit(base(), at=at(0))
    for n in range(5):
        store.append(lifecycle.learn(memory(f"m{n}")), at=at(n))
    assert ids(store) == [f"m{n}" for n in range(5)]
    assert FakeIndex.files[home.search] == [1, 2, 3, 4, 5, 6]


def test_catch_up_gives_the_position_and_is_idle_when_nothing_is_new(store: Store) -> None:
    store.append(base(), at=at(0))
    assert store.catch_up() == 1
    assert store.catch_up() == 1


def test_refused_batch_leaves_nothing(store: Store, home: Home) -> None:
    bad = [
        [PutNode(memory("", "x"))], [PutNode(memory("a@b", "x"))], [PutNode(memory("m", " "))],
        [PutNode(memory("m", "x", rule=5))], [PutNode(memory("m", "x", confidence=float("nan")))],
        [PutNode(memory("m", "x", line=1 << 63))], [PutNode(memory("m", "x", tags=["a"]))],
        [PutNode(memory("m", "x", created_at=at(0).replace(tzinfo=None)))], [PutNode(memory("m", "x" * (TEXT_CHARACTERS + 1)))],
        [PutNode(Symbol("k" * 2000, "x", "p"))], [PutNode(memory("m", "x", kind="decision"))],
        [SetState("Message", "m", {"text": "x"})], [SetState("Observation", "m@1", {"text": "x"})],
        [SetState("Observation", "m@1", {"status": 1})], [SetState("Observation", "m@1", {"seen": "4"})],
        [PutEdge(Edge("nope", "Message", "a", "Session", "b", at(1)))],
        [PutEdge(Edge("in_session", "Session", "a", "Message", "b", at(1)))],
        [PutEdge(Edge("in_session", "Message", "", "Session", "b", at(1)))],
        [*base(), PutNode(memory("m", ""))],
    ]
    for changes in bad:
        with pytest.raises(BatchRefused) as caught:
            store.commit(changes, at=at(1))
        assert caught.value.hint == "Nothing was written."
    with pytest.raises(BatchRefused):
        store.commit([], at=at(1).replace(tzinfo=None))
    assert store.position() == 0
    assert not home.root.exists()


def test_text_of_any_kind_is_stored_and_read(store: Store) -> None:
    texts = ["\x00", "a\ud800b", "'; MATCH (n) DETACH DELETE n; //", "\\", "\u2028", "$p_key", "🧠" * 1000, "\r"]
    store.commit(base(), at=at(0))
    store.commit([PutNode(Symbol(f"y{n}", text, "p1")) for n, text in enumerate(texts)], at=at(1))
    for text in texts:
        store.commit([PutNode(Happening(f"h{texts.index(text)}", "m", "w", text, text, "x", at(1)))], at=at(1))
    want = [t.replace("\ud800", "?") for t in texts]
    for _ in range(2):
        with store.read() as graph:
            assert [s.name for s in graph.symbols()] == want
            assert [h.detail for h in graph.happenings()] == want
        store.reload()


def test_nested_reading_gives_the_same_graph_and_writing_inside_is_refused(store: Store) -> None:
    store.commit(base(), at=at(0))
    with store.read() as one:
        with store.read() as two:
            assert one is two
        assert one.position() == 1
        with pytest.raises(StoreError, match="already holds"):
            store.commit([], at=at(1))
    assert store.catch_up() == 2, "the refused commit was durable"


def test_two_stores_in_one_process_do_not_harm_each_other(store: Store, home: Home) -> None:
    other = Store(home, index=FakeIndex)
    store.commit(base(), at=at(0))
    failures: list[BaseException] = []

    def work(mine: Store, name: str) -> None:
        try:
            for n in range(4):
                learn(mine, f"{name}{n}")
                assert f"{name}{n}" in ids(mine)
        except BaseException as error:  # noqa: BLE001 - handed to the main thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(s, name)) for s, name in ((store, "a"), (other, "b"), (store, "c"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert ids(store) == sorted(f"{name}{n}" for name in "abc" for n in range(4))


def test_lease_timeout_on_commit_is_durable(store: Store, home: Home) -> None:
    store.commit(base(), at=at(0))
    impatient = Store(home, wait=0.05, index=FakeIndex)
    failures: list[LeaseTimeout] = []

    def write() -> None:
        with suppress(LeaseTimeout) as _:
            try:
                learn(impatient, "m1")
            except LeaseTimeout as error:
                failures.append(error)

    with store.exclusive():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert "stored durably" in failures[0].hint
    assert ids(store) == ["m1"]


_WRITER = """
import sys
from datetime import UTC, datetime
from agent_memory.paths import Home
from agent_memory.store.lease import lease
from agent_memory.store.open import Store
from agent_memory.model import lifecycle
sys.path.insert(0, sys.argv[4])
from store_samples import memory
store = Store(Home.open(sys.argv[1]), index=None, wait=60)
for n in range(int(sys.argv[3])):
    store.commit(lifecycle.learn(memory(f"{sys.argv[2]}-{n:04d}")), at=datetime(2026, 1, 1, tzinfo=UTC), actor="w")
    with store.read() as graph:
        assert graph.memory(f"{sys.argv[2]}-{n:04d}") is not None
    print(n, flush=True)
"""


def writer(home: Home, name: str, number: int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", _WRITER, str(home.root), name, str(number), str(Path(__file__).parent)],
                            stdout=subprocess.PIPE, text=True)


def test_eight_processes_write_and_read_at_once(home: Home) -> None:
    Store(home, index=None).commit(base(), at=at(0), actor="t")
    workers = [writer(home, f"w{w}", 3) for w in range(8)]
    for worker in workers:
        assert worker.communicate(timeout=120)[0] == "0\n1\n2\n"
        assert worker.returncode == 0
    assert ids(Store(home, index=None)) == [f"w{w}-{n:04d}" for w in range(8) for n in range(3)]


def test_kill_during_commit_loses_nothing_and_doubles_nothing(home: Home) -> None:
    Store(home, index=None).commit(base(), at=at(0), actor="t")
    acknowledged: set[str] = set()
    for number in range(5):
        child = writer(home, f"k{number}", 1000)
        assert child.stdout is not None
        for _ in range(number % 3 + 1):
            child.stdout.readline()
        threading.Event().wait(0.007 * number)
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read().split()
        child.stdout.close()
        child.wait()
        last = max(map(int, rest), default=number % 3)
        acknowledged |= {f"k{number}-{n:04d}" for n in range(last + 1)}
    store = Store(home, index=None)
    reference = MemoryGraph()
    reference.load(store.batches())
    with store.read() as graph:
        assert list(graph.nodes()) == list(reference.nodes())
        assert list(graph.all_edges()) == list(reference.all_edges())
        assert acknowledged <= {m.id for m in graph.memories()}
    assert store.aside() == []


def test_missing_graph_is_made_again_and_a_stray_log_is_not_replayed(store: Store, home: Home) -> None:
    store.commit(base(), at=at(0))
    learn(store, "m1")
    wal = home.graph.with_name(home.graph.name + ".wal")
    assert wal.exists()
    home.graph.unlink()
    assert ids(store) == ["m1"]
    learn(store, "m2")
    assert ids(store) == ["m1", "m2"]


def test_graph_that_is_no_graph_is_named_and_reload_brings_it_back(store: Store, home: Home) -> None:
    store.commit(base(), at=at(0))
    home.graph.write_bytes(b"not a database" * 1000)
    with pytest.raises(GraphDamaged, match="cannot open") as caught:
        ids(store)
    assert "rebuild" in caught.value.hint
    store.reload()
    with store.read() as graph:
        assert graph.session("s1") is not None


def test_graph_ahead_of_the_journal_is_named(store: Store, home: Home) -> None:
    store.commit(base(), at=at(0))
    for n in range(3):
        learn(store, f"m{n}")
    segment = store.journal.segments()[0].path
    segment.write_bytes(b"".join(segment.read_bytes().splitlines(keepends=True)[:2]))
    with pytest.raises(GraphDamaged, match="the journal ends at 2"):
        Store(home, index=None).catch_up()
    with pytest.raises(GraphDamaged, match="graph is at position 4"):
        ids(Store(home, index=None))


def test_reload_equals_what_was_applied(store: Store) -> None:
    for batch in Chaos(5).batches(25):
        store.append(batch.changes, at=batch.at, actor=batch.actor)
    store.catch_up()
    with store.read() as graph:
        before = list(graph.nodes()), list(graph.all_edges()), graph.cursors(), graph.observed_all()
    assert store.reload() == 25
    with store.read() as graph:
        assert before == (list(graph.nodes()), list(graph.all_edges()), graph.cursors(), graph.observed_all())
    assert [p.name for p in store.home.graph.parent.iterdir() if ".new" in p.name or ".load" in p.name] == []


def test_search_file_that_lags_is_fed_and_one_that_is_ahead_is_rebuilt(store: Store, home: Home) -> None:
    for n in range(6):
        store.commit([PutNode(Symbol(f"y{n}", "x", "p"))], at=at(n))
    seen = FakeIndex.files[home.search]
    assert (seen, FakeIndex.rebuilt) == ([1, 2, 3, 4, 5, 6], 0)
    del seen[3:]
    store.catch_up()
    assert (seen, FakeIndex.rebuilt) == ([1, 2, 3, 4, 5, 6], 0)
    seen.append(9)
    store.catch_up()
    assert (seen, FakeIndex.rebuilt) == ([1, 2, 3, 4, 5, 6], 1)
    seen.clear()
    store.catch_up()
    assert (seen, FakeIndex.rebuilt) == ([1, 2, 3, 4, 5, 6], 2)


def test_engine_of_a_home_is_remembered(home: Home) -> None:
    Store(home, engine="memory", index=None).commit(base(), at=at(0), actor="t")
    assert Store(home).engine == "memory"
    with pytest.raises(UsageError, match="uses the engine memory, not kuzu") as caught:
        Store(home, engine="kuzu")
    assert "migrate-engine kuzu" in caught.value.hint
    with pytest.raises(UsageError, match="no engine 'neo'"):
        Store(home, engine="neo")


def test_second_engine_in_one_process_is_refused(home: Home) -> None:
    Store(home, index=None).commit(base(), at=at(0), actor="t")
    other = Store(Home(home.root.with_name("other")), engine="ladybug", index=None)
    with pytest.raises(StoreError, match="cannot load ladybug too"):
        other.commit(base(), at=at(0), actor="t")


def test_newer_schema_is_refused_without_touching_anything(
        store: Store, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    newer = (*migrate_module.known(), Migration(2, "later", "CREATE NODE TABLE Later (`key` STRING, PRIMARY KEY (`key`));"))
    with monkeypatch.context() as patch:
        patch.setattr(migrate_module, "known", lambda: newer)
        store.commit(base(), at=at(0))
    before = {p: p.read_bytes() for p in home.graph.parent.glob("knowledge_graph.db*")}
    for call in (lambda: ids(store), store.catch_up):
        with pytest.raises(SchemaNewer, match="has schema 2, this version knows 1"):
            call()
    assert {p: p.read_bytes() for p in home.graph.parent.glob("knowledge_graph.db*")} == before


def test_older_graph_is_migrated_by_the_first_reader(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.commit(base(), at=at(0))
    newer = (*migrate_module.known(), Migration(2, "later", "CREATE NODE TABLE Later (`key` STRING, PRIMARY KEY (`key`));"))
    monkeypatch.setattr(migrate_module, "known", lambda: newer)
    with store.read() as graph:
        assert graph.session("s1") is not None
        assert ["Later"] in [[r[0]] for r in graph.run("CALL show_tables() RETURN name")]  # type: ignore[attr-defined]


def test_edited_migration_is_noticed() -> None:
    one = Migration(1, "a", "CREATE NODE TABLE A (`key` STRING, PRIMARY KEY (`key`));")
    assert migrate_module.pending({}, (one,)) == [one]
    assert migrate_module.pending({1: one.checksum}, (one,)) == []
    with pytest.raises(StoreError, match="another content"):
        migrate_module.pending({1: "0" * 64}, (one,))


@pytest.mark.parametrize("name", ["it's a \"home\" ü", "back\\slash", "new\nline"])
def test_home_with_a_difficult_name_works(tmp_path: Path, name: str) -> None:
    store = Store(Home(tmp_path / name), index=None)
    store.commit(base(), at=at(0), actor="t")
    store.reload()
    with store.read() as graph:
        assert graph.session("s1") is not None


def test_works_under_a_limit_of_address_space(home: Home) -> None:
    Store(home, index=None).commit(base(), at=at(0), actor="t")
    code = (f"ulimit -v 8000000 && exec {shlex.quote(sys.executable)} -c \"$0\" \"$@\"")
    done = subprocess.run(["bash", "-c", code, _WRITER, str(home.root), "u", "3", str(Path(__file__).parent)], text=True,
                          capture_output=True)
    assert done.stdout == "0\n1\n2\n", done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_home_can_be_read(store: Store, home: Home) -> None:
    store.commit(base(), at=at(0))
    home.graph.parent.chmod(0o500)
    try:
        with store.read() as graph:
            assert graph.session("s1") is not None
    finally:
        home.graph.parent.chmod(0o700)


def test_file_stays_linear_over_many_revisions_and_cursor_moves(store: Store, home: Home) -> None:
    from dataclasses import replace

    from agent_memory.model.change import SetCursor
    from agent_memory.model.transcript import Cursor

    store.commit(base(), at=at(0))
    one = memory("m1", "text " * 40)
    store.commit(lifecycle.learn(one), at=at(0))
    cursor = Cursor("claude", "/t/a", "s1", "id", 0, "ab" * 32, 0, 0, "{}", tuple(f"r{n}" for n in range(50)))
    sizes = []
    for _ in range(4):
        for _ in range(3):
            changes = []
            for _ in range(40):
                one, more = lifecycle.revise(one, "person", at(1), text="text " * 40 + str(one.revision))
                changes += more
            cursor = replace(cursor, offset=cursor.offset + 1)
            store.append([*changes, SetCursor(cursor)], at=at(1))
        store.catch_up()
        store.checkpoint()
        sizes.append(home.graph.stat().st_size)
    assert sizes[-1] < 60_000_000, sizes
    assert sizes[-1] - sizes[-2] < 11_000_000, sizes  # room for edges is taken in steps
    store.reload()
    assert home.graph.stat().st_size < 24_000_000
    with store.read() as graph:
        assert len(graph.revisions("m1")) == 481
        assert graph.cursor("claude", "/t/a") == cursor
    shutil.rmtree(home.root)


def test_batch_that_kills_the_applier_twice_is_set_aside_and_blocks_nothing(home: Home) -> None:
    store = Store(home, index=None)
    store.commit(base(), at=at(0), actor="t")
    script = home.root.parent / "crash"
    script.mkdir()
    (script / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "def hook(event, args):\n"
        "    if event == 'import' and args[0] == 'agent_memory.store.engines.write':\n"
        "        sys.crash_here = True\n"
        "import importlib.abc, importlib.machinery\n"
        "import agent_memory.store.engines.plan as plan\n"
        "real = plan.plan\n"
        "def deadly(batch, present, standing):\n"
        "    if batch.actor == 'poison' and batch.changes:\n"
        "        os.kill(os.getpid(), signal.SIGSEGV)\n"
        "    return real(batch, present, standing)\n"
        "plan.plan = deadly\n")
    store.append(lifecycle.learn(memory("bad")), at=at(1), actor="poison")
    store.append(lifecycle.learn(memory("good")), at=at(2), actor="t")
    code = ("import sys\nfrom agent_memory.paths import Home\nfrom agent_memory.store.open import Store\n"
            "Store(Home.open(sys.argv[1]), index=None).catch_up()\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(script), str(Path(__file__).parents[2])])}
    ends = [subprocess.run([sys.executable, "-c", code, str(home.root)], env=env, capture_output=True).returncode
            for _ in range(3)]
    assert ends == [-signal.SIGSEGV, -signal.SIGSEGV, 0]
    [entry] = store.aside()
    assert (entry.position, entry.actor) == (2, "poison")
    assert ids(store) == ["good"]
    assert store.reload() == 3
    assert ids(store) == ["good"], "a reload skips it too"
    assert aside.clear(home) == [entry]
    store.reload()
    assert ids(store) == ["bad", "good"]


def test_kills_do_not_set_a_sound_batch_aside(home: Home) -> None:
    store = Store(home, index=None)
    store.commit(base(), at=at(0), actor="t")
    store.append(lifecycle.learn(memory("m1")), at=at(1), actor="t")
    aside.begin(home, 2, 5)
    assert json.loads((home.graph.parent / "applying.json").read_text())["failures"] == 5
    assert ids(store) == ["m1"]
    assert store.aside() == []
    assert not (home.graph.parent / "applying.json").exists()


def test_large_backlog_is_loaded_and_equals_what_was_applied(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_memory.store.applier.BACKLOG_CHANGES", 20)
    store = Store(home, index=FakeIndex, actor="t")
    loads = []
    real = Applier.reload
    monkeypatch.setattr(Applier, "reload", lambda self: loads.append(1) or real(self))
    store.commit(base(), at=at(0))
    assert len(loads) == 1, "a missing graph is made from the journal"
    for batch in Chaos(9).batches(30):
        store.append(batch.changes, at=batch.at)
    store.catch_up()
    assert len(loads) == 2
    reference = MemoryGraph()
    reference.load(store.batches())
    with store.read() as graph:
        assert list(graph.nodes()) == list(reference.nodes())
        assert list(graph.all_edges()) == list(reference.all_edges())
        assert graph.position() == 31


def test_search_file_that_fails_is_made_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.commit(base(), at=at(0))

    def broken(self: FakeIndex, batches: Sequence[Batch]) -> None:
        raise StoreError("the search file is damaged")

    monkeypatch.setattr(FakeIndex, "apply", broken)
    store.commit([], at=at(1))
    assert FakeIndex.files[store.home.search] == [1, 2]
    assert FakeIndex.rebuilt == 1


def test_reader_that_may_be_behind_gets_the_graph_as_it_is(store: Store, home: Home) -> None:
    store.commit(base(), at=at(0))
    store.append(lifecycle.learn(memory("m1")), at=at(1))
    seen: list[tuple[int, int]] = []
    ready, stop = threading.Event(), threading.Event()

    def hold_shared() -> None:
        with lease(home.lease, exclusive=False, wait=1):
            ready.set()
            stop.wait(30)

    thread = threading.Thread(target=hold_shared)
    thread.start()
    ready.wait()
    try:
        with store.read(wait=0.05, behind=True) as graph:
            seen.append((graph.position(), store.position()))
        with pytest.raises(LeaseTimeout), store.read(wait=0.05):
            pass
    finally:
        stop.set()
        thread.join()
    assert seen == [(1, 2)]
    assert ids(store) == ["m1"]


def test_interrupted_commit_is_applied_by_the_next_process(home: Home) -> None:
    Store(home, index=None).commit(base(), at=at(0), actor="t")
    code = ("import sys\nsys.path.insert(0, sys.argv[2])\nfrom store_samples import *\n"
            "import agent_memory.store.engines.write as write\nfrom agent_memory.paths import Home\n"
            "from agent_memory.store.open import Store\n"
            "def interrupt(*a):\n    raise KeyboardInterrupt\n"
            "write.set_position = interrupt\n"
            "store = Store(Home.open(sys.argv[1]), index=None)\n"
            "try:\n    store.commit([SetState('Session', 's1', {'messages': 5})], at=at(1), actor='t')\n"
            "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
            "try:\n    store.catch_up()\nexcept Exception as error:\n    print(type(error).__name__, error)\n")
    done = subprocess.run([sys.executable, "-c", code, str(home.root), str(Path(__file__).parent)], text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "interrupted"
    assert "failed in this process" in done.stdout
    with Store(home, index=None).read() as graph:
        assert graph.session("s1").messages == 5  # type: ignore[union-attr]


@pytest.mark.parametrize("cut", [1, 7, 300, 1500])
def test_torn_engine_log_is_made_good_from_the_journal(store: Store, home: Home, cut: int) -> None:
    store.commit(base(), at=at(0))
    for n in range(4):
        learn(store, f"a{n}")
    wal = home.graph.with_name(home.graph.name + ".wal")
    for round_number in range(2):
        wal.write_bytes(wal.read_bytes()[:-cut])
        if round_number:
            assert f"b{round_number - 1}3" in ids(store)
        for n in range(4):
            learn(store, f"b{round_number}{n}")
        reference = MemoryGraph()
        reference.load(store.batches())
        with store.read() as graph:
            assert list(graph.nodes()) == list(reference.nodes())
            assert list(graph.all_edges()) == list(reference.all_edges())


def test_full_disk_under_the_engine_is_told_and_made_good_later(home: Home) -> None:
    Store(home, index=None).commit(base(), at=at(0), actor="t")
    code = ("import sys, resource, signal\nsys.path.insert(0, sys.argv[2])\nfrom store_samples import *\n"
            "from agent_memory.errors import StoreError\n"
            "from agent_memory.paths import Home\nfrom agent_memory.store.open import Store\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "store = Store(Home.open(sys.argv[1]), index=None)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))\n"
            "done = []\n"
            "try:\n    for n in range(100):\n        store.commit(lifecycle.learn(memory(f'm{n:02d}')), at=at(1), actor='t')\n"
            "except StoreError as error:\n    print(n, type(error).__name__, error, '|', error.hint)\n")
    done = subprocess.run([sys.executable, "-c", code, str(home.root), str(Path(__file__).parent)], text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    number = int(done.stdout.split()[0])
    assert number > 0
    assert "the disk is full" in done.stdout
    found = ids(Store(home, index=None))
    assert found[:number] == [f"m{n:02d}" for n in range(number)]
    assert len(found) in (number, number + 1)


def test_home_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(HomeError, match="cannot read"):
        Store(Home(tmp_path / "file" / "home"), index=None)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "kg").mkdir()
    (tmp_path / "home" / "kg" / "journal").write_text("in the way")
    with pytest.raises(HomeError, match="cannot"):
        Store(Home(tmp_path / "home"), index=None).commit(base(), at=at(0), actor="t")


def test_probation_that_cannot_start_blames_nobody(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(home, index=None)
    store.commit(base(), at=at(0), actor="t")
    store.append(lifecycle.learn(memory("m1")), at=at(1), actor="t")
    aside.begin(home, 2, 5)
    with monkeypatch.context() as patch:
        patch.setattr("agent_memory.store.applier.sys.path", ["/nowhere"])
        patch.setattr("agent_memory.store.applier.sys.executable", shutil.which("false"))
        with pytest.raises(StoreError, match="batch 2 could not be applied"):
            store.catch_up()
    assert store.aside() == []
    assert ids(store) == ["m1"]
