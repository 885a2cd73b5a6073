"""Words: filler by Zipf's law, and forms that stand where they were put and nowhere else."""

import math
import unicodedata
from collections import Counter
from itertools import pairwise

import pytest

from memeval.testbed.generator.lexicon import LANGUAGES, VOCABULARY_WORDS, Lexicon, Weighted, draw_name
from memeval.testbed.generator.streams import open_stream

CJK = ("zh", "ja", "ko")


@pytest.fixture(scope="module")
def lexicons():
    return {language: Lexicon(language, 3) for language in LANGUAGES}


@pytest.fixture(scope="module")
def forms(lexicons):
    return {language: lexicon.make_concept("many", 1_000, stored=0).forms for language, lexicon in lexicons.items()}


@pytest.fixture(scope="module")
def fillers(lexicons):
    """The distinct words among 20,000 of each language, which are all but the rarest, and some names of files."""
    stream = open_stream(0, "test")
    texts = {
        language: list(dict.fromkeys(lexicon.draw_words(stream, 20_000))) for language, lexicon in lexicons.items()
    }
    names = [draw_name(stream) for _ in range(1_000)]
    return {**texts, "names": names}


def test_no_form_stands_in_filler_or_in_another_form(forms, fillers):
    """A literal search for a form, in any language, meets neither filler, run together or not, nor another form."""
    filler = "".join(f"{' '.join(words)} {''.join(words)} " for words in fillers.values())
    every = [form for language in LANGUAGES for form in forms[language]]
    text = "|".join(every)
    assert [form for form in every if form in filler] == []
    assert [form for form in every if text.count(form) != 1] == []


def test_no_pair_of_characters_stands_in_two_forms_or_in_filler(forms, fillers):
    """What compares pairs of characters cannot take one form for another, nor filler for a form."""
    pairs = Counter(pair for language in CJK for form in forms[language] for pair in pairwise(form))
    assert set(pairs.values()) == {1}
    scripts = {language: set("".join(forms[language])) for language in CJK}
    of_forms = set().union(*scripts.values())
    assert len(of_forms) == sum(map(len, scripts.values()))
    of_fillers = {character for words in fillers.values() for word in words for character in word}
    assert of_forms.isdisjoint(of_fillers)


def test_forms_survive_normalisation(forms):
    """NFKC and case folding leave every form as it is, so that no folding makes two of them meet."""
    for language in LANGUAGES:
        for form in forms[language]:
            assert unicodedata.normalize("NFKC", form).casefold() == form


def test_forms_are_written_in_their_script(forms):
    """Forms are Latin letters, Han or Hangul."""
    starts = {"en": "LATIN SMALL", "zh": "CJK UNIFIED", "ja": "CJK UNIFIED", "ko": "HANGUL SYLLABLE"}
    for language, start in starts.items():
        assert {unicodedata.name(character).startswith(start) for form in forms[language] for character in form} == {
            True
        }


@pytest.mark.parametrize("language", LANGUAGES)
def test_lexicon_depends_on_its_seed(language):
    """The same seed gives the same words, another seed others."""
    first, same, other = (Lexicon(language, seed).make_concept("c", 20, stored=0).forms for seed in (1, 1, 2))
    assert first == same
    assert first != other


def test_filler_follows_zipf():
    """The word of rank r comes with probability 1 / (r * H), within five standard deviations over 200,000 draws."""
    draws = 200_000
    counts = Counter(Weighted(VOCABULARY_WORDS).draw(open_stream(0, "zipf"), draws))
    harmonic = sum(1 / rank for rank in range(1, VOCABULARY_WORDS + 1))
    for rank in (1, 2, 5, 10, 100, 1_000):
        probability = 1 / (rank * harmonic)
        deviation = math.sqrt(draws * probability * (1 - probability))
        assert abs(counts[rank - 1] - draws * probability) < 5 * deviation
    assert max(counts) < VOCABULARY_WORDS


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_stay_short(lexicons, language):
    """No line is over 140 bytes, which keeps what a search matches under the cap of what it shows."""
    stream, lexicon = open_stream(0, "lines"), lexicons[language]
    lines = [lexicon.make_line(lexicon.draw_words(stream, lexicon.draw_length(stream))) for _ in range(3_000)]
    assert max(len(line.encode()) for line in lines) <= 140
