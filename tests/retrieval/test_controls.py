"""Floors and the ceiling."""

from __future__ import annotations

from collections import Counter

from memeval.retrieval.controls import rank_by_answers, rank_by_filename, rank_by_recency, rank_randomly


def ids(hits):
    return [hit.doc_id for hit in hits]


def test_random_is_a_permutation_of_seed_and_query(documents):
    """All documents, the same for the same seed and query, another order for another seed or another query."""
    rank = rank_randomly(documents, 1)
    assert sorted(ids(rank("port"))) == sorted(document.doc_id for document in documents)
    assert rank("port") == rank_randomly(documents, 1)("port")
    assert ids(rank("port")) != ids(rank("redis"))
    assert ids(rank("port")) != ids(rank_randomly(documents, 2)("port"))


def test_random_draws_are_pinned(make_document):
    """The order for one seed and query is part of a stored result, on any machine and any Python."""
    rank = rank_randomly([make_document(f"{letter}.md", "") for letter in "abcdef"], 0)
    assert "".join(doc_id[0] for doc_id in ids(rank("port"))) == "adbcef"


def test_random_favours_no_document(make_document):
    """Over 3,000 queries each of six documents comes first about 500 times (within five standard deviations)."""
    rank = rank_randomly([make_document(f"{letter}.md", "") for letter in "abcdef"], 0)
    first = Counter(ids(rank(f"query {i}"))[0] for i in range(3000))
    assert len(first) == 6
    assert all(abs(count - 500) < 5 * 20.5 for count in first.values())


def test_recency_takes_the_newest_log_first(documents):
    """Logs by falling date, then the others by doc_id; a log that bears no date is one of the others."""
    ranked = ids(rank_by_recency(documents)("whatever"))
    dated = ["projects/shop/daily/2026-03-30.md", "projects/shop/daily/2026-03-28.md"]
    assert ranked[:2] == dated
    assert ranked[2:] == sorted(document.doc_id for document in documents if document.doc_id not in dated)


def test_filename_counts_distinct_tokens_of_the_query(make_document):
    """Repeats in the query or in the name count once; the text does not count; ties by doc_id."""
    names = ["notes/redis-deploy.md", "notes/redis-redis.md", "notes/部署設定.md", "notes/other.md"]
    rank = rank_by_filename([make_document(name, "redis deploy") for name in names])
    hits = rank("Redis redis DEPLOY steps")
    assert [(hit.doc_id, hit.score) for hit in hits] == [(names[0], 2.0), (names[1], 1.0)]
    assert ids(rank("監視設定")) == [names[2]]
    assert rank("steps") == ()


def test_oracle_knows_the_answers_and_nothing_else(documents):
    """Relevant documents by grade; a grade of 0, an unknown file and an unknown query rank nothing."""
    note, log = "projects/shop/notes/中文.md", "projects/shop/daily/2026-03-30.md"
    rank = rank_by_answers(documents, {"port": {note: 3, "MEMORY.md": 0, log: 1, "gone.md": 2}})
    assert [(hit.doc_id, hit.score) for hit in rank("port")] == [(note, 3.0), (log, 1.0)]
    assert rank("Port") == ()
