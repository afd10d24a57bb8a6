"""Words that change what a statement means, in the languages that people code in.

Lists are folded (text.analyze.fold), so that ``Während`` and ``wahrend`` are one. Scripts without blanks are matched
as parts of a run instead of as words.
"""

from __future__ import annotations

import re
from typing import Final

from agent_memory.text.analyze import fold


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(text).split())


NEGATIONS: Final = _words(
    "not no never none nothing neither nor cannot without avoid avoids avoiding stop forbidden forbid don't doesn't "
    "didn't isn't aren't wasn't won't can't shouldn't mustn't couldn't wouldn't dont doesnt isnt wont cant disallow "
    "nicht kein keine keinen keinem keiner keines nie niemals ohne nichts weder vermeiden verboten "
    "pas jamais sans aucun aucune rien ni eviter interdit "
    "nunca sin jamas ningun ninguna ninguno nada tampoco evitar prohibido "
    "nao nem sem nenhum nenhuma nada evitar non mai senza nessun nessuna niente "
    "niet geen nooit zonder не нет ни никогда без нельзя nie bez nigdy ikke inte aldrig utan uden "
    "degil hayir asla yok لا ليس لم لن بدون نہ नहीं मत बिना khong dung chua jangan tidak bukan tanpa")
"""Words that turn a statement into its opposite. Spanish and Italian "no" is the English one."""

NEGATIONS_UNSPACED: Final = re.compile(
    "ない(?!と)|なかった|ません|なく|ず(?=に|、|。|$)|ぬ(?=。|$)|禁止|不可|避け|なし|厳禁"
    "|不(?!仅|但|同|过)|没|無|无|非(?!常)|别(?!的|人)|勿|禁|未(?!来)|莫"
    "|않|못|없|말(?=고|아|것|라)|안(?= )|금지|ไม่|อย่า|ห้าม")

CONDITIONS: Final = _words(
    "only if unless except when while until just solely "
    "nur wenn falls ausser solange bis lediglich seulement si sauf quand jusqu'a uniquement "
    "solo si salvo excepto cuando hasta solamente somente se exceto quando soltanto "
    "только если кроме когда пока alleen als tenzij")
CONDITIONS_UNSPACED: Final = re.compile(
    "のみ|だけ|場合|とき|時は|以外|只|仅|僅|除非|除了|如果|若|时候|만|경우|때|เฉพาะ|ถ้า|เมื่อ|ยกเว้น")
"""Words that narrow a statement; with and without one, two statements are not the same."""

DIRECTIONS: Final = _words(
    "instead than before after then from to over into onto rather until via -> → => > < "
    "statt anstatt anstelle als vor nach dann von zu zum zur uber auf avant apres puis de du vers lieu que "
    "antes despues luego desde hacia lugar vez que depois ate em вместо до после затем из в чем voor na dan van naar")
"""Words that give the order of the words around them a meaning."""

LIGHT: Final = _words(
    "a an the this that these those it its is are was were be been being we i you our your my they their there here "
    "of in on at for with by as and or so also too both all any every each always please must should shall will would "
    "can could may might need needs have has had do does did let's let us use uses used using utilise utilize go "
    "goes gets get make makes want wants prefer prefers now currently today still really just very through which "
    "who what up out live lives run runs remember note important "
    "der die das den dem des ein eine einen einem einer eines und oder ist sind war waren wird werden wurde wurden wir "
    "ich du sie es uns unser unsere dein im in am an auf fur mit bei zu zum zur immer bitte muss mussen soll "
    "sollen sollte kann konnen hat haben hier dieser diese dieses dies jede jeder jedes jedem alle auch jetzt "
    "noch nutzen nutze nutzt verwenden verwende verwendet benutzen "
    "le la les l un une des du de d et ou est sont etait nous vous on il elle ils ce cet cette ces dans sur en pour "
    "avec par au aux toujours doit doivent il faut chaque tous toutes tout utiliser utilise utilisons maintenant "
    "el la los las un una unos unas y o es son esta estan fue nosotros se lo en para con por al del siempre debe deben "
    "hay que cada todos todas todo usar usa usamos utilizar ahora "
    "o os as um uma e do da dos das no na nos nas sempre deve usar il gli i di che sempre usare "
    "и или это мы я вы в на для с по из у к надо нужно всегда должен должны использовать используем используй "
    "de het een en of is zijn wij we ik je dit dat op voor met altijd moet moeten gebruik gebruiken")
"""Words that may come and go without changing what is said."""

LIGHT_UNSPACED: Final = re.compile(
    "使用する|使用|採用する|采用|利用する|[ぁ-ゖゝゞ]+|我们|我們|应该|應該|必须|必須|总是|總是|一律|始终|目前|现在|現在|常に"
    "|[请請要的了在是都把将用会也就]|ครับ|ค่ะ|คะ|กรุณา|โปรด|ให้|ต้อง|เสมอ|นี้|ที่|จะ|ควร|ใช้")
"""Parts of unspaced text that may come and go: kana endings, particles, "use", "please"."""

PARTICLES: Final = re.compile(
    "(?:에서는|에서|으로는|으로|에게|까지|부터|이다|입니다|합니다|한다|하다|해야|하고|하는|하지|하세요|세요|은|는|이|가|을|를|에|의|도|와|과|로)$")
"""Endings of Korean words."""

SHORT_FORMS: Final = {
    "repo": "repository", "repos": "repository", "config": "configuration", "configs": "configuration",
    "db": "database", "dbs": "database", "env": "environment", "envs": "environment", "dir": "directory",
    "dirs": "directory", "docs": "documentation", "doc": "documentation", "deps": "dependency", "dep": "dependency",
    "prod": "production", "dev": "development", "app": "application", "apps": "application", "spec": "specification",
    "specs": "specification", "pkg": "package", "msg": "message", "param": "parameter", "params": "parameter",
    "pr": "pull-request", "postgresql": "postgres", "js": "javascript", "ts": "typescript", "k8s": "kubernetes"}
"""Short forms and their long ones."""

ATTRIBUTES: Final = _words(
    "port version timeout limit ttl default database branch url host hostname domain region budget deadline interval "
    "retries threshold size path endpoint bucket queue schedule date owner width "
    "frist grenze standard datenbank zweig version limite delai base branche puerto limite plazo rama versao porta "
    "prazo порт версия срок ветка")
ATTRIBUTES_UNSPACED: Final = re.compile(
    "ポート|バージョン|期限|上限|既定|端口|版本|默认|超时|分支|포트|버전|기한|พอร์ต|เวอร์ชัน")
"""Words after which a thing has one value at a time."""

RULES: Final = _words(
    "always never must should every don't avoid prefer only immer nie niemals muss mussen jede jeder toujours jamais "
    "doit siempre nunca debe sempre mai всегда никогда нельзя altijd nooit")
RULES_UNSPACED: Final = re.compile(
    "必ず|常に|べき|禁止|こと[。]?$|总是|總是|必须|必須|一律|不要|不得|禁止|항상|반드시|절대|เสมอ|ต้อง|ห้าม")
"""Words of a general rule."""
