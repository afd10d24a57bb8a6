"""Keys that vendors give out, known by how they begin.

A rule is looked for by its literal (fast: `str.find`), and its pattern is tried only where the literal stands.
Borders matter more than lengths: ``risk-based`` holds ``sk-`` and is no key; a base64 picture may hold anything. The
shapes come from the vendors' documentation and public scanners' rule lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# What may stand before a key: no letter or digit, save that of an escape (``\\n`` in JSON, ``%3D`` in a URL).
_LEFT = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[23][0-9A-Fa-f]))"
_LEFT_PLAIN = r"(?:(?<![A-Za-z0-9_+/-])|(?<=\\[nrt])|(?<=%[23][0-9A-Fa-f]))"  # keys that could be inside base64 text
_RIGHT = r"(?![A-Za-z0-9])"  # an underscore may follow, as in the name of a file


@dataclass(frozen=True, slots=True)
class Span:
    """A secret from ``start`` to ``end`` (characters) and the rule that found it."""

    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Rule:
    """``literals`` that start a key, and what must follow; ``digit``: it must hold a digit and a letter."""

    name: str
    literals: tuple[str, ...]
    pattern: str
    digit: bool = True


_RULES = (
    Rule("anthropic-key", ("sk-ant-",), r"sk-ant-[A-Za-z0-9_-]{16,}"),
    Rule("openrouter-key", ("sk-or-",), r"sk-or-[A-Za-z0-9_-]{16,}"),
    Rule("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"),
         r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{16,}"),
    Rule("openai-key", ("sk-",), r"sk-[A-Za-z0-9_]{20,}"),
    Rule("stripe-key", ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "pk_live_", "whsec_"),
         r"(?:[srp]k_(?:live|test)|whsec)_[A-Za-z0-9+/=]{10,}", digit=False),
    Rule("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{32,}"),
    Rule("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{32,}"),
    Rule("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{32,}"),
    Rule("replicate-key", ("r8_",), r"r8_[A-Za-z0-9]{30,}"),
    Rule("google-key", ("AIza",), r"AIza[A-Za-z0-9_-]{30,}"),
    Rule("google-oauth", ("ya29.", "GOCSPX-", "1//0"),
         r"(?:ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|1//0[A-Za-z0-9_-]{30,})"),
    Rule("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{20,}", digit=False),
    Rule("github-token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{22,}", digit=False),
    Rule("gitlab-token", ("glpat-", "gldt-", "glrt-", "glft-", "glcbt-", "glptt-", "glimt-", "glsoat-", "gloas-"),
         r"gl(?:pat|dt|rt|ft|cbt|ptt|imt|soat|oas)-[A-Za-z0-9_.-]{18,}", digit=False),
    Rule("slack-token", ("xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe", "xoxc-", "xoxd-", "xapp-"),
         r"(?:xox[a-z](?:\.xox[a-z])?|xapp)-[A-Za-z0-9%-]{10,}"),
    Rule("slack-webhook", ("hooks.slack.com/",),
         r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/]{20,}", digit=False),
    Rule("discord-webhook", ("/api/webhooks/",), r"/api/webhooks/\d{15,}/[A-Za-z0-9_-]{30,}"),
    Rule("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{30,}", digit=False),
    Rule("pypi-token", ("pypi-",), r"pypi-AgE[A-Za-z0-9_-]{40,}"),
    Rule("rubygems-key", ("rubygems_",), r"rubygems_[a-f0-9]{40,}"),
    Rule("cargo-token", ("cio",), r"cio[A-Za-z0-9]{32}"),
    Rule("huggingface-token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{30,}", digit=False),
    Rule("sendgrid-key", ("SG.",), r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    Rule("mailgun-key", ("key-",), r"key-[0-9a-f]{32}"),
    Rule("twilio-key", ("SK",), r"SK[0-9a-f]{32}"),
    Rule("twilio-key", ("AC",), r"AC[0-9a-f]{32}"),
    Rule("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"do[opr]_v1_[a-f0-9]{40,}", digit=False),
    Rule("databricks-token", ("dapi",), r"dapi[a-f0-9]{32}(?:-\d)?"),
    Rule("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{30,}",
         digit=False),
    Rule("linear-key", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}", digit=False),
    Rule("notion-token", ("ntn_",), r"ntn_[A-Za-z0-9]{36,}", digit=False),
    Rule("notion-token", ("secret_",), r"secret_[A-Za-z0-9]{43}", digit=False),
    Rule("telegram-token", (":AA",), r":AA[A-Za-z0-9_-]{32,34}"),
    Rule("postman-key", ("PMAK-",), r"PMAK-[a-f0-9]{20,}-[a-f0-9]{30,}"),
    Rule("newrelic-key", ("NRAK-",), r"NRAK-[A-Z0-9]{27}"),
    Rule("grafana-token", ("glsa_", "glc_"), r"(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,})"),
    Rule("vault-token", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
    Rule("terraform-token", (".atlasv1.",), r"\.atlasv1\.[A-Za-z0-9_-]{60,}"),
    Rule("pulumi-token", ("pul-",), r"pul-[a-f0-9]{40}"),
    Rule("planetscale-key", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,}"),
    Rule("supabase-key", ("sbp_", "sb_secret_"), r"(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,})"),
    Rule("sentry-token", ("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/=_-]{16,}"),
    Rule("figma-token", ("figd_",), r"figd_[A-Za-z0-9_-]{30,}"),
    Rule("atlassian-token", ("ATATT3", "ATCTT3"), r"AT[AC]TT3[A-Za-z0-9_=-]{40,}"),
    Rule("airtable-token", ("pat",), r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    Rule("square-token", ("sq0atp-", "sq0csp-", "EAAA"),
         r"(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{20,}|EAAA[A-Za-z0-9_-]{60})"),
    Rule("dropbox-token", ("sl.",), r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,}"),
    Rule("age-key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    Rule("cloudflare-key", ("v1.0-",), r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}"),
    Rule("aws-key", ("AKIA", "ASIA", "ABIA", "ACCA"), r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}", digit=False),
    Rule("aws-key", ("bedrock-api-key-", "ABSKQmVkcm9ja"), r"(?:bedrock-api-key-|ABSKQmVkcm9ja)[A-Za-z0-9+/=_-]{30,}"),
    Rule("azure-key", ("AccountKey=", "SharedAccessKey="), r"(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{40,}={0,2}"),
    Rule("azure-sas", ("sig=",), r"sig=[A-Za-z0-9%+/]{43,}(?:%3[dD]|=)"),
    Rule("azure-key", ("8Q~", "7Q~"), r"[78]Q~[A-Za-z0-9_.~-]{31,34}"),
    Rule("jwt", ("eyJ",), r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?"),
    # The same keys as whole base64 words: what base64 makes of "-----BEGIN", "ghp_", "sk-ant-", "sk-proj-", "xoxb-".
    Rule("encoded-key", ("LS0tLS1CRUdJTi", "Z2hwX", "c2stYW50L", "c2stcHJva", "eG94Yi"),
         r"(?:LS0tLS1CRUdJTi|Z2hwX|c2stYW50L|c2stcHJva|eG94Yi)[A-Za-z0-9+/_-]{20,}={0,2}"),
)
# Rules whose literal stands inside the key; the left part is found by walking back.
_INSIDE = {":AA": re.compile(r"\d{8,10}\Z"), ".atlasv1.": re.compile(r"[A-Za-z0-9]{14}\Z"),
           "8Q~": re.compile(r"[A-Za-z0-9_~.-]{3}\Z"), "7Q~": re.compile(r"[A-Za-z0-9_~.-]{3}\Z"),
           "/api/webhooks/": re.compile(r"discord(?:app)?\.com\Z"), "hooks.slack.com/": re.compile(r"https?://\Z")}
_DENSE = re.compile(r"[A-Za-z0-9_+/=.~:%-]{16,}")  # no rule matches less, or other characters
_MASK = re.compile(r"(.)\1{7}|\.\.\.|…|x{6}|X{6}|\*{4}")
_COMPILED: dict[str, re.Pattern[str]] = {}


_BORDER = re.compile(_LEFT)
_BORDER_PLAIN = re.compile(_LEFT_PLAIN)


def _compiled(rule: Rule) -> re.Pattern[str]:
    found = _COMPILED.get(rule.pattern)
    if found is None:
        found = _COMPILED[rule.pattern] = re.compile(rule.pattern + _RIGHT)
    return found


def _border(literal: str) -> re.Pattern[str]:
    """What must stand before a key that begins with ``literal``."""
    return _BORDER_PLAIN if literal.isalnum() or literal in ("sk-", "key-", "pul-", "sl.") else _BORDER


def _real(rule: Rule, value: str) -> bool:
    """False for placeholders (``sk-xxxxxxxx``) and for words without a digit where keys always have some."""
    if _MASK.search(value):
        return False
    return not rule.digit or (any(c.isdigit() for c in value[3:]) and any(c.isalpha() for c in value))


def _places(rule: Rule, literal: str, text: str) -> Iterator[re.Match[str]]:
    """Matches of a rule that start at ``literal``, with what must stand before it."""
    pattern = _compiled(rule)
    border = None if literal in _INSIDE else _border(literal)
    at = text.find(literal)
    while at >= 0:
        # the border first: a long run of letters is then looked at once and not from each of its places
        found = pattern.match(text, at) if border is None or border.match(text, at) else None
        if found:
            yield found
        at = text.find(literal, found.end() if found else at + len(literal))


def dense(text: str) -> str:
    """The long unbroken pieces of ``text``: every key stands in one, and they are a tenth of ordinary text."""
    return "\n".join(_DENSE.findall(text))


def vendor_spans(text: str, pieces: str | None = None) -> Iterator[Span]:
    """All vendor keys in ``text``, in no order; spans may overlap. ``pieces`` is `dense` of it, if known already."""
    pieces = dense(text) if pieces is None else pieces
    if not pieces:
        return
    for rule in _RULES:
        for literal in rule.literals:
            if literal not in pieces:
                continue
            for found in _places(rule, literal, text):
                start = found.start()
                if not _real(rule, found[0]):
                    continue
                if inside := _INSIDE.get(literal):
                    if before := inside.search(text, max(0, start - 24), start):
                        yield Span(before.start(), found.end(), rule.name)
                else:
                    yield Span(start, found.end(), rule.name)
