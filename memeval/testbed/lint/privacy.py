"""Checks of documents and wordings for personal data and secrets, which a published store must not hold."""

from __future__ import annotations

import ipaddress
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from memeval.testbed.lint.finding import ERROR, WARNING, Finding, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One kind of thing that must not stand in a store."""

    name: str
    what: str
    severity: str
    regex: re.Pattern[str]
    counts: Callable[[re.Match[str]], bool] = lambda match: True
    """Whether a match is meant; False for reserved names, documentation ranges and placeholders."""


_RESERVED_NAME = re.compile(
    r"(?:.*\.)?(?:example\.(?:com|org|net|edu)|example|test|invalid|localhost|local|internal|lan|home\.arpa)",
    re.IGNORECASE,
)
"""Names that belong to nobody: RFC 2606, RFC 6761, RFC 6762, RFC 8375, and .internal and .lan for private use."""
_SERVICE_USERS = frozenset({"git", "noreply", "no-reply", "mailer-daemon"})
_PUBLIC_RESOLVERS = frozenset({"1.0.0.1", "1.1.1.1", "8.8.4.4", "8.8.8.8", "9.9.9.9"})
_SAMPLE_USERS = frozenset({"user", "username", "you", "me", "name", "runner", "app", "ubuntu", "debian", "node"})
_MIN_ENTROPY_BITS = 3.0
"""Bits per character from which on an assigned value looks drawn at random, not typed."""


def _is_somebody(match: re.Match[str]) -> bool:
    return match["user"].lower() not in _SERVICE_USERS and not _RESERVED_NAME.fullmatch(match["host"])


def _is_public_address(match: re.Match[str]) -> bool:
    try:
        address = ipaddress.IPv4Address(match.group())
    except ValueError:
        return False
    return address.is_global and not address.is_multicast and str(address) not in _PUBLIC_RESOLVERS


def _is_random(match: re.Match[str]) -> bool:
    value = match["value"]
    shares = [count / len(value) for count in Counter(value).values()]
    mixed = any(character.isdigit() for character in value) and any(character.isalpha() for character in value)
    return mixed and -sum(share * math.log2(share) for share in shares) >= _MIN_ENTROPY_BITS


def _is_no_sample(match: re.Match[str]) -> bool:
    return "example" not in match.group().lower()


PATTERNS = (
    Pattern(
        name="email",
        what="an e-mail address; use one at example.org",
        severity=ERROR,
        regex=re.compile(r"(?<![\w.+-])(?P<user>[\w.+-]+)@(?P<host>(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,})(?![\w-])"),
        counts=_is_somebody,
    ),
    Pattern(
        name="public-address",
        what="a public IPv4 address; use a private one, or one of 192.0.2.0/24, 198.51.100.0/24, 203.0.113.0/24",
        severity=ERROR,
        regex=re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)", re.ASCII),
        counts=_is_public_address,
    ),
    Pattern(
        name="private-key",
        what="a private key",
        severity=ERROR,
        regex=re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    ),
    Pattern(
        name="token",
        what="a token in the form of a known service",
        severity=ERROR,
        regex=re.compile(
            r"(?<![A-Za-z0-9_])(?:(?:AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,}"
            r"|glpat-[A-Za-z0-9_-]{20,}|xox[abeprs]-[A-Za-z0-9-]{10,}|sk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}"
            r"|AIza[A-Za-z0-9_-]{35}|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{32,}|hf_[A-Za-z0-9]{30,}"
            r"|(?:sk|rk)_live_[A-Za-z0-9]{16,}|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})"
        ),
        counts=_is_no_sample,
    ),
    Pattern(
        name="assigned-secret",
        what="a value that looks random, assigned to a secret's name; write a placeholder",
        severity=ERROR,
        regex=re.compile(
            r"(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key)[\"']?\s*[:=]\s*[\"']?"
            r"(?P<value>[A-Za-z0-9+/_=-]{16,})",
            re.IGNORECASE,
        ),
        counts=_is_random,
    ),
    Pattern(
        name="home-folder",
        what="the home folder of somebody; write ~",
        severity=WARNING,
        regex=re.compile(r"(?:/home/|/Users/|[A-Z]:\\Users\\)(?P<user>[\w.-]+)"),
        counts=lambda match: match["user"].lower() not in _SAMPLE_USERS,
    ),
)
"""What is looked for, and why a match may be harmless."""


def check_privacy(subject: Subject) -> Iterator[Finding]:
    """Personal data and secrets in documents, line by line, and in wordings; the finding does not repeat them."""
    for document in subject.suite.corpus.documents:
        for number, line in enumerate(document.text.split("\n"), start=1):
            for pattern in find_private(line):
                yield subject.at_document(
                    pattern.severity,
                    "private-data",
                    document.doc_id,
                    f"holds {pattern.what}",
                    line=number,
                    terms=(pattern.name,),
                )
    for need in subject.suite.needs:
        for index, wording in enumerate(need.wordings):
            for pattern in find_private(wording.text):
                message = f"holds {pattern.what}"
                terms = (pattern.name,)
                yield subject.at_wording(pattern.severity, "private-data", need, index, message, terms, quote=False)


def find_private(text: str) -> Iterable[Pattern]:
    """The patterns that a text has a match of that counts, in the order of PATTERNS."""
    return [pattern for pattern in PATTERNS if any(pattern.counts(match) for match in pattern.regex.finditer(text))]
