"""Words that say nothing about what is looked for, in several languages. They never empty a query."""

from __future__ import annotations

from collections.abc import Sequence

_WORDS = """
a about above after again against all am an and any are as at be because been before being below between both but by
can could did do does doing down during each few for from further had has have having he her here hers herself him
himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only or
other our ours ourselves out over own s same she should so some such t than that the their theirs them themselves
then there these they this those through to too under until up very was we were what when where which while who whom
why will with would you your yours yourself yourselves d ll m re ve don didn doesn isn wasn aren
"""
_ENGLISH = frozenset(_WORDS.split())

_OTHERS: tuple[frozenset[str], ...] = tuple(frozenset(words.split()) for words in (
    # German
    """aber als am an auch auf aus bei bin bis bist da damit das dass dein dem den der des die doch du ein eine einem
    einen einer er es für fur hat haben habe hier ich ihr im in ist ja kein man mein mit nach nicht noch nur oder ob
    sein sich sie sind so über uber um und uns von vor war was wer wie wir wird wo zu zum zur welche welcher warum
    wann""",
    # French
    """à a au aux avec ce ces cette dans de des du elle en est et eu il ils je la le les leur lui ma mais me mes moi
    mon ne nos notre nous on ou par pas pour qu que quel quelle qui sa se ses son sont sur ta te tu un une vos votre
    vous où quand comment pourquoi quoi""",
    # Spanish
    """a al como con cual cuando de del donde dónde el ella ellos en es esta este esto fue ha hay la las le lo los más
    mas me mi no nos o para pero por porque que qué quien quién se ser si sin sobre son su sus tu un una uno y ya yo
    cómo cuándo""",
    # Portuguese
    """a ao as com como da das de do dos e é ela ele em era essa esse esta este eu foi há isso isto já mais mas me meu
    minha na não nao nas no nos o onde os ou para pela pelo por porque qual quando que quem se sem ser seu sua são só
    também um uma você""",
    # Italian
    """a ai al alla che chi ci come con cosa cui da dal del della di dove e è ed era gli ha ho i il in io la le lei lo
    loro lui ma mi mia mio ne nel nella non o per perché piu più quale quando questa questo se si sono su sua suo tra
    tu un una uno""",
    # Dutch
    """aan al als bij dan dat de der deze die dit door een en er het hij hoe ik in is je kan maar me met mij naar niet
    nog of om onder ons ook op over te tot uit van voor waar waarom wanneer was wat we wel werd wie wij worden zal ze
    zich zij zijn zo""",
    # Russian
    """а без бы был была были было быть в вам вас во вот все всё где да для до его ее её если есть еще ещё же за и из
    или им их к как какой какая какие ко когда кто ли мне мы на над не нет но о об он она они от по под при с свой со
    так там то тот ты у уже что чтобы чем эта эти это этот я почему""",
    # Ukrainian
    """а але або без був була були було в ви від він вона вони воно все де для до є за з і й із їх його її коли
    який яка які мене ми на над не немає ні о по при про та так там те ти то у хто це цей чи що щоб як я чому""",
    # Polish
    """a aby ale bo był była było być co czy dla do gdzie go i ich im jak jaka jaki jakie jest już kiedy kto który która
    które ma mi mnie na nad nie o od on ona one oni po pod przez przy się są ta tak tam te ten to tu w we więc z za ze
    że dlaczego""",
    # Turkish
    """acaba ama bana ben beni bir bu bunu da daha de diye en gibi hangi hem hep için ile ise kim ki mi mı mu mü nasıl
    ne neden nerede nereye o olarak olan onu sana sen siz şu ve veya ya zaman""",
    # Hindi
    """का की के को में से है हैं था थी थे और या पर यह वह इस उस ये वे हम तुम आप मैं ने भी तो ही कि जो क्या कब कहाँ कैसे कौन क्यों
    कर हो गया गई लिए""",
    # Arabic
    """في من على إلى الى عن أن ان هذا هذه ذلك تلك هو هي هم ما ماذا متى أين اين كيف لماذا هل لا لم لن قد كان كانت و أو او
    ثم مع كل التي الذي""",
    # Hebrew
    """של את על אל עם כי לא כן זה זאת זו הוא היא הם אני אתה מה מי מתי איפה איך למה או גם אם יש אין היה היתה""",
    # Greek
    """και το τα η ο οι του της των στο στη στην για με από απο που πως πώς ποιος τι ποτε πότε δεν να θα είναι ειναι σε
    αν ή μας""",
    # Swedish, Norwegian, Danish
    """att av blev da de den denna der det dig din du då där efter ej eller en er ett fra från för för ha han har hon
    hur hva hvad hvem hvor i ikke ikkje inte jag jeg kan men mig min mot med nej nar när och og om på over sin skal som
    til till under var vad vem vi vid är å""",
))


def without_stop_words(words: Sequence[str]) -> list[bool]:
    """Which of the folded words of a query to keep: True for those that are no stop word, or all if none would be left.

    English words are always left out; those of one other language only if it explains more of the query than English
    does, so that a word such as ``die`` stays in an English question.

    >>> without_stop_words(["what", "is", "pnpm"]), without_stop_words(["to", "be"])
    ([False, False, True], [True, True])
    """
    english = [w in _ENGLISH for w in words]
    stopped = english
    best = sum(english)
    for language in _OTHERS:
        hits = [w in language for w in words]
        sure = sum(hits) > 1 or any(hit and not w.isascii() for hit, w in zip(hits, words, strict=True))
        if sum(hits) > best and sure:  # one Latin word tells no language: "fix CI" is not Italian
            best, stopped = sum(hits), [a or b for a, b in zip(hits, english, strict=True)]
    keep = [bool(w) and not s for w, s in zip(words, stopped, strict=True)]
    return keep if any(keep) else [True] * len(words)
