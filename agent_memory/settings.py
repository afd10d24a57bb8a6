"""Every setting, in one class. Which one wins: command line > environment > ``config.toml`` in the home > default.

Environment names are ``AGENT_MEMORY_`` and the field's name in capitals. Only ``app``, ``cli`` and ``doctor`` read
settings; everything below takes plain parameters. ``docs/reference/settings.md`` is generated from this class.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from agent_memory.errors import UsageError
from agent_memory.paths import Home


class Settings(BaseSettings):
    """Settings of one home. Sizes are in characters unless the name says otherwise."""

    model_config = SettingsConfigDict(env_prefix="AGENT_MEMORY_", extra="ignore", frozen=True)

    engine: Literal["", "kuzu", "ladybug", "memory"] = Field(
        "", description="Graph engine for a new home (empty: kuzu). An existing home keeps the one it was made with; "
        "`migrate-engine` moves it.")
    lease_wait: float = Field(10.0, ge=0, description="Seconds to wait for another process that holds the graph.")
    context_budget: int = Field(
        24_000, ge=500, description="Characters of the start payload, lowered to what a host accepts. Starts learn "
        "this and the next two from the environment, or when views are written.")
    context_limit: int = Field(0, ge=0, description="Memories in the start payload at most. 0: as many as fit.")
    context_threshold: float = Field(
        0.0, ge=0, le=1, description="Share of the best memory's score below which a memory is left out of the start "
        "payload. Rules and current work stay.")
    recall_limit: int = Field(10, ge=1, le=1000, description="Hits that `recall` gives at most.")
    search_weight: float | None = Field(
        None, ge=0, le=1, description="What meaning counts beside words in the semantic arm, 0 to 1. Empty: 0.5, and "
        "0.65 among code.")
    semantic: str = Field("", description="Model of the semantic arm: the folder of a local one, or "
                          "`litellm:provider/model` (empty: none).")
    exclude: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Globs of folders whose sessions are not captured; files that match are not linked to notes.")
    redact_patterns: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Regular expressions of your own secrets, redacted beside the built-in rules.")
    worker_seconds: float = Field(300.0, gt=0, description="Time limit of the background worker.")
    reflect_after: int = Field(20, ge=1, description="New observations after which the worker reflects by itself.")
    memory_compression: Literal["off", "lite", "full", "ultra"] = Field(
        "off", description="How far the wording of stored notes is shortened for views and start payloads; the raw "
        "text is kept and searched.")
    max_observations: int = Field(0, ge=0, description="Visible observations at most; the least useful beyond are "
                                  "archived and found with `--status stale`. 0: no limit.")
    session_timeout_hours: float = Field(4.0, gt=0, description="Hours after its last message after which `lint` "
                                         "counts a session as never closed.")
    recall_threshold: float = Field(0.0, ge=0, le=1, description="Hits with a score below this are left out.")
    backup_keep: int = Field(10, ge=1, description="Backups that are kept.")
    backup_megabytes: int = Field(512, ge=1, description="Size of all backups together, in MB (10⁶ bytes).")
    llm_model: str = Field("", description="Model for observer and reflector in LiteLLM's naming, such as "
                           "`anthropic/claude-haiku-4-5`. Empty: rules only, no network.")
    llm_api_base: str = Field("", description="Base address of an OpenAI-compatible server; empty: the provider's own.")
    llm_timeout: float = Field(60.0, gt=0, description="Seconds for one model request.")
    llm_tokens_per_day: int = Field(500_000, ge=0, description="Tokens (in and out) a day; 0 means no call.")
    llm_tokens_per_session: int = Field(100_000, ge=0, description="Tokens for one observed session; 0 means no call.")
    llm_usd_per_day: float = Field(1.0, ge=0, description="Money a day in US dollars; 0 means no call.")
    llm_usd_per_session: float = Field(0.25, ge=0, description="Money for one session in US dollars; 0 means no call.")
    llm_usd_per_million_tokens: float = Field(
        10.0, ge=0, description="Price assumed for a model whose price is not known.")

    @field_validator("exclude", "redact_patterns", mode="before")
    @classmethod
    def _several(cls, value: object) -> object:
        """A list from the environment: JSON, or words between semicolons."""
        if not isinstance(value, str):
            return value
        if value.lstrip().startswith("["):
            return json.loads(value)
        return tuple(part.strip() for part in value.split(";") if part.strip())

    @classmethod
    def settings_customise_sources(cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource,
                                   env_settings: PydanticBaseSettingsSource,
                                   dotenv_settings: PydanticBaseSettingsSource,
                                   file_secret_settings: PydanticBaseSettingsSource,
                                   ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Command line (init), environment, then the home's config.toml. No .env files, no secret folders."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def load(home: Home, **overrides: object) -> Settings:
    """The settings that hold for ``home``; ``overrides`` come from the command line and win.

    Raises:
        UsageError: a value is not allowed, or config.toml is not TOML; names the setting and the value.
    """
    class HomeSettings(Settings):
        model_config = SettingsConfigDict(toml_file=_existing(home.config))

    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return HomeSettings(**given)  # type: ignore[arg-type]
    except ValidationError as problem:
        first = problem.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"setting {name} = {first.get('input')!r} is not valid: {first['msg']}",
                         hint=f"correct it in {home.config.name} or in AGENT_MEMORY_{name.upper()}; nothing was done"
                         ) from problem
    except ValueError as problem:
        raise UsageError(f"{home.config.name} is not valid TOML: {problem}",
                         hint="nothing was done; correct the file or move it away") from problem


def _existing(path: Path) -> Path | None:
    return path if path.is_file() else None
