"""One log file per home, rotated; never message text, never to stdout."""

from __future__ import annotations

import logging
import logging.handlers
import os
from io import TextIOWrapper

from agent_memory.files import make_folder
from agent_memory.paths import Home

NAME = "agent_memory"


class _OwnerOnly(logging.handlers.RotatingFileHandler):
    """A rotated log file that only its owner may read."""

    def _open(self) -> TextIOWrapper:
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return TextIOWrapper(os.fdopen(handle, "ab"), encoding="utf-8", errors="backslashreplace")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """A log that cannot be written, on a full disk, must not hide what was to be told."""


def set_up(home: Home, *, level: int = logging.INFO) -> logging.Logger:
    """The program's logger, writing to ``log/agent-memory.log`` (3 × 1 MB). Setting up twice adds nothing.

    A home that cannot be written gives a logger without a file: commands that only read still work.
    """
    logger = logging.getLogger(NAME)
    logger.setLevel(level)
    logger.propagate = False
    target = str(home.log / "agent-memory.log")
    for handler in list(logger.handlers):
        if getattr(handler, "baseFilename", None) == target:
            return logger
        logger.removeHandler(handler)
        handler.close()
    try:
        make_folder(home.log)
        handler = _OwnerOnly(target, maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True)
    except OSError:
        logger.addHandler(logging.NullHandler())
        return logger
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(process)d %(message)s"))
    logger.addHandler(handler)
    return logger
