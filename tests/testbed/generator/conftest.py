"""One world in four languages with everything in it, made once."""

import pytest

from memeval.testbed.generator import Parameters, generate_world


@pytest.fixture(scope="session")
def rich_parameters():
    return Parameters(
        documents=600,
        needs=160,
        languages=("en", "zh", "ja", "ko"),
        vocabulary_gap=0.3,
        noise=0.2,
        duplicates=0.15,
        stale=0.15,
        unreachable=0.2,
        unspaced=0.3,
        shared_files=0.4,
        sessions=60,
        name="rich",
    )


@pytest.fixture(scope="session")
def rich_world(rich_parameters):
    return generate_world(rich_parameters, 7)
