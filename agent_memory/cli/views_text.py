"""How written views are told, for ``materialize`` and ``sync``."""

from __future__ import annotations

from agent_memory.cli import output
from agent_memory.materialize.writer import MaterializeReport


def print_views(report: MaterializeReport) -> None:
    """One line a view that was written, removed or kept, and a sum."""
    for name in report.written:
        output.line(f"  wrote {name}")
    for name in report.removed:
        output.line(f"  removed {name} (nothing to show any more)")
    for name, reason in report.kept:
        output.note(f"kept {name} as it is: {reason}")
    output.line(f"{output.counted(len(report.written), 'view')} written, {len(report.unchanged)} as they were.")
