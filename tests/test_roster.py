"""An agent has one stem everywhere, so that it cannot be half added and one search finds all of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hook_templates
from agent_memory import roster
from agent_memory.capture import registry as capture
from agent_memory.install import registry as install
from agent_memory.model.event import EVENTS

ROOT = Path(__file__).resolve().parents[1]


def stems(folder: Path, suffix: str) -> set[str]:
    return {path.stem for path in folder.glob(f"*{suffix}") if not path.name.startswith("_")}


def test_every_agent_that_can_be_installed_has_module_templates_page_and_golden_file() -> None:
    agents = set(install.AGENTS)
    assert set(hook_templates.agents()) == agents
    assert stems(ROOT / "docs" / "agents", ".md") - {"index", "README"} == agents
    assert stems(ROOT / "tests" / "golden" / "install", ".txt") == agents
    assert stems(Path(install.__file__).parent / "agents", ".py") - {"base"} == agents


def test_every_agent_that_can_be_read_is_on_the_roster_and_can_be_installed() -> None:
    assert set(capture.AGENTS) == set(roster.TITLES)
    assert set(roster.TITLES) <= set(install.AGENTS)


@pytest.mark.parametrize("stem", roster.TITLES)
def test_titles_agree(stem: str) -> None:
    assert roster.TITLES[stem] == install.AGENTS[stem].TITLE


@pytest.mark.parametrize("stem", install.AGENTS)
def test_every_template_is_a_text_with_plain_line_ends(stem: str) -> None:
    names = hook_templates.names(stem)
    assert names
    for name in names:
        text = hook_templates.read(stem, name)
        assert "\r" not in text
        assert text.endswith("\n")


@pytest.mark.parametrize("stem", install.AGENTS)
def test_every_page_says_what_is_written_how_to_check_and_how_to_remove(stem: str) -> None:
    text = (ROOT / "docs" / "agents" / f"{stem}.md").read_text(encoding="utf-8")
    for heading in ("## What is written where", "## Limits", "## Check", "## Remove", "## Versions"):
        assert heading in text


def test_every_event_in_a_template_is_one_that_the_hook_command_knows() -> None:
    for stem in install.AGENTS:
        for name in hook_templates.names(stem):
            events = re.findall(r"\{\{[a-z]+ ([a-z-]+)\}\}", hook_templates.read(stem, name))
            assert set(events) <= set(EVENTS)


@pytest.mark.parametrize("stem", install.AGENTS)
def test_a_page_says_whether_sessions_can_be_read(stem: str) -> None:
    text = (ROOT / "docs" / "agents" / f"{stem}.md").read_text(encoding="utf-8")
    assert ("**Not read yet.**" in text) == (stem not in capture.AGENTS)
