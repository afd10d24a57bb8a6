"""A real HTTP server on loopback that speaks the OpenAI chat protocol and misbehaves as told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[["Handler", dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        act = self.server.next_act(body)
        with suppress(OSError):  # the client hangs up, as it should on some of these
            act(self, body)

    def send(self, data: bytes, *, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.send_header("connection", "close")  # clients are cached for the process; their sockets must not be
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: Sequence[Act]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = list(script)
        self.bodies: list[dict[str, Any]] = []
        self.stopped = threading.Event()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def next_act(self, body: dict[str, Any]) -> Act:
        self.bodies.append(body)
        return self.script[min(len(self.bodies), len(self.script)) - 1]

    def handle_error(self, request: object, client_address: object) -> None:
        pass


@contextmanager
def serving(*script: Act) -> Iterator[Server]:
    """Plays the acts in order, the last one for ever."""
    server = Server(script)
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.02), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()


def says(text: str, *, tokens_in: int = 100, tokens_out: int = 20, finish: str = "stop") -> Act:
    def act(handler: Handler, body: dict[str, Any]) -> None:
        handler.send(json.dumps({
            "id": "x", "object": "chat.completion", "created": 1, "model": body["model"],
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}],
            "usage": {"prompt_tokens": tokens_in, "completion_tokens": tokens_out,
                      "total_tokens": tokens_in + tokens_out}}).encode())
    return act


def fails(status: int, message: str = "no", **headers: str) -> Act:
    def act(handler: Handler, body: dict[str, Any]) -> None:
        handler.send(json.dumps({"error": {"message": message, "type": "t", "code": None}}).encode(), status=status,
                     **headers)
    return act


def wants_no_schema(then: Act) -> Act:
    """Refuses json_schema and json_object, like older servers."""
    def act(handler: Handler, body: dict[str, Any]) -> None:
        if "response_format" in body:
            fails(400, "response_format is not supported")(handler, body)
        else:
            then(handler, body)
    return act


def hangs(handler: Handler, body: dict[str, Any]) -> None:
    handler.server.stopped.wait(30)


def cuts(handler: Handler, body: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"id": "x", "choices": [{"mess')
    handler.wfile.flush()
    handler.connection.shutdown(2)
    handler.close_connection = True


def rubbish(handler: Handler, body: dict[str, Any]) -> None:
    """Never ends; every byte starts a reader's time-out anew."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("connection", "close")
    handler.end_headers()
    while not handler.server.stopped.is_set():
        handler.wfile.write(b"\x00\xffnonsense{[")
        handler.wfile.flush()
        time.sleep(0.05)


def not_json(handler: Handler, body: dict[str, Any]) -> None:
    handler.send(b"<html>gateway</html>")
