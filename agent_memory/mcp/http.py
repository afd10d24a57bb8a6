"""The server over HTTP, on this machine only and only for who knows the token."""

from __future__ import annotations

import hmac
import os
import secrets
from typing import Any, Final

from agent_memory import files, logs
from agent_memory.errors import HomeError, UsageError
from agent_memory.mcp.server import MemoryServer
from agent_memory.paths import Home
from agent_memory.service.served import ServedMemory

HOST: Final = "127.0.0.1"
PORT: Final = 8787
PATH: Final = "/mcp"
SHORTEST: Final = 16


def token_of(home: Home, given: str = "") -> str:
    """The token: as given, else the home's own, which is made at first use and only its owner can read.

    Raises:
        UsageError: a given one is too short.
        HomeError: the home's cannot be read or written.
    """
    if given:
        if len(given) < SHORTEST:
            raise UsageError(f"the token has {len(given)} characters, at least {SHORTEST} are needed",
                             hint="Nothing was started.")
        return given
    path = home.root / "kg" / "mcp.token"
    try:
        if path.exists() and (known := path.read_text("ascii").strip()):
            return known
        files.make_folder(path.parent)
        made = secrets.token_urlsafe(32)
        files.write_atomic(path, f"{made}\n".encode())
    except (OSError, ValueError) as problem:
        raise HomeError(f"cannot use {path}: {problem}",
                        hint="Nothing was started. Check its owner and rights.") from problem
    return made


class Guarded:
    """An ASGI application behind a bearer token. Answers 401 to everything else, whatever the path."""

    def __init__(self, app: Any, token: str) -> None:
        self._app, self._token = app, token.encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One connection."""
        if scope["type"] != "http" or self._allowed(scope):
            await self._app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 401, "headers": [
            (b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]})
        await send({"type": "http.response.body", "body": b'{"error":"a bearer token is needed"}'})

    def _allowed(self, scope: Any) -> bool:
        given = next((v for k, v in scope["headers"] if k.lower() == b"authorization"), b"")
        kind, _, token = given.partition(b" ")
        return kind.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


def application(memory: ServedMemory, *, profile_name: str, folder: str, token: str) -> Guarded:
    """The ASGI application. The SDK refuses other hosts and origins than this machine's."""
    server = MemoryServer(memory, profile_name=profile_name, folder=folder).build()
    return Guarded(server.streamable_http_app(streamable_http_path=PATH, host=HOST), token)


def serve_http(memory: ServedMemory, *, profile_name: str, folder: str, token: str, port: int = PORT) -> None:
    """Serve on 127.0.0.1 until interrupted."""
    import uvicorn

    logs.set_up(memory.home)
    os.environ.pop("AGENT_MEMORY_MCP_TOKEN", None)  # not for the processes that we start
    app = application(memory, profile_name=profile_name, folder=folder, token=token)
    uvicorn.run(app, host=HOST, port=port, log_level="warning", access_log=False)
