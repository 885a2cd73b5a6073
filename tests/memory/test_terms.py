"""From a query to terms."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from memeval.memory.terms import (
    MIN_BEGINNING_CHARACTERS,
    MIN_STEM_CHARACTERS,
    TermKind,
    extend_run,
    parse_query,
    shorten_words,
    split_grams,
    stem_word,
)

QUERIES = st.text(
    alphabet=st.one_of(st.sampled_from("aB1 ._-/'設定のアｱﾞ한\u1112\u1161ก้ั🔥\u0301\ufe0f-> \n\u3000"), st.characters()),
    max_size=40,
)
WORD, COMPOUND, GRAM, CHARACTER, SYMBOL = (kind.value for kind in TermKind)


def spell(query):
    return [f"{term.kind.value} {term.text}" for term in parse_query(query)]


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("port conflict", ["word port", "word conflict"]),
        ("redis_deploy", ["compound redis_deploy", "word redis", "word deploy"]),
        ("redis-deploy.md", ["compound redis-deploy.md", "word redis", "word deploy", "word md"]),
        ("redisDeploy", ["compound redisdeploy", "word redis", "word deploy"]),
        ("getHTTPResponse", ["compound gethttpresponse", "word get", "word http", "word response"]),
        ("URLs IPv6 k8s", ["word urls", "word ipv6", "word k8s"]),
        ("v2.1", ["compound v2.1", "word v2"]),
        ("2.1", ["compound 2.1"]),
        ("ops@example.com", ["compound ops@example.com", "word ops", "word example", "word com"]),
        ("don't", ["compound don't", "word don"]),
        ("a x-y", ["word a", "compound x-y"]),
        ("C++", ["word c"]),
        ("(port), “port”!", ["word port"]),
        ("ports Port PORT", ["word ports"]),
        ("監視設定", ["gram 監視", "gram 視設", "gram 設定"]),
        ("設", ["character 設"]),
        ("DB接続", ["word db", "gram 接続"]),
        ("Redisの設定", ["word redis", "gram の設", "gram 設定"]),
        ("ＤＢ　５４３２", ["word db", "word 5432"]),
        ("ｱﾝｹｰﾄ", ["gram アン", "gram ンケ", "gram ケー", "gram ート"]),
        ("ﾊﾟｽ", ["gram パス"]),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", ["gram 한국"]),
        ("か\u3099く", ["gram がく"]),
        ("e\u0301cole", ["word école"]),
        ("ตั้งค่า", ["gram ตั้งค่", "gram งค่า"]),
        ("ไป", ["gram ไป"]),
        ("हिन्दी", ["word हिन्दी"]),
        ("שלום עולם", ["word שלום", "word עולם"]),
        ("pass\u00adword", ["word password"]),
        ("->", ["symbol ->"]),
        ("⚠\ufe0f 🔥x", ["symbol ⚠", "word x"]),
        ("", []),
        (" \n\u3000", []),
    ],
)
def test_terms_of_a_query(query, terms):
    """Words, parts and wholes of identifiers, pairs, triples and symbols, in order and each once."""
    assert spell(query) == terms


@pytest.mark.parametrize(
    ("query", "fillers"),
    [
        ("what is the port", ["what", "is", "the"]),
        ("don't", ["don't", "don"]),
        ("don't-panic", ["don"]),
        ("設定はどこですか", ["はど", "どこ", "こで", "です", "すか"]),
        ("怎麼設定", ["怎麼", "麼設"]),
        ("-> port", ["->"]),
    ],
)
def test_fillers(query, fillers):
    """What is in almost every question, compounds of nothing else, pairs of hiragana, symbols."""
    assert [term.text for term in parse_query(query) if term.filler] == fillers


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("什麼時候部署", "部署"),
        ("什么时候部署", "部署"),
        ("請問部署要不要備份", "部署 備份"),
        ("我想知道埠號是多少", "埠號 號是"),
        ("為什麼不用佇列", "不用 用佇 佇列"),
        ("何時切換主機", "切換 換主 主機"),
        ("何時間", "何時 時間"),
        ("如何改", "改"),
        ("デプロイの手順を教えて", "デプ プロ ロイ イの の手 手順"),
        ("デプロイの手順を教えてください", "デプ プロ ロイ イの の手 手順"),
        ("返金について知りたい", "返金"),
        ("배포는 언제 하나요", "배포 포는"),
        ("포트는 몇번인가요", "포트 트는"),
        ("백업 위치 알려줘", "백업 위치"),
        ("왜건", "왜건"),
        ("多久備一次", "備一 一次"),
    ],
)
def test_what_asks_is_cut_out_of_a_run(query, told):
    """Question words and requests hide no noun: pairs across their edges decide nothing, what is beside them does."""
    assert " ".join(term.text for term in parse_query(query) if not term.filler) == told


@pytest.mark.parametrize(
    "query",
    [
        "什麼時候",
        "怎么办",
        "是不是",
        "教えて",
        "どこですか",
        "お願いします",
        "언제 하나요",
        "왜",
        "what is it?",
        "don't",
    ],
)
def test_a_question_without_a_word_of_its_own(query):
    """Nothing of it tells what is looked for."""
    assert all(term.filler for term in parse_query(query))


@given(QUERIES)
def test_any_query_gives_terms_that_can_be_looked_up(query):
    """Each is told from the others, begins with its key, has no white space, and says what it is inside a word."""
    terms = parse_query(query)
    assert len({(term.kind, term.text) for term in terms}) == len(terms)
    for term in terms:
        assert term.key
        assert term.text.startswith(term.key)
        assert not regex.search(r"\p{White_Space}", term.text)
        assert not term.is_beginning
        assert term.inside == "" or term.text.startswith(term.inside)
        assert bool(term.inside) == (
            term.kind is TermKind.COMPOUND or (term.kind is TermKind.WORD and len(term.text) > 1)
        )
        assert bool(term.parts) == (term.kind is TermKind.COMPOUND)


@given(QUERIES)
def test_composition_makes_no_difference(query):
    """Composed and decomposed spellings ask for the same."""
    assert parse_query(unicodedata.normalize("NFD", query)) == parse_query(unicodedata.normalize("NFC", query))


@given(st.text(alphabet=st.sampled_from("abXY019 .-_/"), max_size=20))
def test_width_makes_no_difference(query):
    """A query typed in full width asks for the same."""
    wide = "".join("\u3000" if letter == " " else chr(ord(letter) + 0xFEE0) for letter in query)
    assert parse_query(wide) == parse_query(query)


@given(st.lists(st.sampled_from(["port", "Redis", "監視設定", "the", "v2.1", "設"]), max_size=6))
def test_a_query_is_the_sum_of_its_words(words):
    """Words between white space do not influence each other."""
    alone = dict.fromkeys(term for word in words for term in parse_query(word))
    assert parse_query(" ".join(words)) == tuple(alone)


def test_characters_may_stand_for_others():
    """Pairs are looked up as the table has them, as the texts are."""
    assert [term.text for term in parse_query("監視設定", {"設": "设"})] == ["監視", "視设", "设定"]


@pytest.mark.parametrize(
    "forms",
    [
        ["port", "ports"],
        ["policy", "policies"],
        ["cookie", "cookies"],
        ["cache", "caches", "cached", "caching"],
        ["deploy", "deploys", "deployed", "deploying"],
        ["box", "boxes"],
        ["process", "processes", "processed", "processing"],
        ["control", "controls", "controlled", "controlling"],
        ["running", "run"],
        ["retry", "retries", "retried", "retrying"],
        ["tries", "tried"],
        ["speed", "speeds"],
        ["use", "uses"],
    ],
)
def test_forms_of_one_word(forms):
    """Inflections share a stem."""
    assert len({stem_word(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("deploy", "deployment"),
        ("cluster", "clue"),
        ("status", "state"),
        ("speed", "spell"),
    ],
)
def test_other_words(one, other):
    """Derivations and words that only begin alike do not."""
    assert stem_word(one) != stem_word(other)


@pytest.mark.parametrize(("one", "other"), [("policy", "police"), ("run", "rune")])
def test_what_beginnings_cannot_tell_apart(one, other):
    """The price of stems that are beginnings: two words that differ in a final e or y alone are one."""
    assert stem_word(one) == stem_word(other)


@given(st.text(alphabet="aeiysdgnlz", max_size=12) | st.text(max_size=8))
def test_a_stem_is_a_beginning(word):
    """So that a text can be scanned for it; short words, and those of other letters, are their own."""
    stem = stem_word(word)
    assert word.startswith(stem)
    assert stem == word or len(stem) >= MIN_STEM_CHARACTERS


@given(
    st.text(alphabet="ab", min_size=1, max_size=14),
    st.lists(st.text(alphabet="ab", max_size=14)),
    st.sampled_from([0, 0.5]),
)
def test_a_shortened_word_is_the_longest_beginning_that_stands(word, words, min_share):
    """Found by halving what a walk from the end would find."""
    store = " ".join(words)
    shortened = shorten_words(parse_query(word), lambda text: text in store, min_share)
    least = max(MIN_BEGINNING_CHARACTERS, len(word) * min_share)
    lengths = [length for length in range(len(word)) if length >= least and word[:length] in store]
    assert [term.key for term in shortened] == ([word[: lengths[-1]]] if lengths else [])
    assert all(term.is_beginning and term.text == f"{term.key}…" for term in shortened)


def test_only_words_are_shortened_and_only_pairs_are_split():
    """Hiragana and letters of Thai tell nothing alone; a character that is asked for alone is asked for."""
    terms = parse_query("redis-deploy 監視の設 ガラス 한국 ตั้งค่า 設")
    assert [term.key for term in shorten_words(terms, lambda text: len(text) < 5)] == ["redi", "depl"]
    assert "".join(term.text for term in split_grams(terms)) == "監視設ガラス한국"
    assert {term.kind for term in split_grams(terms)} == {TermKind.CHARACTER}


def test_a_run_is_extended_by_what_goes_on_from_it():
    """Letter by letter, marks included; anything else begins a new run."""
    first, second, third = parse_query("監視設定")
    assert extend_run(first.text, second) == "監視設"
    assert extend_run("監視設", third) == "監視設定"
    assert extend_run(first.text, third) is None
    one, two = parse_query("ตั้งค่า")
    assert extend_run(one.text, two) == "ตั้งค่า"
