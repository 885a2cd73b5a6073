"""Stores changed in one thing; the given documents stay what they were."""

from __future__ import annotations

from memeval.bench.storechanges import blank_inside_words, change_texts, leave_out, list_words, write_aliases
from tests.bench.misses import make_documents

NOTES = make_documents({"a.md": "reports of ports and PORT 6380", "b.md": "nothing", "監視.md": "監視設定"})


def texts(documents):
    return [document.text for document in documents]


def test_changed_texts_are_new_documents_and_equal_ones_the_same():
    """Text and name are changed; a document that stays equal is the same object."""
    changed = change_texts(NOTES, str.upper)
    assert [(document.name, document.text) for document in changed][1] == ("B.MD", "NOTHING")
    same = change_texts(NOTES, lambda text: text)
    assert all(one is other for one, other in zip(same, NOTES, strict=True))
    assert [document.doc_id for document in changed] == [document.doc_id for document in NOTES]


def test_documents_are_left_out_by_id():
    """The others stay in their order."""
    assert [document.doc_id for document in leave_out(NOTES, {"b.md"})] == ["a.md", "監視.md"]


def test_aliases_are_written_into_the_files_that_have_some():
    """One line more in the file, and no other change."""
    written = write_aliases(NOTES, {"b.md": ("cache container",), "a.md": ()})
    assert texts(written) == [NOTES[0].text, "nothing\naliases: cache container\n", NOTES[2].text]
    assert written[0] is NOTES[0]


def test_longer_words_are_blanked_and_inflections_stay():
    """For `port`, `reports` goes; `ports` and `PORT` stay, and no run of CJK is looked into."""
    words = list_words(NOTES)
    assert texts(blank_inside_words(NOTES, ["port"], words))[0] == " of ports and PORT 6380"
    assert blank_inside_words(NOTES, ["監視"], words) is NOTES
    assert blank_inside_words(NOTES, [], words) is NOTES
    assert blank_inside_words(NOTES, ["queue"], words) is NOTES


def test_words_are_listed_as_they_are_written():
    """Distinct runs of letters and numbers, of names too; a mark or an underscore parts them."""
    words = list_words(make_documents({"a_b.md": "Port port, PORT 6380"}))
    assert words == {"a", "b", "md", "Port", "port", "PORT", "6380"}
