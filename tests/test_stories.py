"""The stories in corpora/stories: each store fails the way its story says, and its cure passes, on real runs.

A row of the table is one measure on one suite, by each variant it names. `bad` rows must not hold, `good` rows must.
Suites ending in `+aliases` are run with the overlay.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.storychecks import (
    CORPORA,
    QUERIES,
    Check,
    above,
    evidence,
    first_says,
    found,
    found_all,
    hides,
    injects,
    one_file_says,
    reads,
    run,
    within,
)


@dataclass(frozen=True)
class Row:
    """One measure on one suite, by each of the variants."""

    suite: str
    variants: str
    check: Check


@dataclass(frozen=True)
class Story:
    name: str
    tells: str
    bad: tuple[Row, ...]
    good: tuple[Row, ...]


ENGINE, RANKED, ALL = "article current", "article current bm25", "article current grep bm25"

SETTING, TRAIL, LIMIT = "rclone 設定", ("daily/2026-03-22.md", "daily/2026-03-19.md"), "每秒十個請求"
THREE_RULES = ("damp sponge", "1.45", "1040")
REVIEW = ("單位是分", "Idempotency-Key", "存 UTC", "console.log", "布林以", "只准往前", "policy", "`codes.ts`")
REFUND, SCHEDULE = "code review 新增退款接口", "code review 排程工作每天跑一次"
VACCINE, FASTING = "疫苗 間隔 幼貓", "麻醉 前 吃"
PENDING, VOUCHERS = "bank feed pending transactions", "till export vouchers"
DELETION, FREEZE, FERRY_DAY = "[刪除前先數]", "十八點前不部署", "2026-04-22"
DISARMED, FLOOD_DAY = "Siren is DISARMED", "2026-10-14"
UNSEEN = ("cache", "cache invalidation", "login flow", "ssl")
SENTENCES = ("網站憑證多久會自動更新一次", "週四排練改到哪間教室", "Stripe退款手續費誰吸收")
SPACED = ("網站 憑證 多久 會 自動 更新 一次", "週四 排練 改到 哪間 教室", "Stripe 退款 手續費 誰 吸收")
OUTDATED = {
    "raw takes days": "60 days",
    "release time episode": "06:00",
    "booth one gain": "gain 46",
    "cue sheet due": "14 days",
    "advert break minutes": "two advert breaks",
}
LEVELS = one_file_says("loudness master", "-16 LUFS", "-1.5 dB")


def rows(suite: str, variants: str, *checks: Check) -> tuple[Row, ...]:
    return tuple(Row(suite, variants, check) for check in checks)


STORIES = (
    Story(
        "buried-setting",
        "the setting is found five days ago in a debug trail, the final answer stays hidden in another day's log",
        bad=(
            *rows("buried-setting", RANKED, above(SETTING, *TRAIL), within(SETTING, 1)),
            *rows("buried-setting", ENGINE, evidence(SETTING), evidence("rclone 設定 備份")),
        ),
        good=(
            *rows("buried-setting-cured", RANKED, above(SETTING, *TRAIL), within(SETTING, 1)),
            *rows("buried-setting-cured", ENGINE, evidence(SETTING), evidence("rclone 設定 備份")),
            *rows("buried-setting", ENGINE, evidence(LIMIT)),
        ),
    ),
    Story(
        "scattered-topic",
        "one topic over three days, and no place that says what is known",
        bad=rows("scattered-topic", RANKED, found_all("crawling"), one_file_says("glaze crawling", *THREE_RULES)),
        good=(
            *rows(
                "scattered-topic-cured", RANKED, found_all("crawling"), one_file_says("glaze crawling", *THREE_RULES)
            ),
            *rows("scattered-topic-cured", ENGINE, within("glaze crawling", 1)),
            *rows("scattered-topic", RANKED, found("bisque 1040"), found("biscuited at 1040")),
        ),
    ),
    Story(
        "duplicate-notes",
        "nine how-tos exist twice with small contradictions, and the outdated copy is shown, often first",
        bad=(
            *rows("duplicate-notes", RANKED, LEVELS),
            *rows("duplicate-notes", ENGINE, *(hides(wording, text) for wording, text in OUTDATED.items())),
            *rows(
                "duplicate-notes",
                RANKED,
                above("raw takes days", "notes/project-raw-takes.md", "notes/areas-raw-takes.md"),
                above("booth one gain", "notes/project-microphones.md", "notes/areas-microphones.md"),
                above("cue sheet due", "notes/project-cue-sheet.md", "notes/areas-cue-sheet.md"),
            ),
        ),
        good=(
            *rows("duplicate-notes-cured", RANKED, LEVELS, *(within(wording, 1) for wording in OUTDATED)),
            *rows("duplicate-notes-cured", RANKED, *(hides(wording, text) for wording, text in OUTDATED.items())),
        ),
    ),
    Story(
        "rule-below-threshold",
        "a review rule is stored and matched and lies below the score threshold",
        bad=(
            *rows("rule-below-threshold", "bm25-floor", found_all(REFUND), found(REFUND), found(SCHEDULE)),
            # one file is no cure as long as a score decides: it too falls under the floor
            *rows("rule-below-threshold-cured", "bm25-floor", found(REFUND)),
        ),
        good=(
            *rows("rule-below-threshold", RANKED, found_all(REFUND), found_all(SCHEDULE)),
            *rows("rule-below-threshold", "bm25-floor", found("資料表 欄位 命名")),
            *rows("rule-below-threshold-cured", RANKED, found_all(REFUND), found_all(SCHEDULE)),
            *rows("rule-below-threshold-cured", ENGINE, within(REFUND, 1), reads("審查規則", *REVIEW)),
            *rows("rule-below-threshold-cured", ENGINE, injects("把 notes/審查規則.md 整份讀完")),
        ),
    ),
    Story(
        "captured-noise",
        "captured scraps (somebody said OK) crowd the note out of the first five",
        bad=(
            *rows("captured-noise", RANKED, within(VACCINE, 5)),
            *rows("captured-noise", ENGINE, within(FASTING, 5)),
        ),
        good=(
            *rows("captured-noise-cured", RANKED, within(VACCINE, 5), within(VACCINE, 1)),
            *rows("captured-noise-cured", ENGINE, within(FASTING, 5), within(FASTING, 1)),
            *rows("captured-noise", RANKED, within("打針 體溫", 1), within("幼貓 疫苗 多久 補 一劑", 1)),
            *rows("captured-noise-cured", RANKED, within("打針 體溫", 1)),
        ),
    ),
    Story(
        "stale-negative",
        "a note says that it cannot be done, a later log that it can, and the note comes first",
        bad=(
            *rows("stale-negative", RANKED, first_says(PENDING, "`PDNG`"), first_says(PENDING, "2026-05-06")),
            *rows("stale-negative", RANKED, above(PENDING, "daily/2026-05-06.md", "notes/bank-feed.md")),
            *rows("stale-negative", RANKED, first_says(VOUCHERS, "Expires 2026-11-19")),
            *rows("stale-negative", "grep", found("pending transactions")),
        ),
        good=(
            *rows("stale-negative-cured", RANKED, first_says(PENDING, "`PDNG`"), first_says(PENDING, "2026-05-06")),
            *rows("stale-negative-cured", RANKED, first_says(VOUCHERS, "Expires 2026-11-19")),
            *rows("stale-negative-cured", "grep", found("pending transactions")),
            *rows("stale-negative", RANKED, found(VOUCHERS)),
        ),
    ),
    Story(
        "boot-index",
        "the boot index is past its budget: its newest lines and today's log are not in what a session starts with",
        bad=rows("boot-index", "article", injects(DELETION, FERRY_DAY), injects(FREEZE, FERRY_DAY)),
        good=(
            *rows("boot-index-cured", ENGINE, injects(DELETION, FERRY_DAY), injects(FREEZE, FERRY_DAY)),
            *rows("boot-index", "current", injects(DELETION, FERRY_DAY), injects(FREEZE, FERRY_DAY)),
            *rows("boot-index", "article", injects("[部署後親眼看]", FERRY_DAY)),
            *rows("boot-index", ENGINE, evidence("沒有人登入過的帳號，清掉比較乾淨"), evidence("今天 凍結")),
        ),
    ),
    Story(
        "newest-lines",
        "the end of a long log, which takes back what its beginning says, is cut off",
        bad=rows("newest-lines", "article", injects(DISARMED, FLOOD_DAY), evidence("siren"), evidence("siren armed")),
        good=(
            *rows("newest-lines", "current", injects(DISARMED, FLOOD_DAY), evidence("siren"), evidence("siren armed")),
            *rows("newest-lines", "article", injects("siren armed", FLOOD_DAY), evidence("14:30")),
        ),
    ),
    Story(
        "port-conflict",
        "`docker-compose port mapping` in the file, `port conflict` in the question: the phrase finds nothing",
        bad=rows("port-conflict", "grep", found("port conflict"), found("roof battery life")),
        good=(
            *rows("port-conflict", RANKED, found("port conflict"), found("roof battery life")),
            *rows("port-conflict", ALL, found("port mapping")),
        ),
    ),
    Story(
        "redis-cache",
        "`redis` in the file, `cache` in the question: no words meet until aliases are written down",
        bad=rows("redis-cache", ALL, *map(found, UNSEEN)),
        good=(
            *rows("redis-cache+aliases", RANKED, *map(found, UNSEEN), found("rabbitmq")),
            *rows("redis-cache-cured", RANKED, *map(found, UNSEEN), found("rabbitmq")),
            *rows("redis-cache", ALL, found("redis"), found("auth"), found("rabbitmq")),
        ),
    ),
    Story(
        "cjk-sentence",
        "a whole CJK sentence is one term and stands in no file; character pairs find it, so does spacing",
        bad=rows("cjk-sentence", ENGINE, *map(found, SENTENCES)),
        good=(
            *rows("cjk-sentence", "bm25", *map(found, SENTENCES), *(within(text, 1) for text in SENTENCES)),
            *rows("cjk-sentence", RANKED, *map(found, SPACED), found("譜架")),
        ),
    ),
)


def expand(side: str) -> list:
    """One test per story and row; the id tells what is measured where."""
    return [
        pytest.param(story, row, id=f"{row.suite} [{row.variants}] {row.check.label}")
        for story in STORIES
        for row in getattr(story, side)
    ]


@pytest.mark.parametrize(("story", "row"), expand("bad"))
def test_the_story_fails_as_told(story, row):
    """What the story blames is really missing, hidden or out of order, for each variant of the row."""
    for variant in row.variants.split():
        assert not row.check.holds(run(row.suite, variant)), f"{variant} should fail: {story.tells}"


@pytest.mark.parametrize(("story", "row"), expand("good"))
def test_the_cure_and_the_control_pass(story, row):
    """The cure passes by the same measures, for each variant; the controls show that nothing else is broken."""
    for variant in row.variants.split():
        assert row.check.holds(run(row.suite, variant)), f"{variant} should pass: {story.tells}"


@pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.name}: {story.tells}")
def test_a_measure_is_bad_before_and_good_after(story):
    """No story rests on two different measures."""
    assert {row.check.label for row in story.bad} & {row.check.label for row in story.good}


def test_every_store_has_a_suite_and_a_place_in_the_table():
    """Nothing lies in the folders that is not asserted on."""
    told = {row.suite.removesuffix("+aliases") for story in STORIES for row in (*story.bad, *story.good)}
    suites = {path.name.removesuffix(".recall.yaml") for path in QUERIES.iterdir()}
    assert told == suites == {path.name for path in CORPORA.iterdir() if path.name != "README.md"}
    assert {story.name for story in STORIES} == {name for name in suites if not name.endswith("-cured")}
