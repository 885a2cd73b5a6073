"""Aliases written down: what they do in a run, the ledger of each, the trial of learned ones. Finished values only."""

from __future__ import annotations

from collections.abc import Sequence

from memeval.bench.aliaseffect import FIRST, AliasEffect, Change, find_effects
from memeval.bench.aliasledger import AliasEntry, AliasLedger, Standing
from memeval.bench.aliastrial import MAX_LOSS, TARGET_SHARE, AliasTrial, Tally
from memeval.bench.evaluation import SuiteResult, Value
from memeval.report.notation import (
    UNDEFINED,
    count,
    format_difference,
    format_rate,
    list_names,
    make_visible,
    quote_code,
    shorten,
)
from memeval.report.retries import align_rows, write_percent
from memeval.report.tables import render_markdown_table, write_estimate

EFFECT_NOTE = (
    f"**Aliases**: the same wordings with them and without. Found, and among the first {FIRST}: a mean over needs, the "
    "wordings of one sharing it; the difference is paired by need (adjusted Wald interval). Won and lost are wordings."
)
STANDINGS = {
    Standing.GAINS: "more wordings of a need are found by it than are lost",
    Standing.COSTS: "as many are lost by it as are found, or more",
    Standing.SHIFTS: "it moves ranks, or shows something where nothing is stored; nothing is found or lost",
    Standing.DEAD: "wordings answer to it, and none is answered in another way",
    Standing.UNASKED: "no wording answers to it",
}
FITTED_NOTE = (
    "half of the aliases, or of those that gain, are words of the very wordings asked here; what they win on this "
    "suite says nothing of wordings that they were not taken from. `memeval aliases learn` is the honest test"
)
MAX_NAME = 40
MAX_ENTRIES = 20
"""Aliases listed of one standing."""


def write_effects(suite: SuiteResult) -> list[str]:
    """What aliases do to the systems of a suite that were run with them and without, as a table; empty without any."""
    effects = find_effects(suite)
    if not effects:
        return []
    headers = ["with − without", "n", "found without", "found with", "difference", f"first {FIRST}", "won", "lost"]
    rows = (
        [
            f"{quote_code(effect.with_aliases)} − {quote_code(effect.without)}",
            f"{effect.found.difference.n:,}",
            format_rate(effect.found.without.value),
            format_rate(effect.found.with_aliases.value),
            write_estimate(effect.found.difference, format_difference),
            write_estimate(effect.first.difference, format_difference),
            f"{len(effect.found.won):,}",
            f"{len(effect.found.lost):,}",
        ]
        for effect in effects
    )
    return [EFFECT_NOTE, render_markdown_table(headers, rows)]


def render_ledger(ledger: AliasLedger, *, limit: int = MAX_ENTRIES) -> str:
    """The ledger for a terminal, without a final newline: all together, then each alias under what it is worth.

    At most `limit` aliases of one standing are listed, those that do most first; the others are counted.
    """
    by_standing: dict[Standing, list[AliasEntry]] = {standing: [] for standing in Standing}
    for entry in ledger.entries:
        by_standing[entry.standing].append(entry)
    files = len({entry.doc_id for entry in ledger.entries})
    aliases = count(len(ledger.entries), "alias", "aliases")
    lines = [
        f"{_name(ledger.suite)} · variant {_name(ledger.variant)} · {aliases} of {count(files, 'file')} · "
        f"{count(ledger.wordings, 'wording')} · {ledger.searches:,} asked again",
        *_write_effect(ledger.effect),
    ]
    for standing, meaning in STANDINGS.items():
        entries = sorted(by_standing[standing], key=_weigh, reverse=True)
        if not entries:
            continue
        lines += ["", f"{standing.value}: {len(entries):,}  ({meaning})"]
        if limit:
            lines += _list_entries(entries[:limit], standing)
        if len(entries) > limit:
            lines.append(f"  … {len(entries) - limit:,} more")
    anyway = sum(entry.is_matched_anyway for entry in ledger.entries)
    held = sum(entry.is_held for entry in ledger.entries)
    lines += [
        "",
        f"matched anyway: {anyway:,}  (asked for by the alias itself, its file is among the first {FIRST} without it; "
        f"of {held:,} the file holds every word)",
        f"words of the suite: {sum(entry.is_worded for entry in ledger.entries):,}  (as they are they stand in a "
        "wording of the suite that asks for their file)",
    ]
    lines += [f"fitted: {FITTED_NOTE}"] if ledger.is_fitted else []
    return "\n".join(lines)


def _write_effect(effect: AliasEffect) -> list[str]:
    return [f"all together: {_write_change('found', effect.found)} · {_write_change(f'first {FIRST}', effect.first)}"]


def _write_change(name: str, change: Change) -> str:
    moved = f"{count(len(change.won), 'wording')} won, {len(change.lost):,} lost"
    return f"{name} {_points(change.difference)}, a mean over {count(change.difference.n, 'need')} ({moved})"


def _list_entries(entries: Sequence[AliasEntry], standing: Standing) -> list[str]:
    rows = [["  alias", "won", "lost", "ranks up", "down", "asked", "anyway"]]
    rows += [
        [
            f"  {_name(entry.alias)}",
            f"{len(entry.gained):,}",
            f"{len(entry.lost):,}",
            f"{entry.risen:,}",
            f"{entry.fallen:,}",
            f"{entry.asked:,}",
            UNDEFINED if entry.rank_without is None else f"#{entry.rank_without}",
        ]
        for entry in entries
    ]
    if standing in (Standing.DEAD, Standing.UNASKED):
        rows = [[row[0], *row[5:]] for row in rows]
    lines = align_rows(rows)
    files = [shorten(make_visible(entry.doc_id.rsplit("/", 1)[-1]), MAX_NAME) for entry in entries]
    told = [f"{line}  {file}" for line, file in zip(lines[1:], files, strict=True)]
    return [lines[0], *(line + _name_wordings(entry) for line, entry in zip(told, entries, strict=True))]


def _name_wordings(entry: AliasEntry) -> str:
    won = f" won {', '.join(entry.gained[:3])}" if entry.gained else ""
    lost = f" lost {', '.join(entry.lost[:3])}" if entry.lost else ""
    false = f" shown for nothing: {', '.join(entry.false_hits[:3])}" if entry.false_hits else ""
    return won + lost + false


def _weigh(entry: AliasEntry) -> tuple[int, int, int]:
    return len(entry.gained) + len(entry.lost), entry.risen + entry.fallen, entry.asked


def render_trial(trial: AliasTrial) -> str:
    """The trial for a terminal, without a final newline."""
    kind = "paraphrases, by place" if trial.is_paraphrases else "unseen-words wordings of several writers"
    writers = list_names([f"{writer} ({number})" for writer, number in trial.aliases.items()])
    rows = [["learned from → asked", "needs", "missed before", "within reach", "found"]]
    rows += [
        [
            f"{_name(pair.learned)} → {_name(pair.asked)}",
            f"{pair.needs:,}",
            f"{pair.misses:,}",
            f"{pair.within_reach:,}",
            f"{pair.found:,}",
        ]
        for pair in trial.pairs
    ]
    lines = [
        f"{_name(trial.suite)} · variant {_name(trial.variant)} · {count(trial.needs, 'need')} with {kind} · aliases "
        f"learned from {writers}",
        *align_rows(rows),
        f"ceiling          {_tally(trial.ceiling, 'held-out miss', 'held-out misses')} share a term with what was "
        f"learned ({write_percent(trial.sharing.value)} any term)",
        f"reached          {_tally(trial.reached, 'miss', 'misses')} within reach are found "
        f"(demanded {write_percent(TARGET_SHARE)})",
        f"of all misses    {_tally(trial.cured, 'held-out miss', 'held-out misses')} are found",
        f"unseen needs     {_tally(trial.unseen, 'miss', 'misses')} of needs that nothing was learned from are found",
        f"loss elsewhere   first {FIRST} {_points(trial.change_first)}, found {_points(trial.change_found)} of "
        f"{count(trial.change_first.n, 'other need')} (allowed −{100 * MAX_LOSS:.1f} points)",
    ]
    if trial.without_note:
        lines.append(f"left out         {count(trial.without_note, 'need')} that no note answers")
    lines += [f"not as demanded: {failure}" for failure in trial.failures]
    return "\n".join(lines)


def _tally(tally: Tally, noun: str, plural: str) -> str:
    """`52 of 149 held-out misses, 35 % [24, 47],`."""
    told = f"{tally.count:,} of {count(tally.n, noun, plural)}"
    if tally.interval is None:
        return told
    low, high = (f"{100 * end:.0f}" for end in tally.interval)
    return f"{told}, {write_percent(tally.value)} [{low}, {high}],"


def _points(value: Value) -> str:
    """A difference in points with its interval: `+5.7 points [+3.6, +7.7]`; `–` when undefined."""
    if value.value is None:
        return UNDEFINED
    told = f"{_sign(value.value)} points"
    return told if value.interval is None else f"{told} [{', '.join(map(_sign, value.interval))}]"


def _sign(share: float) -> str:
    points = round(100 * share, 1)
    return "0.0" if points == 0 else f"{points:+.1f}".replace("-", "−")


def _name(text: str) -> str:
    return shorten(make_visible(text), MAX_NAME)
