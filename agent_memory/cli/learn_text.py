"""How learning is told: what was read, what was observed, and why not more."""

from __future__ import annotations

import os
from typing import Any

import click

from agent_memory.capture.ingest import IngestReport
from agent_memory.cli import output
from agent_memory.cli.views_text import print_views
from agent_memory.flow.drain import DrainReport
from agent_memory.flow.explain import Explained
from agent_memory.flow.learn import Learned
