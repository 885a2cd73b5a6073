"""Nearness: hand-worked corrections of the cosine."""

from __future__ import annotations

import numpy as np
import pytest

from memeval.embedding.nearness import (
    CROWD_SHARE,
    TOPIC_SHARE,
    Calibration,
    blend_topics,
    calibrate,
    measure_crowd,
    measure_noise,
)


def unit(*degrees):
    """Vectors in a plane, by their angle."""
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_scale():
    """0 at the floor, 1 where it is certain, in between and beyond on a line."""
    calibration = Calibration(floor=-0.1, certain=0.3)
    assert [calibration.scale(value) for value in (-0.1, 0.1, 0.3, -0.3)] == pytest.approx([0, 0.5, 1, -0.5])


def test_crowd_is_the_mean_of_the_others():
    """With fewer than twenty others all of them count, and never a passage itself."""
    crowd = measure_crowd(unit(0, 60, 90))
    cos30, cos60 = np.cos(np.radians(30)), 0.5
    assert crowd == pytest.approx([(cos60 + 0) / 2, (cos60 + cos30) / 2, (0 + cos30) / 2], abs=1e-6)
    assert measure_crowd(unit(45)).tolist() == [0]


def test_crowd_takes_the_nearest_twenty():
    """Of thirty others ten are left out, the farthest."""
    near, far = [0.0] * 21, [180.0] * 10
    assert measure_crowd(unit(*near, *far))[0] == pytest.approx(1)


def test_crowd_of_a_large_store_is_the_same_however_it_is_cut():
    """Blocks and the sample of passages change nothing where all passages are alike but for a few."""
    crowd = measure_crowd(unit(*([10.0] * 5000)))
    assert crowd.shape == (5000,)
    assert crowd == pytest.approx(np.ones(5000), abs=1e-5)


def test_a_passage_is_read_with_the_topic_of_its_document():
    """Two passages at 0 and 60 degrees have their topic at 30; the other document's passage is its own topic."""
    query = unit(0)[0]
    blended, crowd = blend_topics(unit(0, 60, 180), [0, 2])
    cos30, cos60 = np.cos(np.radians(30)), 0.5
    own = np.array([1, cos60, -1]) - CROWD_SHARE * measure_crowd(unit(0, 60, 180))
    topic = np.array([cos30, cos30, -1]) - CROWD_SHARE * -cos30  # each topic's one neighbour is 150 degrees away
    worked = (own + TOPIC_SHARE * topic) / (1 + TOPIC_SHARE)
    assert blended @ query - CROWD_SHARE * crowd == pytest.approx(worked, abs=1e-6)


def test_passages_that_cancel_out_have_no_topic():
    """A document of two opposite passages: its topic is nothing, not a division by nothing."""
    blended, crowd = blend_topics(unit(0, 180), [0])
    assert blended @ unit(0)[0] == pytest.approx(np.array([1, -1]) / (1 + TOPIC_SHARE), abs=1e-6)
    assert np.isfinite(crowd).all()


def test_noise_is_the_mean_of_the_three_nearest():
    """Of four texts of the background the farthest does not count; a text's own is left out where asked."""
    background = unit(0, 60, 90, 180)
    assert measure_noise(unit(0), background) == pytest.approx([(1 + 0.5 + 0) / 3], abs=1e-6)
    assert measure_noise(background, background, without_own=True)[0] == pytest.approx((0.5 + 0 - 1) / 3, abs=1e-6)


def test_calibration_from_a_store():
    """Nine in ten of the background's sentences stay below the floor; certain lies above it."""
    draw = np.random.default_rng(3)

    def random_units(count):
        rows = draw.normal(size=(count, 16)).astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    background, passages = random_units(40), random_units(100)
    crowd = measure_crowd(passages)
    calibration = calibrate(background[:30], background, passages, crowd)
    noise = measure_noise(background[:30], background, without_own=True)
    best = (background[:30] @ passages.T - 0.3 * crowd).max(axis=1) - 0.5 * noise
    assert (best <= calibration.floor).sum() == 27
    assert calibration.certain == pytest.approx(calibration.floor + 4 * best.std(), rel=1e-4)
