"""Personal data and secrets."""

import pytest

from memeval.testbed.lint.privacy import PATTERNS, find_private

# put together here, so that no scanner takes this file for a leak
PRIVATE = {
    "email": ["write to ada@lovelace.co.uk", "<j.doe+x@corp.io>", "寄給 mina@lotline.com。"],
    "public-address": ["ssh 93.184.216.34", "http://81.2.69.160:8080/", "(51.15.0.1)"],
    "private-key": ["-----BEGIN " + "OPENSSH PRIVATE KEY-----", "-----BEGIN " + "PRIVATE KEY-----"],
    "token": [
        "AKIA" + "Q3EGRIWZ7LMNOPQR",
        "ghp_" + "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8",
        "xoxb-" + "123456789012-abcdef",
        "sk-" + "proj-a1B2c3D4e5F6g7H8i9J0k1",
        "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NSJ9.abcdefghijk",
    ],
    "assigned-secret": ["API_KEY=" + "9f8e7d6c5b4a39281706", 'password: "' + 'Tr0ub4dor3xQz91k"'],
    "home-folder": ["/home/ada/notes", "/Users/mina/x", "C:\\Users\\jun\\x"],
}
HARMLESS = [
    "ops@example.org, x@mail.example.com, hall@pier.internal, a@b.test, git@github.com, deploy@kelp-db1",
    "10.44.0.12, 192.168.1.1, 127.0.0.1, 192.0.2.7, 198.51.100.9, 203.0.113.5, 0.0.0.0, 224.0.0.251, 1.1.1.1",
    "version 1.2.3.4.5, 300.1.2.3, v1.2.3.4",
    "AKIAIOSFODNN7EXAMPLE",
    "-----BEGIN CERTIFICATE-----, -----BEGIN PUBLIC KEY-----",
    "password: changemechangeme, token = TOKEN_FROM_VAULT_HERE, secret: aaaaaaaaaaaaaaaa1111, api_key: <from sops>",
    "/home/user/x, /home/you/x, ~/notes, /Users/runner/work",
    "commit 3f2a9c1b7d8e4f5061728394a5b6c7d8e9f01234",
]


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in PRIVATE.items() for text in texts])
def test_private_data_is_found(name, text):
    """Each pattern finds what it is for, and no other pattern takes it for something else."""
    assert [pattern.name for pattern in find_private(text)] == [name]


@pytest.mark.parametrize("text", HARMLESS)
def test_reserved_and_invented_values_are_harmless(text):
    """Reserved names, documentation ranges, placeholders and hashes are what an invented store is made of."""
    assert list(find_private(text)) == []


def test_every_pattern_is_tested():
    """No pattern goes without an example."""
    assert {pattern.name for pattern in PATTERNS} == set(PRIVATE)


def test_findings_name_the_line_and_not_the_secret(make_suite, make_need, find):
    """A document's finding has its line, a wording's its place; neither repeats what must not be repeated."""
    secret = PRIVATE["token"][0]
    suite = make_suite([make_need("redis", f"what is {secret}")], {"notes/ports.md": f"6380 redis\n\nkey {secret}"})
    in_file, in_wording = find(suite, "private-data")
    assert in_file.place == "notes/ports.md:3"
    assert (in_wording.need, in_wording.wording) == ("ports", 1)
    assert {in_file.severity, in_wording.severity} == {"error"}
    assert secret not in f"{in_file}{in_wording}{in_file.terms}{in_wording.terms}"
