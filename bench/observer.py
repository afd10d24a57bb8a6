"""How good are observers: baselines, the rules and, where one is configured, a model, over sessions with expectations.

    python -m bench.observer [FOLDER ...] [--out DIR] [--observer NAME ...] [--explain] [--repeat N]

Without FOLDER it reads the project's own invented sessions; those marked held out
get a row of their own. ``--out`` writes what each observer found, one JSON file a session, for other judges.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from agent_memory.capture import registry
from agent_memory.model.candidate import Observed, SessionView
from agent_memory.model.transcript import Message, Session, ToolEvent
from agent_memory.observe.rules.observer import RulesObserver
from agent_memory.text.redact import redact
from bench.observer_baselines import EveryPrompt, Headings, Keywords
from bench.observer_model import configured
from bench.observer_scoring import Score, Seen, mean, score

OWN = Path(__file__).parent.parent / "tests" / "fixtures" / "observer"
NOW = datetime(2026, 11, 30, tzinfo=UTC)


class Observer(Protocol):
    """Anything that observes."""

    name: str

    def observe(self, view: SessionView) -> Observed:
        """Candidates of a session."""


def observers() -> list[Observer]:
    """Baselines, rules, and the model that the environment names, if any."""
    return [EveryPrompt(), Keywords(), Headings(), RulesObserver(), *configured()]


def load(expectation: Path) -> tuple[dict[str, object], SessionView]:
    """An expectation and the records of its transcripts as one piece of history, redacted as capture does it."""
    expected = json.loads(expectation.read_text(encoding="utf-8"))
    agent = registry.agent(expected["agent"])
    session: Session | None = None
    records: list[Message | ToolEvent] = []
    for name in expected["transcripts"]:
        for record in agent.read(expectation.parent / name, None, now=NOW):
            if isinstance(record, Session):
                session = session or record
            elif isinstance(record, Message | ToolEvent):
                records.append(_renumbered(record, len(records)))
    if session is None:
        raise SystemExit(f"{expectation}: its transcript holds no session")
    return expected, SessionView(session, tuple(records))


def _renumbered(record: Message | ToolEvent, seq: int) -> Message | ToolEvent:
    import dataclasses

    if isinstance(record, Message):
        return dataclasses.replace(record, seq=seq, text=redact(record.text).text)
    return dataclasses.replace(record, seq=seq, input=redact(record.input).text, output=redact(record.output).text)


def seen(observed: Observed) -> list[Seen]:
    """Candidates as the scorer sees them."""
    return [
        Seen(
            c.text,
            c.kind.value,
            c.priority.word,
            frozenset((Path(r.file).name, n) for r in c.cites for n in range(r.line, r.line_end + 1)),
        )
        for c in observed.candidates
    ]


def table(rows: Iterable[tuple[str, Score]]) -> str:
    """The figures as text."""
    lines = [
        f"{'observer':14} {'sessions':26} {'obs/bud':>8} recall credit   prec     f1  noise  leak   kind   prio    src"
    ]
    for name, s in rows:
        cells = [s.recall, s.credit, s.precision, s.f1]
        tail = ["   -" if v is None else f"{v:4.2f}" for v in (s.kind, s.priority, s.source)]
        lines.append(
            f"{name:14} {s.sample[-26:]:26} {s.observations:>4}/{s.budget:<3} "
            + " ".join(f"{v:6.2f}" for v in cells)
            + f" {s.noise:>6} {s.leaked:>5}   "
            + "   ".join(tail)
        )
    return "\n".join(lines)


def write(folder: Path, sample: str, observed: Observed) -> None:
    """Observations of one session as JSON."""
    rows = [
        {
            "text": c.text,
            "kind": c.kind.value,
            "priority": c.priority.word,
            "rule": c.rule,
            "source": [f"{Path(r.file).name}:{r.line}-{r.line_end}" for r in c.cites],
        }
        for c in observed.candidates
    ]
    target = folder / f"{sample}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def explain(observed: Observed, judged: Score) -> None:
    """What was kept, dropped, missed and noisy in one session."""
    for c in observed.candidates:
        print(f"  + {c.priority.word:6} {c.kind.value:10} {c.rule:18} line {c.cites[0].line:<4} {c.text}")
    for d in observed.dropped:
        print(f"  - {d.reason:34} line {d.line:<4} {d.text[:120]}")
    for what, values in (("missed", judged.missed), ("noise", judged.noisy), ("unmatched", judged.unmatched)):
        for value in values:
            print(f"  ! {what}: {value}")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--observer", action="append", default=[])
    parser.add_argument("--explain", action="store_true")
    parser.add_argument("--repeat", type=int, default=1, help="observe each session this often, for a steadier speed")
    args = parser.parse_args(argv)
    files = [
        f
        for folder in args.folders or [OWN]
        for f in (sorted(folder.rglob("*.expected.json")) if folder.is_dir() else [folder])
    ]
    samples = [(f, *load(f)) for f in files]
    rows: list[tuple[str, Score]] = []
    for observer in observers():
        if args.observer and observer.name not in args.observer:
            continue
        scores: dict[bool, list[Score]] = {False: [], True: []}
        kept = spent = 0.0
        for _, expected, view in samples:
            began = time.process_time()
            for _ in range(args.repeat):
                observed = observer.observe(view)
            spent += time.process_time() - began
            kept += args.repeat * sum(
                len((r.text if isinstance(r, Message) else r.input + r.output).encode()) for r in view.records
            )
            judged = score(expected, seen(observed))
            scores[bool(expected.get("held_out"))].append(judged)
            if args.explain:
                print(f"== {observer.name}: {judged.sample}")
                explain(observed, judged)
            if args.out:
                write(args.out / observer.name.replace("/", "-"), judged.sample, observed)
        if len(files) <= 24 and observer.name.startswith(("rules", "model")):
            rows += [(observer.name, s) for part in scores.values() for s in part]
        for held, part in scores.items():
            if part:
                rows.append((observer.name, mean(part) if not held else _named(mean(part), "held out")))
        print(f"{observer.name}: {kept / 1e6 / spent:.2f} MB of kept text a second")
    print(table(rows))
    return 0


def _named(judged: Score, prefix: str) -> Score:
    import dataclasses

    return dataclasses.replace(judged, sample=f"{prefix}, {judged.sample}")


if __name__ == "__main__":
    raise SystemExit(main())
