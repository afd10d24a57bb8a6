"""Text formats behind one interface: add a template to a text, remove it, say what in it is ours."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from agent_memory.errors import EditRefused
from agent_memory.install import edit_block, edit_json, edit_toml, edit_yaml, own


class Editor(Protocol):
    """One format. All functions raise EditRefused for text that is not of the format."""

    def add(self, text: str, template: str) -> tuple[str, dict[str, str]]:
        """(text with the template, what ``remove`` needs to give the same bytes back)."""
        ...

    def remove(self, text: str, made: Mapping[str, str] | None = None) -> str:
        """Text without what is ours; "" if nothing is left of a text that was empty before."""
        ...

    def ours(self, text: str) -> Sequence[Any]:
        """What in the text is ours."""
        ...


EDITORS: Final[dict[str, Editor]] = {"json": edit_json, "toml": edit_toml, "yaml": edit_yaml, "block": edit_block}


def decode(data: bytes) -> tuple[bytes, str]:
    """(byte order mark, text).

    Raises:
        EditRefused: not UTF-8.
    """
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        return bom, data[len(bom):].decode("utf-8")
    except UnicodeDecodeError as problem:
        raise EditRefused(f"not UTF-8 (byte {problem.start})") from problem


def commands(value: Any) -> set[str]:
    """The command lines of ours anywhere in ``value``, of hooks and of the server.

    A list of strings counts as one command line, and so does an object with a command and its arguments.
    """
    if isinstance(value, str):
        return {value} if own.is_command(value) else set()
    if isinstance(value, Mapping):
        if line := own.server_line(value):
            return {line}
        return set().union(*(commands(part) for part in value.values()))
    if isinstance(value, list | tuple):
        if value and all(isinstance(part, str) for part in value) and own.is_argv(list(value)):
            return {" ".join(value)}
        return set().union(*(commands(part) for part in value))
    return set()


def intact(editor: Editor, text: str, template: str) -> bool:
    """True if what the template writes stands in ``text`` as this version writes it.

    Of hooks all of the template's command lines and no others of ours; of the server a command line that starts as the
    template's does, since people add options to it. What the template does not write is not looked at.
    """
    present, (hooks, servers) = editor.ours(text), _sorted(editor.ours(editor.add("", template)[0]))
    there, running = _sorted(present)
    return (bool(present) and (not hooks or there == hooks)
            and all(any(line == wanted or line.startswith(wanted + " ") for line in running) for wanted in servers))


def present(editor: Editor, text: str, template: str) -> bool:
    """True if ``text`` has entries of ours of a kind (hooks, server) that the template writes."""
    found = editor.ours(text)
    (hooks, servers), (there, running) = _sorted(editor.ours(editor.add("", template)[0])), _sorted(found)
    if not hooks and not servers:
        return bool(found)
    return bool((hooks and there) or (servers and running))


def _sorted(value: Any) -> tuple[set[str], set[str]]:
    """(command lines of hooks, command lines of the server)."""
    lines = commands(value)
    servers = {line for line in lines if own.is_server(line)}
    return lines - servers, servers
