"""English."""

from __future__ import annotations

from agent_memory.observe.rules.lexicon import Lexicon

EN = Lexicon(
    code="en",
    stop=(
        "the a an and is are was of to in on it that this for with not we you i be have has do don't "
        "no but so at by as from they there it's i'm what which just then all or if can will"
    ),
    acts={
        "rule": (
            "always | must | must not | mustn't | has to | have to | needs to be | need to be | from now on | "
            "going forward | every time | at most | at least | max | maximum | minimum | min | no more than | "
            "no less than | exclusively | forbidden | prohibited | not allowed | not acceptable | required | "
            "mandatory | shall | whatever you do | under no circumstances | requires it | insists | "
            "asked for that | before you | before changing | in english | in german | in french | in spanish | "
            "everywhere | under all | without exception | read only | strictly | ever | unchanged | "
            "as they are | as it is | cannot be used | can't be used | can not be used | can't use | "
            "cannot use | can't have | is not available in | not in production | isn't available in | "
            "out of bounds | off limits | may not | may never | "
            "may only | one * per | one * each | commit each | commit every | "
            "commit per | may only"
        ),
        "soft": "only | every | each | per | policy | all | any | both",
        "neg": (
            "no | not | don't | dont | do not | doesn't | never | stop | avoid | without | nothing | "
            "nobody | none | instead of | rather than | isn't | won't | will not | shouldn't | should not | "
            "mustn't | no longer | cannot | can't | neither | skip | drop | refuse | refuses | ban | "
            "banned | untouched | keep out | stays out | hands off | leave alone | not acceptable | quit"
        ),
        "wish": (
            "prefer | i'd like | i like | i want | we want | i'd rather | i would rather | i hate | "
            "i don't like | i need | would like | wants it | wants | please use | please keep | "
            "please write | please don't | please stop | please answer | it goes for | favour | favor | "
            "my preference | i don't want | i dont want | we don't want | don't want | i'd prefer | "
            "i'd love | i would prefer | i wish"
        ),
        "choice": (
            "we use | we keep | we stay | we settled | settled on | decided | we decided | decision | "
            "agreed on | let's use | let's go with | let's keep | let's not | going with | go with | went with | "
            "stick with | stick to | sticking with | stays | stay | keeps | keep | kept | remain | remains | "
            "it is | chose | we'll use | we will use | we go | will not do | won't do | instead | switch to | "
            "moved to | use | we don't | we won't | we do not | goes to | go to | goes through | goes thru | "
            "belongs in | lives in | replaces | replace | drop | dropped | pinned | deprecated | fine with | "
            "ok for | okay for | ok with | i'm good with | going for | let's take | we drop | we ditch | "
            "we abandon"
        ),
        "told": (
            "i told you | i've told you | i said | i keep telling | told you | i already said | as i said | "
            "again: | how many times | like i said | i keep saying | i have said | once more | "
            "we talked about this | already told"
        ),
        "remember": (
            "remember | reminder | keep in mind | note that | for the record | don't forget | "
            "never forget | fyi | be aware | heads up | watch out | careful | btw | by the way"
        ),
        "personal": (
            "in all my projects | all my projects | in every project | for all projects | across projects | "
            "across all projects | every repo | all my repos | in general i | generally | "
            "everywhere i work | not just this one | not just here | in any project | wherever i work | "
            "all of my projects"
        ),
        "interro": (
            "what | what's | why | how | who | where | which | whose | any idea | did you | what're | whats | "
            "wheres | hows | whos | wats | wat | wut | whens | wots | wich | dont u | dont you | do u | do you | "
            "did u | did we | did they | did it | can u | r u | are u | is there | are there | is it | is that | "
            "is this | are these | are those | does it | does the | does this | does that | does anyone | "
            "do we | do they | was it | was that | were there | have you | have u | has it | has anyone | y is | "
            "y does | how's | who's | where's | when's | isn't it | aren't they | doesn't it | u know | "
            "any chance | any news"
        ),
        "define": (
            "what does | what's the difference | what is the difference | what is a | what is an | "
            "what's a | what's an | what are | mean again | means again | how do you pronounce | "
            "how is it pronounced | remind me what | explain what | stand for | who wrote | who made | "
            "how does a | again | difference between"
        ),
        "hypo": (
            "maybe | perhaps | i wonder | what if | should we | we could | could we | i was thinking | "
            "thinking about | might be | would it | it might | possibly | i guess | not sure | how about | "
            "what about | thinking of | suppose | hypothetically | one day | someday | at some point | "
            "or like | no idea | do we want | do we need | tempted to | i wonder whether | would be nice | "
            "one could | we might | i'm thinking | i was wondering | i had thought of | my first thought | "
            "i'm thinking | i was wondering | i had thought of | my first thought"
        ),
        "chat": (
            "thanks | thank | thx | ty | cheers | nice | great | good | cool | sweet | perfect | awesome | "
            "lovely | ok | okay | k | y | n | yes | yeah | yep | yup | no | nope | nah | sure | right | fine | "
            "lol | haha | hm | hmm | um | uh | oh | ah | wow | super | work | job | call | you | a | so | "
            "much | that's | it's | is | that | all | for | today | now | done | go | ahead | ship | it | "
            "please | continue | run | again | on | hi | hello | hey | morning | bye | later | see | looks | "
            "look | brilliant | excellent | wonderful | well | wait | what | the | and | very | really | love | "
            "this | way | faster | honestly | going | keep | neat | sounds | got | makes | sense | lgtm | ack | "
            "np | brb | sorry | oops | never | mind | forget | whatever | proceed | next | do | approved | "
            "accepted | also | back | soon | sec | wtf | omg | ahh | ohh | aha | quick | question | best | "
            "happy | help | welcome | any | time | oh no | oh dear | oh no | oh dear"
        ),
        "retract": (
            "actually | scrap | scratch that | correction | never mind that | on second thought | "
            "i changed my mind | changed my mind | no wait | wait no | forget it | forget that | "
            "forget about | i take that back | take that back | revert that | undo that | i meant | "
            "rather | back to | let's not | drop the | instead | strike that | nope | ignore what i said | "
            "i was wrong | not anymore | no longer | after all | turns out | nah | hold off | slept on it | "
            "you know what | ditch | abandon | drop that | wait | "
            "eh make | on reflection"
        ),
        "cause": (
            "because | without | does not support | doesn't support | since | cause | caused | causes | "
            "root cause | reason | comes from | came from | come from | due to | that's why | that is why | "
            "which is why | therefore | as a result | the problem is | the issue is | the bug is | "
            "the culprit | culprit | turns out | so every | so each | so any | so it | so the | so no | "
            "so they | so that's | lacks | lacked | lack | missing | is wrong | was wrong | swallows | "
            "catches | hides | hid | never restores | leaks | overwrites | throttle | throttled | "
            "share one | shares one | which takes | stems from | blame | so ticks | depends on | expects | "
            "expected | instead of | where the | removed | leaves the | most of it | each of the | "
            "careful | clash* | collid* | conflict* | truncat* | race | deadlock* | stale | mismatch* | "
            "out of sync | off by one | silently | exceed* | unless | only because | that means | "
            "which means | means that | was caused | has no | have no | had no | there is no | "
            "there was no"
        ),
        "fail": (
            "fail | fails | failed | failing | failure | failures | error | errors | crash | crashes | "
            "crashed | broken | breaks | broke | blows up | hangs | hung | times out | timed out | "
            "timeout | lost | loses | drops | drop rows | wrong | slow | late | doesn't work | "
            "does not work | not working | bug | rejected | refuses | cannot | can't | exhausted | flaky | "
            "leak | leaks | duplicate* | undefined | green with 0 | runs out of | could not | couldn't | "
            "unable | no effect | does not support | doesn't support | denied | exceed* | raises | throws | "
            "panics | segfault* | never runs | never called | not called | ignored | corrupt* | invalid | "
            "is invalid | can no longer | not allowed | not supported | unsupported | deprecated | "
            "no longer works | missing"
        ),
        "needs": (
            "needs | need | requires | require | must | has to | have to | only works | works with | with | "
            "is enough | fixes | fixed | fix | repairs | passes | pass | makes it pass | made | becomes | "
            "became | works | use | raise | raising | setting | adding | installing | now | "
            "switched it to | i switched | changed it to"
        ),
        "open": (
            "open: | still open | not done | left to do | what remains | todo | to do | not yet | not covered | "
            "is left | are left | still to | follow-up | follow up | next week | next month | not started | "
            "unfinished | outstanding | were not tried | was not tried | not tested | untested | still needs | "
            "still need | still calls | still uses | still carry | still shows | deferred | postponed | "
            "out of scope for now | will come later | not implemented | known issue | blocked on | "
            "known issues | leftover | open question | open questions | tomorrow | remind me | for next week | "
            "for tomorrow | for later | another day | some other day | on my list | next time we | comes next"
        ),
        "narr": (
            "i'll | i will | let me | let's | now | next | first | reading | looking | checking | running | "
            "starting | while | i'm | i am going | i need to | searching | i start | i can | i see | "
            "continuing | trying | opening | updating | switching | working | here is | here's | moving | "
            "going | examining | two questions | i could | time to | then i | only tracking | to do this | "
            "inspecting | i have | i've | let us | i look | let's see | hmm | wait | on it | will do | "
            "doing"
        ),
        "ack": (
            "agreed | understood | noted | ok | okay | sure | got it | done | will do | right | good | "
            "fine | alright | of course | yes | no problem | removed | replaced | sorry | you're right | "
            "committed | i won't | great | thanks | from here on | using | added | applied | leaving | "
            "starting | i'll | moved | renamed | updated | changed | deleted | kept | switched | reverted | "
            "set"
        ),
        "propose": (
            "i'd | i would | i could | we could | you could | would you like | do you want | shall i | "
            "should i | i suggest | i recommend | i propose | may i | could also | might want | consider | "
            "want me to | let me know | an option | another option | alternatively | if you want | "
            "if you like | you may"
        ),
        "guess": (
            "maybe | perhaps | probably | might | may be | i think | i suspect | possibly | seems | seem | "
            "looks like | could be | i guess | not sure | apparently | presumably | most likely | "
            "is likely"
        ),
        "self": (
            "i'm | i am | i was | my | i have to | i've got | i need coffee | i always forget | brb | "
            "i honestly | i don't know | i think | i guess | i mean | i listen | i forgot | i just | "
            "i read | i see | i got | i saw | i | i've | i'd have to | i'll"
        ),
        "task": (
            "find | figure | check | look | see | run | rerun | fix | add | write | commit | continue | plan | "
            "try | read | explain | investigate | debug | test | show | tell | help | make sure | do | go | "
            "start | create | implement | build | migrate | refactor | clean | update | push | open | rename | "
            "delete | remove | list | give me | ask | let's | can you | could you | get | apply | review | "
            "merge | deploy | install | get it | work on | have a look | compare | change | port | generate | "
            "document | bump | finish | profile | search | analyse | analyze | rebase | revert | set up"
        ),
        "design": (
            "use | put | store | keep | cap | pin | move | round | give | set | freeze | name | call | limit | "
            "convert | benchmark | serve | send | return | treat | prefix | default | prefer | stick | switch | "
            "make | target | log | merge per | base | format | encode | validate | reject | retry | cache | "
            "wrap | split | run as | run it as | support | allow | require | show | narrow | park | export | "
            "replace | sort | hide | drop | answer | reply | respond | write it in | let | leave | have | "
            "derive | mask | redact | encrypt | hash | sign | queue | batch | fall back | expose | mount | "
            "schedule | apply it to | read from | load | lock | throttle | debounce | escape | quote | append | "
            "prepend | trim | strip | reuse | share | host | index | partition | emit | publish | accept | "
            "deny | align | truncate | sanitize | sanitise | normalise | normalize | poll | pad | sync"
        ),
        "way": (
            "commit | commits | branch | branches | pr | prs | pull request | pull requests | message | "
            "messages | answer | answers | reply | replies | summary | summaries | comment | comments | "
            "docs | documentation | diff | diffs | ask | before you | before pytest | tests | test | mock | "
            "bullet | english | spaces | tabs | release notes | style | explain | language | ruff | lint | "
            "push | pushes | review | assertions | mocks | changelog | sentences | bullets | format | "
            "signature | verbose | short | plan | secrets | files with | write-up | merge"
        ),
        "why": (
            "why | find out | figure out | find where | find the cause | what's going on | "
            "what is going on | tell me what | where does | investigate | diagnose | cause | look into | "
            "find out how | find"
        ),
        "fill": (
            "and | also | but | so | then | ok | okay | please | pls | yeah | yes | no | nope | nah | well | "
            "oh | um | uh | hm | hmm | btw | now | right | just | k | hey | like | basically | good | great | "
            "nice | fine | wait | thanks | cool | perfect | ah | sure | alright | or | lol | sweet | actually | "
            "maybe | still | plus | next time | one more thing | last thing | again | super | thx | yep | too | "
            "i mean | you know | you know what | okay so | from now on | in future | eh | yes please | hi | "
            "hello | hey there | good morning | yo | do that | let's do that | do it like that | go for it | "
            "oh no | oh dear | i should say | i should mention | i should add | i forgot to say | "
            "i forgot to mention | let me add | one thing | another thing | just so you know | oh no | "
            "oh dear | i should say | i should mention | i should add | i forgot to say | i forgot to mention | "
            "let me add | one thing | another thing | just so you know"
        ),
        "ana": "it | that | this | them | those | these | one | they | he | she | there",
        "result": (
            "done | report | result | benchmarked | measured | all | now | of | levels off | took | takes | "
            "modules | done: | finished | complete | completed | imported | import | green | result: | "
            "outcome | summary | runs in | ran in | down to | dropped to | went from | reduced | faster"
        ),
        "count": (
            "passed | passing | pass | green | tests | failed | ok | examples | checks | failures | test | "
            "all | run | suite | of | in | 0 | s | skipped | now | are | and | the | with | is | "
            "the whole"
        ),
        "recap": (
            "goal: | decisions: | pending: | next steps: | context: | progress: | primary request | "
            "key decisions: | remaining: | done: | current state: | constraints: | user preferences:"
        ),
        "planted": (
            "ai agents | ai assistants | aimed at | to agents | instruction | injection | injected | "
            "told me to | disregard | ignored it | i ignored | did not come from | "
            "didn't come from | not from you | tells agents | tells ai | addressed to | instructs agents | "
            "speaks to agents | not acting on"
        ),
        "skip": (
            "not now | skip | later | no | none | cancel | nothing | neither | don't know | no preference | "
            "you decide | up to you | doesn't matter | either | whatever | other"
        ),
        "ditch": (
            "scrap | drop the | drop | ditch | abandon | forget about | no more | get rid of | throw out | remove the"
        ),
        "else": (
            "otherwise | or else | or they | or it"
        ),
        "turn": ("no | nope | nah | sorry | oops | wait | actually | hmm | correction | scratch"),
        "dismiss": (
            "never mind | nevermind | nvm | no worries | no problem | no rush | no hurry | no idea | "
            "not a problem | doesn't matter | don't worry | dont worry | no biggie | not important"
        ),
        "decline": "rather not | better not | not worth it | not now",
        "farewell": (
            "you're welcome | youre welcome | see you | see ya | bye | goodbye | good night | have a nice | "
            "have a good | have a great | good evening | nice evening | nice weekend | nice day | good weekend | "
            "talk tomorrow | talk to you | talk later | till tomorrow | until tomorrow | until next week | "
            "cheers | take care | happy to help | glad to help | my pleasure | any time | anytime | enjoy your | "
            "enjoy the | sleep well | speak soon | catch you | cu | ttyl | signing off | calling it a day | "
            "call it a day | that's it for today | that's all for today | see u | thats it for today | "
            "stop here for today | stop here for now | stop for today | enough for today | done for today"
        ),
        "again": (
            "again | once more | as i said | like i said | reminder | i repeat"
        ),
        "aim": (
            "we want to | we'd like to | we would like to | i want to | i'd like to | i would like to | "
            "i wanna | we plan to | we need to | i need to | we are going to"
        ),
        "cure": (
            "i changed | i switched | i moved | i replaced | i set | i pinned | i raised | i added | i made | "
            "the fix | fixed by | fixes it | solved by | solves it | now uses | it now | that fixes | "
            "works now | changed it to | switched it to | replaced it with | the cure | the remedy | is gone now"
        ),
        "recant": (
            "no wait | wait no | actually no | no actually | scratch that | hmm no | hm no | wait | "
            "no no wait | correction | strike that | sorry no | on second thought | let me rephrase | "
            "actually scrap | no scrap that | oh wait | other way round | other way around | the other way"
        ),
        "later": (
            "remind me | for next week | for tomorrow | for later | another day | some other day | on my list | "
            "next time we | comes next | next up"
        ),
        "never": (
            "never"
        ),
        "measure": (
            "in metres | in meters | in feet | in miles | in km | in kilometres | in seconds | "
            "in milliseconds | in ms | in minutes | in cents | in pence | in bytes | in gib | in mib | in kib | "
            "in gb | in mb | in utc | as utc | in local time | in iso | as iso | in metric | in imperial | "
            "in celsius | in fahrenheit | in kelvin | in percent | in hex | in utf-8 | as utf-8 | in grams | "
            "in kg | in inches | in points | in pixels | in px | as integers | as integer | as strings | "
            "as text | as decimals | with one decimal | with two decimals | with three decimals | "
            "decimal places | 24h | 24-hour | 24 hour | iso 8601 | metric units | in snake_case | "
            "in camelcase | in kebab-case | in lower case | in lowercase | in upper case | in uppercase | "
            "one * per | one * each | commit each | commit every | commit per | over here | at our place | "
            "in our shop | with us"
        ),
        "past": (
            "used to | previously | formerly | back then | in the old days | "
            "last year | last month | last week | years ago | months ago"
        ),
        "hence": (
            "that's why | that is why | hence | therefore | which is why | so that's why | this is why | "
            "for that reason"
        ),
        "found": (
            "i found that | found that | i found | turned out | it turned out | it turns out | found out | "
            "i discovered | discovered that | found the cause | found it | i noticed that | noticed that"
        ),
        "cond": (
            "if a | if an | if any | if anything | if something | if someone | if one | if you ever | "
            "whenever | in case | each time | should a | should any | when in doubt | if in doubt | "
            "unless i | if unsure | when unsure | if you are unsure | if you're unsure"
        ),
        "amend": (
            "make it | make that | change it to | change that to | set it to | raise it to | lower it to | "
            "bump it to | bump to | go with | instead | rather | better | down to | up to"
        ),
        "behaves": (
            "follows | follow | closes | opens | shows | show | returns | return | wins | win | gets | "
            "go out | goes out | starts with | ends with | applies to | counts as | is stored | are stored | "
            "is shown | are shown | is kept | are kept | is sorted | are sorted | comes first | come first | "
            "sits | lands in | go into | goes into"
        ),
        "often": (
            "every morning | every evening | every day | every night | every week | every month | "
            "every monday | every friday | every hour | every release | every deploy | every commit | "
            "every run | each morning | each day | each night | each week | each month | each release | "
            "each deploy | each run"
        ),
        "regret": (
            "damn | dang | argh | oh no | oh dear | ouch | ugh | shoot | crap | bummer"
        ),
    },
    headings={
        **dict.fromkeys(
            (
                "learning",
                "learnings",
                "lessons",
                "lesson",
                "gotchas",
                "pitfalls",
                "takeaways",
                "findings",
                "root cause",
                "root causes",
                "discoveries",
                "insights",
                "causes",
                "what i learned",
                "learned",
            ),
            "lesson",
        ),
        **dict.fromkeys(
            (
                "decisions",
                "decision",
                "decided",
                "choices",
                "conventions",
                "rules",
                "constraints",
            ),
            "decision",
        ),
        **dict.fromkeys(
            (
                "open",
                "open questions",
                "open issues",
                "todo",
                "next steps",
                "remaining",
                "left",
                "not done",
                "follow-ups",
                "pending",
                "still open",
                "known issues",
                "open items",
                "follow-up",
                "open points",
                "left to do",
                "what remains",
                "left open",
                "outstanding",
                "what's left",
                "unfinished",
                "deferred",
                "not yet done",
                "remaining work",
                "known gaps",
                "still missing",
                "missing",
            ),
            "open",
        ),
        **dict.fromkeys(
            (
                "preferences",
                "user preferences",
            ),
            "preference",
        ),
        **dict.fromkeys(
            ("architecture",),
            "architecture",
        ),
        **dict.fromkeys(
            ("patterns",),
            "pattern",
        ),
        **dict.fromkeys(
            (
                "facts",
                "notes",
                "results",
                "outcome",
                "summary",
            ),
            "fact",
        ),
    },
)
