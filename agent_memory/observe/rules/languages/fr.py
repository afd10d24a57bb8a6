"""French."""

from __future__ import annotations

from agent_memory.observe.rules.lexicon import Lexicon

FR = Lexicon(
    code="fr",
    stop=(
        "le la les un une des et est sont pas de du que qui pour dans sur avec ne on tu je il elle "
        "nous vous ce cette au aux en par plus ou mais c'est d'accord si se son sa ses y à"
    ),
    acts={
        "rule": (
            "toujours | doit | doivent | il faut | obligatoire | à partir de maintenant | désormais | "
            "dorénavant | au maximum | au plus | au moins | en français | en anglais | interdit | interdits | "
            "interdite | exige | partout | systématiquement | impérativement | surtout | maximum | minimum | "
            "a validé | tel quel | telle quelle | tels quels | ne peut pas être utilisé | ne peut pas servir | "
            "pas disponible en | pas en production | n'est pas en production | inutilisable | "
            "on ne peut pas utiliser | ne doit jamais"
        ),
        "soft": "seulement | uniquement | chaque | par | tous | toutes",
        "neg": (
            "pas | jamais | sans | ne | n'est | aucun | aucune | rien | plus de | au lieu | plutôt que | "
            "évite* | arrête* | non | n'utilise | n'ajoute | laisse* tomber | hors de question"
        ),
        "wish": (
            "je préfère | je veux | j'aimerais | je voudrais | on veut | j'aime | nous voulons | "
            "je n'aime | de préférence | j'ai besoin | je ne veux pas | je tiens à | je préférerais"
        ),
        "choice": (
            "on utilise | utilise | utilisons | on garde | garde | on reste | reste | restent | on part sur | "
            "part sur | choisi | décidé | décision | on prend | prenons | plutôt | à la place | on passe | "
            "passe à | revenons | remplace | conserve | c'est parti pour | convenu | laisse comme | ok pour | "
            "d'accord pour | va pour | on abandonne | on laisse tomber | on vire | on enlève | on retire | "
            "on passe à | partons sur"
        ),
        "told": (
            "je t'ai dit | je t'ai déjà dit | déjà dit | je l'ai dit | comme je disais | je répète | "
            "combien de fois | je vous ai déjà dit"
        ),
        "remember": (
            "rappelle-toi | souviens-toi | n'oublie pas | à noter | note que | attention | pour rappel | "
            "au fait | retiens"
        ),
        "personal": (
            "dans tous mes projets | tous mes projets | tous les projets | en général | partout où | pas seulement ici"
        ),
        "interro": (
            "qu'est-ce | pourquoi | comment | qui | où | quel* | est-ce | combien | quand | peux-tu | "
            "pouvez-vous | c'est quoi | d'où | à quoi | que veut | quoi | lequel | laquelle | est-ce que | "
            "est-ce qu'on | kesk | keske | pk | pkoi | y a-t-il | tu sais | t'as | tu connais | c koi | "
            "c'est combien | c'est quand | on a déjà"
        ),
        "define": (
            "c'est quoi | qu'est-ce qu'un | qu'est-ce qu'une | que veut dire | ça veut dire quoi | "
            "différence entre | que signifie | déjà un"
        ),
        "hypo": (
            "peut-être | est-ce qu'on devrait | devrait-on | on pourrait | et si | je me demande | je pense | "
            "éventuellement | un jour | on verra | qu'en penses-tu | on pourrait aussi | je me demande si | "
            "ce serait bien | je pensais | on hésitait | j'avais pensé | ma première idée"
        ),
        "chat": (
            "merci | beaucoup | super | parfait | c'est | bien | très | ok | d'accord | oui | non | "
            "bonjour | salut | génial | top | continue | vas-y | allez | bravo | à | demain | plus | tard | "
            "bon | bof | ça | marche | nickel | je | reviens | voilà | pour | aujourd'hui | tout | "
            "compris | le | la | impeccable | laisse | tomber | tant | pis"
        ),
        "retract": (
            "finalement | en fait | en fait non | plutôt | non attends | oublie ça | oublie | "
            "laisse tomber | je change d'avis | changé d'avis | correction | à la place | revenons | "
            "annule | tout compte fait | je me suis trompé* | abandonne* | ne plus | attends | "
            "mets plutôt"
        ),
        "cause": (
            "parce que | car | cause | à cause | vient de | vient du | vient d'un | donc | c'est pourquoi | "
            "puisque | raison | manque | manquait | manquent | porte | n'était pas | faute de | provient | "
            "dû à | due à | si bien que | résultat | ce qui | n'est jamais | il n'y a pas"
        ),
        "fail": (
            "erreur | erreurs | échoue | échouait | échouaient | échec | plante | cassé | perd | lent | "
            "lente | bloque | ne marche pas | ne fonctionne pas | bogue | bug | vide | refuse | doublon* | "
            "lève | perdu | perdus | perdue | invalide | n'est plus possible"
        ),
        "needs": (
            "faut | nécessite | il faut | doit | corrige | corrigé | avec | avant | suffit | passe | "
            "passent | fonctionne"
        ),
        "open": (
            "reste à | il reste | à faire | pas encore | en suspens | reste | encore à | en attente | "
            "la semaine prochaine | non fait | pas commencé | reporté* | à venir | ce qui manque | "
            "rappelle-moi | rappelle moi | pour la semaine prochaine | pour demain | pour plus tard | "
            "une autre fois | il manque encore | manque encore"
        ),
        "narr": (
            "je commence | je vais | je regarde | voyons | maintenant | d'abord | ensuite | je lis | "
            "je vérifie | je cherche | je lance | je m'occupe | je continue"
        ),
        "ack": (
            "compris | d'accord | bien | très bien | ok | entendu | noté | fait | c'est fait | parfait | "
            "oui | c'est en place | pas de problème | ajouté | supprimé"
        ),
        "propose": (
            "je pourrais | je propose | je suggère | voulez-vous | veux-tu | souhaitez-vous | on pourrait | "
            "je recommande | dois-je | si tu veux | je ferais"
        ),
        "guess": ("peut-être | probablement | sans doute | il se peut | je pense | je crois | pourrait | il semble"),
        "self": ("je suis | je reviens | j'ai | mon | ma | je dois | je pars | je vais | je crois | je | j'étais"),
        "task": (
            "regarde | regardez | vérifie | cherche | trouve | lance | corrige | ajoute | écris | montre | "
            "explique | continue | essaie | lis | peux-tu | pouvez-vous | fais | crée | teste | commite | "
            "supprime | modifie | dis-moi | aide | relance"
        ),
        "design": (
            "mets | utilise | garde | range | stocke | limite | arrondis | nomme | envoie | prends | "
            "remplace | passe | reste | laisse | affiche | réponds | convertis | trie | masque | conserve | "
            "renvoie"
        ),
        "way": (
            "commits | commit | réponse* | réponds | commentaire* | documentation | branche* | message* | "
            "langue | français | anglais | tests | test | diff | résumé* | pr | prs | style | demande* | "
            "écrives | pousse*"
        ),
        "why": ("pourquoi | d'où | cause | comprendre | trouver | cherche | qu'est-ce qui | regarder"),
        "fill": (
            "et | aussi | mais | donc | alors | ok | d'accord | oui | non | bon | ben | surtout | finalement | "
            "en fait | par contre | bof | ah | euh | du coup | s'il te plaît | merci | enfin | puis | super | "
            "parfait | bonjour | salut | bonsoir | coucou | faisons ça | on fait ça | on fait comme ça | "
            "autre chose | une chose | au passage | d'ailleurs | oh non | zut | mince | ah mince"
        ),
        "ana": "ça | cela | ceci | lui",
        "result": "terminé | fait | résultat | tous | mesuré | maintenant | prend | bilan",
        "count": "tests | test | passent | passés | réussis | échecs | tous | verts | les",
        "recap": ("objectif : | objectif: | décisions : | décisions: | en attente : | reste : | reste: | contexte :"),
        "planted": "instruction | injecté* | agents | ignoré | j'ai ignoré | ne vient pas de",
        "skip": ("non | aucun | plus tard | pas maintenant | annuler | je ne sais pas | peu importe | aucune | passer"),
        "ditch": "abandonne* | laisse tomber | oublie | plus de | enlève | retire",
        "else": "sinon | autrement",
        "turn": "non | pardon | attends | oups | finalement | en fait",
        "dismiss": (
            "peu importe | tant pis | pas grave | pas de souci | pas de problème | aucune idée | rien de grave"
        ),
        "decline": "plutôt pas | vaut mieux pas | pas maintenant",
        "farewell": (
            "bonne journée | bonne soirée | bonne nuit | bon week-end | bon weekend | à demain | à bientôt | "
            "à plus | à plus tard | à lundi | à mardi | à mercredi | à jeudi | à vendredi | "
            "à la semaine prochaine | à tout à l'heure | au revoir | de rien | avec plaisir | je t'en prie | "
            "ciao | bonne continuation | bonne fin de journée | c'est tout pour aujourd'hui | on s'arrête là"
        ),
        "again": (
            "encore une fois | je répète | je le répète | comme je l'ai dit | rappel"
        ),
        "aim": (
            "on veut | on voudrait | je veux | je voudrais | nous voulons | on aimerait | j'aimerais | "
            "il faut qu'on | on doit"
        ),
        "cure": (
            "ça passe | ça marche | j'ai remplacé | j'ai changé | j'ai corrigé | j'ai mis | j'ai ajouté | "
            "corrigé | remplacé par | maintenant | résout | résolu"
        ),
        "recant": (
            "non attends | attends non | attends | en fait non | non en fait | pardon | rectification | "
            "euh non | enfin non | ah non | non plutôt | l'inverse | c'est l'inverse"
        ),
        "later": (
            "rappelle-moi | rappelle moi | pour la semaine prochaine | pour demain | pour plus tard | "
            "une autre fois"
        ),
        "never": (
            "jamais"
        ),
        "measure": (
            "en mètres | en secondes | en millisecondes | en minutes | en centimes | en octets | en utc | "
            "en heure locale | en celsius | en grammes | en pourcentage | en pixels | en entiers | "
            "en minuscules | en majuscules | décimale | décimales | format 24 | système métrique | iso 8601 | "
            "chez nous"
        ),
        "past": (
            "avant on | auparavant | autrefois | jusqu'ici | jusqu'à présent | à l'époque | l'an dernier | "
            "le mois dernier | la semaine dernière | avant c'était | on utilisait | on faisait"
        ),
        "hence": (
            "d'où | c'est pourquoi | c'est pour ça | voilà pourquoi | donc"
        ),
        "found": (
            "j'ai trouvé | j'ai constaté | je constate | il s'avère | j'ai découvert | il se trouve | "
            "je remarque"
        ),
        "cond": (
            "si un | si une | si quelque | dès qu'un | dès qu'une | en cas de | en cas d'* | au cas où | "
            "chaque fois"
        ),
        "amend": (
            "plutôt | mets plutôt | finalement | à la place | passe à | passe-le à | mieux"
        ),
        "behaves": (
            "suit | suivent | ferme | ouvre | renvoie | s'affiche | s'affichent | est stocké | "
            "sont stockés | est affiché | sont affichés"
        ),
        "often": (
            "chaque matin | chaque soir | chaque jour | chaque nuit | chaque semaine | chaque mois | "
            "tous les jours | tous les matins | avant chaque | après chaque | à chaque"
        ),
        "regret": (
            "mince | ah mince | zut | aïe | oh non | flûte"
        ),
    },
    headings={
        **dict.fromkeys(
            (
                "apprentissages",
                "leçons",
                "enseignements",
                "causes",
                "cause",
                "pièges",
                "ce que j'ai appris",
                "à retenir",
            ),
            "lesson",
        ),
        **dict.fromkeys(
            (
                "décisions",
                "décision",
                "choix",
                "règles",
            ),
            "decision",
        ),
        **dict.fromkeys(
            (
                "reste à faire",
                "à faire",
                "en suspens",
                "prochaines étapes",
                "questions ouvertes",
                "il reste à faire",
                "reste",
                "encore à faire",
                "en attente",
                "non fait",
            ),
            "open",
        ),
        **dict.fromkeys(
            ("préférences",),
            "preference",
        ),
        **dict.fromkeys(
            (
                "résultats",
                "bilan",
            ),
            "fact",
        ),
    },
)
