"""What a corpus is: its files by tier, bytes, scripts, dates, near-duplicates and aliases, as values and as text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median_low

from memeval.memory.aliases import find_aliases
from memeval.memory.document import Document, Tier
from memeval.testbed.corpus import Corpus
from memeval.testbed.duplicates import NEAR_DUPLICATE_RESEMBLANCE, DuplicatePair, find_near_duplicates
from memeval.testbed.scripts import count_scripts
from memeval.testbed.storekinds import find_kind
from memeval.text import count, split_lines, utf8_length

MAX_PAIRS_SHOWN = 10
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TierSize:
    """How much of a store one tier is."""

    tier: Tier
    files: int
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusDescription:
    """What can be counted about a corpus."""

    corpus: Corpus
    """Without its aliases put in."""
    tiers: tuple[TierSize, ...]
    """Those that have a file, in the order of Tier."""
    largest: str
    """doc_id of the largest file, the first of equals."""
    largest_bytes: int
    median_bytes: int
    """The median size; of an even number of files the lower of the middle two."""
    most_lines: int
    """Of one file."""
    script_letters: Mapping[str, int]
    """{script: letters} over all files; see `count_scripts`."""
    script_files: Mapping[str, int]
    """{script: files with a letter of it}."""
    first_day: str | None
    """Of the logs named after a day, `YYYY-MM-DD`; None without one."""
    last_day: str | None
    days: int
    """Logs named after a day."""
    duplicates: tuple[DuplicatePair, ...]
    own_aliases: Mapping[str, int]
    """{doc_id: aliases that stand in the file}, for files with any."""
    overlay_aliases: Mapping[str, int]
    """{doc_id: aliases of the overlay}, for files with any."""

    @property
    def files(self) -> int:
        """Files a search sees."""
        return len(self.corpus.documents)

    @property
    def size_bytes(self) -> int:
        """Their UTF-8 bytes."""
        return sum(tier.size_bytes for tier in self.tiers)


def describe_corpus(corpus: Corpus, aliases: Mapping[str, Sequence[str]] | None = None) -> CorpusDescription:
    """What can be counted about a corpus.

    Args:
        corpus: with one document at least, and without the aliases of an overlay put in.
        aliases: {doc_id: aliases} of its overlay, where it has one.
    """
    sizes = {document.doc_id: utf8_length(document.text) for document in corpus.documents}
    largest = min(sizes, key=lambda doc_id: (-sizes[doc_id], doc_id))
    scripts = [count_scripts(unicodedata.normalize("NFKC", document.text)) for document in corpus.documents]
    letters: Counter[str] = Counter()
    for counts in scripts:
        letters.update(counts)
    held = Counter(script for counts in scripts for script in counts)
    days = sorted(document.date for document in corpus.documents if document.date and _is_day(document.date))
    own = {document.doc_id: len(find_aliases(document.text)) for document in corpus.documents}
    return CorpusDescription(
        corpus=corpus,
        tiers=_measure_tiers(corpus.documents),
        largest=largest,
        largest_bytes=sizes[largest],
        median_bytes=median_low(sizes.values()),
        most_lines=max(len(split_lines(document.text)) for document in corpus.documents),
        script_letters=dict(letters),
        script_files=dict(held),
        first_day=days[0] if days else None,
        last_day=days[-1] if days else None,
        days=len(days),
        duplicates=find_near_duplicates(corpus.documents),
        own_aliases={doc_id: count for doc_id, count in own.items() if count},
        overlay_aliases={doc_id: len(words) for doc_id, words in (aliases or {}).items() if words},
    )


def render_description(description: CorpusDescription) -> str:
    """The description for a reader, one fact to a line, without a final newline."""
    corpus = description.corpus
    kind = find_kind(corpus.kind)
    facts = [
        ("what", kind.description if kind else corpus.kind),
        ("project", corpus.project or "none"),
        ("languages", ", ".join(corpus.languages) or "not said"),
        ("licence", corpus.licence or "not said"),
        ("blind", {True: "yes", False: "no", None: "not said"}[corpus.blind]),
        ("files", _describe_tiers(description)),
        ("bytes", describe_sizes(description)),
        ("scripts", describe_scripts(description)),
        ("logs", describe_days(description)),
        ("near-duplicates", describe_duplicates(description.duplicates)),
        ("aliases", describe_aliases(description)),
        ("digest", corpus.digest),
    ]
    width = max(len(name) for name, _ in facts) + 2
    lines = [_make_visible(corpus.name), *(f"  {name:<{width}}{_make_visible(value)}" for name, value in facts)]
    lines += [
        f"    {pair.resemblance:.0%}  {_make_visible(pair.first)}  {_make_visible(pair.second)}"
        for pair in description.duplicates[:MAX_PAIRS_SHOWN]
    ]
    return "\n".join(lines)


def _measure_tiers(documents: Sequence[Document]) -> tuple[TierSize, ...]:
    sizes = {tier: [utf8_length(document.text) for document in documents if document.tier is tier] for tier in Tier}
    return tuple(TierSize(tier=tier, files=len(held), size_bytes=sum(held)) for tier, held in sizes.items() if held)


def _is_day(text: str) -> bool:
    try:
        return len(text) == 10 and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _describe_tiers(description: CorpusDescription) -> str:
    tiers = [f"{tier.files:,} {tier.tier.value.replace('_', '-')}" for tier in description.tiers]
    return f"{description.files:,} ({', '.join(tiers)})"


def describe_sizes(description: CorpusDescription) -> str:
    """How many bytes there are, and how large files are."""
    return (
        f"{description.size_bytes:,}; the median file has {description.median_bytes:,}, "
        f"the largest {description.largest_bytes:,} ({description.largest}); "
        f"the longest has {count(description.most_lines, 'line')}"
    )


def describe_scripts(description: CorpusDescription) -> str:
    """Each script's share of the letters, the most frequent first."""
    total = sum(description.script_letters.values())
    ordered = sorted(description.script_letters.items(), key=lambda item: (-item[1], item[0]))
    return (
        ", ".join(
            f"{script} {letters / total:.1%} of the letters, in {count(description.script_files[script], 'file')}"
            for script, letters in ordered
        )
        or "no letter"
    )


def describe_days(description: CorpusDescription) -> str:
    """How many logs there are, and over which days."""
    if description.first_day is None or description.last_day is None:
        return "none named after a day"
    span = (date.fromisoformat(description.last_day) - date.fromisoformat(description.first_day)).days + 1
    return f"{description.days:,}, {description.first_day} to {description.last_day} ({count(span, 'day')})"


def describe_duplicates(pairs: Sequence[DuplicatePair]) -> str:
    """How many pairs of files are nearly the same."""
    share = f"{NEAR_DUPLICATE_RESEMBLANCE:.0%}"
    if not pairs:
        return f"no two files have {share} of their shingles in common"
    shown = f"; {MAX_PAIRS_SHOWN} shown" if len(pairs) > MAX_PAIRS_SHOWN else ""
    return f"{len(pairs):,} {'pair' if len(pairs) == 1 else 'pairs'} with {share} of their shingles in common{shown}"


def describe_aliases(description: CorpusDescription) -> str:
    """How many aliases there are, for how many files, and where they stand."""
    parts = [
        f"{sum(counts.values()):,} {where} {count(len(counts), 'file')}"
        for where, counts in (
            ("in", description.own_aliases),
            ("in the overlay for", description.overlay_aliases),
        )
        if counts
    ]
    return ", ".join(parts) or "none"


def _make_visible(text: str) -> str:
    """The text on one line, control characters as escapes, so that a file name cannot forge a line."""
    return _CONTROL.sub(lambda match: ascii(match.group())[1:-1], text)
