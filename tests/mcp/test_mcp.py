"""The server, driven by the SDK's own client over stdio and HTTP."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client, StdioServerParameters

from agent_memory import Memory
from agent_memory.mcp.inputs import Arguments, Param
from agent_memory.mcp.server import MemoryServer, described
from agent_memory.mcp.tools_full import profile
from agent_memory.paths import Home
from agent_memory.service.served import ServedMemory

DEMO = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "demo" / "claude" / "monday-orders.jsonl"
MOST_TOKENS = 900


def parameters(home: Home, *words: str) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=["-m", "agent_memory", "mcp", *words],
                                 env={"AGENT_MEMORY_HOME": str(home.root), "PYTHONPATH": os.pathsep.join(sys.path)},
                                 cwd=str(home.root.parent))


def talk(home: Home, what: Callable[[Client], Awaitable[None]], *words: str) -> None:
    async def main() -> None:
        async with Client(parameters(home, *words)) as client:
            await what(client)

    asyncio.run(main())


def test_the_default_profile_costs_at_most_900_tokens() -> None:
    """Counted with the tokenizer of Claude 2 that litellm brings; the whole list, not the descriptions alone."""
    from tokenizers import Tokenizer

    spec = importlib.util.find_spec("litellm")
    assert spec is not None
    assert spec.submodule_search_locations
    file = Path(spec.submodule_search_locations[0]) / "litellm_core_utils" / "tokenizers" / "anthropic_tokenizer.json"
    tools = [described(t).model_dump(by_alias=True, exclude_none=True) for t in profile("default")]
    assert len(tools) <= 8
    assert len(Tokenizer.from_file(str(file)).encode(json.dumps(tools)).ids) <= MOST_TOKENS


def test_a_client_drives_every_tool(home: Home) -> None:
    Memory(home.root).observe_file("claude", DEMO)
    driven: set[str] = set()

    async def drive(client: Client) -> None:
        async def call(name: str, error: bool = False, **arguments: Any) -> Any:
            driven.add(name)
            found = await client.call_tool(name, arguments)
            assert bool(found.is_error) is error, (name, found.content)
            assert _no_null_lists(found.structured_content)
            return found.structured_content

        key = (await call("suggest_topic_key", kind="decision", title="API port"))["topic_key"]
        one = await call("store", content="The API listens on port 5432", kind="fact", topicKey="", tags="api, port")
        two = await call("store", content="The API listens on port 5433", kind="fact", operation_id="op1")
        assert (await call("store", content="The API listens on port 5433", kind="fact", operationId="op1"))["replayed"]
        await call("store", content="We deploy with Ansible", kind="decision", topic_key=key)
        assert (await call("recall", query="which port", limit="3", unknown=1))["hits"]
        assert (await call("conflicts"))["total"] == len((await call("conflicts_list"))["conflicts"])
        await call("conflicts_scan", dryRun="true")
        pair = await call("compare", observationA=two["id"], observation_b=one["id"], relation="supersedes")
        judged = await call("judge", relationId=pair["conflict"]["id"], reason="measured")
        assert judged["conflict"]["b"]["id"] == one["id"]
        third = await call("compare", observationA=two["id"], observationB=key, relation="related")
        await call("conflicts_ignore", relation_id=third["conflict"]["id"])
        assert len((await call("expand", id=key))["revisions"]) == 1
        await call("history", id=two["id"])
        assert len((await call("capture", content="## Decisions\n- use uv\n- pin Python"))["stored"]) == 2
        assert (await call("save_prompt", content="make it fast"))["new"]
        await call("pin", id=two["id"])
        await call("unpin", id=two["id"])
        await call("mark_reviewed", id=two["id"], reviewAfter="30d")
        assert (await call("review"))["due"] == []
        assert (await call("prune", olderThan="1y"))["dry_run"]
        await call("prune", error=True, olderThan="soon")
        await call("lint")
        await call("forget", ids=[two["id"]])
        assert (await call("restore", id=two["id"]))["memory"]["status"] == "active"
        assert (await call("forget", query="Ansible"))["forgotten"] == []
        session = (await call("sessions_list", allProjects=True))["sessions"][0]["session"]
        assert (await call("sessions_search", query="money - \"cents\" OR", allProjects=True))["sessions"]
        assert (await call("sessions_show", sessionId=session[:20]))["records"]
        assert (await call("sessions_tree", sessionId=session))["tree"]["id"] == session
        assert (await call("events_search", query="pnpm test", allProjects=True))["events"]
        await call("subagents_search", query="anything", allProjects=True)
        await call("timeline")
        await call("timeline", around=two["id"])
        await call("project_context")
        assert (await call("analyze", allProjects="yes"))["commands"]
        await call("context", task="port")
        await call("status")
        tools = {t.name for t in (await client.list_tools()).tools}
        assert tools == driven
        assert len((await client.list_resources()).resources) == 4
        for view in ("profile", "active", "observations", "reflections"):
            text = (await client.read_resource(f"memory://{view}")).contents[0].text  # type: ignore[union-attr]
            assert "Money is integer cents" not in text  # another project's
        for prompt in (await client.list_prompts()).prompts:
            assert (await client.get_prompt(prompt.name, {})).messages

    talk(home, drive, "--profile", "full")
    with Memory(home.root).store.read() as graph:
        assert "We deploy with Ansible" in {m.text for m in graph.memories()}


def _no_null_lists(value: Any) -> bool:
    names = {"hits", "conflicts", "stored", "tags", "due", "sessions", "events", "records", "findings"}
    if isinstance(value, dict):
        return all((k not in names or v is not None) and _no_null_lists(v) for k, v in value.items())
    return all(_no_null_lists(v) for v in value) if isinstance(value, list) else True


def test_errors_are_tool_errors_with_a_hint(home: Home) -> None:
    async def drive(client: Client) -> None:
        for name, arguments in (("store", {}), ("store", {"content": {"a": 1}}), ("expand", {"id": "zzzzzzzz"}),
                                ("recall", {"query": "x", "projectPath": "nowhere"}), ("nothing", {}),
                                ("judge", {})):
            found = await client.call_tool(name, arguments)
            assert found.is_error, name
            assert found.structured_content["error"]["hint"], name

    talk(home, drive)


def test_nothing_but_the_protocol_on_stdout(home: Home) -> None:
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "store", "arguments": {"content": "x y z"}}},
        {"jsonrpc": "2.0", "id": 3, "method": "no/such"}]
    process = subprocess.Popen([sys.executable, "-m", "agent_memory", "mcp"], stdin=subprocess.PIPE, cwd=home.root.parent,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert process.stdin
    assert process.stdout
    process.stdin.write("".join(json.dumps(line) + "\n" for line in lines) + "this is no JSON\n")
    process.stdin.flush()
    answers: dict[int, Any] = {}
    while set(answers) < {1, 2, 3}:
        line = process.stdout.readline()
        found = json.loads(line)
        assert found["jsonrpc"] == "2.0"
        if found.get("id") is not None:
            answers[found["id"]] = found
    process.stdin.close()
    rest = process.stdout.read()
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert process.wait(20) == 0
    process.stdout.close()
    assert process.stderr
    process.stderr.close()
    assert "error" in answers[3]


def test_many_servers_on_one_home_store_every_note_once(home: Home) -> None:
    async def one(number: int) -> None:
        async with Client(parameters(home)) as client:
            for n in range(3):
                assert not (await client.call_tool("store", {"content": f"note {n} of all"})).is_error
                assert not (await client.call_tool("store", {"content": f"note {n} of server {number}"})).is_error

    async def main() -> None:
        await asyncio.gather(*(one(n) for n in range(3)))

    asyncio.run(main())
    with Memory(home.root).store.read() as graph:
        found = sorted((m.text, m.seen) for m in graph.memories())
    assert len(found) == 3 + 9
    assert [seen for text, seen in found if text.endswith("of all")] == [3, 3, 3]


def test_a_cancelled_call_is_whole_or_nothing(home: Home) -> None:
    async def drive(client: Client) -> None:
        for n in range(6):
            task = asyncio.create_task(client.call_tool("store", {"content": f"cancelled {n}", "topicKey": f"t/{n}"}))
            await asyncio.sleep(0.01 * n)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        assert not (await client.call_tool("store", {"content": "the last one"})).is_error

    talk(home, drive)
    memory = Memory(home.root)
    with memory.store.read() as graph:
        assert "the last one" in {m.text for m in graph.memories()}
    assert memory.verify().ok


def test_http_needs_the_token_and_answers_only_this_machine(home: Home) -> None:
    import httpx

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = "a-token-of-some-length"
    process = subprocess.Popen([sys.executable, "-m", "agent_memory", "mcp", "--http", "--port", str(port), "--token", token],
                               cwd=home.root.parent, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    url = f"http://127.0.0.1:{port}/mcp"
    try:
        for _ in range(300):
            try:
                first = httpx.post(url, json={})
                break
            except httpx.ConnectError:
                time.sleep(0.1)
        assert first.status_code == 401
        assert httpx.post(url, json={}, headers={"authorization": "Bearer wrong"}).status_code == 401
        good = {"authorization": f"Bearer {token}", "accept": "application/json, text/event-stream"}
        ask = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
        assert httpx.post(url, json=ask, headers=good).status_code == 200
        assert httpx.post(url, json=ask, headers={**good, "host": "evil.example"}).status_code >= 400
    finally:
        process.terminate()
        process.wait(20)


JSON = st.recursive(st.none() | st.booleans() | st.integers(-10**6, 10**6) | st.floats(allow_nan=False) | st.text(max_size=20),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
                    max_leaves=5)
FITS = {"string": st.text(max_size=40), "integer": st.integers(-5, 2000), "number": st.floats(0, 1),
        "boolean": st.booleans(), "array": st.lists(st.text(max_size=12), max_size=3)}
_SERVERS: list[MemoryServer] = []


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_any_input_gives_a_result_or_a_tool_error(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    if not _SERVERS:
        _SERVERS.append(MemoryServer(_InProcess(tmp_path_factory.mktemp("any"), engine="memory"), profile_name="full"))
    server = _SERVERS[0]
    tool = data.draw(st.sampled_from(sorted(server.tools.values(), key=lambda t: t.name)))
    given_ = {p.name: data.draw(JSON if data.draw(st.integers(0, 4)) == 0 else FITS[p.type]) for p in tool.params
              if p.required or data.draw(st.booleans())}
    found, good = server.call(tool, given_)
    json.dumps(found)
    assert good or found["error"]["code"] != "internal", (tool.name, given_, found)


class _InProcess(ServedMemory):
    """A served memory whose store applies by itself, so that thousands of calls start no process."""

    @property
    def store(self) -> Any:  # type: ignore[override]
        return Memory.store.__get__(self, type(self)) if "_own" not in self.__dict__ else self.__dict__["_own"]

    def __init__(self, *given_: Any, **fields: Any) -> None:
        super().__init__(*given_, **fields)
        from agent_memory.store.open import Store

        self.__dict__["_own"] = Store(self.home, engine="memory", actor="mcp")


@pytest.mark.parametrize("name", ["topicKey", "topic_key", "topic-key", "TopicKey", "TOPIC_KEY"])
def test_every_spelling_of_a_name_is_understood(name: str) -> None:
    params = (Param("topicKey"), Param("limit", "integer"), Param("tags", "array"), Param("on", "boolean"))
    read = Arguments(params, {name: "a/b", "limit": "7", "tags": "x, y", "on": "yes", "extra": {}})
    assert (read.text("topicKey"), read.number("limit", 1), read.many("tags"), read.flag("on")) == ("a/b", 7, ("x", "y"), True)
    assert Arguments(params, {"topicKey": "", "limit": None}).text("topicKey", "none") == "none"
