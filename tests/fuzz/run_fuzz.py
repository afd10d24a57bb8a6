"""Coverage-guided fuzzing of one target: ``python tests/fuzz/run_fuzz.py TARGET SECONDS``; ``make fuzz`` runs all.

An input that fails is left as ``crash-…`` in the folder of the target's inputs; it stays there as a test of the suite
(`test_found_inputs.py`) once the fault is mended. ``slow-…`` and ``timeout-…`` likewise.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import atheris  # type: ignore[import-not-found]

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

with atheris.instrument_imports(include=["agent_memory"]):
    import fuzz_targets
    from fuzz_seeds import seeds

    for _seed in seeds(sys.argv[1]):
        fuzz_targets.TARGETS[sys.argv[1]](_seed)  # what it imports late is followed too


def main() -> None:
    """Fuzz; ends with 77 if an input failed."""
    name, seconds = sys.argv[1], sys.argv[2]
    found = HERE / "inputs" / name
    found.mkdir(parents=True, exist_ok=True)
    corpus = Path(tempfile.mkdtemp(prefix=f"corpus-{name}-"))
    for number, seed in enumerate(seeds(name)):
        (corpus / str(number)).write_bytes(seed)
    dictionary = corpus.with_suffix(".dict")
    dictionary.write_text("".join(json.dumps(word) + "\n" for word in _WORDS), encoding="ascii")
    os.chdir(corpus)
    options = [f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=3000", "-max_len=20000", "-print_final_stats=1",
               f"-artifact_prefix={found}/", f"-dict={dictionary}", str(corpus), str(found)]
    atheris.Setup([sys.argv[0], *options], fuzz_targets.TARGETS[name])
    atheris.Fuzz()


_WORDS = ("type", "user", "assistant", "message", "content", "tool_use", "tool_result", "tool_use_id", "sessionId",
          "<private>", "</private>", "password=", "BEGIN PRIVATE KEY", "ghp_", "AKIA", "- [ ] ", "<!-- m:", "-->", "---",
          "response_item", "payload", "session_meta", "{", "}", "null", "isSidechain", "true", "uuid", "timestamp",
          "position", "changes", "actor", "hooks", "```", "## ", "queued_command", "attachment")

if __name__ == "__main__":
    main()
