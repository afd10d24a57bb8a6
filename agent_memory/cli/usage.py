"""``usage``: what model calls have cost."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.command()
@options.as_json
@options.home
def command(as_json: bool) -> None:
    """Tokens and money that model calls took, beside the budgets."""
    memory = Memory()
    report = memory.usage()
    if as_json:
        output.envelope(output.plain(report))
        return
    chosen = memory.settings
    if not report.lines:
        output.line("No model was ever asked.")
    else:
        output.table(("span", "model", "for", "calls", "failed", "tokens in", "tokens out", "US$"),
                     [(x.span, x.model, x.purpose, f"{x.calls}", f"{x.failed}", f"{x.tokens_in:,}", f"{x.tokens_out:,}",
                       f"{x.microusd / 1e6:.4f}") for x in report.lines])
    today = report.total("today")
    output.line(f"today: {today.tokens_in + today.tokens_out:,} of {chosen.llm_tokens_per_day:,} tokens, "
                f"US$ {today.microusd / 1e6:.4f} of {chosen.llm_usd_per_day:.2f}")
    output.line(f"model: {chosen.llm_model or 'none, rules only'}")
