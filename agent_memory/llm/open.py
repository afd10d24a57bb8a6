"""Choose a provider by the name of a model."""

from __future__ import annotations

from agent_memory.errors import UsageError
from agent_memory.llm.base import Llm

COMMAND = "command:"


def open_llm(model: str, *, api_base: str = "") -> Llm:
    """The provider for ``model``. Nothing is sent, and no model library is imported yet.

    Args:
        model: LiteLLM's name of a model such as ``anthropic/claude-haiku-4-5``, or ``command:`` and a command line
            that reads the question from standard input and writes the answer to standard output.
        api_base: address of a server that speaks the OpenAI protocol; "" for the provider's own.

    Raises:
        UsageError: no model is named.
    """
    if model.startswith(COMMAND):
        from agent_memory.llm.providers.command import CommandLlm

        return CommandLlm(model.removeprefix(COMMAND).strip())
    if not model.strip():
        raise UsageError("no model is named", hint="Set AGENT_MEMORY_LLM_MODEL, or use the rules (no model).")
    from agent_memory.llm.providers.litellm_provider import LiteLlm

    return LiteLlm(model.strip(), api_base=api_base)
