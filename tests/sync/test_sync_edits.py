from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from view_world import NOW, SHOP, commit, filled_store, learn, memory

from agent_memory.errors import SyncStopped
from agent_memory.materialize.writer import materialize
from agent_memory.model import lifecycle
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Scope, Status
from agent_memory.paths import Home
from agent_memory.store.open import Store
from agent_memory.sync.actions import AddMemory, ChangeText, Conflict, MoveMemory, RetireMemory, SetDone, SetPriority
from agent_memory.sync.run import SyncReport, sync
from agent_memory.sync.status import status

LATER = NOW + timedelta(minutes=5)
PNPM = "Use pnpm, never npm"


@pytest.fixture
def store(home: Home) -> Store:
    made = filled_store(home)
    materialize(made, now=NOW)
    return made


def view(store: Store, name: str) -> Path:
    return store.home.views / name


def text(store: Store, name: str) -> str:
    return view(store, name).read_bytes().decode()


def edit(store: Store, name: str, change: Callable[[str], str]) -> None:
    before = text(store, name)
    after = change(before)
    assert after != before, "the edit does nothing"
    view(store, name).write_bytes(after.encode())


def swap(store: Store, name: str, old: str, new: str) -> None:
    edit(store, name, lambda t: t.replace(old, new))


def line(store: Store, name: str, word: str) -> str:
    return next(row for row in text(store, name).splitlines(keepends=True) if word in row)


def find(store: Store, words: str) -> MemoryNode:
    with store.read() as graph:
        return next(m for m in graph.memories() if m.text == words)


def kinds(report: SyncReport) -> list[str]:
    return sorted(type(a).__name__ for a in report.actions)


def settled(store: Store) -> None:
    """A second pass finds nothing to do and touches nothing."""
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in store.home.views.rglob("*.md")}
    position = store.position()
    report = sync(store, now=LATER + timedelta(hours=1))
    assert report.actions == ()
    assert report.views is not None
    assert report.views.written == ()
    assert store.position() == position
    assert {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in store.home.views.rglob("*.md")} == before


def test_no_edit_is_no_action(store: Store) -> None:
    assert sync(store, now=LATER).actions == ()
    settled(store)


def test_changed_words_become_a_revision_by_a_person_in_every_view(store: Store) -> None:
    swap(store, "projects/shop.md", PNPM, "Use pnpm 10, never npm")
    report = sync(store, now=LATER)
    assert kinds(report) == ["ChangeText"]
    changed = find(store, "Use pnpm 10, never npm")
    assert (changed.revision, changed.observer, changed.kind, changed.priority) == (2, "person", Kind.PREFERENCE, Priority.RED)
    assert "Use pnpm 10, never npm" in text(store, "observations.md")
    with store.read() as graph:
        assert [m.text for m in graph.revisions(changed.id)] == [PNPM, "Use pnpm 10, never npm"]
    settled(store)


@pytest.mark.parametrize("bullet", ["- {}", "* {}", "+ {}", "1. {}", "3) {}", "- [ ] {}", "-   {}", "- 🟡 {}", "* [ ] 🟡 {}"])
def test_any_list_style_makes_a_memory(store: Store, bullet: str) -> None:
    swap(store, "projects/shop.md", "## Lessons\n<!-- s:lesson -->\n\n", f"## Lessons\n<!-- s:lesson -->\n\n{bullet.format('Retry twice')}\n")
    report = sync(store, now=LATER)
    assert kinds(report) == ["AddMemory"]
    added = find(store, "Retry twice")
    assert (added.kind, added.project, added.scope, added.priority, added.observer) == (
        Kind.LESSON, SHOP, Scope.PROJECT, Priority.YELLOW, "person")
    assert text(store, "projects/shop.md").count("Retry twice") == 1
    settled(store)


def test_nested_bullets_and_wrapped_lines_are_memories_of_their_own(store: Store) -> None:
    edit(store, "projects/shop.md", lambda t: t + "\n## Notes\n\n- 🔴 parent says\n  more\n    * child one\n    * child two\n- last\ncontinued\n")
    report = sync(store, now=LATER)
    assert sorted(a.text for a in report.actions if isinstance(a, AddMemory)) == [
        "child one", "child two", "last continued", "parent says more"]
    assert find(store, "parent says more").priority is Priority.RED
    settled(store)


@pytest.mark.parametrize(("name", "section", "kind", "type_"), [
    ("profile.md", "Identity", Kind.FACT, MemoryType.OBSERVATION),
    ("profile.md", "Preferences", Kind.PREFERENCE, MemoryType.PREFERENCE),
    ("profile.md", "Style", Kind.PATTERN, MemoryType.PRINCIPLE),
    ("reflections.md", "Lessons", Kind.LESSON, MemoryType.REFLECTION),
])
def test_new_bullets_are_typed_by_their_section(store: Store, name: str, section: str, kind: Kind, type_: MemoryType) -> None:
    edit(store, name, lambda t: t.replace(f"## {section}\n", f"## {section}\n", 1).replace("\n\n- ", "\n\n- typed here\n- ", 1)
         if f"## {section}\n" in t[:t.index("\n\n- ")] else _after(t, section, "- typed here\n"))
    sync(store, now=LATER)
    added = find(store, "typed here")
    assert (added.kind, added.type, added.scope, added.project) == (kind, type_, Scope.PERSONAL, "")
    assert "typed here" in text(store, name)
    settled(store)


def _after(document: str, section: str, new: str) -> str:
    at = document.index("\n\n", document.index(f"## {section}\n")) + 2
    return document[:at] + new + document[at:]


def test_goals_are_added_and_ticked_in_the_part_of_their_project(store: Store) -> None:
    edit(store, "active.md", lambda t: _after(t.replace("- [ ] 🟡 Finish", "- [x] 🟡 Finish"), "Goals", "").replace(
        "### Goals\n<!-- s:goals -->\n\n", "### Goals\n<!-- s:goals -->\n\n- [ ] Ship the beta\n", 1))
    report = sync(store, now=LATER)
    assert kinds(report) == ["AddMemory", "SetDone"]
    added = find(store, "Ship the beta")
    assert (added.kind, added.project, added.tags, added.done) == (Kind.CONTEXT, SHOP, ("goal",), False)
    assert find(store, "Finish the refund flow").done
    assert "- [x] 🟡 Finish the refund flow" in text(store, "observations.md")
    settled(store)


def test_a_deleted_bullet_is_retired_everywhere_and_can_be_restored(store: Store) -> None:
    swap(store, "projects/shop.md", line(store, "projects/shop.md", PNPM), "")
    assert kinds(sync(store, now=LATER)) == ["RetireMemory"]
    assert find(store, PNPM).status is Status.RETIRED
    assert PNPM not in text(store, "observations.md")
    settled(store)
    commit(store, lifecycle.restore(find(store, PNPM), "person", LATER))
    materialize(store, now=LATER)
    assert PNPM in text(store, "projects/shop.md")


def test_a_heading_of_ones_own_above_a_bullet_does_not_hold_back_its_deletion_in_another_view(store: Store) -> None:
    shown = line(store, "observations.md", PNPM)
    edit(store, "observations.md", lambda t: t.replace(shown, f"\n## What I think\n\n{shown}"))
    swap(store, "projects/shop.md", line(store, "projects/shop.md", PNPM), "")
    assert "RetireMemory" in kinds(sync(store, now=LATER))
    assert find(store, PNPM).status is Status.RETIRED
    assert "## What I think" in text(store, "observations.md")


def test_a_deleted_line_pasted_back_restores_the_memory(store: Store) -> None:
    kept = line(store, "projects/shop.md", PNPM)
    swap(store, "projects/shop.md", kept, "")
    sync(store, now=LATER)
    edit(store, "projects/shop.md", lambda t: t + kept)
    assert kinds(sync(store, now=LATER)) == ["MoveMemory", "RestoreMemory"]  # it stands below Facts now
    assert find(store, PNPM).status is Status.ACTIVE
    settled(store)


def test_a_bullet_moved_to_another_section_is_recategorised(store: Store) -> None:
    moved = line(store, "projects/shop.md", PNPM)
    edit(store, "projects/shop.md", lambda t: _after(t.replace(moved, ""), "Lessons", moved))
    report = sync(store, now=LATER)
    assert kinds(report) == ["MoveMemory"]
    assert find(store, PNPM).kind is Kind.LESSON
    shop = text(store, "projects/shop.md")
    assert shop.index("## Lessons") < shop.index(PNPM) < shop.index("## Context")
    settled(store)


def test_a_bullet_moved_to_the_profile_holds_everywhere(store: Store) -> None:
    moved = line(store, "projects/shop.md", PNPM)
    swap(store, "projects/shop.md", moved, "")
    edit(store, "profile.md", lambda t: _after(t, "Preferences", moved))
    assert kinds(sync(store, now=LATER)) == ["MoveMemory"]
    assert find(store, PNPM).scope is Scope.PERSONAL
    assert PNPM in text(store, "profile.md")
    assert PNPM not in text(store, "projects/shop.md")
    settled(store)


def test_the_mark_sets_the_priority(store: Store) -> None:
    swap(store, "projects/shop.md", f"🔴 {PNPM}", f"🟢 {PNPM}")
    assert kinds(sync(store, now=LATER)) == ["SetPriority"]
    assert find(store, PNPM).priority is Priority.GREEN
    assert f"🟢 {PNPM}" in text(store, "observations.md")
    settled(store)


def test_a_removed_mark_changes_nothing_and_comes_back(store: Store) -> None:
    swap(store, "projects/shop.md", f"🔴 {PNPM}", PNPM)
    assert sync(store, now=LATER).actions == ()
    assert f"🔴 {PNPM}" in text(store, "projects/shop.md")


def test_persons_own_lines_stay_where_they_are_through_later_renders(store: Store) -> None:
    mine = "\nMy own words here.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<!-- a comment\n- not a bullet\n-->\n\n```\n- code\n```\n\n> - quoted\n\n"
    edit(store, "projects/shop.md", lambda t: t.replace("\n## Preferences\n", f"{mine}## Preferences\n"))
    edited = text(store, "projects/shop.md")
    assert sync(store, now=LATER).actions == ()
    assert text(store, "projects/shop.md") == edited
    learn(store, memory("New decision", Kind.DECISION), memory("New lesson", Kind.LESSON))
    materialize(store, now=LATER)
    after = text(store, "projects/shop.md")
    assert mine.strip("\n") in after
    assert after.index("New decision") < after.index("My own words") < after.index("## Preferences") < after.index("New lesson")
    settled(store)


def test_prose_without_a_blank_line_behind_a_bullet_is_prose(store: Store) -> None:
    bullet = line(store, "projects/shop.md", PNPM)
    swap(store, "projects/shop.md", bullet, f"{bullet}Because of disk space.\n")
    assert sync(store, now=LATER).actions == ()
    assert f"{bullet}Because of disk space.\n" in text(store, "projects/shop.md")


def test_bullets_under_a_heading_of_ones_own_stay_there(store: Store) -> None:
    moved = line(store, "projects/shop.md", "Carts expire")
    edit(store, "projects/shop.md", lambda t: t.replace(moved, "") + f"\n## Shopping rules\n\nRead me.\n\n{moved}- a new one\n")
    assert [type(a) for a in sync(store, now=LATER).actions] == [AddMemory]
    after = text(store, "projects/shop.md")
    assert after.index("## Shopping rules") < after.index("Read me.") < after.index("Carts expire") < after.index("a new one")
    assert find(store, "a new one").kind is Kind.NOTE
    assert "## Notes" not in after
    settled(store)
    learn(store, memory("Another fact"))
    materialize(store, now=LATER)
    after = text(store, "projects/shop.md")
    assert after.index("Another fact") < after.index("## Shopping rules") < after.index("Carts expire")


def test_renamed_and_translated_headings_stay(store: Store) -> None:
    swap(store, "projects/shop.md", "## Decisions\n", "## Entscheidungen\n")
    swap(store, "projects/shop.md", "# shop\n", "# The shop\n")
    assert sync(store, now=LATER).actions == ()
    learn(store, memory("New decision", Kind.DECISION))
    materialize(store, now=LATER)
    after = text(store, "projects/shop.md")
    assert after.index("# The shop") < after.index("## Entscheidungen\n<!-- s:decision -->") < after.index("New decision")
    settled(store)


def test_the_order_a_person_gives_a_section_stays(store: Store) -> None:
    rows = [line(store, "projects/shop.md", word) for word in ("The build fails", "Timeouts of the")]
    swap(store, "projects/shop.md", "".join(rows), "".join(rows[::-1]))
    assert sync(store, now=LATER).actions == ()
    settled(store)
    learn(store, memory("Third lesson", Kind.LESSON, at=NOW))
    materialize(store, now=LATER)
    after = text(store, "projects/shop.md")
    assert after.index("Timeouts of the") < after.index("The build fails")
    assert "Third lesson" in after


@pytest.mark.parametrize("front", [
    "---\ntitle: [broken\nnot yaml at all\n---\n", "---\ntags: [mine]\ncssclass: wide\n---\n", "---\ntitle: x\n---\n\n---\nsecond: block\n---\n", ""])
def test_front_matter_of_a_person_stays(store: Store, front: str) -> None:
    edit(store, "profile.md", lambda t: front + t[t.index("\n# Profile"):])
    report = sync(store, now=LATER)
    assert report.actions == ()
    assert bool([n for n in report.notes if "front matter" in n]) == ("broken" in front)
    learn(store, memory("Uses vim", Kind.FACT, project=""))
    materialize(store, now=LATER)
    after = text(store, "profile.md")
    assert after.startswith(front + "\n# Profile")
    assert "Uses vim" in after
    settled(store)


@pytest.mark.parametrize("how", ["crlf", "bom", "crlf+bom", "no final newline", "tabs", "nfd", "trailing spaces"])
def test_the_form_of_a_file_is_no_edit_and_survives(store: Store, how: str) -> None:
    def form(t: str) -> str:
        if "crlf" in how:
            t = t.replace("\n", "\r\n")
        if "bom" in how:
            t = "\ufeff" + t
        if how == "no final newline":
            t = t.rstrip("\n")
        if how == "tabs":
            t = t.replace("- 🟡 ", "-\t🟡\t")
        if how == "trailing spaces":
            t = t.replace(" -->\n", " -->  \n")
        if how == "nfd":
            t = t + "\nCafe\u0301 and Café\n"
        return t

    edit(store, "projects/shop.md", form)
    assert sync(store, now=LATER).actions == ()
    learn(store, memory("New fact"))
    materialize(store, now=LATER)
    after = view(store, "projects/shop.md").read_bytes()
    assert b"New fact" in after
    if "crlf" in how:
        assert after.count(b"\r\n") == after.count(b"\n")
    assert after.startswith(b"\xef\xbb\xbf") == ("bom" in how)
    if how == "no final newline":
        assert not after.endswith(b"\n")
    if how == "nfd":
        assert "Cafe\u0301 and Café".encode() in after
    settled(store)


@pytest.mark.parametrize("written", ["[24:33 - 24:41] x", "[?] maybe", "[[link]] and [a](b)", "מה שלומך", "👩‍👩‍👧 ok", "a \\ b `c\\*d` *e*", "# no heading"])
def test_odd_bullets_are_plain_notes(store: Store, written: str) -> None:
    edit(store, "projects/shop.md", lambda t: t + f"\n## Notes\n\n- {written}\n")
    report = sync(store, now=LATER)
    added = [a for a in report.actions if isinstance(a, AddMemory)]
    assert len(added) == 1
    assert added[0].kind is Kind.NOTE
    assert added[0].tags == ()
    settled(store)


def test_both_sides_changed_keeps_both_and_marks_them(store: Store) -> None:
    with store.read() as graph:
        old = next(m for m in graph.memories() if m.text == PNPM)
    commit(store, lifecycle.revise(old, "api", LATER, text="Use bun")[1])
    swap(store, "projects/shop.md", PNPM, "Use yarn")
    report = sync(store, now=LATER)
    assert kinds(report) == ["ChangeText", "Conflict"]
    mine, theirs = find(store, "Use yarn"), find(store, "Use bun")
    assert (mine.id, mine.status, theirs.status) == (old.id, Status.CONTESTED, Status.CONTESTED)
    shop = text(store, "projects/shop.md")
    assert shop.count("⚠ contested") == 2
    assert [{a.text, b.text if b else ""} for a, b in status(store).conflicts] == [{"Use yarn", "Use bun"}]
    settled(store)
    swap(store, "projects/shop.md", line(store, "projects/shop.md", "Use bun"), "")
    sync(store, now=LATER)
    assert find(store, "Use yarn").status is Status.ACTIVE
    assert status(store).clean
    settled(store)


def test_differing_edits_in_two_views_are_both_kept(store: Store) -> None:
    swap(store, "observations.md", PNPM, "Use yarn")
    swap(store, "projects/shop.md", PNPM, "Use bun")
    assert kinds(sync(store, now=LATER)) == ["ChangeText", "Conflict"]
    assert {find(store, t).status for t in ("Use yarn", "Use bun")} == {Status.CONTESTED}
    settled(store)


def test_deleted_here_and_changed_there_is_kept_and_marked(store: Store) -> None:
    with store.read() as graph:
        old = next(m for m in graph.memories() if m.text == PNPM)
    commit(store, lifecycle.revise(old, "api", LATER, text="Use bun")[1])
    swap(store, "projects/shop.md", line(store, "projects/shop.md", PNPM), "")
    assert [type(a) for a in sync(store, now=LATER).actions] == [Conflict]
    assert find(store, "Use bun").status is Status.CONTESTED
    settled(store)
    swap(store, "projects/shop.md", line(store, "projects/shop.md", "Use bun"), "")
    assert [type(a) for a in sync(store, now=LATER).actions] == [RetireMemory]


def test_words_written_on_a_memory_that_was_put_away_bring_it_back(store: Store) -> None:
    commit(store, lifecycle.retire(find(store, PNPM), "decay", "reflector/1", LATER))
    swap(store, "projects/shop.md", PNPM, "Use pnpm always")
    assert kinds(sync(store, now=LATER)) == ["ChangeText", "RestoreMemory"]
    assert find(store, "Use pnpm always").status is Status.ACTIVE
    settled(store)


def test_a_bullet_that_ages_out_was_not_deleted(store: Store) -> None:
    learn(store, *(memory(f"busy {n}", at=NOW + timedelta(minutes=n)) for n in range(320)))
    materialize(store, now=NOW + timedelta(days=1))
    assert PNPM not in text(store, "observations.md")
    edit(store, "observations.md", lambda t: t + "\nmy line\n")
    assert sync(store, now=NOW + timedelta(days=1)).actions == ()
    assert find(store, PNPM).status is Status.ACTIVE


def test_an_id_pasted_twice_is_one_memory_and_one_new(store: Store) -> None:
    row = line(store, "projects/shop.md", PNPM)
    swap(store, "projects/shop.md", row, row + row.replace(PNPM, "Use corepack"))
    assert kinds(sync(store, now=LATER)) == ["AddMemory"]
    assert find(store, PNPM).id != find(store, "Use corepack").id
    settled(store)


def test_the_same_line_twice_is_one_memory(store: Store) -> None:
    row = line(store, "projects/shop.md", PNPM)
    swap(store, "projects/shop.md", row, row + row)
    assert sync(store, now=LATER).actions == ()
    assert text(store, "projects/shop.md").count(PNPM) == 1
    settled(store)


def test_a_line_copied_to_another_place_of_the_file_moves_and_is_not_doubled(store: Store) -> None:
    row = line(store, "active.md", "Finish the refund flow")
    edit(store, "active.md", lambda t: _after(t, "Goals", row))
    assert kinds(sync(store, now=LATER)) == ["MoveMemory"]
    assert find(store, "Finish the refund flow").scope is Scope.PERSONAL
    assert text(store, "active.md").count("Finish the refund flow") == 1
    settled(store)


def test_a_tool_that_strips_comments_loses_no_memory(store: Store) -> None:
    import re
    edit(store, "projects/shop.md", lambda t: re.sub(r" *<!-- [mi]:\S+ -->", "", t))
    report = sync(store, now=LATER)
    assert not [a for a in report.actions if isinstance(a, RetireMemory | AddMemory)]
    assert "<!-- m:" in text(store, "projects/shop.md")


@pytest.mark.parametrize("name", ["profile.md", "projects/shop.md", "observations.md"])
@pytest.mark.parametrize("how", ["emptied", "vanished", "blank"])
def test_an_emptied_or_vanished_view_stops_and_changes_nothing(store: Store, name: str, how: str) -> None:
    if how == "vanished":
        view(store, name).unlink()
    else:
        view(store, name).write_text("" if how == "emptied" else " \n\n")
    position = store.position()
    with pytest.raises(SyncStopped):
        sync(store, now=LATER)
    assert store.position() == position
    report = sync(store, now=LATER, put_back=True)
    assert report.actions == ()
    assert "<!-- m:" in text(store, name)
    settled(store)


def test_a_vanished_view_retires_with_a_yes(store: Store) -> None:
    view(store, "profile.md").unlink()
    report = sync(store, now=LATER, yes=True)
    assert kinds(report) == ["RetireMemory"] * 5
    assert "## Preferences" in text(store, "profile.md")
    settled(store)


def test_retiring_more_than_a_fifth_stops(store: Store) -> None:
    edit(store, "projects/shop.md", lambda t: "\n".join(r for r in t.split("\n") if not r.startswith("- ")))
    with pytest.raises(SyncStopped, match="7 memories would be retired"):
        sync(store, now=LATER)
    assert kinds(sync(store, now=LATER, yes=True)) == ["RetireMemory"] * 7


def test_unreadable_view_is_not_deleted_and_is_reported(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    view(store, "profile.md").write_bytes("caf\xe9".encode("latin-1"))
    swap(store, "projects/shop.md", PNPM, "Use yarn")
    report = sync(store, now=LATER)
    assert kinds(report) == ["ChangeText"]
    assert report.unreadable == (("profile.md", "unreadable: not UTF-8 at byte 3"),)
    assert view(store, "profile.md").read_bytes() == "caf\xe9".encode("latin-1")
    assert status(store).unreadable == report.unreadable


def test_a_folder_that_may_not_be_read_deletes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.read_bytes

    def refuse(self: Path) -> bytes:
        if self.suffix == ".md" and ".agreed" not in self.parts:
            raise PermissionError(13, "Permission denied")
        return real(self)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    report = sync(store, now=LATER)
    assert report.actions == ()
    assert {reason for _, reason in report.unreadable} == {"unreadable: Permission denied"}


def test_secrets_typed_into_a_view_reach_neither_graph_nor_file(store: Store) -> None:
    def redact(value: str) -> str:
        return value.replace("hunter2", "[redacted]")

    edit(store, "projects/shop.md", lambda t: t.replace(PNPM, "The password is hunter2") + "\n- pw hunter2\n\nprose hunter2\n")
    report = sync(store, now=LATER, redact=redact)
    assert report.redacted == (("projects/shop.md", 2),)
    assert find(store, "The password is [redacted]")
    for path in store.home.root.rglob("*"):
        if path.is_file():
            assert b"hunter2" not in path.read_bytes(), path
    settled(store)


def test_a_dry_run_changes_nothing(store: Store) -> None:
    swap(store, "projects/shop.md", PNPM, "Use yarn")
    before, position = text(store, "projects/shop.md"), store.position()
    assert [type(a) for a in sync(store, now=LATER, dry_run=True).actions] == [ChangeText]
    assert (text(store, "projects/shop.md"), store.position()) == (before, position)


def test_an_edit_made_while_views_are_written_is_taken_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from agent_memory.materialize import place
    swap(store, "projects/shop.md", PNPM, "Use yarn")
    real, done = place.write_atomic, []

    def slow(path: Path, data: bytes) -> None:
        real(path, data)
        if not done:
            done.append(1)
            swap(store, "observations.md", "Carts expire after 30 minutes", "Carts expire after 45 minutes")

    monkeypatch.setattr(place, "write_atomic", slow)
    report = sync(store, now=LATER)
    assert kinds(report) == ["ChangeText", "ChangeText"]
    assert "after 45 minutes" in text(store, "projects/shop.md")
    settled(store)


def test_a_damaged_cursor_file_is_made_anew(store: Store) -> None:
    store.home.view_cursor.write_text("{half")
    swap(store, "projects/shop.md", PNPM, "Use yarn")
    assert kinds(sync(store, now=LATER)) == ["ChangeText"]
    settled(store)


def test_generated_lines_are_put_back(store: Store) -> None:
    swap(store, "active.md", "Asked: Make", "Asked: Break")
    report = sync(store, now=LATER)
    assert report.actions == ()
    assert "generated lines" in report.notes[0]
    assert "Asked: Make" in text(store, "active.md")


def test_edits_of_all_sorts_at_once(store: Store) -> None:
    gone = line(store, "projects/shop.md", "Carts expire")
    edit(store, "projects/shop.md", lambda t: t.replace(gone, "").replace("🟡 The build", "🔴 The build").replace(PNPM, "Use yarn")
         .replace("- [ ] 🟡 Finish", "- [x] 🟡 Finish") + "\n- brand new\n")
    assert {type(a) for a in sync(store, now=LATER).actions} == {RetireMemory, SetPriority, ChangeText, SetDone, AddMemory}
    assert MoveMemory
    settled(store)


def test_a_file_of_10_mb_survives(store: Store) -> None:
    prose = ("Some words of a person, and a line of them is like this. " * 3 + "\n\n") * 60_000
    edit(store, "projects/shop.md", lambda t: t.replace(PNPM, "Use yarn") + "\n" + prose)
    assert kinds(sync(store, now=LATER)) == ["ChangeText"]
    after = text(store, "projects/shop.md")
    assert len(after) > 10_000_000
    assert after.endswith("\n\n" + prose)
