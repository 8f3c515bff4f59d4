"""The words by which a lenient reader knows an answer: keys, tags, and labels of lines in several languages.

All of them are closed lists. A label counts only if every one of its words is listed, so "Black's last move:" is none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator


def plain_words(text: str) -> list[str]:
    """The words of a text, in small letters and without accents."""
    small = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(sign for sign in small if not "\u0300" <= sign <= "\u036f")
    return unicodedata.normalize("NFC", bare).replace("’", "'").split()


def words_of(text: str) -> frozenset[str]:
    """The plain words of a text, as a set: lists of words are easier to read without quotation marks."""
    return frozenset(plain_words(text))


FINAL_KEYS = frozenset(
    ("chosen", "choice", "decision", "final", "selected", "pick", "final_action", "final_answer", "final_move")
)
LENIENT_KEYS = FINAL_KEYS | frozenset(
    ("vote", "option", "prediction", "chosen_action", "chosen_move", "selected_action", "next_action", "next_move",
     "best_move", "best_action", "response", "result", "output", "command", "selection", "my_move", "my_action")
)  # fmt: skip
WRAPPER_KEYS = frozenset(
    ("arguments", "parameters", "args", "input", "kwargs", "params", "function", "function_call", "tool_call",
     "tool_calls", "tool_input", "action_input", "calls", "prediction", "output", "response", "result", "content",
     "final", "decision", "choice", "call", "json")
)  # fmt: skip
"""Keys of a tool call, or of an envelope, whose one value holds the answer."""

PART_KEYS = frozenset(
    ("row", "column", "col", "from", "to", "start", "end", "source", "target", "cell", "square", "digit", "value",
     "number", "type", "kind", "slot", "card", "index", "direction", "position", "place", "verb", "object", "rank",
     "color", "colour", "player", "robot", "coordinate", "coordinates", "point", "src", "dst", "file", "name", "op",
     "action_type", "move_type", "tool", "piece", "uci", "san", "id")
)  # fmt: skip
"""Keys of the parts of a move, for an object that spells it in parts: a row and a column, a cell and a digit."""

ASIDE_KEYS = words_of(
    """reason reasoning thought thoughts thinking explanation why comment confidence analysis rationale justification
    note notes"""
)
"""Keys of what is said beside an answer."""

INSPECTS = re.compile(
    r"(?:undo|inspect|get|look|check|query|search|print|log|read|view|show|test|avoid|remove|delete|cancel|eval(?:uate)?"
    r"|simulate|analy[sz]e|is|can|has|validate|verify|score|rate|rank|list|find|describe|detect|estimate|calculate"
    r"|compute|count|explain|preview|ask|think|try|suggest|compare|reset|observe|examine|zoom|capture_image|web)(?![a-z])",
    re.I | re.A,
)
"""How the name of a function begins that makes no move."""
CALL_KEYS = words_of("name tool function tool_name function_name")
SETTLED_KEYS = words_of(
    "final decided confirmed committed certain sure ready execute submit valid legal chosen is_final"
)
OPEN_KEYS = words_of(
    "draft tentative undecided example placeholder uncertain hypothetical pending simulated dry_run unsure"
)
CASE_KEYS = words_of("condition conditions if unless when otherwise only_if precondition or else error errors refusal")
OTHER_KEYS = words_of(
    "alternative alternatives alternative_plan alternative_answer other others option_b plan_b backup or idle rejected"
)
REMARK_KEYS = words_of("note notes comment remark caveat warning status state stage")
"""Keys that say that an answer is settled, that it is open, in which case it holds, what else could be answered, and
what is remarked about it."""

_TAG_NAMES = "answer|action|move|movement|final_answer|final_action|final_move|final|choice|decision|vote|prediction"
LENIENT_TAG = re.compile(
    rf"<(?P<close>/?)(?P<name>{_TAG_NAMES})>"
    r"|<(?:parameter|param|arg|argument)(?:=| name=)[\"']?(?:action|answer|move)[\"']?>"
    r"|</(?:parameter|param|arg|argument)>|<\|(?:begin|end)_of_box\|>",
    re.I | re.A,
)

_NOUNS = words_of(
    """action answer move movement choice decision vote prediction pick option selection guess final result reply
    response verdict conclusion play ans act clue antwort zug aktion wahl entscheidung stimme endantwort
    vorhersage tipp reponse coup choix vote decision action prediction respuesta accion jugada movimiento
    eleccion voto prediccion resposta acao jogada lance escolha movimento previsao risposta mossa azione scelta
    antwoord zet keuze actie odpowiedz ruch akcja wybor ответ ход действие выбор решение голос прогноз відповідь
    хід svar drag val valg trekk handling vastaus siirto cevap hamle yanit secim raspuns mutare valasz lepes
    odpoved tah απαντηση κινηση 答案 回答 答え 答 動作 动作 行动 行動 选择
    選択 選擇 最终答案 最終答案 最终选择 我的选择 我的答案 决定 決定 着手 指し手 手 落子 最終回答
    最终动作 最终行动 移动 走法 着法 下一步 投票 预测 予測 답 정답 답변
    행동 선택 수 최종답 최종답변 उत्तर चाल जवाब الإجابة الجواب الحركة jawaban
    langkah tindakan spielzug expectation actiune raspunsul mutarea spy suspect impostor espion espia spion szpieg шпион
    hint primitive step call selected chosen entry placement 间谍 間諜 スパイ 着点 落点"""
)
_WITH = words_of(
    """my the final chosen selected next best expected predicted likely most entao donc also quindi dus deshalb
    daher minha so therefore thus hence a own is optimal correct recommended now
    meine mein die der das endgultige finale letzte nachster beste gewahlter gewahlte ma mon la le finale final
    definitive prochain meilleur choisie mi el la final definitiva mejor siguiente elegida minha meu a o final
    melhor proxima escolhida mia mio la il finale migliore mijn mitt min het definitieve laatste de slut
    slutligt endelig beste moj moja ostateczna мой моя мое мои окончательный окончательное итоговый финальный
    следующий лучший правильный правильное верный верное bonne bon correcte correct juste exacte correcta correcto
    richtige richtiger korrekte correta correto certa giusta corretta esatta juiste correcte prawidlowa poprawna ratta
    riktiga dogru asi que por tanto lo deci zatem wiec итак значит
    最终 最終 我的 私の 最终的 나의 최종 내 मेरी मेरा अंतिम"""
)
_LABELLED = re.compile(
    r"^[^\w\n<({]{0,12}(?P<label>(?:[^\W_]['’\w]*[ \t]+){0,4}[^\W_]['’\w]*)[*_`\"” \t]*[:：=][*_ \t]*+(?P<said>\S.*)$",
    re.M,
)
_BRACKETED = re.compile(r"^[ \t]*\[(?:act|action|answer|move)\][ \t:]*(?P<said>\S.*)$", re.M | re.I)
_KEYWORD = re.compile(r"\b(?:action|move|answer|choice)\s*=\s*(?P<mark>[\"'])(?P<said>[^\"'\n]+)(?P=mark)", re.I)


def is_label(words: str) -> bool:
    """Whether these words announce one's own answer, in any of the known languages."""
    found = plain_words(words)
    known = bool(found) and found[-1] != "a" and all(word in _NOUNS or word in _WITH for word in found)
    return known and any(word in _NOUNS for word in found)


def are_known(words: list[str], more: frozenset[str]) -> bool:
    """Whether all of these words may stand in a label, or are among some more."""
    return all(word in more or word in _NOUNS or word in _WITH for word in words)


def lenient_lines(reply: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and words of the answers on labelled lines, and of keyword arguments such as `action="B2"`."""
    for line in _LABELLED.finditer(reply):
        if is_label(line["label"]):
            yield line.start(), line.end(), line["said"]
    for form in (_BRACKETED, _KEYWORD):
        for line in form.finditer(reply):
            yield line.start(), line.end(), line["said"]
