"""A generated world: a suite over documents that were made up, what is true of it, and sessions with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from memeval.testbed.corpus import Corpus, digest_documents
from memeval.testbed.generator.lexicon import Lexicon
from memeval.testbed.generator.parameters import Parameters
from memeval.testbed.generator.plan import FilePlan, NeedPlan, Plan, Role, make_plan
from memeval.testbed.generator.sessions import Session, count_sessions, expect_rates, simulate_sessions
from memeval.testbed.generator.texts import write_documents
from memeval.testbed.generator.truth import CopyTruth, NeedTruth, NoiseTruth, Reach, Truth, count_rates
from memeval.testbed.generator.wordings import word_need
from memeval.testbed.needs import Need, Suite, Wording, digest_needs

LICENCE = "CC0-1.0"
_PURPOSE = "For benchmarks of scale and for calibration only, never part of a headline recall."
_GRADE, _DUPLICATE_GRADE, _SUPERSEDED_GRADE = 2, 1, 0


@dataclass(frozen=True, slots=True)
class World:
    """A suite with known truth."""

    suite: Suite
    truth: Truth
    sessions: tuple[Session, ...]


def generate_world(parameters: Parameters, seed: int = 0) -> World:
    """The world of these numbers, the same on every machine. Nothing is written.

    Grades: 2 for the file that holds the fact, 1 for its near-duplicates, 0 for a file with an older value.
    """
    lexicons = _open_lexicons(parameters, seed)
    plan = make_plan(parameters, seed, lexicons)
    copies = _Copies(plan)
    needs, truths = _word_needs(parameters, seed, plan, copies)
    sessions = simulate_sessions(parameters, seed, needs, truths)
    return World(
        suite=_build_suite(parameters, seed, plan, needs, lexicons),
        truth=Truth(
            parameters=parameters,
            seed=seed,
            needs=truths,
            duplicates=tuple(copies.describe(Role.DUPLICATE)),
            superseded=tuple(copies.describe(Role.SUPERSEDED)),
            noise=tuple(NoiseTruth(file.doc_id, file.mentions) for file in plan.files if file.role is Role.NOISE),
            aliases=_collect_aliases(truths),
            rates={
                "all": count_rates(truths),
                **{
                    language: count_rates([truth for truth in truths if truth.language == language])
                    for language in parameters.languages
                },
            },
            session_counts=count_sessions(sessions, truths),
            session_expectation=expect_rates(parameters, truths),
        ),
        sessions=sessions,
    )


def word_needs(parameters: Parameters, seed: int = 0) -> tuple[tuple[Need, ...], tuple[NeedTruth, ...]]:
    """The needs of the world that `generate_world` makes, and what is true of each; no file is written for them.

    For calibration, which needs thousands of worlds and searches in none of them.
    """
    plan = make_plan(parameters, seed, _open_lexicons(parameters, seed))
    return _word_needs(parameters, seed, plan, _Copies(plan))


def _open_lexicons(parameters: Parameters, seed: int) -> dict[str, Lexicon]:
    return {language: Lexicon(language, seed) for language in parameters.languages}


def _word_needs(
    parameters: Parameters, seed: int, plan: Plan, copies: _Copies
) -> tuple[tuple[Need, ...], tuple[NeedTruth, ...]]:
    holders = _find_holders(plan)
    needs: list[Need] = []
    truths: list[NeedTruth] = []
    for need in plan.needs:
        target = plan.targets.get(need.id)
        file = target.doc_id if target else None
        wordings, truth = word_need(parameters, seed, need, file=file, holders=holders)
        needs.append(_build_need(need, wordings, copies))
        truths.append(truth)
    return tuple(needs), tuple(truths)


class _Copies:
    """The files made from others, and the needs whose fact they repeat."""

    def __init__(self, plan: Plan) -> None:
        self._files = [file for file in plan.files if file.origin is not None]
        self._needs: dict[str, list[NeedPlan]] = {}
        for need in plan.needs:
            if need.id in plan.targets:
                self._needs.setdefault(plan.targets[need.id].doc_id, []).append(need)
        self._grades: dict[str, dict[str, int]] = {
            need.id: {doc_id: _GRADE} for doc_id, needs in self._needs.items() for need in needs
        }
        for role, grade in ((Role.DUPLICATE, _DUPLICATE_GRADE), (Role.SUPERSEDED, _SUPERSEDED_GRADE)):
            for copy in self.describe(role):
                for need_id in copy.needs:
                    self._grades[need_id][copy.file] = grade

    def describe(self, role: Role) -> Iterator[CopyTruth]:
        """The files of a role."""
        for file in self._files:
            if file.role is role and file.origin is not None:
                yield CopyTruth(file.doc_id, file.origin, tuple(self._find_needs(file, file.origin)))

    def grade(self, need_id: str) -> dict[str, int]:
        """{doc_id: grade} of a need."""
        return self._grades.get(need_id, {})

    def _find_needs(self, file: FilePlan, origin: str) -> Iterator[str]:
        subjects = {fact.subject.id for fact in file.facts}
        return (need.id for need in self._needs.get(origin, ()) if need.subject.id in subjects)


def _find_holders(plan: Plan) -> dict[str, list[str]]:
    """{form of a need: the files it stands in}."""
    asked = (form for need in plan.needs for concept in (need.subject, need.aspect) for form in concept.forms)
    holders: dict[str, list[str]] = {form: [] for form in asked}
    for file in plan.files:
        for form in file.forms:
            if form in holders:
                holders[form].append(file.doc_id)
    return holders


def _build_need(plan: NeedPlan, wordings: tuple[Wording, ...], copies: _Copies) -> Need:
    return Need(
        id=plan.id,
        expected=copies.grade(plan.id),
        wordings=wordings,
        lang=plan.language,
        evidence=plan.fact.value if plan.fact else None,
    )


def _build_suite(
    parameters: Parameters, seed: int, plan: Plan, needs: tuple[Need, ...], lexicons: Mapping[str, Lexicon]
) -> Suite:
    documents = write_documents(parameters, seed, plan.files, lexicons)
    numbers = ", ".join(f"{key} {_show(value)}" for key, value in parameters.as_dict().items())
    description = f"Made-up files with known truth. {_PURPOSE}"
    corpus = Corpus(
        name=parameters.name,
        documents=documents,
        digest=digest_documents(documents),
        languages=parameters.languages,
        project=plan.project,
        description=description,
        licence=LICENCE,
        made=f"By memeval corpus generate, seed {seed}: {numbers}.",
    )
    return Suite(
        name=parameters.name,
        path=f"{parameters.name}.recall.yaml",
        corpus=corpus,
        needs=needs,
        digest=digest_needs(needs),
        lang=parameters.languages[0] if len(parameters.languages) == 1 else None,
        description=description,
    )


def _show(value: object) -> str:
    return "+".join(value) if isinstance(value, list) else str(value)


def _collect_aliases(truths: Iterable[NeedTruth]) -> dict[str, tuple[str, ...]]:
    aliases: dict[str, tuple[str, ...]] = {}
    for truth in truths:
        added = tuple(form.text for form in truth.forms if form.reach is Reach.ALIASES)
        if truth.file is not None and added:
            aliases[truth.file] = aliases.get(truth.file, ()) + added
    return aliases
