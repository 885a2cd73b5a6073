"""What a log teaches: which terms of failed wordings are proposed, for which file, and in what form."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from memeval.bench.aliaslearning import (
    ALL_FOUND,
    ELSEWHERE,
    FOUND_AT_ONCE,
    HELD,
    NO_NOTE,
    NOT_STORED,
    WRITTEN_LATER,
    LearningRules,
    Lesson,
    choose_note,
    gather_aliases,
    learn_from_needs,
    learn_from_suite,
    propose_aliases,
)
from memeval.bench.run import evaluate
from memeval.bench.suite import load_suite
from memeval.memory.document import Document, Tier
from memeval.sessions import Evidence, Existence, find_needs
from memeval.sessions.distill import ELSEWHERE as NOT_IN_CORPUS
from memeval.sessions.distill import NO_ANSWER, NO_WORDS
from memeval.sessions.events import Read, Search, UserTurn
from memeval.sessions.transcript import sort_events
from memeval.testbed.aliaspatch import Evidence as Spoken
from memeval.testbed.corpus import load_corpus

NOON = datetime(2026, 7, 3, 12, tzinfo=timezone.utc)
PROJECT = "shop-1a2b3c4d"
REDIS = f"projects/{PROJECT}/notes/redis-deploy.md"
DAILY = f"projects/{PROJECT}/daily/2026-03-28.md"


def note(name: str, text: str, tier: Tier = Tier.NOTE) -> Document:
    """A document in memory."""
    return Document(doc_id=f"{name}.md", path=f"{name}.md", tier=tier, name=f"{name}.md", text=text)


def propose(*wordings: str, text: str = "Redis listens on 6380.\n", others: tuple[str, ...] = (), **rules):
    """What is proposed for a note on Redis that was asked for in vain in these wordings."""
    documents = [note("redis", text), *(note(f"other{number}", other) for number, other in enumerate(others))]
    lessons = [Lesson(need=f"n{n}", doc_id="redis.md", wordings=(one,)) for n, one in enumerate(wordings)]
    return propose_aliases(lessons, documents, LearningRules(**rules))


def aliases_of(*wordings: str, **more) -> list[str]:
    """The aliases alone."""
    return [proposal.alias for proposal in propose(*wordings, **more).proposals]


def test_terms_that_the_file_lacks_become_one_phrase():
    """Neighbours stay together as they were typed; what text or name holds is left out and breaks the phrase."""
    learned = propose("In-Memory store socket, redis cache")
    (first, second) = learned.proposals
    assert (first.alias, second.alias) == ("Memory store socket", "cache")
    assert first.terms == ("memori", "store", "socket")
    assert first.evidence == (Spoken("n0", "In-Memory store socket, redis cache"),)
    assert learned.left_out == {HELD: 1}


@pytest.mark.parametrize(
    ("wording", "aliases"),
    [
        ("what is the cache about?", ["cache"]),
        ("can you find me the tell", []),
        ("為什麼會重開", ["會重開"]),
        ("慢", []),
        ("怎么要回垫付的钱", ["要回垫付"]),
        ("怎麼要回墊付的錢", ["要回墊付"]),
        ("你们部署失败", ["部署失败"]),
        ("배포하고", ["배포하고"]),
        ("port 22", ["port"]),
    ],
)
def test_fillers_are_no_aliases(wording, aliases):
    """Words of almost every question, CJK pairs of one or beside one, single characters, numbers of two digits."""
    assert aliases_of(wording) == aliases


def test_terms_that_lead_elsewhere_are_left_out():
    """A term that more other files hold than is allowed says nothing of this one; so does one asked for them."""
    others = ("cache one", "caches two", "my cache")
    assert aliases_of("cache socket", others=others, max_elsewhere=3) == ["cache socket"]
    learned = propose("cache socket", others=others, max_elsewhere=2)
    assert [proposal.alias for proposal in learned.proposals] == ["socket"]
    assert learned.left_out == {ELSEWHERE: 1}
    documents = [note("a", "one"), note("b", "two"), note("c", "three")]
    lessons = [Lesson(need=one.name, doc_id=one.doc_id, wordings=("broken",)) for one in documents]
    assert len(propose_aliases(lessons, documents, LearningRules(max_elsewhere=2)).proposals) == 3
    assert propose_aliases(lessons, documents, LearningRules(max_elsewhere=1)).proposals == ()


def test_cjk_comes_as_the_run_it_was_typed_in():
    """Never as pairs: from the first pair that is missing to the last, over what is held in its midst, with the other
    half of a word at its edge; white space and function characters end it."""
    assert aliases_of("快取容器撞號", text="redis") == ["快取容器撞號"]
    assert aliases_of("埠號被容器佔走", text="容器 redis") == ["埠號被容器佔走"]
    assert aliases_of("災難演習 門號", text="災難 redis") == ["災難演習", "門號"]
    assert aliases_of("舊埠的號碼", text="redis") == ["舊埠", "號碼"]
    assert aliases_of("サーバー再起動", text="redis") == ["サーバー", "再起動"]


def test_where_two_held_words_meet_is_no_term():
    """監控設定 is two words that the file holds; the pair between them tells nothing."""
    learned = propose("監控設定", text="監控 設定 redis")
    assert learned.proposals == ()
    assert learned.left_out == {HELD: 3}


def test_hangul_comes_in_whole_words():
    """Blanks part its words, so that neighbours are a phrase, as in English, and none is cut."""
    assert aliases_of("더치 옥션 하락폭", text="redis") == ["더치 옥션 하락폭"]
    assert aliases_of("동점입찰처리", text="동점 처리") == ["동점입찰처리"]


def test_evidence_is_gathered():
    """The same words again are one proposal, in any case; a part of it adds to the whole; the oftenest is first."""
    learned = propose("cache", "port clash", "PORT CLASH", "clash", "port")
    assert [(one.alias, one.needs) for one in learned.proposals] == [("port clash", 4), ("cache", 1)]
    assert [one.needs for one in propose("cache", "port clash", "clash", min_needs=2).proposals] == [2]
    assert gather_aliases(learned.proposals) == {"redis.md": ("port clash", "cache")}


def test_a_longer_wording_takes_a_shorter_ones_evidence_over():
    """What was proposed first is replaced when all its terms come again in company."""
    (one,) = propose("clash", "port clash").proposals
    assert (one.alias, [evidence.need for evidence in one.evidence]) == ("port clash", ["n0", "n1"])


def test_an_alias_that_is_there_is_not_proposed():
    """Neither one in the note nor one beside the store."""
    assert aliases_of("port clash", text="redis\naliases: port clash\n") == []
    lesson = Lesson(need="n", doc_id="redis.md", wordings=("port clash",))
    learned = propose_aliases([lesson], [note("redis", "x")], aliases={"redis.md": ["port clash"]})
    assert learned.proposals == ()


def test_the_note_that_stands_for_the_read():
    """The best grade, then the first; logs, long-term memory and files that are gone take no aliases."""
    documents = {one.doc_id: one for one in (note("a", ""), note("b", ""), note("log", "", Tier.DAILY))}
    assert choose_note({"log.md": 3, "a.md": 1, "b.md": 2}, documents) == "b.md"
    assert choose_note({"a.md": 1, "b.md": 1}, documents) == "a.md"
    assert choose_note({"log.md": 2, "gone.md": 2, "a.md": 0}, documents) is None


def test_lessons_of_a_suite(small_suite):
    """Every wording that shows no expected file teaches; a need that is found, or has nothing stored, does not."""
    suite = load_suite(small_suite)
    (result,) = evaluate([suite], ["article"], ks=()).suites[0].variants
    lessons, left_out = learn_from_suite(suite, result)
    assert [(lesson.need, lesson.doc_id, lesson.wordings) for lesson in lessons] == [
        ("redis-port", REDIS, ("cache container will not start",)),
        ("monitoring", f"projects/{PROJECT}/notes/監控.md", ("監控設定",)),
    ]
    assert left_out == {ALL_FOUND: 1, NOT_STORED: 1}


def record(session, answer, *queries, hashes=None):
    """The events of one need in a session: these queries, the last of which showed the file that is read."""
    common = {"reader": "r", "session": session}
    events = [UserTurn(time=NOON, **common)]
    for place, query in enumerate(queries):
        shown = (answer,) if answer and place == len(queries) - 1 else ()
        time = NOON + timedelta(seconds=9 * place + 1)
        events.append(
            Search(time=time, tool="t", query=query, term_hashes=hashes, shown=shown, batch=str(place), **common)
        )
    if answer:
        events.append(Read(time=time + timedelta(seconds=3), file=answer, **common))
    return events


def test_lessons_of_a_recording(small_suite):
    """The wordings before the one that showed the file read; needs that teach nothing are counted by why."""
    corpus = load_corpus(small_suite.parents[1] / "store")
    recordings = [
        record("s1", REDIS, "port \ud800clash", "cache container", "redis"),
        record("s2", REDIS, "redis"),
        record("s3", None, "holiday allowance"),
        record("s4", "notes/gone.md", "old", "older"),
        record("s5", DAILY, "bind", "deploy"),
        record("s6", REDIS, "later", "redis"),
        record("s7", REDIS, None, None, hashes=("1", "2")),
    ]
    needs = find_needs(sort_events([event for one in recordings for event in one]))
    existence = {"s6#1": Existence(value=False, evidence=Evidence.EVENTS)}
    lessons, left_out = learn_from_needs(needs, corpus, existence=existence)
    assert lessons == (Lesson(need="s1#1", doc_id=REDIS, wordings=("port clash", "cache container"), day="2026-07-03"),)
    assert left_out.pop(FOUND_AT_ONCE) >= 1
    assert left_out.pop(NO_ANSWER) == left_out.pop(NOT_IN_CORPUS) == left_out.pop(NO_NOTE) == 1
    assert left_out.pop(WRITTEN_LATER) == 1
    assert set(left_out) <= {NO_WORDS}
