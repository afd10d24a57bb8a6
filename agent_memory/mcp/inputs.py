"""What a client sends, read leniently: any spelling of a name, numbers as text, empty strings as nothing.

Unknown extras are ignored. A value that cannot mean what is asked for is an error that says which one it was.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from agent_memory.errors import UsageError
from agent_memory.text.normal import without_surrogates

Type = Literal["string", "integer", "number", "boolean", "array"]
MOST: Final = 200
"""Items of a list."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_YES: Final = frozenset({"true", "yes", "1", "on", "y"})
_NO: Final = frozenset({"false", "no", "0", "off", "n"})


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a tool. ``name`` is in camelCase, as clients see it; other spellings are understood."""

    name: str
    type: Type = "string"
    about: str = ""
    required: bool = False
    choices: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # other names

    def schema(self) -> dict[str, Any]:
        """Its JSON schema."""
        found: dict[str, Any] = {"type": self.type}
        if self.type == "array":
            found["items"] = {"type": "string"}
        if self.about:
            found["description"] = self.about
        if self.choices:
            found["enum"] = list(self.choices)
        return found


def folded(name: str) -> str:
    """A name in the form in which spellings are compared.

    >>> folded("topicKey"), folded("topic_key"), folded("Topic-Key")
    ('topickey', 'topickey', 'topickey')
    """
    return _HUMP.sub("", name).replace("_", "").replace("-", "").replace(" ", "").lower()


class Arguments:
    """The arguments of one call by their camelCase names; absent ones are empty."""

    def __init__(self, params: tuple[Param, ...], given: Mapping[str, Any] | None) -> None:
        """Read what is known.

        Raises:
            UsageError: a value has the wrong type, or a required one is missing.
        """
        by_name = {folded(k): v for k, v in reversed(list((given or {}).items()))}
        self._values: dict[str, Any] = {}
        for param in params:
            for name in (param.name, *param.also):
                value = by_name.get(folded(name))
                if value is None or (isinstance(value, str) and not value.strip()):
                    continue
                self._values[param.name] = _READERS[param.type](param.name, value)
                break
            if param.required and self._values.get(param.name) in (None, [], ""):
                raise UsageError(f"{param.name} is missing", hint=f"Nothing was done. Give {param.name}"
                                 f"{': ' + param.about if param.about else ''}.")

    def saying(self, name: str, value: str) -> Arguments:
        """These arguments with one more."""
        found = Arguments((), None)
        found._values = {**self._values, name: value}
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def text(self, name: str, default: str = "") -> str:
        """A text, ``default`` if absent."""
        return str(self._values.get(name, default))

    def number(self, name: str, default: int, *, least: int = 1, most: int = 1000) -> int:
        """A whole number, drawn into its range."""
        return min(most, max(least, int(self._values.get(name, default))))

    def real(self, name: str, default: float) -> float:
        """A number."""
        return float(self._values.get(name, default))

    def flag(self, name: str, default: bool = False) -> bool:
        """True or False."""
        return bool(self._values.get(name, default))

    def maybe_flag(self, name: str) -> bool | None:
        """True, False, or None if absent."""
        return self._values.get(name)

    def many(self, name: str) -> tuple[str, ...]:
        """A list of texts, empty if absent."""
        return tuple(self._values.get(name, ()))


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return without_surrogates(str(value))
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        return without_surrogates("\n".join(value))
    raise _wrong(name, value, "a text")


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool):
        raise _wrong(name, value, "a number")
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        raise _wrong(name, value, "a number") from None
    if not math.isfinite(found):
        raise _wrong(name, value, "a number")
    return found


def _flag(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower() if isinstance(value, str | int) else ""
    if word in _YES | _NO:
        return word in _YES
    raise _wrong(name, value, "true or false")


def _list(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",")]
        if value.lstrip().startswith("["):
            try:
                found = json.loads(value)
                parts = [str(v) for v in found] if isinstance(found, list) else parts
            except ValueError:
                pass
        value = parts
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(v, str | int | float) or v is None for v in value):
        raise _wrong(name, value, "a list of texts")
    if len(value) > MOST:
        raise UsageError(f"{name} has {len(value)} items, at most {MOST} are taken", hint="Nothing was done.")
    return [text for v in value if v is not None and (text := without_surrogates(str(v)).strip())]


def _wrong(name: str, value: Any, wanted: str) -> UsageError:
    shown = json.dumps(value, default=str)[:60]
    return UsageError(f"{name} must be {wanted}, not {shown}", hint="Nothing was done.")


_READERS: Final = {"string": _text, "integer": lambda n, v: int(_number(n, v)), "number": _number, "boolean": _flag,
                   "array": _list}
