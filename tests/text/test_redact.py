from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.errors import UsageError
from agent_memory.text.private import PrivateSpans, hide_private
from agent_memory.text.redact import Redactor, redact, redact_value
from agent_memory.text.redact_light import redact_light

A20 = "a1B2c3D4e5F6g7H8i9J0"
KEYS = {
    "anthropic": f"sk-ant-api03-{A20}{A20}",
    "openai": f"sk-{A20}T3BlbkFJ{A20}",
    "openai project": f"sk-proj-{A20}{A20}",
    "xai": f"xai-{A20}{A20}",
    "google": f"AIzaSy{A20}a1B2c3D4e5F6g",
    "github": f"ghp_{A20}a1B2c3D4e5F6g7H8",
    "github fine": f"github_pat_{A20}_{A20}",
    "gitlab": f"glpat-{A20}",
    "slack": "xoxb-123456789012-123456789012-abcDEF123456abcDEF123456",
    "stripe": f"sk_live_{A20}a1B2",
    "stripe webhook": f"whsec_{A20}{A20}",
    "npm": f"npm_{A20}a1B2c3D4e5F6g7H8",
    "pypi": f"pypi-AgEIcHlwaS5vcmc{A20}{A20}{A20}{A20}",
    "huggingface": f"hf_{A20}a1B2c3D4e5F6g7",
    "twilio": "SK0123456789abcdef0123456789abcdef",
    "sendgrid": "SG.a1B2c3D4e5F6g7H8i9J0ab.a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0abc",
    "telegram": "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawE",
    "digitalocean": "dop_v1_" + "0123456789abcdef" * 4,
    "databricks": "dapi0123456789abcdef0123456789abcdef",
    "shopify": "shpat_0123456789abcdef0123456789abcdef",
    "linear": f"lin_api_{A20}{A20}",
    "notion": f"ntn_{A20}{A20}",
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "discord": "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
    "age": "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" * 2,
}
PLACES = ("{}", "key: {}", "TOKEN={}", '"{}"', "see {}, thanks", "curl -H 'X-Key: {}' x", "a\n{}\nb", "(`{}`)")


@pytest.mark.parametrize("vendor", KEYS)
def test_vendor_key_is_taken_out_wherever_it_stands(vendor: str) -> None:
    key = KEYS[vendor]
    for place in PLACES:
        assert key not in redact(place.format(key)).text, place
    assert key not in redact(json.dumps({"o": f"line\n{key}\nline"})).text
    assert key not in json.dumps(redact_value({"o": [f"line\n{key}", {"p": key}]})[0])


@pytest.mark.parametrize("text", [
    "a risk-based approach to disk-space and task-sk-learn",
    "commit 06a5dc8a975c5c41794c16d79879cfe5547f6d24 and 9f2c1aa",
    "id 5c1e0b52-6f0d-4f5e-9a44-2b7b0f6a9d10",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
    "password: ${DB_PASSWORD}", 'password = "<your password>"', "API_KEY=your-api-key", "TOKEN=$TOKEN", "token: string",
    "max_tokens: 128000, input_tokens=2042", "def login(password: str, token: str | None = None):",
    "self.token = token", "token = get_token()", 'secret = os.environ["SECRET"]', "const token = await fetchToken(user)",
    "The token is sent in a header. The password is checked later.", "https://user:${PASSWORD}@host/path",
    "ssh git@github.com:acme/shop.git", "see https://example.com:8080/a@b", "secretary: Anna, pinned: true",
    "skills/sk-hynix-memory.md", "the secret is to rest the dough", "Bearer tokens are fine", "sha256:" + "ab12" * 16,
    "docker run --token-file /run/secrets/token", "x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "password reset works now",
    "if api_key is None:", "password=azure_password,", "token = Token.Name.Builtin", "api_key=credentials.api_key, x", "password: Optional[HiddenText]",
    "async def f(self, authorization: SubscriptionAuthorization) -> None:", "use the --username and --password options", "token == name_parts[1],",
])
def test_ordinary_text_stays_untouched(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(("text", "secret"), [
    ("DATABASE_URL=postgres://app:hunter2-not-real@db.internal:5432/app", "hunter2-not-real"),
    ("redis://:p4ssw0rd@localhost", "p4ssw0rd"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"),
    ("AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "K7MDENG"),
    ('{"api_token": "cloud0token1real3abcdef4567"}', "cloud0token1"),
    ('{\\"db_password\\": \\"Lesesaal-1907\\"}', "Lesesaal-1907"),
    ("db_password: lesesaal", "lesesaal"), ("nexusPassword=nexus-88-x", "nexus-88-x"), ("API_KEY_PROD=abc123def456", "abc123"),
    ('password: "correct horse battery"', "horse"), ("Authorization: Bearer abcdefghijklmnop1234", "abcdefghijklmnop1234"),
    ("authorization: Basic YWxhZGRpbjpvcGVuc2VzYW1l", "YWxhZGRpbjpvcGVuc2VzYW1l"), ("curl -u alice:s3cr3t! https://x.y", "s3cr3t!"),
    ("Cookie: sid=abc123def; theme=dark", "abc123def"), ("Set-Cookie: session=zzz999zzz; Path=/", "zzz999zzz"),
    ("deploy --password=geheim123 now", "geheim123"), ("deploy --api-key k9k9k9k9 now", "k9k9k9k9"),
    ("the password is hunter2!", "hunter2"), ("//registry.npmjs.org/:_authToken=01234567-89ab-cdef-0123-456789abcdef", "01234567"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0abc\nMIIEpAIBAAKCAQEA0abd\n-----END RSA PRIVATE KEY-----", "MIIEpAIBAAKCAQEA0ab"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\\nb3Blbn", "b3Blbn"),
    ("cut\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n-----END PRIVATE KEY-----\nrest", "b3Blbn"),
    ("AccountKey=" + "Ab1/" * 21 + "Ab==;", "Ab1/Ab1/"), ("password|hunter22", "hunter22"),
])
def test_secret_known_by_its_place_is_taken_out(text: str, secret: str) -> None:
    assert secret not in redact(text).text
    assert secret not in redact_light(text)


def test_text_around_a_private_key_stays() -> None:
    text = "before\n-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0abcMIIEpAIBAAKCAQEA0abc\n-----END PRIVATE KEY-----\nafter it"
    assert redact(text).text == "before\n[redacted:private-key]\nafter it"
    cut = "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0abcMIIEpAIBAAKCAQEA0abc\nThe rest of the note stays"
    assert redact(cut).text.endswith("The rest of the note stays")


def test_private_span_nested_upper_case_with_attributes_and_over_lines_is_hidden() -> None:
    text = "a <PRIVATE why='x'>b <private>c</private>\nd</Private> e"
    assert hide_private(text) == ("a [redacted:private] e", 1)


def test_unclosed_private_span_hides_to_the_end_of_the_message_over_blocks() -> None:
    assert Redactor().blocks(["a <private>b", "c", "d"]) == ["a [redacted:private]", "[redacted:private]", "[redacted:private]"]
    assert Redactor().blocks(["a <private>b", "c</private> d"]) == ["a [redacted:private]", "[redacted:private] d"]
    assert hide_private("x <private customer Acme")[0] == "x [redacted:private]"


def test_private_in_a_word_or_a_custom_element_is_no_span() -> None:
    for text in ("<private-note>hi</private-note>", "private fields, a<b", "<private/> shown"):
        assert hide_private(text) == (text, 0)


def test_secret_as_a_list_of_byte_values_is_found_in_text_and_in_data() -> None:
    values = list(b"echo ghp_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8 done")
    assert str(values[9])[:2] + ", " + str(values[10]) not in redact(str(values)).text or "[redacted:" in redact(str(values)).text
    text = redact(f"output {values} end").text
    assert "[redacted:github-token]" in text
    assert text.startswith("output [101, 99, 104, 111, 32, [redacted:")
    assert text.endswith(", 100, 111, 110, 101] end")
    assert "[redacted:github-token]" in redact_value({"stdout": values})[0]["stdout"][0]


def test_byte_values_without_a_secret_stay() -> None:
    values = list(b"plain words only, nothing to see here")
    assert redact(str(values)).text == str(values)
    assert redact_value(values)[0] == values


def test_value_behind_a_secret_name_in_data_is_taken_out_and_numbers_stay() -> None:
    data, counts = redact_value({"token": "abcd-1234-efgh", "max_tokens": 5, "args": ["--password", "geheim"], "env": {"DB_PASSWORD": "x y z"}})
    assert data == {"token": "[redacted:field]", "max_tokens": 5, "args": ["--password", "[redacted:option]"],
                    "env": {"DB_PASSWORD": "[redacted:field]"}}
    assert counts == {"field": 2, "option": 1}


def test_counts_name_the_rule_and_never_the_secret() -> None:
    found = redact("ghp_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8 <private>x</private>")
    assert found.counts == {"github-token": 1, "private": 1}


def test_own_pattern_is_applied() -> None:
    assert redact("project Nightjar ships", (r"Night\w+",)).text == "project [redacted:pattern] ships"


@pytest.mark.parametrize("pattern", ["(", "a*", r"(a+)+$", r"(a|aa)+$", r"([a-z]+)*x", ".*" * 9 + "x"])
def test_bad_own_pattern_is_refused_by_name(pattern: str) -> None:
    with pytest.raises(UsageError) as caught:
        redact("x", (r"ok\d", pattern))
    assert "pattern 2" in caught.value.message
    assert caught.value.hint


def test_letter_that_grows_in_lower_case_does_not_shift_the_place() -> None:
    assert "hunter22" not in redact("İİİİ password=hunter22").text
    assert redact("İİİİ password=hunter22").text.startswith("İİİİ password=")


@pytest.mark.parametrize("unit", ["token=", "eyJ", "-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----", "<private", "1, ", "://a:", "a" * 20 + " ",
                                  "password='", "eyJhbGciOi.eyJ", "A" * 20 + "  \n", "cookie: a=", "\\", "&lt;agent-utilities-memory"])
def test_hostile_repetition_comes_to_an_end(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    assert redact(redact(text).text).text == redact(text).text


PIECES = st.lists(st.one_of(
    st.sampled_from([*KEYS.values(), "<private>", "</private>", "[redacted:x]", "password=", "token: ", "://a:", "@h", "'", '"', "\\n", "\n",
                     " ", "Bearer ", "Authorization: ", "-----BEGIN PRIVATE KEY-----", "[115, 107, 45, 97, 110, 116, 45, 97, 98]", "=", "İ"]),
    st.text(max_size=12)), max_size=14).map("".join)


@settings(max_examples=150, deadline=None)
@given(PIECES)
def test_redacting_twice_equals_redacting_once(text: str) -> None:
    once = redact(text, (r"q\d+",)).text
    assert redact(once, (r"q\d+",)).text == once
    light = redact_light(text)
    assert redact_light(light) == light


@settings(max_examples=100, deadline=None)
@given(PIECES, st.lists(st.integers(0, 200), max_size=4))
def test_private_spans_over_blocks_hide_what_one_block_hides(text: str, cuts: list[int]) -> None:
    places = sorted({min(c, len(text)) for c in cuts})
    if any(text[p - 1:p + 1] and "<" in text[max(0, p - 12):p] and ">" in text[p:p + 12] for p in places):
        return  # a cut inside a tag is another text
    blocks = [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]
    spans = PrivateSpans()
    shown = "".join(spans.hide(b) for b in blocks).replace("[redacted:private]", "")
    assert shown == hide_private(text)[0].replace("[redacted:private]", "")
