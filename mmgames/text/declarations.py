"""Final declarations in prose, for the lenient reader: a closed set of forms in which somebody says what they do.

"My move is B2.", "I'll go with <UP>.", "The answer is C.", "Going down.", "B2 it is", a last line that is only a move,
a last word in bold. A move that merely occurs in a sentence is none. A sentence that denies, asks, supposes, names two
moves or speaks of a later turn or of somebody else declares nothing, and what follows a declaration may take it back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from mmgames.text import phrases
from mmgames.text.answer_labels import is_label, plain_words, words_of
from mmgames.text.doubts import JUDGED, NO_LABEL, ONLY_JUDGED, is_line_of_play, undeclared
from mmgames.text.move_names import Mention, Moves
from mmgames.text.own_voice import in_own_voice, is_someone_else
from mmgames.text.phrases import Form
from mmgames.text.retractions import CHANGES, is_beside, not_meant, refused, taken_back, unsettled
from mmgames.text.statements import CONCLUDES, stated

_APOSTROPHE = str.maketrans("’ʼ", "''")
# Where a sentence ends: a line break, or a mark with a space behind it; "1. e4", "1...e5" and "C. more" do not end one.
_SENTENCE_END = re.compile(
    r"(?<!^[0-9])(?<!\n[0-9])(?<!\([0-9])(?<!\b[A-H](?=\.\s[^A-Z]))(?<!\be\.g)(?<!\bi\.e)[.!?]+[\"”*_`)]*(?=\s|"
    r"$)(?!(?<=\d\.)\s[a-hKQRBNO][a-h1-8x-])|\n+|;\s+(?=if (?!i\b|you\b|we\b|possible|allowed|legal|not\b|so\b))"
)
_REMARK = re.compile(
    r"\n|\s+\(|[,;.!:)](?=\s|$)|\s+[-–—]+\s|\s+(?:because|since|as|so|to|for|towards?|in order|which)\b"
)
_SAID_OF_IT = re.compile(r"[)*_`\"\s]+(?!because|since|as|so|to|for|towards?|in|which|and|is (?:my|the)\b)[a-z]")
_ASIDE = re.compile(r"^\s*\([^()]*\)")
_OR_MORE = re.compile(
    r"(?:[\s*_`\">)]*,\s*[<(\w+>)]{1,12}){0,5}[\s*_`\">),;.(]*(?:or|and/or|nor|oder|ou|или)\b|[\s*_`\">)]*[/|]|\s*或",
    re.I,
)
_CONDITION = re.compile(
    r"(?<!even )\b(?:if|unless|wenn|falls|si|se|если|depending on|provided|were it not|but (?:i|it|blue|for))\b",
    re.I,
)
_LEAD = re.compile(
    r"(?:.*[,;:—–-]\s*|in this (?:position|case|situation)\s*)?(?:so|yes|ok|okay|then|therefore|thus|hence|and|but"
    r"|i (?:think|believe|say|suspect|guess)(?: that)?)?,?"
    r"(?:(?:\s*(?:off|straight|back))?\s*(?:to|towards?|with|for|on|at))?"
    r"(?:\s*(?:the )?(?:option|cell|square|point|column|centre|center|answer|letter|player)?)?",
    re.I | re.S,
)
_NUMBERED_STEP = re.compile(r"[\W_]*(?:step|turn|round) (?:[2-9]|\d\d)\b", re.I)  # one of a list, not this one
_NEXT_CASE = re.compile(r"\A[^.!?\n]*[,;]\s*(?:and |while |but )?[*_`\"<(]*\Z")
_NO_CASE = re.compile(rf"{phrases.DENIED.pattern}|\b(?:worse|weaker|slower|loses|risky|illegal|taken|blocked)\b", re.I)
"""Another move that opens a clause is another case, unless something is said against it."""
_FIRST_OF = re.compile(r"\bfirst (?:step|move|action)\b", re.I)
_AND_THEN = re.compile(r"[*_`\">)]*,?\s+(?:and )?then\b", re.I)
_HEADS = words_of(
    "so thus hence therefore finally decision answer centre center middle corner conclusion verdict result final easy"
)
_LONE_LETTER = re.compile(r"[*_`(]*[A-H](?=[*_`)]*[,.;!])")
_FOR_OTHERS = re.compile(r"\bfor (?!me\b)", re.I)
_LAST = 8000  # a final declaration stands near the end
_LONGEST_HEAD = 200  # no name of a move is longer
_MOST_FILLERS, _MOST_BEFORE_COLON, _MOST_STATED = 16, 30, 5
_POINTED = re.compile(
    r"(?P<mark>[:→—]|(?<!\w)[–-]|->|=>|\boption|\bso)\s*(?P<said>[*_`]{1,2}[^*`\n]{1,60}[*_`]{1,2}|[^:→—–\n]{1,60})$"
)
_SAYS_I = re.compile(r"(?:^|[^a-z])i[' ]", re.I)
_STAGED = re.compile(rf"(?<![*\w])\*(?=(?:{phrases.DOES})\s[^*\n]+\*)", re.I)  # "*places X on A1*"
_DOING_IT = re.compile(rf"[\W_]*(?:{phrases.VERB})\b", re.I)
_UNDECIDED_SIGNS = re.compile(
    "迷|悩|どちら|次の|다음|나중|後で|ない|ません|かも|もし|なら|相手|たら|않|안 |아니|만약|면 |상대|白|黒"
)
_TOLD = re.compile(r"[\W_]*[^\W\d_]+[ '][^\"{}<>]{4,}|[^\"{}<>]*[\u3040-\u9fff][^\"{}<>]*")
_ARTICLE = re.compile(r"^\W*(?:the |my )?", re.I)
_FINAL = re.compile(
    r"final|\b(?:so|hence|thus|therefore),? (?:the|my) (?:right |correct )?(?:option|answer|choice)\b", re.I
)
_NONE = re.compile(r"\b(are|is|see|contains?|has|have|shows?|holds?) no (?=\w)", re.I)
_ALIAS = re.compile(r"(?P<move>[^()]+?)\s*\((?P<again>[^()]+)\)[\W_]*")  # "Nf8 (g6f8)"
_MINE = re.compile(
    r"[,;.!]\s+(?:and |so )?(?:(?:that's|that is|this is) my (?:pick|choice|move|answer|vote|decision)"
    r"|i(?:'m| am) going with (?:that|it|this)(?: one)?)[\s.!*_]*$",
    re.I,
)
_EMOJI = re.compile("[\u2190-\u2191\u2193-\u21ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]")
_LAST_EMOJI = re.compile(rf"(?<=[.!*])[ \t]+(?:{_EMOJI.pattern})+\s*$")
_LETTERED = re.compile(r"[\W_]*\(?[A-H]\)?[).:]\s")  # "C. more black"
_LISTED = re.compile(r"\b[A-H][.):]\s")
_ARROW = re.compile("→|->|=>")
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.M)
_BULLET = re.compile(r"^[ \t]*(?:[-*•+]|\d+[.)])[ \t]+")
_NEXT_NUMBER = re.compile(r"\b[2-9][.)]\s*\Z")
_POINTER = re.compile(r"^[ \t]*(?:#{1,6}|[^\w\s<>()\[\]{}\"'`*_.,+-]{1,3})[ \t]+")


class Declared(NamedTuple):
    """What a text declares: the moves it can mean, and where that ends; or why nothing can be told."""

    actions: frozenset[Any]
    why: str = ""


class _Found(NamedTuple):
    end: int
    actions: frozenset[Any]
    start: int
    final: bool = False


def declared(text: str, moves: Moves) -> Declared | None:
    """What a text without a structured answer declares at last; None if nothing."""
    text = _EMOJI.sub(".", _LAST_EMOJI.sub("", _FENCE.sub("", text[-_LAST:].translate(_APOSTROPHE))))
    if moves.asked.whose == "own":
        text = in_own_voice(_STAGED.sub("*I ", text), moves.asked.role)
    kinds = (_sentences, _last_sentence, _pointed_end, _called_mine)
    found = sorted(one for kind in kinds for one in kind(text, moves))
    found = [one for one in found if one.actions]
    if not found:
        return None
    last = found[-1]
    begins = max(text.rfind(mark, 0, last.start + 1) + 1 for mark in ("\n", ". ", "! ", "? "))
    rest = _SENTENCE_END.split(text[last.end :], maxsplit=1)[0]
    asked = moves.asked
    why = undeclared(text[: last.end], text[begins : last.end], rest, asked.role, asked.whose == "own")
    why = why or unsettled(text[last.end :], moves, last.actions)
    if why:
        return Declared(frozenset(), why)
    for earlier in found[:-1]:
        same = earlier.actions & last.actions
        if not same and not last.final and not CHANGES.search(text[earlier.end : last.start + 30]):
            return Declared(frozenset(), "the reply declares two moves")
    return Declared(last.actions)


def read_line(said: str, moves: Moves) -> Declared:
    """What the rest of a labelled line says: a move alone, or a move with a remark behind it."""
    if found := moves.spelled(said) if "?" not in said else set():
        return Declared(frozenset(found))
    said = said.translate(_APOSTROPHE)
    for mark in _REMARK.finditer(said[:_LONGEST_HEAD]):
        head, rest = said[: mark.start()], said[mark.start() :]
        found = moves.spelled(head) if head else set()
        spoken_of = _SAID_OF_IT.match(_ASIDE.sub("", rest)) or JUDGED.match(rest)
        if not found or spoken_of or "?" in rest.partition(".")[0]:
            continue
        letter = len(head.strip("*_(` ")) == 1
        others = [one for one in moves.mentions(rest[:2000]) if not one.actions & found and (letter or not one.a_word)]
        first = _SENTENCE_END.split(rest.lstrip(".) *_"), maxsplit=1)[0]
        either = others and phrases.ALTERNATIVES.search(rest if not is_beside(rest) else rest[: others[0].start])
        parts = (moves.spelled(part) for part in phrases.PARTS.split(rest[:_LONGEST_HEAD]) if part.strip())
        either = None if phrases.DENIED.search(first) or phrases.IF_OTHERS.match(rest) else either
        listed = others and rest[: others[0].start].strip(' ,*_`"<(>)') in ("", "and", "und", "et", "y", "e", "&")
        listed = listed or re.fullmatch(r", [A-Z][a-z]+\W*", rest) is not None
        listed = listed or any(part - found for part in parts)
        other = phrases.OR_OTHER.search(first)
        listed = listed or (other is not None and any(one.actions - found for one in moves.mentions(other["other"])))
        listed = listed or bool(others and _NEXT_CASE.search(rest[: others[0].start]) and not _NO_CASE.search(rest))
        if (
            listed
            or any(part - found for part in parts)
            or _OR_MORE.match(rest)
            or (letter and _LISTED.search(rest))
            or either
        ):
            return Declared(frozenset(), "the reply names more than one move")
        if why := unsettled(rest, moves, found):
            return Declared(frozenset(), why)
        option = rest.strip("*_.:), \t")
        return Declared(frozenset(found | (moves.named(option) if letter and option else set())))
    *before, last = _ARROW.split(said) if len(said) < _LONGEST_HEAD and "?" not in said else [said]
    found = moves.spelled(last) if before else set()
    return Declared(
        frozenset(() if any(one.actions - found for one in moves.mentions(before[0])) else found)
        if found
        else frozenset()
    )


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text, by where they begin and end."""
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if text[start : end.end()].strip():
            yield start, end.end()
        start = end.end()
    if text[start:].strip():
        yield start, len(text)


def _sentences(text: str, moves: Moves) -> Iterator[_Found]:
    """What single sentences declare."""
    for start, end in _spans(text):
        sentence = text[start:end]
        if "how many" in moves.asked.text.casefold():
            sentence = _NONE.sub(r"\1 0  ", sentence)
        mentions = moves.mentions(sentence) if len(sentence) <= 2000 and "?" not in sentence else []
        if (
            not mentions
            or _NUMBERED_STEP.match(sentence)
            or is_line_of_play(sentence, len({one.actions for one in mentions if not one.a_word}))
        ):
            continue
        forms = phrases.FORMS if _SAYS_I.search(sentence) else phrases.FORMS_WITHOUT_I
        found = (_by_form(form, sentence, mentions, moves) for form in forms)
        one = next((mention for mention in found if mention is not None), None)
        one = one or _named_first(sentence, mentions) or stated(sentence, mentions, moves.asked.text)
        if one is not None:
            yield _Found(start + one.end, one.actions, start, _FINAL.search(sentence) is not None)


def _by_form(form: Form, sentence: str, mentions: list[Mention], moves: Moves) -> Mention | None:
    """The move that the last clause of this form in a sentence declares."""
    for opening in reversed(list(form.opening.finditer(sentence))):
        if (form.labelled and not is_label(opening["label"])) or _is_undone(form, sentence, opening):
            continue
        begin = opening.end() if form.states or form.at_once else opening.start() + 1
        candidates = [one for one in mentions if one.end > begin]
        plain = [one for one in candidates if not one.a_word]
        if form.states and candidates and _LONE_LETTER.match(sentence, opening.end()):
            plain = []  # the option's letter comes before what it is about: "the answer is C, as column 2 …"
        named = plain or [one for one in candidates if _word_counts(sentence, one, form, opening)]
        letters = {one.actions for one in candidates if one.end - one.start == 1}
        if not plain and (len(letters) > 1 or (form.states and named[:1] != candidates[:1])):
            continue
        deed = bool(named) and named[0].start < opening.end()  # the verb is the move: "I bet"
        if deed and named[0].a_word and any(one.actions != named[0].actions for one in candidates):
            continue
        inside = [one for one in mentions if opening.start() <= one.start < opening.end()]
        if named and not form.among and any(not one.actions & named[0].actions for one in inside):
            continue  # "<PASS> with this, <BET> with that"
        if named and _leads_to(form, sentence, opening, named[0], moves) and _leaves_it(form, sentence, named):
            return named[0]
    return None


def _is_undone(form: Form, sentence: str, opening: re.Match[str]) -> bool:
    """Whether what stands before a declaration makes it a supposition, a quotation or a plan for later."""
    before = sentence[: opening.start()]
    quoted = len(re.findall('["“”]', sentence[: opening.end()])) % 2 == 1
    condition = phrases.CONDITION.search(before) or (not form.states and phrases.SUPPOSED.search(before))
    denied: object = phrases.DENIED.search(opening[0])
    later = phrases.LATER.search(sentence[: opening.end()])
    denied = denied or (opening[0].lower().startswith("that") and phrases.DENIED.search(before))
    return bool(quoted or condition or denied or later or phrases.REPORTED.search(before))


def _word_counts(sentence: str, mention: Mention, form: Form, opening: re.Match[str]) -> bool:
    """Whether a plain word that is also a name ("right") stands where only a move can stand."""
    said, lead = sentence[mention.start : mention.end], sentence[: mention.start].rstrip('*_`" (')
    before = [plain_words(word)[0] for word in re.findall(r"[\w']+|[^\w\s]", lead.casefold())[-1:]]
    rest = sentence[mention.end :].lstrip('*_`"')
    after = re.match(r"\s+(\w+)", rest)
    closed = not rest.strip() or rest.lstrip()[:1] in ".,!;:)—–" or phrases.FOLLOWS_WORD.match(rest)
    leads = not before or before[0] in phrases.BEFORE_WORD or (before[0] in ":=," and (form.states or before[0] == ":"))
    leads = leads or before[0].endswith(("は", "是")) or mention.start < opening.end()  # the verb itself
    leads = leads or lead.casefold().endswith(" to the")
    if len(said) == 1:  # a letter, not an article
        return (said.isupper() or before == ["option"]) and bool((closed and leads) or (form.states and not after))
    return bool(closed and leads)


def _leads_to(form: Form, sentence: str, opening: re.Match[str], first: Mention, moves: Moves) -> bool:
    """Whether what stands between the opening of a declaration and its move leads there, and to nothing else."""
    between = re.sub(r"\([^()]*\)", " ", sentence[opening.end() : first.start])
    words = re.findall(r"<[A-Z_-]+>|[\w'+-]+", between)
    if phrases.BESIDE.search(sentence[: first.start]) or re.search(r'["“]\s*\w', between):
        return False
    if re.search(r"\((?:for|as) (?!me\b)", sentence[opening.end() : first.start]):
        return False
    if phrases.DENIED.search(between) or phrases.SUPPOSED.search(between) or any(map(moves.looks_like_move, words)):
        return False
    small = [word.casefold() for word in words]
    if phrases.ATTENTION.intersection(small):
        return False
    last = re.findall(r"\w+", opening[0].casefold())[-1:]
    apart = ":" in between or sentence[first.start - 2 : first.start] == "**"
    pairs = zip([*last, *small], small, strict=False)
    if not apart and any(word in phrases.DEEDS and before not in phrases.LEADS for before, word in pairs):
        return False  # somebody else does it
    if form.states and form.at_once and "," in between:
        return False  # "I bet with a King, pass with a Queen"
    if form.states:
        return len(words) <= (2 * _MOST_STATED if apart else _MOST_STATED) and not phrases.BREAKS.intersection(small)
    if not apart and words and last[0] in ("check", "stop", "wait", "call", "stay", "hold", "give", "pass"):
        return False  # these take a move only behind a colon
    if not words and last[0] in ("drop", "stop") and first.start >= opening.end():
        return False  # "I drop B2", which is no move any more
    near = re.findall(r"[\w']+", between.rpartition(":")[2].casefold()) if apart else small
    return len(words) <= (_MOST_BEFORE_COLON if apart else _MOST_FILLERS) and not phrases.BREAKS.intersection(near)


def _leaves_it(form: Form, sentence: str, named: list[Mention]) -> bool:
    """Whether the rest of the sentence leaves it at the one move."""
    first = named[0]
    rest = sentence[first.end :]
    if len(first.actions) != 1 or _OR_MORE.match(rest) or phrases.NOT_NOW.match(rest):
        return False
    if _CONDITION.search(phrases.NEXT_CLAUSE.split(rest, maxsplit=1)[0]) or phrases.SUPPOSED_CARD.search(sentence):
        return False
    bare = rest.lstrip('*_`">)')
    if form.at_once and re.match(r"\s*\w", bare) and not phrases.FOLLOWS_WORD.match(" " + bare.lstrip()):
        return False
    if form.at_once and (ONLY_JUDGED.match(bare) or JUDGED.match(bare)):
        return False
    others = [one for one in named if not one.actions & first.actions and one.start > first.end]
    if others:
        gap = sentence[first.end : others[0].start]
        if _FIRST_OF.search(sentence[: first.start]) and _AND_THEN.match(gap):
            return True
        if re.match(r"[\s*_`\">),]*(?:and|plus|&)\s(?!after|not|next|keep|save|leave)", gap):
            return False
        either = re.search(
            r"\b(?:or|maybe|perhaps|then|when|if|(?:and|while) (?:\w+ )?\w+ing)\b", phrases.REASON.split(gap)[0], re.I
        )
        return not either and phrases.LEAVES_IT.search(gap) is not None
    return not taken_back(rest)


def _named_first(sentence: str, mentions: list[Mention]) -> Mention | None:
    """A sentence that begins with a move and then says that it is the answer: "B2 it is"."""
    same = len({one.actions for one in mentions}) == 1
    first = mentions[-1] if same else mentions[0]
    leads = [sentence[:start].strip(' *_`"<([') for start in {mentions[0].start if same else first.start, first.start}]
    rest = sentence[first.end :].lstrip('*_`">)]')
    if same and phrases.VERB_LAST.match(rest) and not _UNDECIDED_SIGNS.search(sentence):
        return first
    if same and phrases.TAKES_IT.match(rest):
        elsewhere = (phrases.DENIED, phrases.SUPPOSED, phrases.OTHERS, phrases.LATER)
        if not any(form.search(sentence) for form in elsewhere):
            return first
    if (
        not phrases.AFTERWARDS.match(rest)
        or _CONDITION.search(rest)
        or phrases.DENIED.search(sentence)
        or '"' in sentence
    ):
        return None
    away = any(form.search(leads[-1]) for form in (phrases.CONDITION, phrases.SUPPOSED, _FOR_OTHERS))
    return first if any(map(_LEAD.fullmatch, leads)) and not away else None


def _last_sentence(text: str, moves: Moves) -> Iterator[_Found]:
    """A last sentence that is nothing but a move, unless it ends a list of them or somebody else's name leads to it."""
    lines = [(match.start(), match[0]) for match in re.finditer(r"[^\n]+", text) if match[0].strip(" \t*_`")]
    if not lines:
        return
    start, line = lines[-1]
    if len(lines) > 1 and line.lstrip().startswith("|"):
        return  # a row of a table
    bare = _POINTER.sub("", _BULLET.sub("", line))
    spans = list(_spans(bare)) if len(bare) <= 2000 else []
    before, said = ("", bare) if len(spans) < 2 else (bare[: spans[-1][0]], bare[spans[-1][0] :])
    if (twice := _ALIAS.fullmatch(said)) and moves.spelled(twice["move"]) == moves.spelled(twice["again"]):
        said = twice["move"]
    actions = frozenset(moves.spelled(said) if len(said.split()) <= 12 and "?" not in said else ())
    actions = actions or frozenset(_behind_reason(said, moves))
    end = start + len(line)
    if not actions and (len(lines) == 1 or _LETTERED.match(bare)):
        actions, before = read_line(bare, moves).actions, ""
        end -= len(bare) - (spans[0][1] if spans else 0)
    asked = before.rstrip()
    if len(actions) != 1 or (asked.endswith("?") and not is_label(_SENTENCE_END.split(asked[:-1])[-1].strip(" *_#"))):
        return
    above = before or (lines[-2][1] if len(lines) > 1 else "")
    listed = any(kind.match(line) and kind.match(above) for kind in (_BULLET, _LETTERED)) or _NEXT_NUMBER.search(before)
    apart = [moves.spelled(_BULLET.sub("", above[one:two])) for one, two in _spans(above[-500:])] if above else []
    listed = listed or phrases.OR_OTHER.fullmatch(f"{above.strip()} …")
    away = listed or any(found - actions for found in apart) or _leads_away(above) or refused(above)
    if not away:
        yield _Found(end, actions, start, final=True)


def _behind_reason(said: str, moves: Moves) -> set[Any]:
    """The move behind the comma of a clause that only gives a reason: "Since it touches four lines, B2."."""
    head, comma, last = said.rpartition(",")
    if not comma or not phrases.GIVEN.match(head) or "?" in said or len(head) > _LONGEST_HEAD:
        return set()
    away = phrases.DENIED.search(head) or _is_elsewhere(head) or any(not one.a_word for one in moves.mentions(head))
    return set() if away else moves.spelled(last)


def _called_mine(text: str, moves: Moves) -> Iterator[_Found]:
    """The one move of the words before "that's my choice", at the very end."""
    end = _MINE.search(text[-500:])
    before = [] if end is None else [one for one in _SENTENCE_END.split(text[-500:][: end.start()]) if one.strip()]
    if before and not (phrases.DENIED.search(before[-1]) or _is_elsewhere(before[-1])):
        named = [one for one in moves.mentions(before[-1]) if not one.a_word]
        if len({one.actions for one in named}) == 1:
            yield _Found(len(text.rstrip()), named[0].actions, max(0, len(text) - 500), final=True)


def _leads_away(above: str) -> bool:
    """Whether the words before a move that follows a colon say that it is not one's own."""
    leads = above.rstrip("*_ ").endswith((":", "：")) or above.lstrip().startswith("#")
    return leads and (_is_elsewhere(above) or bool(phrases.DENIED.search(above)))


def _is_elsewhere(clause: str, about: str = "") -> bool:
    """Whether a clause supposes, looks ahead or speaks of somebody else, unless a question is about such."""
    forms = (phrases.SUPPOSED, phrases.LATER) if about else (phrases.SUPPOSED, phrases.OTHERS, phrases.LATER)
    return not_meant(clause) or any(form.search(clause) for form in forms)


def _ends_cases(text: str, moves: Moves) -> bool:
    """Whether the last line is one of a list in which others end with other moves: one for each case."""
    *above, last = text.splitlines()
    if not _BULLET.match(last):
        return False
    ends = [moves.mentions(line)[-1:] for line in (*above[-8:], last) if _BULLET.match(line)]
    return len({one.actions for end in ends for one in end if not one.a_word}) > 1


def _may_head(noun: str, heading: str) -> bool:
    """Whether a heading of one noun may stand before a move: what is done, or a label of an answer."""
    return noun.casefold() in _HEADS or is_label(heading.strip(" *_#>-")) or _DOING_IT.match(noun) is not None


def _pointed_end(text: str, moves: Moves) -> Iterator[_Found]:
    """A move at the very end, behind an arrow, or behind a colon or a dash if it is in bold or somebody says "I"."""
    stripped = text.rstrip(" \t\n.!")
    match = _POINTED.search(stripped[-400:])
    if match is None or stripped.endswith("?"):
        return
    at = max(0, len(stripped) - 400) + match.start()
    sentence = re.split(r"[.!?]\s|\n", stripped[max(0, at - 200) : at])[-1]
    if moves.spelled(" ".join(sentence.split()[-1:])) or _ends_cases(stripped, moves):
        return
    said = re.sub(r"^[*_]+\s+", "", match["said"])  # marks that end a label in bold
    actions = moves.spelled(said)
    bold = said.startswith(("*", "_", "`"))
    own = (
        bold
        or match["mark"] in ("→", "->", "=>", "option")
        or phrases.OWN.search(sentence)
        or _DOING_IT.match(sentence)
    )
    clause, about = re.split(r"[,;]", sentence)[-1], moves.asked.text
    subject = _ARTICLE.sub("", sentence)
    others_do = phrases.OTHERS.match(subject) or is_someone_else(moves.asked.role, subject)
    others_do = others_do and not CONCLUDES.search(sentence) and not about
    denied = re.search(r"\bif\b", sentence, re.I) or phrases.DENIED.search(clause)
    away = others_do or denied or _is_elsewhere(clause, about)
    heading = NO_LABEL.fullmatch(sentence)
    away = away or (heading is not None and match["mark"] == ":" and not _may_head(heading["noun"], sentence))
    told = (
        match["mark"] == ":"
        and _TOLD.fullmatch(sentence)
        and not (_is_elsewhere(sentence, about) or phrases.REPORTED.search(sentence))
    )
    if len(actions) == 1 and (own or (told and not phrases.DENIED.search(sentence))) and not away:
        yield _Found(len(stripped), frozenset(actions), at, final=True)
