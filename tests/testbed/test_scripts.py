"""Scripts of a text."""

import pytest

from memeval.testbed.scripts import (
    base_language,
    count_scripts,
    find_simplified,
    find_traditional,
    may_differ_in_script,
)


def test_letters_are_counted_by_script():
    """Each letter counts for its script; a sign that several share, and what is no letter, for none."""
    assert count_scripts("redis 埠號 サーバー の 포트 6380 Ж!") == {
        "Latin": 5,
        "Han": 2,
        "Hiragana": 1,
        "Katakana": 2,
        "Hangul": 2,
        "other": 1,
    }
    assert count_scripts("6380 ー …") == {}


def test_chinese_scripts():
    """A character of only one of the two national sets tells; one of both or neither does not."""
    assert find_simplified("后端服务端口,这里台北") == ("务", "这")
    assert find_traditional("後端服務埠號,這裡台北") == ("務", "號", "這", "裡")
    assert find_simplified("redis サーバ 포트") == find_traditional("redis サーバ 포트") == ()


@pytest.mark.parametrize(("tag", "base"), [("zh-Hant-TW", "zh"), ("zh_TW", "zh"), ("EN", "en"), ("", "")])
def test_base_language(tag, base):
    """Script and region are left out."""
    assert base_language(tag) == base


@pytest.mark.parametrize(
    ("query", "text", "may"),
    [
        ("发票", "發票", True),
        ("發票", "发票", True),
        ("后台", "後臺", True),
        ("發票", "后台", True),
        ("發票", "收據", False),
        ("发票", "收据", False),
        ("发票发", "混發发", True),
        ("invoice", "發票", False),
        ("發票", "invoice", False),
        ("监视", "監視のせってい", False),
        ("監視", "監視の設定在變更之前先確認再重新啟動监视", True),
    ],
)
def test_the_other_script_is_told_apart_without_a_dictionary(query, text, may):
    """It takes Han on both sides and a traditional character on one, but not the same script on both; no Japanese."""
    assert may_differ_in_script(query, ["ink", text]) is may
    assert not may_differ_in_script(query, [])
