"""Words of almost every question: they say that something is asked, not what."""

from __future__ import annotations

import re

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

_CHINESE = r"""
    [什甚][麼么](?:[時时]候)? | 啥[時时]候 | 怎[麼么](?:[樣样辦办])? | 怎[樣样] | 哪[裡裏里兒儿個个些]
    | [為为](?:[什甚][麼么]|何|啥) | 如何 | 多[少久] | [幾几][個个] | 何(?:[時时](?![間间])|[處处])
    | 是否 | (?P<verb>[是有能要會会該该])[不沒没](?P=verb) | 可不可以?
    | [請请][問问] | [請请]?告[訴诉]我? | 我?想知道 | [幫帮]我
"""
_JAPANESE = r"""
    どこ | いつ | ど[れのう] | なぜ | いく[つら] | 何故
    | を?(?:教え|見せ|探し|調べ)て(?:下さい|ください|くれ|欲しい|ほしい|もらえ|頂|いただ|$) | を?知りたい
    | お?願い(?:します|致します|いたします) | 下さい
    | に(?:ついて|関し?て|関する) | (?:でしょう|です|でした|ます|ました)か$
"""
_KOREAN = r"""
    ^(?:무엇|무슨|뭐|뭔|뭘|어디|언제|누구|누가|얼마|몇|왜$|어떻게|어떤|어느)
    | (?:하나요|합니까|할까요?|했나요|했습니까|하는지|되나요|됩니까|되는지|됐나요)$
    | (?:인가요?|입니까|이에요|예요|있나요|있습니까|있는지|없나요)$
    | ^(?:알려|찾아|보여|말해|가르쳐)?(?:줘요?|주세요|주십시오)$ | ^(?:대해서?|관해서?)$
"""

ASKING = re.compile("|".join((_CHINESE, _JAPANESE, _KOREAN)), re.VERBOSE)
"""Words of a question or a request within a run of Han, kana or Hangul, which has no edges between words. Those of one
character (`誰`, `何`) are none: what stands beside them in a question stands beside them in a note, too."""
