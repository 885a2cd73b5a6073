"""What a memory is tested with: corpora, suites of needs, and their exchange with BEIR folders and TREC files."""

from memeval.testbed.aliases import apply_aliases, load_aliases, overlay_aliases
from memeval.testbed.beir import export_beir, is_beir, load_beir
from memeval.testbed.corpus import Corpus, load_corpus
from memeval.testbed.needs import Need, Query, Suite, Wording
from memeval.testbed.starter import build_starter
from memeval.testbed.storekinds import STORE_KINDS
from memeval.testbed.suitefile import load_suite
from memeval.testbed.trec import read_qrels, read_run, write_qrels, write_run

__all__ = [
    "STORE_KINDS",
    "Corpus",
    "Need",
    "Query",
    "Suite",
    "Wording",
    "apply_aliases",
    "build_starter",
    "export_beir",
    "is_beir",
    "load_aliases",
    "load_beir",
    "load_corpus",
    "load_suite",
    "overlay_aliases",
    "read_qrels",
    "read_run",
    "write_qrels",
    "write_run",
]
