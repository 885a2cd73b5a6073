"""Words of almost every question: they say that something is asked, not what."""

from __future__ import annotations

_WORDS = """
    a about again all also am an and any are as at be because been before being between both but by can could
    did do does doing don each few find for from get gets got had has have having he her here him his how i if in into
    is it its just know let like may me might more most must my need no not now of off on one only or other our out
    over own same she should so some such tell than that the their them then there these they this those to too under
    until up us use used using very want was we were what when where which while who whom whose why will with would
    you your d ll m re s t ve
"""

FILLER_WORDS = frozenset(_WORDS.split())
"""English, lower case; clipped endings (`don't`, `we've`) as the parts they are cut into."""

_PAIRS = """
    什麼 怎麼 怎樣 為什 如何 哪裡 哪個 哪些 是否 我們 可以 能不 不能 麼辦 這個 那個 多少 幾個 有沒 沒有 的是 是什
    到底 應該 一下 就是 不是 還是 時候
    什么 怎么 怎样 为什 哪里 哪个 我们 么办 这个 那个 几个 有没 没有 应该 还是 时候
    어떻 떻게 무엇 어디 언제 있는 는지 하는 인지 했는 된다
"""

FILLER_PAIRS = frozenset(_PAIRS.split())
"""Chinese in both scripts and Korean; pairs of hiragana alone are fillers too."""
