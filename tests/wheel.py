"""The suite against the built wheel: `make test-wheel`.

In a flat layout the checkout hides what the wheel lacks. Here the wheel is built, unpacked into a folder of its own, and
the tests run from a copy that has no packages beside it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Build, unpack, run; the exit code of pytest."""
    with tempfile.TemporaryDirectory(prefix="wheel-test-") as folder:
        work = Path(folder) / "checkout"
        site = Path(folder) / "site"
        subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, str(ROOT)],
                       check=True, stdout=subprocess.DEVNULL)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)
        work.mkdir()
        for name in ("tests", "docs", "bench"):
            shutil.copytree(ROOT / name, work / name, ignore=shutil.ignore_patterns("__pycache__", "results"))
        for name in ("pyproject.toml", "README.md", "Makefile", "CHANGELOG.md"):
            shutil.copy(ROOT / name, work / name)
        environment = {**os.environ, "PYTHONPATH": str(site), "AGENT_MEMORY_TESTED_WHEEL": str(wheel)}
        return subprocess.run([sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", *sys.argv[1:]], cwd=work,
                              env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
