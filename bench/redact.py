"""Measure redaction on ordinary text, beside a plain copy of the same text: ``python bench/redact.py``."""

from __future__ import annotations

import pathlib
import sys
import time

from agent_memory.text import redact, redact_light, secrets_fields, secrets_library, secrets_vendor

SECRET = ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY "
          "token ghp_0123456789abcdefghijABCDEFGHIJ012345\n")


def sample(size: int = 4_000_000) -> str:
    """Source files of this installation, prose-like and code-like, with a secret every 100 kB."""
    texts: list[str] = []
    total = 0
    for path in sorted(pathlib.Path(sys.prefix).glob("lib/python3*/site-packages/**/*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        texts.append(text)
        total += len(text)
        if total > size:
            break
    joined = "".join(texts)
    return "".join(joined[at:at + 100_000] + "\n" + SECRET for at in range(0, size, 100_000))


def main() -> None:
    """Print megabytes a second of each part."""
    text = sample()
    blocks = [text[at:at + 4_000] for at in range(0, len(text), 4_000)]
    redactor = redact.Redactor()
    parts = {
        "baseline: lower()": lambda t: t.lower(),
        "vendor rules": lambda t: list(secrets_vendor.vendor_spans(t)),
        "fields": lambda t: list(secrets_fields.field_spans(t)),
        "library": lambda t: list(secrets_library.library_spans(t)),
        "light": redact_light.redact_light,
        "whole": redactor.text,
    }
    for name, part in parts.items():
        part(blocks[0])
        start = time.perf_counter()
        for block in blocks:
            part(block)
        seconds = time.perf_counter() - start
        print(f"{name:20} {len(text) / seconds / 1e6:8.1f} MB/s")
    print(dict(sorted(redactor.counts.items())))


if __name__ == "__main__":
    main()
