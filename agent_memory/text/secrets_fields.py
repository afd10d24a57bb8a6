"""Secrets known by where they stand: behind a name (``API_KEY=``), in a header, a URI, a command or a PEM block.

The names and shapes are those of configuration files, HTTP (RFC 6265, 6750, 7617), RFC 3986 and RFC 7468. A value is
taken only if it could be a secret: not a placeholder, not a type, not code that fetches one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_memory.text.secrets_vendor import Span

# Word that makes a name secret, as found in lower case → (rule, least length of a value without quotes).
_PASSWORD = ("password", "passwort", "passwd", "passphrase", "pwd", "contraseña", "mot_de_passe", "kennwort")
_SECRET = ("secret", "token", "api_key", "api-key", "apikey", "api key", "access_key", "access-key", "accesskey",
           "private_key", "privatekey", "private-key", "auth_key", "authkey", "account_key", "accountkey",
           "client_key", "signing_key", "encryption_key", "master_key", "service_key", "session_key", "secret_key",
           "storage_key", "license_key", "credential", "authtoken", "_auth", "db_pass", "dbpass", "_pass", "_pw",
           "webhook_url", "connection_string", "sas_url", "otp", "pin")
_STEMS = ("pass", "key", "token", "secret", "auth", "cred", "pw", "")
# Words by a part of them: most texts hold none of these parts, and no word is looked for.
_BY_STEM = tuple((stem, tuple(w for w in (*_PASSWORD, *_SECRET) if next(s for s in _STEMS if s in w) == stem))
                 for stem in _STEMS)
# What may follow the word in a name that still names the secret itself (API_KEY_PROD, secret2), not a property of it.
_SUFFIX = (r"(?:[_-]?(?:\d{1,3}|prod|production|staging|stage|test|dev|live|local|primary|secondary|main|old|new|"
           r"base64|b64|value|plain|raw|hash|access[_-]?key|key|id[_-]?key)){0,2}")
_ASSIGN = re.compile(
    _SUFFIX + r"""(?P<close>(?:\\{0,3}["'`]|\])?)(?P<space>[ \t]{0,8})(?P<sign>:=|=>|={1,3}|:|\|)[ \t]{0,8}"""
    r"""(?:(?P<open>[bfru@]?\\{0,3}(?P<quote>["'`]))(?P<quoted>(?:(?!(?P=quote)|\\{1,3}(?P=quote))[^\n]){1,512})"""
    r"""|(?P<bare>[^\s"'`,;<>(){}\[\]|\\][^\s"'`,;<>(){}|\\]{2,511}))""", re.I)
_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-$")
_PLACEHOLDER = re.compile(
    r"(?:\$.*|\{\{.*|<.*|%\(?\w+\)?s?|%\w+%|\*+|x+|\.{2,}|…|-+|_+|your[ _-].*|my[ _-]?(?:password|secret|token|key)"
    r"|(?:the|a|an|some|any|no|new|old|invalid|wrong|missing|empty|expired)[ _-].*|example.*|placeholder.*"
    r"|change[ _-]?me.*|todo|tbd|none|null|nil|true|false|undefined|optional|required|string|str|text|bytes|int"
    r"|integer|number|bool|boolean|any|object|secretstr|\[?redacted.*|hidden|masked|password|passwd|secret|token"
    r"|key|value|env\b.*|process\.env.*|os\.(?:environ|getenv).*|vault:.*|ssm:.*|op://.*|arn:aws:.*|file:.*"
    r"|/[\w./-]+|@.*|\w+\(.*|not[ _-]?set|unset|empty|auto|basic|bearer|oauth2?|jwt|csrf|default|disabled|enabled"
    r"|read|write|(?:self|cfg|config|settings|args|options|ctx|this)\.\w+.*)", re.I)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_]*(?:\.[A-Za-z_]\w*)*\Z")
_CODE = re.compile(r"[A-Za-z_]\w*(?:(?:\.[A-Za-z_]\w*)+|(?:\.\w+)*\[.*)\Z")  # a.b.c, parts[2], Optional[str]
_NOT_A_SECRET_NAME = re.compile(r"(?:max|min|num|total|input|output|prompt|completion|cached?|count|per|next|page|"
                                r"continuation|cancel\w*|stop|pad|eos|bos|special|first|last|syntax|lexer)[_.-]?\Z",
                                re.I)

_URI = re.compile(r"://([^\s/:@\"'<>`\\]{0,128}):([^\s/\"'<>`\\]{1,256})@(?=[\w\[.-])")
_URI_TOKEN = re.compile(r"://([A-Za-z0-9_~.-]{16,256})@(?=[\w\[.-])")
_SCHEME = re.compile(r"(?:bearer|basic|token|digest|apikey|aws4-hmac-sha256)\s+\S*\Z", re.I)
_HEADER = re.compile(r"authorization\\{0,3}[\"']?\s{0,4}[:=,]\s{0,4}\\{0,3}[\"']?"
                     r"(?:(?:bearer|basic|token|digest|apikey|aws4-hmac-sha256)\s+)?"
                     r"([^\s\"'\\,;<>{}$][^\n\"'\\<>{}$]{5,2000})", re.I)
_BEARER = re.compile(r"bearer\s+([A-Za-z0-9_.~+/=-]{16,})", re.I)
_COOKIE = re.compile(r"cookie\\{0,3}[\"']?\s{0,4}[:=]\s{0,4}\\{0,3}[\"']?"
                     r"([A-Za-z0-9_.-]{1,80}=[^\n\"'\\<>]{4,4000})", re.I)
_CURL = re.compile(r"(?:(?<=\s)-u|--user|--proxy-user)[ =]?[\"']?[^\s:\"'$]{0,80}:([^\s\"']{3,200})")
_OPTION = re.compile(r"--?[a-z-]{0,20}(?:password|passwd|passphrase|token|secret|api-?key|access-?key)(?:=|\s+)[\"']?"
                     r"([^\s\"'$<>{}()\\-][^\s\"'<>{}()\\]{3,300})", re.I)
_SPOKEN = re.compile(r"\s+(?:is|ist|lautet|was|war|now|is now)\s*:?\s+[\"'`]?([^\s\"'`]{4,80})", re.I)
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(
    r"(?:(?:\\{1,3}[nrt]|[\s>|\"'])*+(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\n\\]{0,100}"
    r"|(?:(?=[A-Za-z+/=]{0,400}[0-9+/=])[A-Za-z0-9+/=]{4,}|[A-Za-z0-9+/=]{20,})(?![A-Za-z0-9+/=])))*+")
_PEM_LINE = re.compile(r"[>|\"' \t]*[A-Za-z0-9+/=]{16,}[\"' \t]*|[>|\"' \t]*")
_LINE_BREAK = re.compile(r"((?:\\{1,3}[nr]|[\r\n])+)")
_NEAR = 200  # characters around a pair in which the ends of its line are looked for
_BLOCK = 20_000  # most characters of a PEM block
_AWS_ID = re.compile(r"(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])|\[redacted:aws-key\]")
_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_HEX = re.compile(r"[0-9a-f]+\Z")


def _random(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _shown(value: str) -> bool:
    """True if ``value`` is no more than a placeholder or a mark of ours."""
    return "[redacted:" in value or _PLACEHOLDER.fullmatch(value.strip()[:80]) is not None


def is_secret_value(name: str, value: str, *, quoted: bool, alone: bool = False) -> bool:
    """True if the value that stands behind a secret ``name`` could be the secret.

    Args:
        name: as written, for example ``db_password``.
        value: without quotes.
        quoted: it stood in quotes, so it is a literal and not code.
        alone: the pair fills its line or has the form of an environment variable.
    """
    word = name.lower()
    if _shown(value) or len(value) < 3:
        return False
    password = any(w in word for w in _PASSWORD) or word.endswith(("_pass", "_pw", "dbpass", "pin"))
    if word.endswith(("pin", "otp")):
        return value.isdigit() and 4 <= len(value) <= 8
    if password:
        if quoted:
            return not (" " in value and "passw" in value.lower())
        return _mixed(value) or (alone and not value.isdigit())
    if quoted:
        return len(value) >= 8 and " " not in value and (_mixed(value) or len(value) >= 20)
    return len(value) >= 8 and (_random(value) if not alone else _mixed(value) or len(value) >= 16)


def _mixed(value: str) -> bool:
    """A literal rather than a word or a dotted name."""
    return (_IDENTIFIER.match(value) is None and not value.replace(".", "").replace("_", "").isdigit()) \
        or (any(c.isupper() for c in value[1:]) and any(c.islower() for c in value) and len(value) >= 20)


def _word_end(lower: str, at: int, word: str) -> bool:
    """False where the word is part of a longer one (``secretary``, ``tokens``, ``opinion``)."""
    if word in ("pin", "otp", "pwd") and at and lower[at - 1].isalpha():
        return False
    return not lower[at + len(word):at + len(word) + 2].startswith(("s ", "s:", "s=", "s\"", "ar", "ly", "iz"))


def assigned(text: str, lower: str) -> Iterator[Span]:
    """Values behind secret names: environment files, YAML, JSON (escaped too), code literals, tables."""
    for word in (w for stem, words in _BY_STEM if stem in lower for w in words):
        at = lower.find(word)
        while at >= 0:
            after = at + len(word)
            if _word_end(lower, at, word) and (found := _ASSIGN.match(text, after)):
                begin = at
                while begin > max(0, at - 60) and text[begin - 1] in _NAME_CHARACTERS:
                    begin -= 1
                prefix = text[begin:at]
                name = prefix + text[at:after]
                quoted = found["quoted"] is not None
                value = found["quoted"] if quoted else found["bare"].rstrip(".:")
                code = not quoted and not _environment(text, begin, found) and (
                    text[found.end():found.end() + 1] in ("(", "[") or _CODE.match(value) is not None)
                if not code and not (word == "token" and _NOT_A_SECRET_NAME.search(prefix)) \
                        and is_secret_value(name, value, quoted=quoted, alone=_alone(text, at - len(prefix), found)):
                    start = found.start("quoted" if quoted else "bare")
                    yield Span(start, start + len(value), _rule_of(word))
                    after = start + len(value)
            elif text[after:after + 1].isspace() and (said := _SPOKEN.match(text, after)):
                value = said[1].rstrip(".,;:)")
                if not _shown(value) and _mixed(value):
                    yield Span(said.start(1), said.start(1) + len(value), "spoken")
            at = lower.find(word, after)


def _environment(text: str, start: int, found: re.Match[str]) -> bool:
    """``NAME=value`` in capitals without spaces."""
    return found["sign"] == "=" and not found["space"] and text[start:found.start("sign")].isupper()


def _alone(text: str, start: int, found: re.Match[str]) -> bool:
    """The pair is all of its line (YAML, .env), or ``NAME=value`` in capitals without spaces."""
    if _environment(text, start, found):
        return True
    line = text.rfind("\n", max(0, start - _NEAR), start) + 1 or max(0, start - _NEAR)
    end = text.find("\n", found.end(), found.end() + _NEAR)
    lead = text[line:start].strip(" \t\"'-*").removeprefix("export").strip()
    tail = text[found.end():found.end() + _NEAR if end < 0 else end].strip(" \t\"'")
    return not lead and not tail


def _rule_of(word: str) -> str:
    return "password" if word in _PASSWORD or word in ("_pass", "_pw", "db_pass", "dbpass") else \
        "token" if "token" in word else "pin" if word in ("pin", "otp") else "secret"


def _uris(text: str) -> Iterator[Span]:
    if "://" not in text or "@" not in text:
        return
    at = text.find("://")
    while at >= 0:
        if pair := _URI.match(text, at):
            if not _shown(pair[2]):
                yield Span(pair.start(2), pair.end(2), "uri-password")
        elif (token := _URI_TOKEN.match(text, at)) and _random(token[1]):
            yield Span(token.start(1), token.end(1), "uri-token")
        at = text.find("://", at + 3)


def _anchored(text: str, lower: str, literal: str, pattern: re.Pattern[str], rule: str, *,
              mixed: bool) -> Iterator[Span]:
    at = lower.find(literal)
    while at >= 0:
        end = at + len(literal)
        if found := pattern.match(text, at):
            value = found[1].rstrip(".,;)")
            if not _shown(value) and (not mixed or _random(value.split()[0]) or _SCHEME.search(
                    text, at, found.start(1) + 1)):
                yield Span(found.start(1), found.start(1) + len(value), rule)
                end = max(end, found.end())
        at = lower.find(literal, end)


def _commands(text: str, lower: str) -> Iterator[Span]:
    if "curl" in lower or "wget" in lower or "http" in lower:
        for found in _CURL.finditer(text):
            if not _shown(found[1]):
                yield Span(found.start(1), found.end(1), "basic-auth")
    if "--" in text:
        at = text.find("--")
        while at >= 0:
            end = at + 2
            if (given := _OPTION.match(text, at)) and not _shown(given[1]) and \
                    (_random(given[1]) or ("pass" in given[0].lower() and ("=" in given[0] or _mixed(given[1])))):
                yield Span(given.start(1), given.end(1), "option")
                end = given.end()
            at = text.find("--", end)


def _pem(text: str) -> Iterator[Span]:
    if "PRIVATE KEY" not in text:
        return
    at = 0
    while found := _PEM.search(text, at):
        end = _PEM_END.search(text, found.end(), found.end() + _BLOCK)
        stop = found.end()
        following = _PEM.search(text, found.end(), found.end() + _BLOCK)
        if end and (not following or end.start() < following.start()):
            stop = end.end()
        elif body := _PEM_BODY.match(text, stop, following.start() if following else stop + _BLOCK):
            stop = body.end()
        yield Span(found.start(), stop, "private-key")
        at = stop
    before = 0
    for last in _PEM_END.finditer(text):
        start = last.start()
        lines = _LINE_BREAK.split(text[max(before, start - _BLOCK):start])
        before = last.end()
        for piece in reversed(lines):
            if not _LINE_BREAK.fullmatch(piece) and not _PEM_LINE.fullmatch(piece):
                break
            start -= len(piece)
        if last.start() - start >= 16:
            yield Span(start, last.end(), "private-key")


def _aws_secrets(text: str) -> Iterator[Span]:
    """Forty characters near an access key id: the secret half of a pair."""
    for key in _AWS_ID.finditer(text):
        for found in _AWS_SECRET.finditer(text, max(0, key.start() - 300), min(len(text), key.end() + 300)):
            value = found[0]
            if not _HEX.match(value) and _random(value) and any(c.isupper() for c in value):
                yield Span(found.start(), found.end(), "aws-secret")


def field_spans(text: str) -> Iterator[Span]:
    """All secrets known by their place, in no order; spans may overlap."""
    lower = text.lower()
    if len(lower) != len(text):  # a letter like İ grows; positions must stay comparable
        lower = "".join(c.lower() if c < "\x80" else c for c in text)
    yield from assigned(text, lower)
    yield from _uris(text)
    yield from _anchored(text, lower, "authorization", _HEADER, "authorization", mixed=True)
    yield from _anchored(text, lower, "bearer", _BEARER, "bearer", mixed=True)
    yield from _anchored(text, lower, "cookie", _COOKIE, "cookie", mixed=False)
    yield from _commands(text, lower)
    yield from _pem(text)
    if "AKIA" in text or "ASIA" in text or "[redacted:aws-key]" in text:
        yield from _aws_secrets(text)
