"""``mcp``: serve the memory to agents by the Model Context Protocol."""

from __future__ import annotations

import os

import click

from agent_memory.cli import options, output


@click.command()
@click.option("--profile", "profile_name", type=click.Choice(["default", "full"]), default="default", show_default=True,
              help="How many tools: eight, or every one.")
@click.option("--http", is_flag=True, help="Serve over HTTP on 127.0.0.1 instead of stdin and stdout.")
@click.option("--port", type=click.IntRange(1, 65535), default=8787, show_default=True, help="Port for --http.")
@click.option("--token", help="Token that HTTP clients must send (else AGENT_MEMORY_MCP_TOKEN, else the home's own, "
              "in kg/mcp.token).")
@click.option("--project", metavar="DIR", help="Folder whose project is meant where a call names none (default: the "
              "present folder; none for --http).")
@options.home
def command(profile_name: str, http: bool, port: int, token: str | None, project: str | None) -> None:
    """Serve until the client goes. Nothing but the protocol is written to stdout."""
    from agent_memory.service.served import ServedMemory

    memory = ServedMemory()
    if http:
        from agent_memory.mcp import http as served

        known = served.token_of(memory.home, token or os.environ.get("AGENT_MEMORY_MCP_TOKEN", ""))
        output.note(f"serving on http://{served.HOST}:{port}{served.PATH} until Ctrl-C; clients send "
                    f"`Authorization: Bearer …` with the token of {memory.home.root / 'kg' / 'mcp.token'}"
                    if not token else f"serving on http://{served.HOST}:{port}{served.PATH} until Ctrl-C")
        served.serve_http(memory, profile_name=profile_name, folder=project or "", token=known, port=port)
        return
    from agent_memory.mcp.server import serve_stdio

    serve_stdio(memory, profile_name=profile_name, folder=project or os.getcwd())
