"""memeval: can an agent find what its Markdown memory knows?

The engine is `memeval.memory`; the bench is `load_suite` and `evaluate`. Names are loaded when they are first used,
so that an agent which imports the engine pays for nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memeval.bench.evaluation import Evaluation
    from memeval.bench.run import evaluate
    from memeval.bench.suite import load_suite
    from memeval.memory import Memory

__version__ = "0.1.0"

_HOMES = {
    "Evaluation": "memeval.bench.evaluation",
    "Memory": "memeval.memory",
    "evaluate": "memeval.bench.run",
    "load_suite": "memeval.bench.suite",
}

__all__ = ["Evaluation", "Memory", "__version__", "evaluate", "load_suite"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - PEP 562 gives back whatever the name stands for
    """The public name `name`, loaded from its home module."""
    if name not in _HOMES:
        raise AttributeError(f"module 'memeval' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
