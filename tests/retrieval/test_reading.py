"""Files read whole within a room of bytes."""

from __future__ import annotations

from memeval.retrieval.reading import SEPARATOR, read_files, show_whole
from memeval.text import utf8_length


def test_a_file_is_read_with_its_path(make_document):
    """All of its lines, line ends made one; the path is its heading."""
    block = show_whole(make_document("a.md", "one\r\ntwo\n"))
    assert (block.text, block.heading) == ("store/a.md\none\ntwo", "store/a.md")


def test_reading_stops_at_the_first_that_does_not_fit(make_document):
    """Separators are paid for; a smaller file behind a larger one is not reached."""
    documents = [make_document("a.md", "aa"), make_document("b.md", "b" * 50), make_document("c.md", "c")]
    first = len(SEPARATOR) + utf8_length("store/a.md\naa")
    assert [block.doc_id for block in read_files(documents, first)] == ["a.md"]
    assert read_files(documents, first - 1) == ()
    assert len(read_files(documents, 1000)) == 3
