"""German."""

from __future__ import annotations

from agent_memory.observe.rules.lexicon import Lexicon

DE = Lexicon(
    code="de",
    stop=(
        "der die das und ist sind war nicht ein eine einen mit auf für von zu im in den dem des wir "
        "ich du sie es bitte aber auch noch nur wie so dann wird werden hat haben kein keine wenn "
        "sich bei aus nach zum zur da doch was"
    ),
    acts={
        "rule": (
            "immer | muss | müssen | grundsätzlich | ab jetzt | ab sofort | künftig | in zukunft | jedes mal | "
            "höchstens | mindestens | maximal | minimal | auf englisch | auf deutsch | ausschließlich | "
            "verboten | nicht erlaubt | pflicht | zwingend | vorgabe | vorschrift | dürfen | darf | soll | "
            "sollen | überall | stets | spätestens | gilt | auf jeden fall | unbedingt | unverändert | "
            "nicht verfügbar in | nicht einsetzbar | nicht benutzbar | nicht verwendbar | nicht nutzbar | "
            "wird nie | werden nie | wird niemals | können wir nicht nehmen | kann man nicht nehmen | tabu"
        ),
        "soft": "nur | jede* | pro | alle | alles",
        "neg": (
            "nicht | kein* | nie | niemals | niemand | nichts | ohne | statt | anstatt | anstelle | lass | "
            "lassen wir | vermeide* | hör auf | weder | raus | sonntags sowieso nicht | finger weg | "
            "verzichte*"
        ),
        "wish": (
            "ich möchte | ich hätte gern | ich will | wir wollen | mir ist lieber | lieber | bevorzuge* | "
            "ich mag | wir möchten | hätte gerne | wünsche | ich brauche | mir wichtig | hätte ich gern | "
            "hätte ich gerne | wäre mir lieber | mir lieber | ich hätte | ich bevorzuge | ich wünsche | "
            "ich bitte | ich lege wert | will ich nicht | möchte ich | will ich | ich will nicht | will doch | "
            "wollen doch | möchte doch | möchten doch | will das so | wollen das so"
        ),
        "choice": (
            "wir nehmen | nehmen wir | nimm | wir bleiben | bleibt | bleiben | bleib | entschieden | "
            "entscheidung | zurück zu | verwende* | benutze* | nutze* | nutzen wir | wir nutzen | "
            "wir verwenden | reicht | einigen | geeinigt | stattdessen | sondern | kommt nach | gehört | "
            "umschalten | setzen auf | steigen um | wechseln | behalten | wie es war | beschlossen | "
            "festgelegt | lässt du | lass es so | belass | so lassen | belassen | ok für | okay für | "
            "einverstanden mit | wir lassen | fällt weg | fliegt raus | schmeißen wir | werfen wir | "
            "steigen wir um | wechseln wir"
        ),
        "told": (
            "hab dir schon | habe dir schon | schon gesagt | schon mal gesagt | wie gesagt | zum wiederholten | "
            "nochmal: | schon einmal gesagt | wie oft | habe ich gesagt | hatte ich gesagt | zweimal gesagt | "
            "dreimal gesagt | mehrmals gesagt | bereits gesagt | so oft gesagt"
        ),
        "remember": (
            "denk dran | denk daran | merk dir | merke dir | vergiss nicht | zur erinnerung | beachte | "
            "achtung | übrigens | bedenke | hinweis"
        ),
        "personal": (
            "in allen projekten | in allen meinen projekten | bei allen projekten | projektübergreifend | "
            "generell | nicht nur hier | in jedem projekt | grundsätzlich überall"
        ),
        "interro": (
            "was | warum | wieso | weshalb | wie | wer | wo | welche* | wann | woran | woher | wofür | wozu | "
            "womit | worin | wobei | weswegen | inwiefern | wieviel | wieviele | wessen | wohin | gibt es | "
            "gibts | hast du | habt ihr | hat das | kennst du | weißt du | ist das | sind das | ist es | "
            "geht das | magst du | wisst ihr | is das | was'n | wat | "
            "haben wir"
        ),
        "define": (
            "was ist | was sind | was heißt | was bedeutet | was war | wie heißt | nochmal was | "
            "unterschied zwischen | was macht ein | eigentlich"
        ),
        "hypo": (
            "vielleicht | sollten wir | könnten wir | wir könnten | was wäre wenn | ich überlege | eventuell | "
            "womöglich | ich frage mich | mal sehen | irgendwann | ich glaube | wie wäre es | denkbar | "
            "man könnte | könnte man | wäre es | zukunftsmusik | ich frage mich ob | ich dachte an | "
            "ich hatte überlegt | ich hatte gedacht | mein erster gedanke"
        ),
        "chat": (
            "danke | dankeschön | super | gut | prima | schön | toll | ok | okay | alles | klar | ja | "
            "nein | genau | passt | das | wars | war's | für | heute | bis | gleich | später | morgen | "
            "los | weiter | einverstanden | perfekt | sehr | hallo | moin | ach | hm | hmm | tja | so | "
            "ist | der | plan | sieht | richtig | aus | immer | wieder | wenn | etwas | klappt | mach | "
            "fertig | bin | da | tschüss | klasse | lass | mal | egal | bitte | vielen | dank | dir | nun | "
            "mit | sicherung | dann | war | es | schon | mehr | nicht | recht | nee"
        ),
        "retract": (
            "kommando zurück | doch nicht | doch lieber | zurück zu | lassen wir | lass mal | vergiss das | "
            "vergiss es | korrektur | stattdessen | anders überlegt | nochmal überlegt | moment | halt | "
            "eine nacht darüber | nein doch | ich nehme zurück | quatsch | eher | verwerfen | verworfen | "
            "entfällt | streich* | nicht mehr | doch wieder | besser doch | warte | nee warte | wart mal | "
            "moment mal"
        ),
        "cause": (
            "weil | da | denn | ursache | grund | liegt an | liegt daran | daran | deshalb | daher | "
            "deswegen | dadurch | kommt von | kommt daher | verursacht | schuld | fehlt | fehlte | fehlen | "
            "verweigert | scheitert an | scheiterte an | statt | hat seine | zwischen | "
            "bekommen denselben | gesperrt | nicht gelöst | veraltet | läuft ab | überschreibt | "
            "verschluckt | führt dazu | sodass | liegt keine | falsch | das heißt | dadurch dass | "
            "es gibt kein* | nie aufgerufen | wird nie"
        ),
        "fail": (
            "fehler | fehlgeschlagen | schlägt fehl | scheitert | scheiterte | abgebrochen | abgebrochene | "
            "kaputt | funktioniert nicht | geht nicht | verweigert | gesperrt | doppelt | langsam | falsch | "
            "absturz | stürzt ab | verloren | sperre | wirft | geht verloren | gehen verloren | ungültig | "
            "nicht erlaubt | nicht mehr möglich | nicht unterstützt | schlagen fehl | schlug fehl | "
            "schlugen fehl | gehen schief | geht schief"
        ),
        "needs": (
            "braucht | benötigt | muss | müssen | erst | löst | behebt | behoben | läuft | nehme | hilft | "
            "genügt | reicht | mit | funktioniert | jetzt | danach"
        ),
        "open": (
            "offen | offen: | noch offen | noch nicht | bleibt noch | fehlt noch | ausstehend | todo | zu tun | "
            "später noch | nächste woche | restarbeit* | verbleibt | steht noch aus | noch zu | unerledigt | "
            "morgen noch | was noch fehlt | erinnere mich | erinner mich | für nächste woche | für morgen | "
            "ein andermal | später mal"
        ),
        "narr": (
            "ich sehe | ich schaue | ich baue | ich prüfe | ich lese | ich starte | ich beginne | "
            "dann beginne | jetzt | zuerst | als nächstes | ich werde | ich mache | schaue | lese | nun | "
            "ich füge | ich setze | ich suche | ich ändere | mal sehen | ich teste | ich kümmere | "
            "ich fange"
        ),
        "ack": (
            "alles klar | gut | verstanden | ok | okay | erledigt | einverstanden | ja | klar | fertig | "
            "entfernt | geändert | natürlich | jawohl | in ordnung | notiert | danke | bis gleich | "
            "bis dann | entsperrt | erstellt | angepasst"
        ),
        "propose": (
            "soll ich | ich würde | ich könnte | man könnte | möchtest du | ich schlage vor | vorschlag | "
            "ich empfehle | wollen wir | wenn du möchtest | alternativ | wir könnten | möchten sie | "
            "sollen wir"
        ),
        "guess": (
            "vielleicht | vermutlich | wahrscheinlich | könnte | ich vermute | ich glaube | eventuell | "
            "möglicherweise | womöglich | wohl | scheint es"
        ),
        "self": (
            "ich muss | ich bin | ich habe | ich hab | ich gehe | mein | meine | ich war | bin gleich | "
            "ich glaube | ich weiß | ich sehe | ich | mir ist"
        ),
        "task": (
            "schau | schaue | prüf | prüfe | such | suche | mach | mache | zeig | zeige | schreib | "
            "schreibe | führ | führe | teste | starte | füge | erkläre | erklär | fang | finde | behebe | "
            "baue | lies | weiter | los | plane | ändere | lösch | lösche | erstelle | sieh | kannst du | "
            "könntest du | hilf | commit* | sperre | repariere | probier | implementiere | aktualisiere | "
            "erst planen"
        ),
        "design": (
            "nimm | verwende | benutze | nutze | setz | setze | behalte | bleib | leg | lege | speichere | "
            "stell | stelle | halte | begrenze | runde | zurück | nenne | antworte | schick | schicke | lass | "
            "gib | wandle | sortiere | maskiere | ersetze | verschlüssele | formatiere | umschalten | "
            "dann nehmen | sperre | kürze | normalisiere | teile | indexiere | veröffentliche | umstellen | "
            "umzustellen | stell* um"
        ),
        "way": (
            "commit* | branch* | antwort* | antworte | kommentar* | dokumentation | bezeichner | sprache | "
            "englisch | deutsch | zusammenfassung* | diff | test* | pr | prs | erst planen | auftrag | "
            "ausführen | fragen | frag | nachfrag* | stil | emojis | push* | merge | review | mock* | "
            "format"
        ),
        "why": (
            "warum | wieso | woran | ursache | woher | finde heraus | herausfinden | schau nach | "
            "nachsehen | schau bitte | weshalb | grund"
        ),
        "fill": (
            "und | auch | aber | also | dann | ok | okay | bitte | ja | nein | ach | hm | na | gut | super | "
            "übrigens | moment | so | mal | noch | jetzt | außerdem | einverstanden | los | genau | halt | "
            "nochmal | danke | prima | doch | hallo | hi | servus | moin | guten morgen | guten tag | "
            "grüß dich | ah | nee | machen wir das | so machen wir das | machen wir so | so machen wir's | "
            "mach das | oh nein | noch was | noch etwas | ach ja | eine sache noch"
        ),
        "ana": "es | dies | sie | ihn",
        "result": (
            "ergebnis | fertig | erledigt | alle | gemessen | dauert | jetzt | bericht | stand | läuft in | "
            "dauert nur | statt vorher"
        ),
        "count": ("tests | test | bestanden | grün | erfolgreich | fehlgeschlagen | alle | laufen | passed | durch"),
        "recap": ("ziel: | entscheidungen: | offen: | nächste schritte: | stand: | ausstehend: | kontext:"),
        "planted": ("anweisung | eingeschleust | an ki | ki-agenten | ignoriere | ignoriert | stammt nicht von"),
        "skip": (
            "nein | keine | später | nicht jetzt | egal | weiß nicht | überspringen | abbrechen | nichts | jetzt nicht"
        ),
        "ditch": "lassen wir | streich* | verwerfen | vergiss | werfen | weg mit | raus mit",
        "else": (
            "sonst | andernfalls | ansonsten"
        ),
        "turn": ("nein | nee | halt | moment | sorry | doch | quatsch | ach nein | warte | korrektur"),
        "dismiss": (
            "egal | schon gut | macht nichts | kein problem | keine eile | keine ahnung | keine sorge | "
            "nicht wichtig | nicht schlimm"
        ),
        "decline": "lieber nicht | besser nicht | jetzt nicht | lohnt nicht",
        "farewell": (
            "gern geschehen | bis morgen | bis dann | bis später | bis bald | bis nächste woche | bis montag | "
            "bis dienstag | bis mittwoch | bis donnerstag | bis freitag | schönen abend | schönen tag | "
            "schönes wochenende | schönen feierabend | feierabend | tschüss | tschüs | ciao | mach's gut | "
            "machs gut | gute nacht | auf wiedersehen | wir sehen uns | wir lesen uns | das war's für heute | "
            "das wars für heute | schluss für heute | schönen urlaub | gute besserung | erhol dich gut"
        ),
        "again": (
            "nochmal | nochmals | noch einmal | wie gesagt | zum wiederholten mal"
        ),
        "aim": (
            "wir wollen | wir möchten | ich möchte | ich will | wir müssen | wir würden gern | ich würde gern | "
            "wir planen"
        ),
        "cure": (
            "ich habe | habe ich | umgestellt | behebt | löst | stimmt es | geht es | läuft es | klappt es | "
            "jetzt | ersetzt durch | damit | die lösung | abhilfe"
        ),
        "recant": (
            "nein warte | warte nein | nee warte | warte | moment | halt | quatsch | nein doch | nee doch | "
            "ach nein | ach nee | korrektur | doch nicht | kommando zurück | nein halt | äh nein | andersrum | "
            "andersherum | umgekehrt"
        ),
        "later": (
            "erinnere mich | erinner mich | für nächste woche | für morgen | ein andermal"
        ),
        "never": (
            "nie | niemals"
        ),
        "measure": (
            "in metern | in sekunden | in millisekunden | in minuten | in cent | in bytes | in gib | in mib | "
            "in utc | als utc | in ortszeit | in celsius | in prozent | in gramm | in kilogramm | "
            "in millimeter* | in zentimeter* | in pixeln | als ganzzahl* | als text | als zeichenkette | "
            "mit einer nachkommastelle | mit zwei nachkommastellen | nachkommastelle* | 24-stunden* | "
            "metrisch* | iso 8601 | in kleinbuchstaben | in großbuchstaben | bei uns"
        ),
        "past": (
            "früher | damals | letztes jahr | letzten monat | letzte woche | "
            "ehemals"
        ),
        "hence": (
            "daher | deshalb | deswegen | darum | somit | folglich"
        ),
        "found": (
            "stellte sich heraus | stellt sich heraus | hat sich herausgestellt | ich habe festgestellt | "
            "festgestellt | ich habe gefunden | gefunden: | mir ist aufgefallen"
        ),
        "cond": (
            "falls | wenn ein* | wenn etwas | wenn du unsicher | im zweifel | sobald ein* | immer wenn | "
            "sollte ein*"
        ),
        "amend": (
            "lieber | doch lieber | eher | stattdessen | besser | ändere* auf | mach | auf"
        ),
        "behaves": (
            "folgt | folgen | schließt | öffnet | liefert | steht | stehen | erscheint | erscheinen | "
            "wird gespeichert | werden gespeichert | wird angezeigt | werden angezeigt | kommt | kommen"
        ),
        "often": (
            "jeden morgen | jeden abend | jeden tag | jede nacht | jede woche | jeden monat | jeden montag | "
            "jeden freitag | jede stunde | vor jedem | nach jedem | bei jedem | vor jeder | nach jeder | "
            "bei jeder"
        ),
        "regret": (
            "mist | ach mist | verflixt | oh nein | oh je | ohje | verdammt | blöd"
        ),
    },
    headings={
        **dict.fromkeys(
            (
                "erkenntnisse",
                "gelernt",
                "ursachen",
                "ursache",
                "lehren",
                "stolperfallen",
            ),
            "lesson",
        ),
        **dict.fromkeys(
            (
                "entscheidungen",
                "entscheidung",
                "beschlüsse",
                "regeln",
            ),
            "decision",
        ),
        **dict.fromkeys(
            (
                "offen",
                "offene punkte",
                "nächste schritte",
                "rest",
                "noch offen",
                "ausstehend",
                "offene fragen",
                "zu tun",
                "es fehlt noch",
                "was noch fehlt",
                "bleibt offen",
                "unerledigt",
                "noch zu tun",
                "restpunkte",
                "steht noch aus",
            ),
            "open",
        ),
        **dict.fromkeys(
            ("vorlieben",),
            "preference",
        ),
        **dict.fromkeys(
            (
                "ergebnis",
                "ergebnisse",
            ),
            "fact",
        ),
        **dict.fromkeys(
            ("architektur",),
            "architecture",
        ),
    },
)
