"""The rules of the detect-secrets library (https://github.com/Yelp/detect-secrets), made affordable.

Its detectors read line by line, and some need seconds for a megabyte, so each is asked only for lines that hold a
literal without which it cannot match. Those for JSON Web Tokens and npm are left to our own rules, since they need
quadratic time on hostile lines. Its entropy, keyword and address detectors are left out: they mask commit
hashes, words and addresses. Loaded on first use, since the library is slow to import.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any, Final

from agent_memory.text.secrets_vendor import Span, dense

# Module, class, name of our rule, literals of which a line must hold one (_FIELDS are looked for in the
# lower-case text), least length of a secret.
_DETECTORS: Final = (
    ("artifactory", "ArtifactoryDetector", "artifactory-key", ("AKC",), 24),
    ("aws", "AWSKeyDetector", "aws-key", ("AKIA", "ASIA", "ABIA", "ACCA", "aws_secret"), 20),
    ("azure_storage_key", "AzureStorageKeyDetector", "azure-key", ("AccountKey=",), 40),
    ("cloudant", "CloudantDetector", "cloudant-key", ("cloudant",), 20),
    ("discord", "DiscordBotTokenDetector", "discord-token", (), 50),
    ("github_token", "GitHubTokenDetector", "github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), 36),
    ("gitlab_token", "GitLabTokenDetector", "gitlab-token", ("glsoat-", "glagent-", "GR1348941"), 20),
    ("ibm_cloud_iam", "IbmCloudIamDetector", "ibm-key", ("ibm_", "ibm-", "cloud_iam", "cloud-iam"), 44),
    ("ibm_cos_hmac", "IbmCosHmacDetector", "ibm-key", ("cos_hmac", "cos-hmac"), 40),
    ("mailchimp", "MailchimpDetector", "mailchimp-key", ("-us",), 32),
    ("openai", "OpenAIDetector", "openai-key", ("T3BlbkFJ",), 40),
    ("pypi_token", "PypiTokenDetector", "pypi-token", ("pypi-",), 60),
    ("sendgrid", "SendGridDetector", "sendgrid-key", ("SG.",), 40),
    ("slack", "SlackDetector", "slack-token", ("xox", "hooks.slack"), 20),
    ("softlayer", "SoftlayerDetector", "softlayer-key", ("softlayer",), 40),
    ("square_oauth", "SquareOAuthDetector", "square-token", ("sq0csp-",), 40),
    ("stripe", "StripeDetector", "stripe-key", ("k_live_",), 30),
    ("telegram_token", "TelegramBotTokenDetector", "telegram-token", (), 40),
    ("twilio", "TwilioKeyDetector", "twilio-key", (), 34),
)
_FIELDS: Final = frozenset({"aws_secret", "cloudant", "ibm_", "ibm-", "cloud_iam", "cloud-iam", "cos_hmac", "cos-hmac",
                            "softlayer"})
# Detectors without a literal are asked for lines where this matches; looked for once over the whole text.
_SHAPES: Final = {
    "discord-token": (".", re.compile(r"\.[\w-]{6}\.[\w-]{27}")),
    "telegram-token": (":", re.compile(r":[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])")),
    "twilio-key": ("", re.compile(r"(?<![A-Za-z0-9])(?:AC|SK)[a-z0-9]{32}(?![A-Za-z0-9])")),
}
MAX_LINE: Final = 4_000
"""Longer lines are asked for in windows of this many characters around the literal."""
_ESCAPE = re.compile(r"\\[nrt]\Z")
_WORDY = re.compile(r"[A-Za-z0-9_]")
_loaded: dict[str, Any] = {}


def _detector(module: str, name: str) -> Any:
    found = _loaded.get(name)
    if found is None:
        found = _loaded[name] = getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)()
    return found


def _windows(text: str, at: int) -> tuple[int, int]:
    """The line around ``at``, cut to a window if it is long."""
    start = text.rfind("\n", max(0, at - MAX_LINE // 2), at) + 1 or max(0, at - MAX_LINE // 2)
    end = text.find("\n", at, at + MAX_LINE // 2)
    return start, end if end >= 0 else min(len(text), at + MAX_LINE // 2)


def _ask(module: str, name: str, rule: str, least: int, text: str, start: int, end: int) -> Iterator[Span]:
    line = text[start:end]
    for secret in set(_detector(module, name).analyze_string(line)):
        if not isinstance(secret, str) or len(secret) < least or "[redacted:" in secret:
            continue
        at = line.find(secret)
        while at >= 0:
            stop = at + len(secret)
            escape = _ESCAPE.search(line, max(0, at - 2), at)  # the n of a line feed in JSON is no letter of a word
            inside = (at and not escape and _WORDY.match(secret[0]) and _WORDY.match(line[at - 1])) or (
                _WORDY.match(secret[-1]) and _WORDY.match(line[stop:stop + 1]))
            if not inside:
                yield Span(start + at, start + stop, rule)
            at = line.find(secret, stop)


def library_spans(text: str, pieces: str | None = None) -> Iterator[Span]:
    """Secrets that the library's detectors find, in no order; spans may overlap. ``pieces`` as in `vendor_spans`."""
    pieces = dense(text) if pieces is None else pieces
    if not pieces:
        return
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c.lower() if c < "\x80" else c for c in text)
    for module, name, rule, literals, least in _DETECTORS:
        if not literals:
            literal, shape = _SHAPES[rule]
            if literal in pieces and shape.search(pieces):
                end = 0
                for found in shape.finditer(text):
                    if found.start() >= end:
                        start, end = _windows(text, found.start())
                        yield from _ask(module, name, rule, least, text, start, end)
            continue
        for literal in literals:
            where = lower if literal in _FIELDS else text
            at = where.find(literal) if where is lower or literal in pieces else -1
            while at >= 0:
                start, end = _windows(text, at)
                yield from _ask(module, name, rule, least, text, start, end)
                at = where.find(literal, max(end, at + 1))
