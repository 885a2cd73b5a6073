"""Generated worlds: stores, needs and sessions that were made up, whose truth is known because they were.

They serve benchmarks of scale and the calibration of statistics and signals, and are never mixed into headline recall:
made-up words say how a rule behaves at a known rate, and nothing about how people word what they need.
"""

from memeval.testbed.generator.folder import write_world
from memeval.testbed.generator.lexicon import LANGUAGES
from memeval.testbed.generator.parameters import Parameters
from memeval.testbed.generator.truth import NeedTruth, Reach, Truth, WordingTruth
from memeval.testbed.generator.world import World, generate_world, word_needs

__all__ = [
    "LANGUAGES",
    "NeedTruth",
    "Parameters",
    "Reach",
    "Truth",
    "WordingTruth",
    "World",
    "generate_world",
    "word_needs",
    "write_world",
]
