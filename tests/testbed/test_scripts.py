"""Scripts of a text."""

import pytest

from memeval.testbed.scripts import base_language, count_scripts, find_simplified, find_traditional


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
