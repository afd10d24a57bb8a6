"""Spanish."""

from __future__ import annotations

from agent_memory.observe.rules.lexicon import Lexicon

ES = Lexicon(
    code="es",
    stop=(
        "el la los las un una de del y es son no que en por para con se lo su al como más pero está "
        "están ya te me mi tu hay este esta eso si o porque ser fue todo muy"
    ),
    acts={
        "rule": (
            "siempre | debe | deben | hay que | tiene que | tienen que | a partir de ahora | "
            "de ahora en adelante | como máximo | como mínimo | al menos | en español | en inglés | prohibido | "
            "prohibida | obligatorio | exige | en todas partes | máximo | mínimo | sin excepción | "
            "todo estático | tal cual | sin cambios | no se puede usar | no podemos usar | no puede usarse | "
            "no está en producción | no está disponible en | no se debe"
        ),
        "soft": "solo | sólo | solamente | únicamente | cada | por cada | todos | todas",
        "neg": (
            "no | nunca | jamás | sin | nada | nada de | nadie | ningún | ninguna | en vez de | "
            "en lugar de | evita* | deja de | tampoco | mejor no"
        ),
        "wish": (
            "prefiero | quiero | me gustaría | queremos | quisiera | preferimos | necesito | me gusta | "
            "no me gusta | no quiero"
        ),
        "choice": (
            "usamos | usa | usad | usaremos | nos quedamos | se queda | quédate | decidimos | decidido | "
            "decisión | vamos con | seguimos con | elegimos | mejor | en su lugar | volvemos | cambia a | "
            "cambiamos | mantén | mantenemos | sigue | va en | van en | acordamos | déjalo en | déjala en | "
            "vale con | ok con | ok para | de acuerdo con | dejamos | abandonamos | nos quedamos con | "
            "descartamos | quitamos | pasamos a"
        ),
        "told": (
            "ya te dije | ya te lo dije | te lo he dicho | te dije | como dije | repito | cuántas veces | ya lo dije"
        ),
        "remember": ("recuerda | ten en cuenta | no olvides | ojo | nota que | por cierto | acuérdate | que conste"),
        "personal": (
            "en todos mis proyectos | todos mis proyectos | en todos los proyectos | en general | no solo aquí"
        ),
        "interro": (
            "qué | por qué | cómo | quién | dónde | cuál | cuáles | cuándo | puedes | podrías | cuánto* | y si | "
            "deberíamos | para qué | a qué | por dónde | sabes si | tienes idea | q es | xq | k es | cuál es | "
            "es que hay | hay algún | hay alguna | sabes qué | sabes cómo"
        ),
        "define": (
            "qué es | qué era | qué son | qué significa | diferencia entre | qué quiere decir | cómo se pronuncia"
        ),
        "hypo": (
            "quizás | quizá | tal vez | y si | deberíamos | podríamos | me pregunto | creo que | a lo mejor | "
            "algún día | qué tal si | se podría | me pregunto si | estaría bien | había pensado | he pensado | "
            "estaba pensando | pensaba en"
        ),
        "chat": (
            "gracias | genial | perfecto | vale | bien | muy | sí | no | ok | hola | buenas | estupendo | "
            "eres | un | sol | sigue | adelante | listo | bueno | claro | hasta | mañana | luego | ya | "
            "está | por | hoy | eso | es | todo | excelente | de | acuerdo | dale | venga | qué | días | "
            "buenos"
        ),
        "retract": (
            "mejor no | en realidad | olvídalo | olvida | déjalo | me equivoqué | corrección | "
            "cambié de idea | espera | no espera | mejor dicho | al final | volvamos | volvemos | "
            "en su lugar | pensándolo mejor | ya no | descarta* | quita | mejor pon"
        ),
        "cause": (
            "porque | causa | debido | por eso | así que | se debe | viene de | el problema | ya que | "
            "puesto que | falta | faltaba | fallaba por | culpa | por lo que | motivo | se lee como | "
            "está en | lo que hace | nunca se | no hay"
        ),
        "fail": (
            "error | errores | falla | fallaba | fallan | falló | fallo | roto | lento | lenta | "
            "no funciona | negativo | negativas | pierde | bloquea | rechaza | duplicad* | cuelga | lanza | "
            "se pierde | se pierden | inválido | no válido | ya no se puede"
        ),
        "needs": (
            "necesita | requiere | tiene que | hay que | arregla | arreglado | con | basta | pasan | "
            "compila | funciona | antes"
        ),
        "open": (
            "pendiente | pendiente: | queda | quedan | falta por | por hacer | todavía no | aún no | "
            "sigue con | la próxima semana | sin hacer | sin empezar | pospuesto | más adelante | "
            "lo que falta | recuérdame | recordame | para la semana que viene | para la próxima semana | "
            "para mañana | para otro día | para después | falta probar | falta por | queda por | faltan por | "
            "aún falta | todavía falta"
        ),
        "narr": (
            "voy a | ahora | primero | veamos | miro | reviso | empiezo | leo | compruebo | déjame | "
            "busco | sigo con | luego"
        ),
        "ack": (
            "de acuerdo | entendido | hecho | ok | vale | listo | claro | perfecto | sí | anotado | bien | "
            "añadido | eliminado"
        ),
        "propose": (
            "podría | podríamos | propongo | sugiero | quieres que | recomiendo | te gustaría | si quieres | yo haría"
        ),
        "guess": ("quizás | quizá | tal vez | probablemente | puede que | creo | podría | parece que"),
        "self": "estoy | tengo que | voy a | mi | me voy | soy | vuelvo | he | creo",
        "task": (
            "averigua | mira | revisa | busca | ejecuta | arregla | añade | agrega | escribe | muestra | "
            "explica | sigue | prueba | lee | puedes | podrías | haz | crea | corrige | borra | cámbialo | "
            "dime | ayuda | comprueba | encuentra | cambia"
        ),
        "design": (
            "usa | pon | guarda | mantén | limita | redondea | llama | envía | deja | devuelve | "
            "convierte | muestra | responde | ordena | oculta | sustituye | reemplaza"
        ),
        "way": (
            "commit* | respond* | respuesta* | comentario* | documentación | rama* | mensaje* | idioma | "
            "español | inglés | prueba* | test* | diff | resumen* | pr | prs | estilo | pregunt* | "
            "cambiar nada | push"
        ),
        "why": "por qué | averigua | causa | encuentra | investiga | de dónde",
        "fill": (
            "y | también | pero | entonces | ok | vale | sí | no | bueno | por favor | ah | eh | además | "
            "perfecto | bien | claro | genial | pues | espera | gracias | ahora | o | hola | buenas | "
            "buenos días | hagamos eso | hazlo así | hagámoslo | otra cosa | una cosa | ay no | por cierto"
        ),
        "ana": "lo | eso | esto",
        "result": "hecho | resultado | todos | medido | listo | tarda | ahora | informe",
        "count": "pruebas | tests | pasan | pasadas | fallos | todas | todos | las",
        "recap": "objetivo: | decisiones: | pendiente: | próximos pasos: | contexto:",
        "planted": "instrucción | inyect* | agentes | ignoré | no viene de",
        "skip": ("no | ninguno | ninguna | más tarde | ahora no | cancelar | no sé | da igual | omitir"),
        "ditch": "descarta* | quita | olvida | nada de | fuera",
        "else": "si no | de lo contrario",
        "turn": "no | ah no | perdona | perdón | espera | uy | mejor",
        "dismiss": (
            "no importa | da igual | no pasa nada | ni idea | sin problema | no hay problema | no te preocupes"
        ),
        "decline": "mejor no | ahora no | prefiero no",
        "farewell": (
            "de nada | hasta mañana | hasta luego | hasta el lunes | hasta pronto | hasta la próxima | "
            "hasta la semana que viene | nos vemos | buenas noches | buen día | buen fin de semana | "
            "que tengas | que descanses | adiós | chao | chau | un saludo | saludos | con gusto | "
            "es todo por hoy | eso es todo por hoy"
        ),
        "again": (
            "otra vez | repito | como dije | de nuevo | una vez más"
        ),
        "aim": (
            "queremos | quiero | nos gustaría | me gustaría | quisiera | tenemos que | necesitamos"
        ),
        "cure": (
            "cambié | he cambiado | reemplacé | he puesto | puse | corregí | corregido | ahora | resuelve | "
            "resuelto | se arregla | con eso"
        ),
        "recant": (
            "no espera | espera no | espera | mejor no | no mejor | digo | perdón | corrección | "
            "en realidad no | ay no | al revés | mejor dicho"
        ),
        "later": (
            "recuérdame | recordame | para la semana que viene | para la próxima semana | para mañana | "
            "para otro día"
        ),
        "never": (
            "nunca | jamás"
        ),
        "measure": (
            "en metros | en segundos | en milisegundos | en minutos | en céntimos | en bytes | en utc | "
            "en hora local | en celsius | en gramos | en porcentaje | en píxeles | en tanto por ciento | "
            "como enteros | como entero | como texto | en minúsculas | en mayúsculas | decimales | formato 24 | "
            "sistema métrico | iso 8601 | aquí siempre | en nuestra casa"
        ),
        "past": (
            "antes se | antes era | antes usábamos | antes lo | antes teníamos | anteriormente | "
            "hasta ahora | en su día | el año pasado | el mes pasado | la semana pasada | solíamos"
        ),
        "hence": (
            "por eso | de ahí | por lo tanto | por tanto | así que"
        ),
        "found": (
            "he visto que | he encontrado | encontré | he descubierto | descubrí | resulta que | "
            "he comprobado"
        ),
        "cond": (
            "si un | si una | si algún* | si algo | en caso de | cada vez que | en caso de duda | "
            "cuando un | cuando una"
        ),
        "amend": (
            "mejor | ponlo | ponla | pon | cámbialo a | cámbiala a | en vez | déjalo en | sube a | baja a"
        ),
        "behaves": (
            "sigue | siguen | cierra | abre | devuelve | se guarda | se guardan | se muestra | se muestran | "
            "aparece | aparecen"
        ),
        "often": (
            "cada mañana | cada día | cada noche | cada semana | cada mes | todos los días | "
            "todas las mañanas | antes de cada | después de cada | en cada"
        ),
        "regret": (
            "vaya | ostras | ay no | jolín | qué pena"
        ),
    },
    headings={
        **dict.fromkeys(
            (
                "aprendizajes",
                "lecciones",
                "causas",
                "causa",
                "hallazgos",
            ),
            "lesson",
        ),
        **dict.fromkeys(
            (
                "decisiones",
                "decisión",
                "reglas",
            ),
            "decision",
        ),
        **dict.fromkeys(
            (
                "pendiente",
                "pendientes",
                "por hacer",
                "próximos pasos",
                "preguntas abiertas",
                "queda pendiente",
                "queda por hacer",
                "falta",
                "sin hacer",
            ),
            "open",
        ),
        **dict.fromkeys(
            ("preferencias",),
            "preference",
        ),
        **dict.fromkeys(
            (
                "resultados",
                "resultado",
            ),
            "fact",
        ),
    },
)
