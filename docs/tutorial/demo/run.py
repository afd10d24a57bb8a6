"""The main job from start to end, in a throw-away home: two agents' transcripts in, a start payload and answers out.

Run by ``make demo``. Every step is the real command in a process of its own, as an agent's hook would start it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = "/home/mira/code/teashop"
COLOUR = sys.stdout.isatty() and "NO_COLOR" not in os.environ


def paint(code: str, text: str) -> str:
    """``text`` in a colour where somebody looks at a terminal."""
    return f"\033[{code}m{text}\033[0m" if COLOUR else text


def say(text: str) -> None:
    """A sentence between the steps."""
    print(f"\n{paint('1;36', '▌ ' + text)}", flush=True)


def run(home: Path, *arguments: str) -> None:
    """Show a command as a person would type it, and run it."""
    shown = " ".join(f"'{a}'" if " " in a else a for a in arguments).replace(str(HERE) + os.sep, "")
    print(paint("2", f"$ agent-utilities-memory {shown}"), flush=True)
    environment = {**os.environ, "AGENT_MEMORY_HOME": str(home), "AGENT_MEMORY_NOW": "2026-11-30T09:00:00Z",
                   "PYTHONIOENCODING": "utf-8"}
    subprocess.run([sys.executable, "-m", "agent_memory", *arguments], env=environment, check=True)


def show(path: Path) -> None:
    """A view as a person sees it, without front matter and the ids in comments."""
    import re

    print(paint("1;33", f"── memory/{path.name if path.parent.name == 'memory' else 'projects/' + path.name} ──"))
    text = re.sub(r"\A---\n.*?\n---\n", "", path.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"[ \t]*<!--.*?-->", "", text, flags=re.S)
    print(re.sub(r"\n{3,}", "\n\n", text).strip() + "\n", flush=True)


def main() -> None:
    """Run the demo."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    with tempfile.TemporaryDirectory(prefix="agent-memory-demo-") as folder:
        home = Path(folder) / "home"
        say("Mira works on her tea shop: Claude Code on Monday, Codex on Tuesday, Claude Code again on Friday.")
        for source, name in (("claude", "monday-orders.jsonl"), ("codex", "rollout-2026-11-25T14-30-00-teashop.jsonl"),
                             ("claude", "friday-search.jsonl")):
            run(home, "observe", "--source", source, "--file", str(HERE / source / name))
        say("Merge what was said twice, promote what matters, write the Markdown views.")
        run(home, "reflect")
        run(home, "materialize")
        say("The views: yours to read and to edit.")
        for name in ("observations.md", "reflections.md", "profile.md", "active.md"):
            show(home / "memory" / name)
        say("What a new Codex session in the tea shop starts with, when asked to fix CI:")
        run(home, "context", "--for", "codex", "--cwd", PROJECT, "--task", "fix CI")
        say("Two questions.")
        run(home, "recall", "--query", "what was decided about the database?", "--project", PROJECT)
        run(home, "recall", "--query", "why did CI fail?", "--project", PROJECT)
        say("The same transcript again changes nothing:")
        run(home, "observe", "--source", "claude", "--file", str(HERE / "claude" / "monday-orders.jsonl"))
        print(paint("1;32", "\nDone. The throw-away home is gone; nothing of yours was touched."))


if __name__ == "__main__":
    main()
