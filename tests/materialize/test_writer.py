from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest
from view_world import DOCS, NOW, SHOP, base, commit, filled_store, learn, memories, memory, new_store

from agent_memory.materialize import cursor
from agent_memory.materialize.writer import materialize
from agent_memory.model import lifecycle
from agent_memory.model.memory import Kind, MemoryType, Status
from agent_memory.paths import Home
from agent_memory.sync.run import sync

NAMES = {"observations.md", "reflections.md", "profile.md", "active.md", "projects/shop.md", "projects/docs-handbook.md"}


def files(home: Home) -> dict[str, bytes]:
    return {str(p.relative_to(home.views)): p.read_bytes() for p in sorted(home.views.rglob("*.md")) if ".agreed" not in str(p)}


def test_first_run_writes_every_view_owner_only(home: Home) -> None:
    report = materialize(filled_store(home), now=NOW)
    assert set(report.written) == NAMES == set(files(home))
    assert report.kept == ()
    if os.name == "posix":
        assert {(home.views / name).stat().st_mode & 0o777 for name in NAMES} == {0o600}


def test_nothing_new_means_no_file_is_touched(home: Home) -> None:
    store = filled_store(home)
    materialize(store, now=NOW)
    before = {p: p.stat().st_mtime_ns for p in home.views.rglob("*") if p.is_file() and p.name != ".lock"}
    position = store.position()
    report = materialize(store, now=NOW + timedelta(days=3))
    assert (report.written, set(report.unchanged)) == ((), NAMES)
    assert {p: p.stat().st_mtime_ns for p in home.views.rglob("*") if p.is_file() and p.name != ".lock"} == before
    assert store.position() == position


def test_equal_graphs_give_equal_bytes(tmp_path: Path) -> None:
    first, second = Home(tmp_path / "a"), Home(tmp_path / "b")
    materialize(filled_store(first), now=NOW)
    materialize(filled_store(second), now=NOW + timedelta(days=1))
    assert files(first) == files(second)


@pytest.mark.parametrize("name", sorted(NAMES))
def test_golden(home: Home, name: str) -> None:
    materialize(filled_store(home), now=NOW)
    golden = Path(__file__).parents[1] / "golden" / name.replace("/", "-")
    text = (home.views / name).read_text(encoding="utf-8")
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_an_edited_view_is_kept_and_reported_and_others_are_written(home: Home) -> None:
    store = filled_store(home)
    materialize(store, now=NOW)
    edited = home.views / "profile.md"
    edited.write_text(edited.read_text(encoding="utf-8") + "\nmine\n", encoding="utf-8")
    assert cursor.unsynced(home) == ["profile.md"]
    learn(store, memory("Uses vim", Kind.FACT, project=""))
    report = materialize(store, now=NOW)
    assert report.kept == (("profile.md", "edited"),)
    assert "observations.md" in report.written
    assert "Uses vim" not in edited.read_text(encoding="utf-8")


def test_a_vanished_view_is_not_written_again_unasked(home: Home) -> None:
    store = filled_store(home)
    materialize(store, now=NOW)
    (home.views / "active.md").unlink()
    assert materialize(store, now=NOW).kept == (("active.md", "vanished"),)
    assert not (home.views / "active.md").exists()


def test_unreadable_view_is_kept_with_its_reason(home: Home) -> None:
    store = filled_store(home)
    materialize(store, now=NOW)
    (home.views / "active.md").write_bytes(b"\xff\xfe\x00bad")
    assert materialize(store, now=NOW).kept == (("active.md", "unreadable: not UTF-8 at byte 0"),)


def test_only_visible_memories_are_shown(home: Home) -> None:
    store = filled_store(home)
    shown = [memory("hidden retired"), memory("hidden expired", expires_at=NOW), memory("hidden future", valid_from=NOW + timedelta(1)),
             memory("shown contested", status=Status.CONTESTED)]
    learn(store, *shown)
    commit(store, lifecycle.retire(shown[0], "no", "test", NOW))
    materialize(store, now=NOW)
    everything = b"".join(files(home).values()).decode()
    assert "hidden" not in everything
    assert "shown contested *(fact · [[projects/shop|shop]] · ⚠ contested)*" in everything


def test_project_walls_hold_in_project_views_and_active(home: Home) -> None:
    materialize(filled_store(home), now=NOW)
    shop, docs = ((home.projects / f"{n}.md").read_text(encoding="utf-8") for n in ("shop", "docs-handbook"))
    assert "pnpm" in shop
    assert "pnpm" not in docs
    assert "mkdocs" in docs
    assert "mkdocs" not in shop
    profile = (home.views / "profile.md").read_text(encoding="utf-8")
    assert profile.index(f"<!-- project:{SHOP} -->") < profile.index("pnpm")
    active = (home.views / "active.md").read_text(encoding="utf-8")
    assert active.index(f"<!-- project:{SHOP} -->") < active.index("Finish the refund flow") < active.index(f"<!-- project:{DOCS} -->")


def test_a_reflection_stands_for_what_it_condenses(home: Home) -> None:
    from agent_memory.model.change import PutEdge
    from agent_memory.model.graph import Edge
    store = filled_store(home)
    whole, part = memory("Tabs everywhere", Kind.PREFERENCE, type=MemoryType.PREFERENCE), memory("use tabs please", Kind.PREFERENCE)
    learn(store, whole, part)
    commit(store, [PutEdge(Edge("condenses", "Preference", whole.key, "Observation", part.key, NOW))])
    materialize(store, now=NOW)
    shop = (home.projects / "shop.md").read_text(encoding="utf-8")
    assert "Tabs everywhere" in shop
    assert "use tabs please" not in shop
    assert "use tabs please" in (home.views / "observations.md").read_text(encoding="utf-8")


def test_observations_are_bounded_and_say_how_many_are_older(home: Home) -> None:
    store = new_store(home)
    commit(store, base())
    learn(store, *(memory(f"fact {n}", at=NOW - timedelta(minutes=n)) for n in range(305)), memory("ancient", at=NOW - timedelta(days=31)))
    materialize(store, now=NOW)
    text = (home.views / "observations.md").read_text(encoding="utf-8")
    assert text.count("<!-- m:") == 300
    assert "6 older in the graph" in text
    assert "ancient" not in text


def test_view_of_a_project_without_memories_goes_unless_a_person_wrote_in_it(home: Home) -> None:
    store = filled_store(home)
    materialize(store, now=NOW)
    docs = [m for m in memories() if m.project == DOCS]
    commit(store, [c for m in docs for c in lifecycle.retire(m, "no", "test", NOW)])
    report = materialize(store, now=NOW)
    assert report.removed == ("projects/docs-handbook.md",)
    assert not (home.projects / "docs-handbook.md").exists()
    assert materialize(store, now=NOW).removed == ()


def test_a_view_with_own_lines_outlives_its_memories(home: Home) -> None:
    store = filled_store(home)
    materialize(store, now=NOW)
    view = home.projects / "docs-handbook.md"
    view.write_text(view.read_text(encoding="utf-8") + "\nMine.\n", encoding="utf-8")
    sync(store, now=NOW)
    docs = [m for m in memories() if m.project == DOCS]
    commit(store, [c for m in docs for c in lifecycle.retire(m, "no", "test", NOW)])
    assert materialize(store, now=NOW).removed == ()
    left = view.read_text(encoding="utf-8")
    assert left.startswith("---\n")
    assert left.endswith("# docs/handbook\n\nMine.\n")


def test_context_file_names_projects_by_every_key(home: Home) -> None:
    materialize(filled_store(home), now=NOW, alarms=["capture is silent"], limits={"claude": 10000})
    data = json.loads(home.context_file.read_text(encoding="utf-8"))
    assert data["keys"] == {"root:/srv/docs": DOCS, "root:/srv/shop": SHOP}
    assert data["projects"][DOCS] == {"name": "docs/handbook", "view": "projects/docs-handbook.md", "keys": ["root:/srv/docs"]}
    assert (data["limits"], data["alarms"], data["position"]) == ({"claude": 10000}, ["capture is silent"], 2)


def test_a_linked_view_stays_a_link(home: Home, tmp_path: Path) -> None:
    store = filled_store(home)
    materialize(store, now=NOW)
    elsewhere = tmp_path / "dotfiles.md"
    (home.views / "profile.md").rename(elsewhere)
    (home.views / "profile.md").symlink_to(elsewhere)
    learn(store, memory("Uses vim", Kind.FACT, project=""))
    assert "profile.md" in materialize(store, now=NOW).written
    assert (home.views / "profile.md").is_symlink()
    assert "Uses vim" in elsewhere.read_text(encoding="utf-8")


def test_a_killed_pass_leaves_no_litter_and_the_right_base(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled_store(home)
    materialize(store, now=NOW)
    learn(store, memory("Uses vim", Kind.FACT, project=""))
    monkeypatch.setattr(cursor, "settle", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        materialize(store, now=NOW)
    monkeypatch.undo()
    (home.views / ".0000.view-new").write_bytes(b"half")
    report = materialize(store, now=NOW)
    assert report.kept == ()
    assert "Uses vim" in (home.views / "profile.md").read_text(encoding="utf-8")
    assert not list(home.views.rglob("*.next")) + list(home.views.rglob("*.view-*"))


def test_a_write_in_the_last_moment_is_not_lost(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled_store(home)
    materialize(store, now=NOW)
    learn(store, memory("Uses vim", Kind.FACT, project=""))
    view = home.views / "profile.md"
    real = os.replace

    def late(source: str | Path, target: str | Path) -> None:
        if str(source).endswith(".view-new") and str(target).endswith("profile.md"):
            with view.open("a", encoding="utf-8") as handle:
                handle.write("- typed late\n")
        real(source, target)

    monkeypatch.setattr(os, "replace", late)
    report = materialize(store, now=NOW)
    assert ("profile.md", "edited meanwhile") in report.kept
    assert view.read_text(encoding="utf-8").endswith("- typed late\n")
