"""The page of recall's figures, docs/explanation/recall-numbers.md, and its picture, as the bench writes them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.recall_scoring import Result

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "explanation"
MARK = "<!-- all below is written by: python -m bench.recall --page -->"


@dataclass
class Table:
    """One table in Markdown, and the results behind it for the picture."""

    title: str
    headings: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    results: dict[str, Result] = field(default_factory=dict)
    note: str = ""

    def head(self) -> str:
        """Title and headings."""
        return f"### {self.title}\n\n{_line(self.headings)}\n{_line(['---'] * len(self.headings))}"

    def add(self, label: str, cells: Sequence[str], result: Result | None = None) -> str:
        """Take a row; gives its line."""
        self.rows.append(cells)
        if result is not None:
            self.results[label] = result
        return _line(cells)

    def text(self) -> str:
        """The whole table."""
        return "\n".join([self.head(), *map(_line, self.rows), *(["", self.note] if self.note else [])])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def write(tables: Sequence[Table]) -> None:
    """Put the tables into the page below its mark, and draw the picture beside it."""
    page = FOLDER / "recall-numbers.md"
    head = page.read_text(encoding="utf-8").partition(MARK)[0]
    body = "\n\n".join(t.text() for t in tables)
    page.write_text(f"{head}{MARK}\n\n{body}\n", encoding="utf-8", newline="\n")
    drawn = [t for t in tables if t.results]
    if drawn:
        picture(drawn, FOLDER / "recall-latency.svg")


def picture(tables: Sequence[Table], path: Path) -> None:
    """Recall against latency, one panel a set, one mark a system. Needs matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "recall"
    names = list(dict.fromkeys(name for t in tables for name in t.results))
    colours = pyplot.get_cmap("tab20", max(len(names), 1))
    figure, axes = pyplot.subplots(1, len(tables), figsize=(4.2 * len(tables), 4.6), squeeze=False)
    for axis, table in zip(axes[0], tables, strict=True):
        for number, name in enumerate(names):
            if name in table.results:
                found, own = table.results[name], name.startswith("ours")
                axis.scatter([found.quantile(0.5)], [statistics.fmean(found.recall10)], color=colours(number),
                             marker="*" if own else "o", s=170 if own else 45, edgecolors="black", linewidths=0.5)
        axis.set(title=table.title.partition(":")[0], xscale="log", xlabel="median time of a question, ms")
        axis.grid(alpha=0.3)
    axes[0][0].set_ylabel("R@10")
    marks = [pyplot.Line2D([], [], linestyle="", marker="*" if n.startswith("ours") else "o", label=n,
                           markersize=11 if n.startswith("ours") else 7, markeredgecolor="black",
                           markerfacecolor=colours(i), markeredgewidth=0.5) for i, n in enumerate(names)]
    figure.legend(handles=marks, loc="lower center", ncols=4, fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0.06 * (1 + (len(names) - 1) // 4), 1, 1))
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
