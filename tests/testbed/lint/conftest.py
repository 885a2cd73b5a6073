"""Suites in memory, and the findings of one rule."""

import pytest

from memeval.memory.document import Document, Tier
from memeval.testbed.corpus import Corpus, digest_documents
from memeval.testbed.lint import lint_suite
from memeval.testbed.needs import Need, Suite, Wording, digest_needs

FILLER = {f"notes/filler-{number}.md": f"filler{number}" for number in range(60)}


@pytest.fixture
def make_suite():
    """A function: a suite with these needs over these files and 60 others, so that no cutoff is crowded."""

    def make(needs, files=None, *, filler=True, lang="en", languages=("en",), blind=None, kind="recall", root=None):
        texts = {**(FILLER if filler else {}), **(files or {})}
        documents = tuple(
            Document(doc_id=doc_id, path=doc_id, tier=Tier.NOTE, name=doc_id.rsplit("/", 1)[-1], text=text)
            for doc_id, text in sorted(texts.items())
        )
        corpus = Corpus(
            name="shop",
            documents=documents,
            digest=digest_documents(documents),
            languages=languages,
            blind=blind,
            root=root,
        )
        return Suite(
            name="shop",
            path="shop.recall.yaml",
            corpus=corpus,
            needs=tuple(needs),
            digest=digest_needs(needs),
            lang=lang,
            kind=kind,
        )

    return make


@pytest.fixture
def make_need():
    """A function: a need for `notes/ports.md` with these wordings, texts or Wording fields."""

    def make(*wordings, id="ports", expected=("notes/ports.md",), evidence="6380", **fields):
        return Need(
            id=id,
            expected=expected if isinstance(expected, dict) else dict.fromkeys(expected, 1),
            wordings=tuple(
                Wording(**wording) if isinstance(wording, dict) else Wording(text=wording) for wording in wordings
            ),
            evidence=evidence if expected else None,
            **fields,
        )

    return make


@pytest.fixture
def find():
    """A function: the findings of a suite with one code."""

    def find_code(suite, code, **options):
        return [finding for finding in lint_suite(suite, **options) if finding.code == code]

    return find_code
