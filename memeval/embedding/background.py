"""Texts that no store is about: what a query is near to when it is near to nothing.

General knowledge in four languages, and strings without any meaning. A query of nonsense is nearer to these than to a
store; a passage that a model puts near to everything is recognised beside them. Changing a text here moves every
closeness: measure the calibrations of `models.py` again.
"""

from __future__ import annotations

SENTENCES = (
    "The museum opens at nine and closes at six on weekdays.",
    "Boil the rice for twelve minutes, then let it rest under a lid.",
    "The river floods the lower meadows almost every spring.",
    "She scored twice in the second half and her team won the cup.",
    "Whales are mammals that breathe air through a blowhole.",
    "The treaty was signed in 1648 and ended thirty years of war.",
    "A sonnet has fourteen lines and a fixed rhyme scheme.",
    "Take one tablet after each meal with plenty of water.",
    "The train from the coast arrives at platform four.",
    "Prune the roses in late winter before new shoots appear.",
    "The price of wheat rose after the long drought.",
    "Her first violin concerto was performed in Vienna.",
    "博物館平日九點開門,六點休館。",
    "米飯煮十二分鐘後蓋上鍋蓋燜一會兒。",
    "這條河幾乎每年春天都會淹沒低地。",
    "她下半場連進兩球,球隊奪得冠軍。",
    "鯨魚是用噴氣孔呼吸的哺乳動物。",
    "飯後服用一錠,多喝水。",
    "美術館は平日九時に開き、六時に閉まります。",
    "米を十二分ゆでて、ふたをして蒸らします。",
    "この川は春になるとよく氾濫します。",
    "彼女は後半に二得点し、チームは優勝した。",
    "鯨は噴気孔で呼吸する哺乳類です。",
    "毎食後に一錠を水で飲んでください。",
    "박물관은 평일 아홉 시에 열고 여섯 시에 닫습니다.",
    "쌀을 십이 분 동안 끓인 뒤 뜸을 들입니다.",
    "이 강은 봄마다 자주 범람합니다.",
    "그녀는 후반에 두 골을 넣어 팀이 우승했다.",
    "고래는 분수공으로 숨을 쉬는 포유류입니다.",
    "식후에 한 알씩 물과 함께 드세요.",
)

NONSENSE = (
    "vbnfgh qwsdrt plokmi",
    "zxcv hjkl tyui wert",
    "blorf snarkle quindo vashti",
    "lorem ipsum dolor sit amet",
    "xk9 qq7 zzp 0vv",
    "mwrt gluf opi nad kesh",
    "鬱龘麤爨籲",
    "ぽぬめ ゐゑを ヴョピ",
    "뷁쉙 퀅뷀",
    "asdkj wqoie zmxnc",
)

BACKGROUND = SENTENCES + NONSENSE
