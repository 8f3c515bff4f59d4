"""The closed set of phrases by which prose declares a move, and those that make a sentence declare nothing."""

from __future__ import annotations

import re
from typing import NamedTuple

from mmgames.text.answer_labels import plain_words, words_of
from mmgames.text.move_names import stem_of


class Form(NamedTuple):
    """How a declaration opens. `states`: it says that the answer is so; otherwise somebody says what they do."""

    opening: re.Pattern[str]
    states: bool = False
    labelled: bool = False  # only if the words before the colon are a label
    at_once: bool = False  # the rest of the sentence must leave it at the move
    among: bool = False  # it opens with moves that are left aside


def one_of(*alternatives: str) -> str:
    """A pattern for any of these, whose lines are alternatives too."""
    return f"(?:{'|'.join(line.strip() for text in alternatives for line in text.splitlines())})"


def _forms_of(verb: str) -> list[str]:
    """A verb as I say it, as others do, and as "I am" says it."""
    stem = verb[:-1] if verb.endswith("e") else verb
    twice = stem + stem[-1] if re.search("[^aeiou][aeiou][bdgmnpt]$", stem) else stem
    return [verb, verb + "s", verb + "es", stem + "ing", twice + "ing"]


_PLAIN_VERBS = plain_words(
    """go play choose pick select take move place put start begin open reveal flag press drop cast vote name make
    answer advance develop write fill enter push capture stay hold step walk head turn hint discard give settle
    stick commit opt claim submit use mark click tap cut respond reply test prefer castle guess grasp reach roll
    stop pass bet call fold check interact occupy wait say drag slide draw build connect attack defend block cover set
    bring remain throw raise suspect accuse uncover continue lead shift tell slow-play"""
)
VERB = one_of(
    "|".join(form for verb in _PLAIN_VERBS for form in _forms_of(verb)),
    r"""lock(?:ing)? in|chang(?:e|ing) (?:it |my \w+ )?to|switch(?:ing)? to|decided? (?:on|for|to)|end up
    (?:chang(?:e|ing)|revis(?:e|ing)) my (?:vote|move|answer|choice|mind)|kick(?:ing)? (?:things )?off""",
)
DOES = one_of("does", "|".join(form for verb in _PLAIN_VERBS for form in _forms_of(verb)[1:3]))
"""What others do, by the verb's ending, so that "the right move" says nothing about a player called right."""
ADVERB = one_of(
    """now|just|simply|therefore|thus|hence|instead|rather|definitely|still|then|nevertheless|also|first|hereby
    first of all|probably|clearly|most likely|likely|surely|certainly|almost certainly|always|here|next"""
)
MODAL = one_of(
    """should|must|ought to|needs? to|ha(?:s|ve) to|will|shall|would|is going to|wants? to
    is (?:about|likely|expected|supposed) to"""
)
_CLAUSE = (
    r"(?:^|[.!?;:,—–→(]\s*|\s-\s|\b(?:so|and|thus|hence|therefore|but|then|now|that|because)\s+(?:here,? |now,? )?"
    r"|\bi (?:think|believe|guess|suspect|conclude|say)\s+|^\W*(?:in order )?to\s(?!\bif\b)[^.,;:?]{3,80}?\s"
    r"|^\W*(?:of course|obviously|naturally|consequently|accordingly|as a result|for (?:this|that) reason|clearly"
    r"|again|here"
    r"|first(?: of all)?,?|this time|for now|right now|in this (?:position|case|situation)"
    r"|after (?:some|much|careful|long|further|due"
    r"|a) (?:\w+ )?"
    r"(?:thought|thinking|look|analysis|consideration|reflection)|on balance|in the end|finally)\s+)"
    r"[*_#>\s-]{0,4}"
)
_MEANS_TO = one_of(
    r"""'ll(?: be)?|\ will(?: be)?|\ shall|\ would|\ want to|\ have to|\ must|\ need to
    (?:'m|\ am)(?: just| now)? going to|'m gonna|(?:'d|\ would) like to
    (?:'d|\ would) rather|'d better|'d
    've (?:decided|chosen) to|\ (?:have )?decided to|\ decide to|\ am|'m|\ choose to"""
)
_I = rf"{_CLAUSE}i{_MEANS_TO}?\s+(?:{ADVERB}\s+)*{VERB}\b(?:\s+(?:my|the|this) \w+ (?:and|to) {VERB}\b)?"
_I_DO = rf"{_CLAUSE}i(?:{_MEANS_TO})?(?:\s+(?:{ADVERB}|do|does|(?!wait|hold|hesit)\w+ with))*\s+(?=[<(`*])"
_STANCES = one_of(
    """am|is|was|were|have|has|had|do|did|can|could|may|might|must|should|would|need|hope|fear|expect|dislike|like|love|hate
    trust|think|believe|know|see|saw|notice|wonder|doubt|worry|hear|heard|consider|compare|look|own|count|read|understand
    remember|recall|admit|agree|assume|suppose|avoid|refuse|reject|decline|skip|leave|regret|miss|lose|lost|won|watch
    imagine|predict|anticipate|say|said|ask|mean|meant|feel|felt|find|found|got|get|went|chose|took|made|thought|kept|left
    told|knew|gave|ruled|rule|list|mention|note|recommend|suggest|advise|propose|favou?r|analy[sz]e|evaluate|examine
    threaten|face|respect|ignore|dismiss|rate|rank|value|judge|study|try|want to|wish|would|never|not|don't|can't|won't
    cannot|want|almost|nearly|might|also|usually|often|always|normally|sometimes|if|and|or|then|later|keep
    wait|lean|tend|incline|pass|elaborate|reflect|insist
    focus|concentrate|aim|point|refer|react|respond|listen|let|leave|make|give (?:him|them|her)|help|force|allow"""
)
"""What somebody who says it does not do anything yet."""
_I_ANY = (
    rf"{_CLAUSE}i(?:'ll| will|'m going to| am going to|'m| am)?\s+(?:{ADVERB}\s+)*(?!(?:{_STANCES})\b)"
    r"(?![a-z]+ed\b)[a-z]{3,}\s+(?:(?!eye|mind|attention|look|thought|he\b|she\b|they|them|him|her|you|opponent|"
    r"partner|red"
    r"|blue|black|white|player)[a-z]+\s+){0,3}?(?:with|on|at|to|by|into)\s+"
)
_OF_THESE = (
    r"^\W*(?:out of|between|among|of|instead of|rather than)\s[^.;:?]{3,80}?,?\si"
    rf"{_MEANS_TO}?\s+(?:{ADVERB}\s+)*{VERB}\b"
)
_LET_ME = rf"{_CLAUSE}let(?:'s| us| me)\s+(?:{ADVERB}\s+)*(?!say|check|call|hold|give|guess|stop|wait){VERB}\b"
_MY_PIECE = (
    rf"{_CLAUSE}(?:my (?!opponent|partner|rival|team)(?:\w+ ){{1,4}}?"
    r"|the (?:\w+ )?(?:disc|stone|mark|piece|cross|token|pawn) (?:on \w+ )?)"
    r"(?:(?:will|shall|should) (?:move|go|step|land)|moves|goes|captures|takes|steps|lands)\b"
)
_DOING = (
    r"^[\W_]*(?:so,? |therefore,? |thus,? |hence,? )?"
    rf"(?:{'|'.join(form for verb in _PLAIN_VERBS for form in _forms_of(verb)[3:])})(?: with| for| to)?\b"
    r"(?!\s+(?:\S+\s+){0,3}(?:would|could|might|may|looks?|seems?|is|was)\b)"
)
_DO = rf"^[\W_]*(?:(?:please|just|simply|now|first|then)\s+)?(?!tell me)(?:{'|'.join(_PLAIN_VERBS)})\b"
_ELSEWHERE = one_of(
    r"""ich (?:wähle|nehme|spiele|setze|ziehe|gehe|entscheide mich für|stimme für|antworte|bewege|öffne|lege|beginne)
    (?:wähle|nehme|spiele|setze|ziehe|gehe|bewege|öffne|lege|bleibe|passe|stimme) ich
    ich (?:entwickle|passe|warte|gebe|decke|schiebe|rücke|stelle|starte|bleibe|erwarte)
    ich (?:werfe|schlage|drehe|laufe|tippe)|öffne|spiele|wähle
    je (?:choisis|joue|prends|vais|place|vote (?:pour|contre)|réponds|déplace|pose|commence|mets|avance|révèle)
    j'(?:ouvre|avance|attaque|opte pour)|(?:yo )?(?:elijo|escojo|juego|voy a|voto por|muevo|empiezo|comienzo)
    coloco|abro|avanzo|pongo|doy un paso|dou um passo|faccio un passo|je fais un pas|ich mache einen schritt
    (?:eu )?(?:escolho|jogo|vou (?:jogar|com|para)|voto em|movo|começo|abro|coloco)
    scelgo|gioco|voto per|muovo|apro|comincio|metto|ik (?:kies|speel|ga|zet|neem|begin|open)
    wybieram|gram|idę|zaczynam|stawiam|otwieram|jag (?:väljer|spelar|går|börjar|tar)|vælger|velger|valitsen|seçiyorum
    (?:я )?(?:выбираю|хожу|играю|иду|ставлю|голосую за|начинаю|открываю|беру)
    je (?:reste|monte|descends|tourne)|(?:me )?(?:quedo|voy|subo|bajo)|(?:eu )?(?:fico|vou|subo|desço)|vado|resto
    salgo|scendo
    (?:kies|speel|ga|zet|neem|open) ik|nehme ich|poruszam|zostaję|(?:я )?(?:двигаюсь|остаюсь|хожу|голосую)
    respondo con|il mio segno va in|развиваю|отвечаю|(?:لذلك )?(?:أختار|سأختار)
    我?先(?=\s*<)|(?:所以|因此|于是)?(?:这一步|这步)?我?(?:选择|選擇|选|下在?(?!一)|走|决定|投给|投(?=\s*player)|打开|填)"""
)
_ANSWER = one_of(
    """move|action|answer|choice|decision|pick|vote|option|guess|prediction|play|one|selection|reply|response|verdict
    spy|suspect|step|call|letter"""
)
_WHICH_ANSWER = one_of(
    """my|the|final|best|correct|chosen|next|right|safest|optimal|selected|own|preferred|only|strongest|first|most
    sensible|logical|reasonable|natural|strategic|smart|solid|sound|wise|clear|simple
    good|a|legal|possible|valid|obvious|forced|winning|recommended|ideal|overall
    opening|likely|expected|predicted"""
)
_MY_PLACE = (
    r"(?:the |my )?(?:best|chosen|selected|preferred|safest|strongest|most \w+) (?:\w+ )?"
    r"(?:cell|square|point|spot|column|place|field)"
)
_FOR_NOW = one_of(
    r"""i (?:choose|pick|take|make|play|select|prefer)
    for my \w+(?: \w+)?
    on the board
    here|now|for (?:me|the \w+ player|this turn|this step|this position|now|the current turn)|this turn|then
    in this (?:position|case|situation)|therefore|thus|is therefore|at this point|of (?:them|these|all)"""
)
_IS = (
    rf"{_CLAUSE}(?:(?:{_WHICH_ANSWER}\s+)+{_ANSWER}|{_MY_PLACE}|the best)(?:\s+{_FOR_NOW}){{0,2}}\s*"
    r"(?:is|will be|would be|must be|goes to|becomes|remains|:|=)+[\s:]*"
    r"(?:to (?:be )?|therefore |thus |clearly |simply |probably )?"
)
_LABEL = (
    r"(?:^|[.!?,;]\s+)[*_#\s]{0,4}(?P<label>[^\W\d_][^\W\d_' ]*(?: [^\W\d_]+){0,4})[*_]{0,2}"
    r"(?:\s?[:→]|\s(?:is|ist|lautet|est|es|será|é|è|jest|to|är|er|это|on|va (?:à|a|para|per)|geht an|gaat naar|goes to)"
    r"\s(?=[\s\S]))[*_\s]{0,3}"
)
_LABEL_BEFORE_SIGNS = (
    r"(?:^|[.,:;!\s]|我认为|我觉得|所以|因此|我|私|나)(?:的|の|의)?(?:最终|最終|正确|最初の|次の)?"
    r"(?:答案|选择|動作|动作|一?手|行动|行動|回答|着法|走法|间谍|正解|答え) ?(?:应该|就)?(?:是|は|为|:)[:\s]*"
)
_THAT_IS = (
    r"(?:\b(?:so|thus|hence|therefore),?\s+(?:that's|that is|it's|it is)|\bwhich is|,\s+that is"
    r"|\b(?:that|this|which|it) (?:corresponds to|matches|makes|means|gives)(?: \w+,?)?(?= option)"
    r"|\b(?:that|this|which) makes it"
    r"|^[\W_]*(?:of [\w ]+ |i (?:think|believe|guess|conclude|would say)(?: that)? )?(?:that's|that is|it's|it is"
    r"|this is)"
    r"|\b(?:it|this) (?:must|has to|can only) be|\bi\.e\.|\bthat is,)\s+(?:option|answer|choice)?\s*"
)
_SO = (
    r"(?:^[\W_]*(?:so|hence|thus|therefore|(?:ok|okay|alright|fine|well)(?:,? then)?|yes|option|in conclusion"
    r"|in short|all in all|definitely|clearly"
    r"|certainly"
    r"|surely|obviously)\b[,:]?"
    r"|(?:^[\W_]*|[,:]\s*)(?:所以|因此|即|따라서)"
    r"|[,;:]\s(?:so|hence|thus|therefore|also|daher|donc|así que|entonces|portanto|quindi|dus|więc|поэтому"
    r"|in other words"
    r"|soit|c'est-à-dire|o sea|es decir|ou seja|cioè|ossia|das heißt|d\.\s?h\.|nämlich|namely)\b[:,]?)\s+"
    r"(?:(?:the |la |l')?(?:option|opción|opção|opzione|answer|réponse|respuesta|antwort) )?"
)

FORMS = (
    Form(re.compile(_IS, re.I), states=True),
    Form(re.compile(_I, re.I)),
    Form(re.compile(_I_DO, re.I), states=True),
    Form(re.compile(_LET_ME, re.I)),
    Form(re.compile(_I_ANY, re.I), states=True, at_once=True),
    Form(re.compile(_OF_THESE, re.I), at_once=True, among=True),
    Form(re.compile(_MY_PIECE, re.I)),
    Form(re.compile(_DOING, re.I), at_once=True),
    Form(re.compile(_DO, re.I), at_once=True),
    Form(re.compile(_THAT_IS, re.I), states=True, at_once=True),
    Form(re.compile(_SO, re.I), states=True, at_once=True),
    Form(re.compile(_LABEL, re.I), states=True, labelled=True),
    Form(re.compile(_LABEL_BEFORE_SIGNS, re.I), states=True),
    Form(
        re.compile(
            rf"(?:^|[.!?;:,]\s*|\b(?:also|donc|así que|então|quindi|dus|und|et|e|y|i|en|и)\s+)[\W_]*{_ELSEWHERE}", re.I
        )
    ),
)
FORMS_WITHOUT_I = tuple(form for form in FORMS if form.opening.pattern not in (_I, _I_DO, _I_ANY, _OF_THESE))
"""Those that can open a sentence in which nobody says "I"; looking for the others takes time."""

AFTERWARDS = re.compile(
    r"\s*(?:it is\b|is (?:my|the) (?:final |best |own |chosen |correct |right |obvious |natural )?"
    r"(?:answer|move|choice|action|pick|decision|vote|spy)\b(?! (?:that |which )?(?!i\b|my\b)\w+ (?:\w+ )?\w+s\b)"
    r"(?! (?:that |which )?i\b(?!(?:'ll| will|'m| am)? (?:play|choose|pick|take|go|make|want|select|like|prefer)))"
    r"|wins(?: the game| at once| immediately| on the spot| here)?[\s.!]*$"
    r"|is what i(?:'ll| will)? (?:play|choose|do|pick)"
    r"|is the (?:move|action|answer|one) (?:that )?i(?:'ll| will)? (?:play|choose|pick|take|go)"
    r"|is (?:clearly |simply |definitely |surely )?(?:the )?(?:correct|right|best|optimal|strongest|safest)"
    r"(?: (?:one|move|action|choice|option|answer|here|now))*\s*[.!]*$"
    r"|(?:seems to be|must be|has to be) the spy\b|(?:i|we) (?:go|move|head|step|walk|play|choose|pick|place|vote)\b"
    r"(?: with (?:my|this|the|that) \w+)?[\s.!]*$"
    r"|(?:ist|est|es|é|è|jest|is|är|er) (?:meine?|ma|mon|mi|a minha|o meu|la mia|il mio|mijn|moja|mój|min|mitt) \w+\b)",
    re.I,
)
"""What follows a move that a sentence begins with: "B2 it is"."""
VERB_LAST = re.compile(
    r"[\s*_`>)]*(?:します|(?:を|に|へ|で)\s?(?:選|置|指|打|行|動|進|出|始|開|決|取|投票|します|いきます))"
    r"|\s?(?:를|을|에|로|으로)\s?(?:선택|두|놓|이동|투표|하"
    r"|시작|가)"
    r"|\s?(?:가|이|은|는|が|は)?\s*(?:스파이|スパイ)|\s?(?:就?是(?:间谍|臥底|卧底|間諜)|ist der spion"
    r"|est l'espion|es el espía"
    r"|é o espião|è la spia|is de spion|jest szpiegiem)"
)
"""What follows a move in languages whose verb comes last."""

DENIED = re.compile(
    r"\b(?:not|never|neither|nor|cannot|avoid|without|no longer|refuse|except|hardly|barely|false|nicht|kein|keine|pas"
    r"|jamais|nunca|nie|não|non|не|nein|ikke|inte|niet)\b|n't\b|不|没|未",
    re.I,
)
SUPPOSED = re.compile(
    r"\b"
    + one_of(
        r"""if|unless|whether|in case|suppose|imagine|assum(?:e|ing)|provided|were to|had i|(?<!at )once|whenever|until
        as soon as|could|might|may|maybe|perhaps|possibly|(?:thought|thinking) (?:of|about)|(?<!things )considered
        let(?:'s| me| us) (?:see|think|check|look)
        tempted|wanted|was going|would have|at first|initially|originally|usually|normally|typically|for example
        for instance|such as|e\.g|almost|nearly|wenn|falls|vielleicht|könnte|würde|peut-être|si|quizás|talvez
        forse|se|если|может"""
    )
    + r"\b|如果|也许|可能|もし",
    re.I,
)
CONDITION = re.compile(
    r"^\W*(?:and |but |so |then )?when (?!i\b|\w+ing\b|all\b|in\b)|\b(?:if|had (?:i|we|it)|were (?:i|it|this)"
    r"|provided|assuming|supposing|in a world)\b|^\W*(?:should|were|had)\b",
    re.I,
)
"""What makes all that follows in its sentence a supposition."""
LATER = re.compile(
    r"\b(?:next (?:turn|step|i)|after (?:that|this|which|\w+ (?:opponent|\w+) \w+s)|^\W*after [^,.;]*\b(?:is|are"
    r"|has|have|gets?)\b|afterwards|later|from now"
    r"|followed by|subsequently|in the following|then i|eventually|soon|last (?:turn|step|time|move)|previous(?:ly)?"
    r"|(?:turn|step) \d)\b"
    r"|^\W*(?:then|next)\b(?!\s+\S+\s+it is)",
    re.I,
)
REPORTED = re.compile(
    r"(?<!\bi )\b(?:say|says|said|saying|think|thinks|claims?|tells?|told|asks?|asked|writes?|wrote|believes?"
    r"|means?|hopes?|expects|wants|suggests|recommends|insists|fears)\b\W*$",
    re.I,
)
"""What makes the words behind it those of somebody else."""

ATTENTION = words_of(
    """look looking analysis analysing analyzing mind eye attention consider considering thought thoughts idea question
    stopping preventing threat analyse analyze evaluate evaluating comparing compare checking examine studying
    watch beware prevent expect fear worry care aim try hope"""
)
"""Words by which a move is only looked at."""

BESIDE = re.compile(
    r"\b(?:near|next to|beside|below|above|opposite(?: to)?|away from|around|adjacent to|behind|under"
    r"|(?:respond|reply|answer|react) to|line(?: from)?|(?:to|with|on|at) \w+'s)[\s*_`\"(]*$",
    re.I,
)
"""What makes the move behind it a place that another one has to do with."""
NOT_NOW = re.compile(
    r"[\s*_`\">)]*(?:back\b(?! (?:to|home|in|with))|(?:last|the other) (?:time|turn|game|round|week)"
    r"|(?:for (?:the )?)?(?:example|instance|next|before|only)"
    r"|as an? (?:example|test|draft|hypothesis)"
    r"|(?:in|on|at|for) (?:an?|any|the|every|some)"
    r" (?:normal|real|usual|ordinary|other|different|previous|next|standard|regular) \w+"
    r"|after (?:an?|the|his|my|your|their|its|one|more) (?:hints?|turns?|clues?|moves?|reply|steps?|rounds?)\b"
    r"|in (?:half|some|most|many|all|a (?:third|quarter|few)|one (?:out )?of)\b|half (?:of )?the time|(?:with "
    r"|at )?\d+ ?%(?! (?:sure|conf))"
    r"|,?\s*(?:later|eventually|at some point|soon|plus tard|später|después|más tarde|depois|dopo|потом|позже))\b",
    re.I,
)

ALTERNATIVES = re.compile(
    r"\b(?:or|and|either|both|all|maybe|perhaps|could|might|may|alternatively|oder|ou|или)\b|^\s*[,/|]|或", re.I
)
OTHERS = re.compile(
    r"\b(?:opponent|both players|all players|he|she|they|you|your|their|his|her|partner|other player|player_\d"
    r"|everyone|somebody|advice|worst"
    r"|candidates?|rejected|legal|possible|previous|example|format|threats?|black|white|blue|red|gegner)\b"
    r"|\b(?:by|for|of) (?-i:[XO])\b|(?-i:\b[XO]'s\b)|[黑白红蓝]方|对手|对方|相手|상대|例如|格式",
    re.I,
)
"""What makes the move behind its colon somebody else's, or no answer."""
BREAKS = words_of(
    """because since if when but that which whether or not than unless while before after who where why how between
    depends oder ou yet although though they he she about none unclear unknown pending undecided nothing n"""
)
"""Words that no move stands behind, if a declaration stands before them."""

DEEDS = words_of(
    """play plays playing go goes going take takes taking move moves moving choose chooses choosing pick picks answers
    place places placing stop stops block blocks does do did win wins lose loses"""
)
"""Verbs that have a subject of their own, unless one of `LEADS` stands before them."""
LEADS = words_of("should must to by and with then my the first next own a our from-here just best i 'll now will is")

BEFORE_WORD = words_of(
    """go going move moving step stepping walk walking turn press with choose choosing pick select play playing is be to
    and will ll i so just would head heading answer say name take straight me d should must s simply then for i'll vote
    option moves goes paddle sliding slide ein steps cell square 选 选择
    also nach la le à para vers verso hacia naar 向 往"""
)
"""What a plain word that is also a move ("right") may follow."""
FOLLOWS_WORD = re.compile(
    r"\s+(?:towards?|to|for|first|now|here|because|since|so|as|and|again|instead|from|by|put|where|at once|until"
    r"|while|into|then(?=\s*[.!]|\s*$)|please|along|through|across|past|it is|with (?:my|the|a|it|this|that)\b"
    r"|(?:one|a|\d+) chips?|a (?:bit|little)|slightly|well before|early|for now"
    r"|(?:the|this|that|his|their) (?:bet|raise|bluff)"
    r"|this (?:turn|time|round|step|move|hand)"
    r"|です)\b",
    re.I,
)
"""What may follow such a word, if no mark does."""
TAKES_IT = re.compile(
    r"[\s\w'<>()-]{0,60}?[,;:—–-]\s*(?:(?:so|and|hence|therefore|thus|then)\b,?\s*)?"
    r"i(?:'ll|'d| will| would|'m going to| am going to| shall)?\s+"
    rf"(?:{ADVERB}\s+)*(?:play|take|choose|pick|select|go|move|place|put|mark|claim|use|step|head|press|reveal|do|set|block|"
    rf"open|vote)\s+"
    r"(?:for )?(?:(?:an?|my|the|one) (?:\w+ )?(?:stone|disc|mark|piece|token|cross|x|o|pawn) )?"
    r"(?:it|there|that(?: one)?|this(?: one)?)\b(?: now| then| here)?[\s.!]*$",
    re.I,
)
"""What speaks of the one move before it as one's own: "C1 is open, so I'd go there."."""
GIVEN = re.compile(
    r"\W*(?:since|because|given|facing|considering|seeing|knowing|being|having|with (?!luck)|in order to|to (?:be|"
    r"keep|get|stop|win)"
    r"|as (?!for|an|a)|after (?:weighing|considering|looking|thinking)|all things considered|on balance|left of|"
    r"right of)\b",
    re.I,
)
"""How a clause begins that only gives a reason for the move behind its comma."""
LEAVES_IT = re.compile(
    r"\b(?:keep|save|leave|over|instead of|rather than"
    r"|because|since|as|so that|which|while|and after|to|from|with|on|between|not|than"
    r"|that|flipping|beside|near|next to|(?:threaten|attack|prevent|stopp|keep|leav|creat|connect|prepar|protect|defend"
    r"|open|sett|mak|giv)ing)\b|[(;:—–]",
    re.I,
)
"""What stands between the move that is declared and another one that is only mentioned."""
OWN = re.compile(
    r"\b(?:i|i'm|my|me|we|let's|ich|mein\w*|je|j'\w+|mon|ma|yo|mi|eu|meu|minha|io|mio|mia|ik|mijn|jag|min|mitt|moj\w*"
    r"|я|мой"
    r"|моя|so|thus|hence|therefore|also|deshalb|daher|donc|entonces|então|quindi|dus|поэтому|decision|answer|answers"
    r"|conclusion|verdict|result|empiezo|comienzo|elijo|juego|escolho|jogo|gioco|scelgo|wybieram|выбираю)\b|我|所以|私|나|저",
    re.I,
)
"""What makes the move behind a colon one's own."""
STATING = frozenset(
    stem_of(word)
    for word in plain_words(
        """there are is was i count see can a an the of in on that it so therefore thus hence has have do does with to
        and answer total exactly number picture image which shows by at all clearly only yet chart scene its s as
        than"""
    )
)
"""What a statement may say besides the words of the question that it answers."""
SUPPOSED_CARD = re.compile(r"\b(?:would|'d) \w+ with an? \w+\W*$", re.I)
"""A deed with a card that nobody says is there: "I would bet with a King."."""
IF_OTHERS = re.compile(r"[,;.]?\s*(?:and |then )?if (?!i\b|you\b|we\b|possible|allowed|legal|not\b|so\b)", re.I)
"""What goes on about a later reply to somebody else's move."""
REASON = re.compile(r"\b(?:because|since)\b", re.I)
NEXT_CLAUSE = re.compile(r"[,;]\s*(?:and|as|because|since)\b")
PARTS = re.compile(r"[,;]|\band\b")
OR_OTHER = re.compile(r"\b(?:or|oder|ou)\b(?P<other>.{1,25})", re.I)
"""Where a list of moves is split, and where another one is offered."""
