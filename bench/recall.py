"""How well and how quickly recall finds: ours beside baselines and neighbours, on labelled questions.

    make bench-recall                              the small set in this folder, invented for it
    make bench-recall DATA=folder MODEL=folder     sets of your own, and the arms that need a model
    python -m bench.recall --data FOLDER --model FOLDER --page

A set is a file `*.json` or `*.json.gz`: {"collections": [{"id", "docs": [{id, text, session, timestamp, speaker}],
"queries": [{id, text, category, group, relevant}]}]}. Each collection is a store of its own. Public sets have licences
of their own, so none comes with this project. Systems that are not installed are named and left out:
requirements/bench.txt has the baselines and search libraries, requirements/neighbours.txt the memory products. A model
is a folder that the setting `semantic` takes; bench/recall_model.py makes one out of a package.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import beliefs, recall_baselines, recall_neighbours, recall_ours, recall_page, start_lines
from bench.recall_scoring import Result, interval

SMALL = Path(__file__).with_name("recall_small.json")
DEPTH = 10
"""Hits asked for: what a person sees."""
HEADINGS = ("system", "R@5", "R@10 (95 %)", "MRR (95 %)", "nDCG@10", "session hit@5", "p50 ms", "p95 ms", "index s",
            "size MB")


def measure(make: Callable[[], Any], collections: Sequence[dict[str, Any]]) -> Result:
    """Index and ask every collection. Raises ModuleNotFoundError where a system is not installed."""
    result = Result()
    for collection in collections:
        system, session_of = make(), {d["id"]: d.get("session", "") for d in collection["docs"]}
        start = time.perf_counter()
        result.bytes += system.index(collection["docs"])
        result.index_seconds += time.perf_counter() - start + getattr(system, "more_seconds", 0.0)
        for question in collection["queries"]:
            relevant = set(question.get("relevant_fixed", question["relevant"]))
            if not relevant or question.get("group", "core") != "core":
                continue
            start = time.perf_counter()
            ranked = system.search(question["text"])
            result.milliseconds.append(1000 * (time.perf_counter() - start))
            result.add(ranked, relevant, session_of, str(question.get("category", "")))
        if hasattr(system, "close"):
            system.close()
    return result


def row(label: str, found: Result) -> list[str]:
    """The cells of one system."""
    def mean(values: Sequence[float]) -> str:
        return f"{statistics.fmean(values):.3f}"

    def sure(values: Sequence[float]) -> str:
        low, high = interval(values)
        return f"{mean(values)} ({low:.3f} … {high:.3f})"

    return [label, mean(found.recall5), sure(found.recall10), sure(found.reciprocal), mean(found.gain),
            mean(found.session5), f"{found.quantile(0.5):.1f}", f"{found.quantile(0.95):.1f}",
            f"{found.index_seconds:.1f}", f"{found.bytes / 1e6:.1f}"]


def table(name: str, collections: Sequence[dict[str, Any]], systems: dict[str, Callable[[], Any]]) -> recall_page.Table:
    """Measure all systems over one set, printing each row when it is known."""
    docs = sum(len(c["docs"]) for c in collections)
    made = recall_page.Table(f"{name}: {len(collections)} stores, {docs} documents", HEADINGS)
    print(f"\n{made.head()}", flush=True)
    for label, make in systems.items():
        try:
            found = measure(make, collections)
        except ModuleNotFoundError as missing:
            print(f"(left out: {label}, {missing.name} is not installed)", flush=True)
            continue
        print(made.add(label, row(label, found), found), flush=True)
    ours = made.results.get("ours: words + links")
    if ours is not None and len(set(ours.categories)) > 1:
        by = "; ".join(f"{category} {value:.3f}" for category, value in ours.by_category().items())
        made.note = f"Ours (words + links), R@10 by category: {by}."
        print(f"\n{made.note}", flush=True)
    return made


def load(path: Path) -> list[dict[str, Any]]:
    """The collections of a set."""
    raw = path.read_bytes()
    collections: list[dict[str, Any]] = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)["collections"]
    return collections


def sets_in(folder: Path | None) -> list[Path]:
    """Files of labelled questions: those in ``folder``, or the small one."""
    if folder is None:
        print(f"No --data and no BENCH_DATA: {SMALL.name} is measured, a small set invented for this project. It shows "
              "that everything runs; differences of a few points mean nothing on it.")
        return [SMALL]
    found = sorted(p for p in folder.iterdir() if p.name.endswith((".json", ".json.gz")))
    if not found:
        raise SystemExit(f"{folder} has no file *.json or *.json.gz; nothing was measured.")
    return found


def main() -> None:
    """Measure and print; ``--page`` also writes the page and its picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("BENCH_DATA") or None, help="folder of sets")
    parser.add_argument("--model", type=Path, default=os.environ.get("BENCH_MODEL") or None, help="folder of a model")
    parser.add_argument("--only", default="", help="only systems whose name holds this")
    parser.add_argument("--depth", type=int, default=DEPTH, help="hits asked for")
    parser.add_argument("--page", action="store_true", help="also write docs/explanation/recall-numbers.md")
    options = parser.parse_args()
    data, model = (Path(p) if p else None for p in (options.data, options.model))
    if model is None:
        print("No --model and no BENCH_MODEL: rows that need one (meaning, dense, hybrid) are left out.")
    systems = {**recall_ours.systems(options.depth, model), **recall_baselines.systems(options.depth, model),
               **recall_neighbours.systems(options.depth)}
    chosen = {name: make for name, make in systems.items() if options.only in name}
    tables = [table(path.name.partition(".")[0], load(path), chosen) for path in sets_in(data)]
    for made in (beliefs.table(), start_lines.table()):
        print(f"\n{made.text()}")
        tables.append(made)
    if options.page:
        recall_page.write(tables)


if __name__ == "__main__":
    main()
