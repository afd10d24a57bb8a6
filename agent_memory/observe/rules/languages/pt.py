"""Portuguese, the words that matter most."""

from __future__ import annotations

from agent_memory.observe.rules.lexicon import Lexicon

PT = Lexicon(
    code="pt",
    stop=(
        "não uma com você está são isso também já nós esse essa pelo pela "
        "muito então aqui seu sua ao dos das um em foi os mas eu vamos"
    ),
    acts={
        "rule": (
            "sempre | deve | devem | tem que | têm que | precisa ser | a partir de agora | daqui pra frente | "
            "daqui para a frente | no máximo | no mínimo | obrigatório | proibido | em português | em inglês | "
            "em todo lugar | toda vez | exclusivamente | não pode ser usado | não dá para usar | não podemos usar"
        ),
        "soft": (
            "só | somente | apenas | cada | todos | todas"
        ),
        "neg": (
            "não | nunca | jamais | nada de | sem | nenhum | nenhuma | em vez de | ao invés de | nem | evite | "
            "evitar | pare de | chega de | para de"
        ),
        "never": (
            "nunca | jamais"
        ),
        "wish": (
            "prefiro | quero | queremos | gostaria | gosto | não quero | preferimos | por favor use | quero que"
        ),
        "choice": (
            "vamos usar | usamos | fica | ficam | ficamos com | decidimos | decidido | vamos com | continua | "
            "mantém | mantemos | trocamos | mudamos para | voltamos | troca | ok com | fechado com | largamos | "
            "abandonamos | descartamos"
        ),
        "told": (
            "já disse | já falei | já te disse | já te falei | eu disse | eu falei | como eu disse | "
            "quantas vezes | de novo:"
        ),
        "again": (
            "de novo | repito | outra vez | mais uma vez"
        ),
        "remember": (
            "lembra | lembre | lembre-se | não esquece | não esqueça | atenção | cuidado | aliás"
        ),
        "interro": (
            "o que | por que | porque é que | como | quem | onde | qual | quais | quando | cadê | será que | "
            "tem como | você sabe | vc sabe | pq | oq | sabe se | dá pra | tem algum | tem alguma"
        ),
        "define": (
            "o que é | o que significa | qual a diferença | qual é a diferença | o que são | pra que serve"
        ),
        "hypo": (
            "talvez | será que | e se | poderíamos | quem sabe | acho que | deveríamos | devíamos | "
            "estou pensando | algum dia"
        ),
        "chat": (
            "obrigado | obrigada | valeu | ótimo | legal | beleza | blz | perfeito | ok | sim | não | show | "
            "bom | boa | certo | tá | isso | muito | vlw | kkk | haha | oi | olá | tudo | bem | opa | entendi | "
            "pronto | dia | tarde"
        ),
        "farewell": (
            "até amanhã | até logo | até mais | até segunda | até a próxima | até semana que vem | tchau | "
            "boa noite | bom fim de semana | bom final de semana | bom descanso | boa semana | de nada | "
            "por hoje é só | por hoje chega | falou | abraço | abraços"
        ),
        "retract": (
            "na verdade | melhor não | esquece | esqueça | mudei de ideia | pensando bem | volta para | espera | "
            "correção | deixa pra lá | desisto"
        ),
        "recant": (
            "não espera | espera | espera aí | na verdade não | não melhor | melhor não | digo | correção | "
            "aliás não"
        ),
        "cause": (
            "porque | pois | por causa | causa | a causa | devido | por isso | portanto | o problema é | "
            "o problema está | falta | faltava | vem de | vinha de | então cada"
        ),
        "fail": (
            "falha | falhou | falham | falhava | erro | erros | quebra | quebrou | quebrado | não funciona | "
            "lento | perde | errado | trava | travou | duplicado*"
        ),
        "needs": (
            "precisa | precisam | exige | requer | resolve | resolveu | agora | com | funciona | passa"
        ),
        "cure": (
            "mudei | troquei | corrigi | adicionei | substituí | agora | resolve | passou a"
        ),
        "open": (
            "falta | faltam | pendente | ainda não | em aberto | fica para | semana que vem | próxima semana | "
            "amanhã | a fazer | não foi feito"
        ),
        "later": (
            "me lembra | me lembre | para a semana que vem | pra semana que vem | para amanhã | pra amanhã | "
            "outro dia"
        ),
        "narr": (
            "vou | vou ver | vamos ver | deixa eu | estou | agora | primeiro | lendo | rodando | verificando | "
            "começando | olhando"
        ),
        "ack": (
            "ok | certo | entendido | feito | pronto | claro | combinado | removido | atualizado | tudo bem"
        ),
        "propose": (
            "posso | quer que | gostaria que | sugiro | poderia | que tal | recomendo | devo"
        ),
        "guess": (
            "talvez | provavelmente | acho que | parece | deve ser | pode ser"
        ),
        "self": (
            "eu | estou | preciso | meu | minha | tenho | vou"
        ),
        "aim": (
            "queremos | quero | precisamos | gostaria de | a gente quer"
        ),
        "task": (
            "veja | vê | olha | olhe | roda | rode | corrige | corrija | arruma | arrume | escreve | escreva | "
            "testa | teste | mostra | mostre | explica | explique | adiciona | adicione | procura | procure | "
            "descobre | descubra | faz | faça | continua | continue | cria | crie | confere | investiga | "
            "commita | sobe"
        ),
        "design": (
            "usa | use | usar | põe | coloca | coloque | guarda | guarde | deixa | deixe | mantenha | mantém | "
            "limita | limite | arredonda | troca | troque | chama | responde | responda | escreva em | salva | "
            "salve | converte | bota"
        ),
        "way": (
            "commit | commits | branch | pr | prs | mensagem | mensagens | resposta | respostas | comentário* | "
            "documentação | teste | testes | português | inglês | resumo | push | merge | emoji | emojis"
        ),
        "why": (
            "por que | descobre | descubra | causa | investiga | o que houve"
        ),
        "fill": (
            "e | também | mas | então | ok | por favor | sim | não | ah | bom | tá | beleza | aliás | agora | "
            "oi | olá | opa | certo | valeu | obrigado"
        ),
        "ana": (
            "isso | isto | ele | ela | eles | elas"
        ),
        "count": (
            "testes | passaram | passou | ok | todos | verde | passam"
        ),
        "skip": (
            "não | depois | agora não | tanto faz | nenhum | pular"
        ),
        "ditch": (
            "esquece | larga | abandona | tira | nada de | chega de"
        ),
        "else": (
            "senão | caso contrário"
        ),
        "turn": (
            "não | espera | desculpa | opa | correção"
        ),
        "dismiss": (
            "deixa pra lá | tanto faz | sem problema | não importa | sem pressa | não sei"
        ),
    },
    headings={
        "aprendizados": "lesson",
        "lições": "lesson",
        "causa": "lesson",
        "decisões": "decision",
        "regras": "decision",
        "pendências": "open",
        "pendente": "open",
        "próximos passos": "open",
        "em aberto": "open",
        "resultado": "fact",
    },
)
