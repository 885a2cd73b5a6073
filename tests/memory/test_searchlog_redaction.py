"""The search log without secrets: what is replaced, what stays, and hashes in place of words."""

from __future__ import annotations

import re

import pytest

from memeval.memory import SearchLog, read_search_log
from memeval.memory.searchlog import REDACTIONS, redact
from memeval.testbed.lint.privacy import find_private
from tests.memory.logged import open_logged

SECRETS = {
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nabc\n-----END RSA PRIVATE KEY-----",
    "torn private key": "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA",
    "address": "hunter2@",
    "AWS id": "AKIA" + "ABCDEFGH23456789",
    "AWS secret": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzSECRETKE",
    "GitHub": "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
    "GitLab": "glpat-" + "abcdEFGH1234ijkl5678",
    "Slack": "xoxb-" + "123456789012-abcdefghijkl",
    "sk": "sk-proj-" + "abcdEFGH1234ijklMNOP5678",
    "Google": "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w",
    "random": "Zk3v9QwLr8TyB2nXc5MdFg7Hs1Jp4Ka6",
}
AROUND = {"address": "postgres://app:{}db.internal/shop", "AWS secret": "key {} end"}


@pytest.mark.parametrize("name", SECRETS)
def test_known_forms_of_secrets_never_reach_the_log(filled, name):
    """Keys and tokens are replaced wherever they stand, the words around them stay."""
    secret = SECRETS[name]
    query = AROUND.get(name, "why does {} fail").format(secret)
    open_logged(filled).search(query)
    written = (filled.root / "searchlog.jsonl").read_text(encoding="utf-8")
    assert secret.strip("@").split("\n")[-1] not in written
    assert "[redacted:" in written
    assert query.split()[0].split(":")[0] in written


@pytest.mark.parametrize(
    "query",
    [
        "password=hunter2",
        "PASSWORD: hunter2",
        "db_password = 'hunter2 with blanks'",
        '{"api_key": "hunter2"}',
        "secretKey=>hunter2",
        "aws_secret_access_key=hunter2",
        "token:hunter2",
        "passphrase=hunter2",
        "login --password hunter2",
        "密碼：hunter2",
        "パスワード=hunter2",
        "비밀번호: hunter2",
        "Authorization: Bearer hunter2hunter2",
        "https://me:hunter2@example.org/",
        "redis://:hunter2@cache:6379/0",
    ],
)
def test_what_is_assigned_to_a_secrets_name_is_redacted(query):
    """The value goes, the name stays."""
    assert "hunter2" not in redact(query)
    assert "[redacted:" in redact(query)


@pytest.mark.parametrize(
    "query",
    [
        "where is the redis password",
        "rotate api key",
        "secret rotation schedule",
        "token budget 4096",
        "tokenizer: which one",
        "basic authentication",
        "commit 8cd7d51f0a6b1c2d3e4f5a6b7c8d9e0f1a2b3c4d",
        "projects/shop-1a2b3c4d/notes/redis-deploy.md",
        "https://example.org/docs?page=2",
        "重試 上限",
        "test_processes_lose_and_tear_no_line",
    ],
)
def test_ordinary_queries_stay_as_they_are(query):
    """A question about a secret is not a secret; nor is a hash of a commit, a path, a long name."""
    assert redact(query) == query


def test_redaction_covers_what_lint_takes_for_a_secret():
    """Whatever the lint of published stores would refuse in a wording is gone from a logged query."""
    for secret in SECRETS.values():
        for text in (secret, f"token={secret}", f"the key {secret}, again"):
            assert not [pattern.name for pattern in find_private(redact(text)) if pattern.name != "email"]


def test_every_redaction_has_a_sample():
    """No pattern of the list is there that nothing is caught by."""
    samples = [*SECRETS.values(), "postgres://a:b@c", "Bearer abcdefgh12345678", "pwd=x", "--password x"]
    assert [name for name, pattern in REDACTIONS if not any(re.search(pattern, sample) for sample in samples)] == []


def test_a_salt_hides_the_words_and_keeps_their_returns(filled):
    """With a salt no word of a query is written; the same word has the same hash, in another case too."""
    log = SearchLog(filled.root / "searchlog.jsonl", salt="s")
    memory = open_logged(filled, search_log=log)
    memory.search("redis port")
    memory.search("Port conflict")
    open_logged(filled, search_log=SearchLog(log.path, salt="t")).search("port")
    first, second, third = read_search_log(log.path).events
    written = log.path.read_text(encoding="utf-8")
    assert '"query"' not in written
    assert "conflict" not in written
    assert [len(each.term_hashes) for each in (first, second, third)] == [2, 2, 1]
    assert first.term_hashes[1] == second.term_hashes[0]
    assert set(first.term_hashes) & set(second.term_hashes) == {first.term_hashes[1]}
    assert third.term_hashes[0] not in (*first.term_hashes, *second.term_hashes)
    assert "salt=" not in repr(log)
