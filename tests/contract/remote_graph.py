"""An engine in a process of its own: a process can load kuzu or its fork, not both, and it can be killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import types
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any


def _serve(pipe: Connection, engine: str) -> None:
    from agent_memory.store.engines.registry import open_graph

    graph: Any = None
    while True:
        name, args, kwargs = pipe.recv()
        try:
            if name == "open":
                graph = open_graph(engine, Path(args[0]), **kwargs)
                pipe.send((True, None))
                continue
            answer = getattr(graph, name)(*args, **kwargs)
            pipe.send((True, list(answer) if isinstance(answer, types.GeneratorType) else answer))
        except Exception as error:  # noqa: BLE001 - handed to the test
            pipe.send((False, error))


class RemoteGraph:
    """A GraphStore whose engine lives in a child process that can be killed. `open` opens a file in it."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self.engine), daemon=True)
        self._process.start()
        theirs.close()

    def kill(self) -> None:
        """End the process at once, as kill -9 does, and start another one."""
        os.kill(self._process.pid or 0, signal.SIGKILL)
        self._process.join()
        self._pipe.close()
        self._start()

    def cast(self, name: str, *args: Any) -> None:
        """Start a call without waiting for its answer, to kill it meanwhile."""
        self._pipe.send((name, args, {}))

    def end(self) -> None:
        """End the process."""
        os.kill(self._process.pid or 0, signal.SIGKILL)
        self._process.join()
        self._pipe.close()

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            self._pipe.send((name, args, kwargs))
            good, answer = self._pipe.recv()
            if not good:
                raise answer
            return answer
        return call
