"""Any provider that LiteLLM knows, by its name and its own variables for keys (https://docs.litellm.ai).

The only place that imports LiteLLM, and not before a call: the import costs seconds. The price map is the one that came
with the package, `.env` files are not read, nothing but the request is sent. LiteLLM's own retries are off; `asking`
has one set of rules for all providers. A request runs in a thread of its own that is left behind when the time is
over, since a time-out of the HTTP client starts anew with every byte that drips in.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from agent_memory.llm.base import CallFailed, Failure, Format, Price, Question, Reply


@cache
def _library() -> Any:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"  # any other mode reads .env files of the working folder
    os.environ.setdefault("LITELLM_LOG", "ERROR")
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    return litellm


class LiteLlm:
    """One model of one provider."""

    def __init__(self, model: str, *, api_base: str = "") -> None:
        self.model = model
        self._api_base = api_base

    def complete(self, question: Question, form: Format, *, timeout: float) -> Reply:
        """One request."""
        library = _library()
        options: dict[str, Any] = {
            "model": self.model, "messages": [{"role": t.role, "content": t.text} for t in question.turns],
            "max_tokens": question.max_tokens, "temperature": 0, "drop_params": True, "timeout": timeout,
            "num_retries": 0, "max_retries": 0, "stream": False}
        if self._api_base:
            options["api_base"] = self._api_base
            if not os.environ.get("OPENAI_API_KEY") and self.model.startswith("openai/"):
                options["api_key"] = "none"  # a server of one's own asks for none, the client insists on one
        if form is Format.SCHEMA:
            options["response_format"] = {"type": "json_schema", "json_schema": {
                "name": question.name, "schema": dict(question.schema), "strict": True}}
        elif form is Format.JSON:
            options["response_format"] = {"type": "json_object"}
        try:
            answer = _within(timeout, lambda: library.completion(**options))
        except CallFailed:
            raise
        except Exception as problem:
            raise _failure(problem, form) from problem
        return _reply(answer)

    def price(self) -> Price | None:
        """From the price map that came with the package."""
        try:
            info = _library().get_model_info(self.model)
        except Exception:  # noqa: BLE001 - an unknown model is told by a plain Exception
            return None
        per_in, per_out = info.get("input_cost_per_token"), info.get("output_cost_per_token")
        if per_in is None or per_out is None:
            return None
        return Price(float(per_in) * 1e6, float(per_out) * 1e6)


def _within(seconds: float, call: Callable[[], Any]) -> Any:
    """The result of ``call``, or CallFailed when the time is over."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((True, call()))
        except BaseException as problem:  # noqa: BLE001 - handed over to the caller's thread
            outcome.append((False, problem))

    thread = threading.Thread(target=run, name="model-request", daemon=True)
    thread.start()
    thread.join(seconds + 1.0)
    if not outcome:
        raise CallFailed(Failure.TIMEOUT, f"no answer within {seconds:.0f} seconds")
    done, value = outcome[0]
    if not done:
        raise value
    return value


def _reply(answer: Any) -> Reply:
    try:
        choice = answer.choices[0]
        text = choice.message.content or ""
    except (AttributeError, IndexError, TypeError) as problem:
        raise CallFailed(Failure.SERVER, "the answer has no message") from problem
    used = getattr(answer, "usage", None)
    return Reply(text if isinstance(text, str) else str(text), int(getattr(used, "prompt_tokens", 0) or 0),
                 int(getattr(used, "completion_tokens", 0) or 0), getattr(choice, "finish_reason", "") == "length")


def _failure(problem: Exception, form: Format) -> CallFailed:
    """What a LiteLLM exception means; told apart by status code, else by name."""
    status = getattr(problem, "status_code", None)
    name = type(problem).__name__
    message = " ".join(str(problem).split())[:300] or name
    if name == "Timeout" or status == 408:
        return CallFailed(Failure.TIMEOUT, message)
    if status == 429:
        return CallFailed(Failure.RATE, message, retry_after=_retry_after(problem))
    if name in ("BadRequestError", "UnsupportedParamsError", "UnprocessableEntityError") and form is not Format.TEXT:
        return CallFailed(Failure.FORMAT, message)
    if name == "APIConnectionError":
        return CallFailed(Failure.CONNECTION, message)
    if isinstance(status, int) and status >= 500:
        return CallFailed(Failure.SERVER, message, retry_after=_retry_after(problem))
    return CallFailed(Failure.FATAL, message)


def _retry_after(problem: Exception) -> float | None:
    """Seconds from the Retry-After header, where the exception carries the response."""
    headers = getattr(getattr(problem, "response", None), "headers", None) or {}
    value = headers.get("retry-after") or (getattr(problem, "litellm_response_headers", None) or {}).get("retry-after")
    try:
        return float(value) if value is not None else None
    except ValueError:
        return None
