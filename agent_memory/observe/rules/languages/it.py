"""Italian, the words that matter most."""

from __future__ import annotations

from agent_memory.observe.rules.lexicon import Lexicon

IT = Lexicon(
    code="it",
    stop=(
        "il gli che di è una sono questo questa anche più della nel dei alla "
        "ci quando degli delle sul poi già noi cosa perché però dopo ogni dal nella"
    ),
    acts={
        "rule": (
            "sempre | deve | devono | bisogna | d'ora in poi | da ora in poi | al massimo | almeno | "
            "obbligatorio | vietato | in italiano | in inglese | ovunque | ogni volta | esclusivamente | "
            "non si può usare | non possiamo usare | non è disponibile"
        ),
        "soft": (
            "solo | soltanto | ogni | tutti | tutte"
        ),
        "neg": (
            "non | mai | niente | nessun | nessuna | nessuno | senza | invece di | al posto di | né | evita | "
            "evitare | smetti | basta | anziché"
        ),
        "never": (
            "mai"
        ),
        "wish": (
            "preferisco | voglio | vogliamo | vorrei | mi piace | preferiamo | non voglio | vorremmo"
        ),
        "choice": (
            "usiamo | teniamo | restiamo | resta | restano | rimane | rimangono | abbiamo deciso | deciso | "
            "andiamo con | passiamo a | torniamo a | scegliamo | manteniamo | va bene per | ok per | "
            "abbandoniamo | lasciamo perdere | scartiamo | togliamo"
        ),
        "told": (
            "te l'ho già detto | l'ho già detto | ho già detto | ti ho detto | te l'ho detto | come ho detto | "
            "quante volte | gliel'ho detto"
        ),
        "again": (
            "di nuovo | ripeto | ancora una volta | un'altra volta"
        ),
        "remember": (
            "ricorda | ricordati | ricordatevi | attenzione | attento | non dimenticare | tieni presente | "
            "tra l'altro"
        ),
        "interro": (
            "cosa | che cosa | perché | come | chi | dove | quale | quali | quando | com'è | cos'è | quanto | "
            "quanti | sai se | c'è un | ci sono | xké | xke | hai già"
        ),
        "define": (
            "cos'è | cosa significa | che significa | cosa vuol dire | che differenza | qual è la differenza | "
            "a cosa serve"
        ),
        "hypo": (
            "forse | magari | e se | potremmo | dovremmo | mi chiedo | sto pensando | un giorno | chissà | "
            "penso che | si potrebbe"
        ),
        "chat": (
            "grazie | grazie mille | bene | ottimo | perfetto | ok | va bene | sì | no | certo | bello | "
            "fantastico | ciao | capito | giusto | esatto | dai | haha | buongiorno | molto | tutto | mille | "
            "grande | bravo"
        ),
        "farewell": (
            "a domani | a presto | a lunedì | a dopo | alla prossima | ci vediamo | ci sentiamo | arrivederci | "
            "buona serata | buona giornata | buonanotte | buona notte | buon weekend | buon fine settimana | "
            "prego | per oggi basta | per oggi è tutto | ciao"
        ),
        "retract": (
            "anzi | ripensandoci | meglio di no | lascia stare | lascia perdere | ho cambiato idea | torna a | "
            "aspetta | correzione | come non detto"
        ),
        "recant": (
            "no aspetta | aspetta | anzi no | no anzi | correzione | scusa | ripensandoci"
        ),
        "cause": (
            "perché | poiché | causa | la causa | a causa | dovuto | quindi | perciò | il problema è | "
            "il problema sta | manca | mancava | dipende da | deriva da | siccome"
        ),
        "fail": (
            "fallisce | fallito | falliva | falliscono | errore | errori | rotto | si rompe | non funziona | "
            "lento | perde | perso | sbagliato | si blocca | crash | duplicat*"
        ),
        "needs": (
            "serve | richiede | ha bisogno | risolve | risolto | adesso | ora | con | funziona | passa"
        ),
        "cure": (
            "ho cambiato | ho sostituito | ho corretto | ho aggiunto | ho messo | adesso | ora | risolve"
        ),
        "open": (
            "manca | mancano | da fare | ancora da | in sospeso | non ancora | aperto | resta da | "
            "la settimana prossima | settimana prossima | domani"
        ),
        "later": (
            "ricordamelo | per la settimana prossima | per domani | un'altra volta | un altro giorno"
        ),
        "narr": (
            "vado a | guardo | controllo | leggo | adesso | ora | prima | comincio | inizio | eseguo | sto | "
            "vediamo | faccio"
        ),
        "ack": (
            "ok | capito | fatto | va bene | certo | d'accordo | rimosso | aggiornato | ricevuto | chiaro"
        ),
        "propose": (
            "posso | vuoi che | suggerisco | propongo | potrei | potremmo | consiglio | devo"
        ),
        "guess": (
            "forse | probabilmente | credo | penso | sembra | potrebbe"
        ),
        "self": (
            "io | sono | devo | ho | mio | mia | vado | sto"
        ),
        "aim": (
            "vogliamo | voglio | vorrei | vorremmo | dobbiamo"
        ),
        "task": (
            "guarda | controlla | esegui | lancia | correggi | sistema | scrivi | aggiungi | mostra | spiega | "
            "cerca | trova | prova | fai | continua | crea | verifica | scopri | testa | leggi"
        ),
        "design": (
            "usa | usare | metti | salva | tieni | lascia | limita | arrotonda | chiama | rispondi | converti | "
            "imposta | cambia | sostituisci"
        ),
        "way": (
            "commit | branch | pr | messaggio | messaggi | risposta | risposte | comment* | documentazione | "
            "test | italiano | inglese | riassunto | push | merge | emoji"
        ),
        "why": (
            "perché | scopri | causa | capire | come mai"
        ),
        "fill": (
            "e | anche | ma | allora | ok | per favore | sì | no | ah | bene | quindi | poi | ora | ciao | dai | "
            "senti | buongiorno | grazie | va bene"
        ),
        "ana": (
            "questo | quello | esso | lo | la"
        ),
        "count": (
            "test | passano | passati | tutti | verdi | ok"
        ),
        "skip": (
            "no | dopo | non ora | indifferente | nessuno"
        ),
        "ditch": (
            "lascia perdere | abbandona | togli | via | butta | scarta"
        ),
        "else": (
            "altrimenti | sennò"
        ),
        "turn": (
            "no | aspetta | scusa | anzi | correzione"
        ),
        "dismiss": (
            "non importa | fa niente | non fa niente | nessun problema | non c'è fretta | non lo so"
        ),
    },
    headings={
        "decisioni": "decision",
        "regole": "decision",
        "lezioni": "lesson",
        "cause": "lesson",
        "aperti": "open",
        "da fare": "open",
        "prossimi passi": "open",
        "in sospeso": "open",
        "risultato": "fact",
    },
)
