"""Kinds and their forms, languages and scripts."""

import pytest

from memeval.testbed.lint import KINDS

FILE = {"notes/ports.md": "6380 埠號"}
FITTING = {
    "spaced": ["監控 設定", "サーバ 再起動", "위판장 개장", "redis 監控 設定"],
    "unspaced": ["監控設定在哪裡", "redis 監控設定", "メッセージ基盤", "위판장개장"],
    "simplified": ["后端服务端口列表", "redis 设定"],
    "traditional": ["後端服務埠號列表"],
    "full-width": ["ＭＴＵ 設定", "保留幾天？", "監控\u3000設定"],
    "half-width": ["ｻｰﾊﾞｰ 再起動", "ﾡ"],
    "one-character": ["慢", "ア", "값", "ｱ", " 慢 "],
    "two-character": ["埠號", "포트", "ログ", "キー", "人々"],
    "mixed-script": ["redis 埠號", "ＭＴＵ設定", "VPN 분실", "secretの交換"],
}
UNFIT = {
    "spaced": ["監控設定", "redis 監控", "redis port"],
    "unspaced": ["監控 設定在哪裡", "監控", "redis port", "監控設定 在哪"],
    "simplified": ["後端服務", "台北", "后端服務"],
    "traditional": ["后端服务", "台北", "务服務"],
    "full-width": ["MTU 設定", "ｻｰﾊﾞｰ"],
    "half-width": ["サーバー", "MTU"],
    "one-character": ["慢了", "x", "慢 快", "？"],
    "two-character": ["慢", "redis", "埠 號", "埠號表"],
    "mixed-script": ["redis port", "埠號 6380", "埠號衝突"],
}
CASES = [(kind, text, True) for kind, texts in FITTING.items() for text in texts]
CASES += [(kind, text, False) for kind, texts in UNFIT.items() for text in texts]


@pytest.mark.parametrize(("kind", "text", "fits"), CASES)
def test_forms(make_suite, make_need, find, kind, text, fits):
    """A wording either has the form of its kind or is an error."""
    found = find(make_suite([make_need({"text": text, "kind": kind})], FILE, lang="zh"), "wrong-form")
    assert [finding.severity for finding in found] == ([] if fits else ["error"])


def test_every_kind_with_a_form_is_tested():
    """No form in the registry goes without fitting and unfit examples."""
    assert set(FITTING) == set(UNFIT) == {kind for kind, (_, has_form) in KINDS.items() if has_form}


def test_unknown_kind(make_suite, make_need, find):
    """A kind that nobody knows is an error that lists those there are; no kind at all is none."""
    (finding,) = find(make_suite([make_need("redis", {"text": "cache", "kind": "unseen"})], FILE), "unknown-kind")
    assert (finding.severity, finding.wording) == ("error", 1)
    assert "unseen-words" in finding.message


@pytest.mark.parametrize(
    ("lang", "text", "foreign"),
    [
        ("en", "redis 埠號", ("Han",)),
        ("zh-Hant", "サーバの埠號", ("Hiragana", "Katakana")),
        ("ja", "포트 番号", ("Hangul",)),
        ("ko", "포트 ログ", ("Katakana",)),
        ("en", "redis port µ", ()),
        ("zh", "redis 埠號", ()),
        ("ja", "サーバのport番号", ()),
        ("ko", "漢字 포트", ()),
        ("fr", "埠號", ()),
        (None, "埠號", ()),
    ],
)
def test_letters_against_the_language_tag(make_suite, make_need, find, lang, text, foreign):
    """A letter that the tagged language is not written in is an error; unknown languages are not judged."""
    found = find(make_suite([make_need(text)], FILE, lang=lang), "language-contradicted")
    assert [finding.terms for finding in found] == ([foreign] if foreign else [])


def test_the_nearest_tag_holds(make_suite, make_need, find):
    """A wording's own language goes before that of its need, and that before the suite's."""
    need = make_need("ポート", {"text": "포트", "lang": "ko"}, {"text": "redis", "lang": "en"}, lang="ja")
    assert not find(make_suite([need], FILE), "language-contradicted")


def test_latin_only_wordings_are_counted(make_suite, make_need, find):
    """One warning a language, with every such wording; numbers alone have no script."""
    need = make_need("redis port", "redis 埠號", "6380", {"text": "nats", "lang": "ko"}, "MTU")
    korean, chinese = find(make_suite([need], FILE, lang="zh"), "language-unshown")
    assert (chinese.severity, chinese.terms) == ("warning", ("ports[0]", "ports[4]"))
    assert korean.terms == ("ports[3]",)


@pytest.mark.parametrize(
    ("own", "clean"),
    [(None, False), ("en", False), ("en-GB", False), ("zh", True)],
    ids=["none", "same", "region", "other"],
)
def test_cross_lingual_has_a_language_of_its_own(make_suite, make_need, find, own, clean):
    """Without another language than the need's it crosses nothing."""
    need = make_need({"text": "埠號" if own == "zh" else "port", "kind": "cross-lingual", "lang": own})
    found = find(make_suite([need], FILE), "cross-lingual-untagged")
    assert [finding.severity for finding in found] == ([] if clean else ["error"])


@pytest.mark.parametrize(
    ("languages", "text", "other"),
    [
        (("zh-Hant",), "后端服务", ("务",)),
        (("zh-TW", "en"), "服务", ("务",)),
        (("zh-Hans",), "後端服務", ("務",)),
        (("zh-Hant",), "後端服務", ()),
        (("zh-Hant", "zh-Hans"), "后端服务", ()),
        (("zh",), "后端服务", ()),
        (("ja",), "后端服务", ()),
    ],
)
def test_the_other_chinese_script(make_suite, make_need, find, languages, text, other):
    """In a store of one Chinese script, a wording of the other is an error and a document a warning with its line."""
    suite = make_suite([make_need(text)], {"notes/ports.md": f"6380\n{text}"}, lang="zh", languages=languages)
    found = find(suite, "other-chinese-script")
    expected = [("error", "shop.recall.yaml", other), ("warning", "notes/ports.md:2", other)] if other else []
    assert [(finding.severity, finding.place, finding.terms) for finding in found] == expected


def test_asked_for_simplified_is_no_slip(make_suite, make_need, find):
    """A wording of the kind simplified, or in another language, may hold what it likes."""
    need = make_need({"text": "后端服务", "kind": "simplified"}, {"text": "服务", "lang": "ja"})
    assert not find(make_suite([need], FILE, lang="zh", languages=("zh-Hant",)), "other-chinese-script")
