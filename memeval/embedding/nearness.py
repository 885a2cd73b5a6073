"""How near a passage is to a query, on a scale that is the same for every model and every query.

    closeness(q, p) = (own(q, p) + TOPIC_SHARE x own(q, topic(p))) / (1 + TOPIC_SHARE) - NOISE_SHARE x noise(q)
    own(q, p) = cosine(q, p) - CROWD_SHARE x crowd(p)
    topic(p) = mean vector of the passages of p's document, of length 1
    crowd(p) = mean cosine of p with its 20 nearest others: of the store's passages, of its topics for a topic
    noise(q) = mean cosine of q with the 3 nearest texts of the background
    nearness = (closeness - floor) / (certain - floor),  floor and certain from the model's calibration

A raw cosine says little: one model's unrelated texts lie at 0.8, and some passages are near to every query. Crowd and
noise are the corrections of cross-domain similarity local scaling (Conneau et al., "Word Translation Without Parallel
Data", 2018), with a fixed background in place of the other domain. A passage of few words says little by itself, too:
what its whole document is about speaks for it as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memeval.embedding.base import Vectors

CROWD_SHARE = 0.3
"""Over four languages and three models 0.2 to 0.5 find 0.005 to 0.01 more than 0, in English 0.03 more of what shares
no word; 0.3 is the middle."""
TOPIC_SHARE = 0.3
"""Of what shares no word 0.02 more comes within five, of all 0.005, in the mean over four languages and five models;
from 0.2 to 0.6 it is the same, and as part of the passage's own vector, with its length brought to 1, it is lost."""
NOISE_SHARE = 0.5
"""The best at telling answered queries from nonsense and from other subjects at once: 0 lets nonsense pass, 0.7 more of
other subjects."""
_CROWD_NEIGHBOURS = 20
_NOISE_NEIGHBOURS = 3
_MAX_REFERENCES = 2048
"""A larger store is represented by this many of its passages, evenly spaced: the crowd is a mean and needs no more."""
_BLOCK_ROWS = 1024


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where on the scale of closeness a model's answers lie."""

    floor: float
    """Below it nothing is said: nearness 0."""
    certain: float
    """Where the surest answers begin: nearness 1."""
    reads_cjk: bool = True
    """False for a model to which Chinese, Japanese and Korean are noise: it is not asked in them."""

    def scale(self, closeness: float) -> float:
        """The nearness of a closeness: 0 at the floor, 1 where it is certain, beyond either allowed."""
        return (closeness - self.floor) / (self.certain - self.floor)


def measure_crowd(passages: Vectors) -> NDArray[np.float32]:
    """For each passage the mean cosine with its nearest others, shape (passages,); 0 for one that is alone."""
    import numpy as np

    count = len(passages)
    references = np.unique(np.linspace(0, count - 1, min(count, _MAX_REFERENCES)).astype(np.int64))
    crowd = np.zeros(count, dtype=np.float32)
    for start in range(0, count, _BLOCK_ROWS):
        block = passages[start : start + _BLOCK_ROWS] @ passages[references].T
        block[references[None, :] == np.arange(start, start + len(block))[:, None]] = -np.inf  # not with itself
        neighbours = min(_CROWD_NEIGHBOURS, len(references) - 1)
        if neighbours:
            nearest = -np.partition(-block, neighbours - 1, axis=1)[:, :neighbours]
            crowd[start : start + len(block)] = nearest.mean(axis=1)
    return crowd


def blend_topics(passages: Vectors, starts: Sequence[int]) -> tuple[Vectors, NDArray[np.float32]]:
    """What a query is compared with, and the crowd of it: rows that are passages with the topic of their document.

    The product of a row with a query, less CROWD_SHARE x its crowd, is the closeness above without the noise. Shapes
    (passages, dimension) and (passages,); rows are not of length 1.

    Args:
        passages: rows of length 1, those of one document together; at least one.
        starts: the number of the first passage of each document, from 0, rising.
    """
    import numpy as np

    counts = np.diff([*starts, len(passages)])
    topics = np.add.reduceat(passages, starts, axis=0)
    topics /= np.maximum(np.linalg.norm(topics, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    whole = 1 + TOPIC_SHARE
    blended = (passages + TOPIC_SHARE * np.repeat(topics, counts, axis=0)) / whole
    crowd = (measure_crowd(passages) + TOPIC_SHARE * np.repeat(measure_crowd(topics), counts)) / whole
    return blended.astype(np.float32), crowd.astype(np.float32)


def measure_noise(queries: Vectors, background: Vectors, *, without_own: bool = False) -> NDArray[np.float32]:
    """For each query the mean cosine with the nearest texts of the background, shape (queries,).

    `without_own` leaves the text of the same number out, for queries that are the background's own texts.
    """
    import numpy as np

    cosines = queries @ background.T
    if without_own:
        np.fill_diagonal(cosines, -np.inf)
    nearest = -np.partition(-cosines, _NOISE_NEIGHBOURS - 1, axis=1)[:, :_NOISE_NEIGHBOURS]
    noise: NDArray[np.float32] = nearest.mean(axis=1)
    return noise


def calibrate(queries: Vectors, background: Vectors, passages: Vectors, crowd: NDArray[np.float32]) -> Calibration:
    """A calibration from a store itself, for a model that nobody has measured.

    Sentences of the background ask the store, which answers none of them: what nine in ten of them stay below is the
    floor, and an answer is certain four standard deviations above. On the models measured this gives the floors of
    `models.py` within a tenth of the scale.

    Args:
        queries: the background's sentences, embedded as queries, in the background's order.
        background: all texts of the background, embedded as passages.
        passages: of the store, with their topics; at least one.
        crowd: of these.
    """
    import numpy as np

    noise = measure_noise(queries, background, without_own=True)
    best = (queries @ passages.T - CROWD_SHARE * crowd).max(axis=1) - NOISE_SHARE * noise
    floor = float(np.percentile(best, 90))
    return Calibration(floor, floor + 4 * max(float(best.std()), 0.01))
