import type { CommitmentForms } from '../../language.ts';

const ADVERBS =
  '(?:(?:also|definitely|certainly|of course|still|then|actually|personally|gladly|happily|always|try (?:to|and)|be sure to|make sure (?:to|i|we)|be able to|be) )*';
/** A group that has to do something tells what it will do; a single speaker often tells what cannot be helped. */
const SHARED_ADVERBS = `(?:(?:have|need) to )?${ADVERBS}`;

/** Deeds that somebody can check later: messages and calls; appointments and orders; papers and work; coming and bringing. */
const MESSAGES =
  '(?:send|sending|e-?mail|emailing|mail|forward|fax|text|post|ship|deliver|courier)(?! the message)|(?:call|calling|phone|ring|ringing|contact|notify|inform) (?!(?:it|this|that) (?:a|the|off)\\b|him out\\b)|remind (?:you|him|her|them)(?: (?:to|about|of)\\b|$)|(?:give|giving) (?:you|him|her|them|the \\w+|my \\w+|your \\w+) (?:a|another) (?:\\w+ )?(?:call|ring|buzz|shout|email|note|copy|prescription|course|referral|leaflet|letter|discount|refund|reply|answer|script|lift|ride|hand|update|shot|injection)|(?:give|giving) (?:it|them|that|the (?:\\w+ ){1,2}) ?(?:back )?to (?:you|him|her|them)|(?:give|giving) you (?:some|the|your|an?|about) ?(?:[\\w-]+ ){0,3}(?:antibiotics?|medications?|medicines?|painkillers?|pills?|tablets?|creams?|inhalers?|puffers?|steroids?|information|details|instructions|results?|report|money|prescription|injection|vaccine)|write (?:to|you|him|her|them|up|a|an|the|it)\\b|get back to (?:you|him|her|them)|get in touch|getting back to|be in touch|in touch with|reach out|follow(?:ing)? up|touch base|check in (?:with|on)|let (?:you|him|her|them|my|the|your) (?:\\w+ )?know|keep you (?:posted|informed|updated|in the loop)|pass (?:it|that|this|on)\\b';
const APPOINTMENTS =
  "(?:book|booking|schedule|scheduling|reschedule|arrange|arranging|organi[sz]e|organi[sz]ing|set up|setting up|reserve|order|ordering|request)(?! of)\\b|make (?:you |him |her )?(?:an?|the|your|another|some|that) (?:\\w+ )?(?:appointment|reservation|booking|call|phone call|copy|copies|referral|list|payment|arrangements|transfer|note of (?:it|that))|(?:refer|referring|prescribe|prescribing)\\b|put (?:you|him|her) (?:on|down for)\\b|start (?:you|him|her) on\\b|increase your|switch you|(?:do|doing|run|running|take|taking|get|getting|perform|have(?= (?:an?|another|some) (?:[\\w-]+ )?(?:follow|test|scan|x-?ray|blood|mri|ct))) (?:(?:(?!(?:if|when|that|because|a (?:good|great)|so|is|do|doing|we'll|i'll)\\b)[\\w'’-]+ ){0,6})(?:x-?rays?|tests?|testing|swabs?|ecgs?|ekgs?|scans?|blood ?work|bloods|imaging|work-?up|ultrasound|investigations?|cultures?|biops(?:y|ies)|mri|ct|follow-?up|referral|samples?|urinalysis|spirometry|screen(?:ing)?|labs)\\b";
const WORK =
  '(?:prepare|preparing|draft|drafting|finish(?! (?:up|off|by|with|my)\\b)|finishing|complete|submit|submitting|file|sign|print|printing|revise|edit|update|updating|upload|publish|type (?:it|that|up)|fill (?:in|out|(?:it|that|this|them) (?:in|out))|hand (?:it|that|them|in)|turn (?:it|them) in)\\b(?! off)|(?:look|looking) into|(?:check|checking) (?:on|into|with|whether|for you|up on|the [\\w ]+ for)|find out|finding out|(?:speak|talk|talking|speaking) (?:to|with) (?!you (?:about|in|now)|you\\b)|ask (?!you|a|some|the question|one|about|questions)|discuss (?:it|this|that|them|your \\w+) with|consult\\b|review (?:your|the|it|this|that|them)\\b|work on (?:it|that|this|the|a|my|some)\\b|(?:take care of|deal with (?!in\\b)|handle|arrange|sort (?:it|that|this|out)|see to) ?(?:it|that|this|the|your|everything|all)?\\b(?! of)|(?:replace|repair|fix|refund|reimburse|exchange|install|cancel|renew|register|apply|enrol|enroll|sign up|join|attend|donate|transfer (?!(?:you|him|her)\\b)|deposit|return (?!to )|lend|loan|repay)\\b|pay (?:you|him|her|them|it|for|the|my|by|in|back|half|a)\\b|make (?:a|the|another|my) (?:\\w+ )?(?:donation|contribution|deposit)';
const WAYS =
  '(?:bring|bringing|drop (?:it|off|by|in|you|them|him|her)|pick (?:you|it|up (?!on)|him|her|them|that|some)|collect) ?(?!this up|that up|it up\\b)|(?:drive|accompany) (?:you|him|her|them)\\b|walk (?:you|him|her|them) (?:to|home)|take (?:you|him|her|them|it) (?:to|there|home|back|out|with)|give (?:you|him|her) a (?:lift|ride)|(?:buy|get|fetch|cook|bake|make) (?:you|him|her|us|them) (?:a|an|some|the|one|your|another|(?!to )\\w+ )|(?:keep|hold) (?:my|your|the|a) (?:reservation|booking|table|room|seat|place)|go \\w+ with (?:me|you)|show (?:me|you|him|her) around|(?:come|coming) (?:back(?! (?:on|to (?:that|it|this|the))\\b)|over|by|round|around|and (?:pick|see|visit|get|collect)|to (?:see|pick|your|visit|get|the))|visit (?:you|him|her|them)\\b|(?:see|seeing) (?:you|him|her|them|the \\w+|my \\w+)(?: \\w+)? (?:back|again|on|at|in|tomorrow|next (?!time)|for|tonight|this|by)\\b';

/** Words that commit their speaker or ask the listener, and what they are about. */
export const COMMITMENT_FORMS: CommitmentForms = {
  own: new RegExp(
    `\\bi(?:['’]ll| will| shall| am going to|['’]m going to|['’]m gonna| am gonna| promise (?:to|i['’]ll|i will)) ${ADVERBS}`,
    'gi',
  ),
  shared: new RegExp(
    `\\bwe(?:['’]ll| will| shall| are going to|['’]re going to|['’]re gonna| are gonna) ${SHARED_ADVERBS}`,
    'gi',
  ),
  offered: new RegExp(
    `\\b(?:(?:shall|should) (?:i|we)|(?:do|did) you want me to|would you like me to|i (?:can|could)(?= \\w+ (?:you|it)\\b)|i['’]d be (?:happy|glad) to|i['’]m happy to) ${ADVERBS}`,
    'gi',
  ),
  asked:
    /(?:\b(?:can|could|would|will) you (?:please |just |also |maybe |kindly |possibly )*|\bwould you mind |^(?:(?:so|and|then|ok|okay|well|but|now|also),? )*please |\bi(?:['’]d| would) like you to |\bi need you to |\bi want you to |\b(?:don['’]t forget|remember|be sure|make sure) to |^(?:(?:so|and|then|ok|okay|well|but|now|also),? )*you (?:have to|need to|must|['’]ll need to|should) )/gi,
  deed: new RegExp(
    `^(?:go (?:and |ahead and |home and )?|come and )?(?:${MESSAGES}|${APPOINTMENTS}|${WORK}|${WAYS})`,
    'i',
  ),
  together:
    /^(?:meet|see each other|discuss|talk|catch up|get together|go (?:to|for)|have (?:a )?(?:lunch|dinner|coffee|drink|meeting))\b/i,
  afterEvent: /\b(?:when|after|as soon as|upon|following)\b[^.;]*$/i,
  deedEnd:
    /(?:[;–—]|:(?!\d)|,(?! \w+ (?:and|or) )|\.\.+| - )|\b(?:because|cause|coz|that['’]s|just (?=to)|simply|as soon as (?!possible)|when (?=(?:i|we|you|he|she|they|it)\b)|and (?=(?:the|your|those|these|based|will|would|should|can|recommend|decide|await|yeah|probably|not|find|tell|get back|our|there)\b)|so that|so(?= (?:i|we|you|that|they|it)\b)|but|which|who|that (?=i['’]?m?\b|we\b|you\b)|since|although|though|or else|in case|and then|and (?=(?:i|we|you|he|she|they|it|then|that|see|hopefully|go from|maybe|if|when|just)\b)|okay|ok\b|right\?|alright|to (?=(?:see|make sure|figure|try|rule|help|look for|check|find out)\b)|and (?=(?:take it|hopefully)))/i,
  deedTail: new Set(
    'then anyway anyways as still just yeah like first next really okay ok right sure too well now please sir madam though and or so by on at in for to the um uh probably maybe with'.split(
      ' ',
    ),
  ),
  unnamed:
    /\b(?:it|them|that|those|these)(?=$|[ ,.]+(?:$|(?:to|for|from|with|by|back|in|on|at|up|out|off|over|through|there|here|down|again|and|if|myself)\b))|\b(?:these|those) \w+|\b(?:into|of|about|with|from|after|over)$/i,
  clauseStart: /(?:^|[,.;:]|\b(?:so|and|then|but))$/i,
  links: new Set(['then', 'so']),
  before:
    /\b(?:tell|whether|whenever|suppose|supposing|say|said|says|told|saying|tell|thought|think that|hope|hoping|wish|guess|assume|means|mean|where|how|what(?! (?:i|we)[^,.;]* is\b)|why|who|which|until|before|like|so that|even though|in case|because|once|usually|sometimes|always|normally|maybe|perhaps|not sure|don['’]t know|(?:don['’]t|do not|never) (?:think|believe|expect|suppose|imagine)|wonder|as|than|why don['’]t you)\b[^,.;]*$|\bthat,?\s*$|\b(?:if|unless|once|depending)\b/i,
  never:
    /\b(?:usually|sometimes|every (?!thing)|always|once in a while|(?:every )?now and then|on (?:the )?weekends|often|whenever|typically|normally|occasionally|from time to time|would have|wouldn['’]t|won['’]t|will not|will never|i(?:['’]ll| will) never|not going to|['’]m not|if i were|instead of|used to|each (?:day|week|time)|a (?:day|week)\b(?! from|['’]s)|supposed to|in theory|hypothetical|imagine|for example|let['’]s say)\b/i,
  unless:
    /\b(?:if (?!(?:that['’]?s? (?:is )?(?:ok|okay|all ?right|fine)|you (?:like|want|don['’]t mind|['’]d like)|it['’]s ok|possible|i can))|unless|depending on|provided|as long as|in case|or (?:not|maybe)|whether)\b/i,
  atOnce:
    /\b(?:in (?:a|one|just a) (?:minute|second|moment|sec|bit)|right (?:now|away)|just now|at once|immediately|for a (?:second|moment|minute)|while (?:i|you|we)|(?:a )?(?:couple|few) (?:of )?(?:more )?questions|(?:on|to) the (?:white)?board|hold on|as we go|at the moment|to start(?: off)? with|(?:the )?first (?:question|slide|item|point)|(?:one more|another|a (?:special|quick)) (?:test|question|thing))\b/i,
  hedged:
    /\b(?:probably|maybe|perhaps|might|may|try|possibly|i think|i guess|hopefully|should be able|i suppose|likely)\b/i,
  agrees:
    /^(?:(?:oh|well|um|uh|ah|hmm|mm),? )*(?:sure|yes|yeah|yep|ok|okay|of course|certainly|no problem|all right|alright|absolutely|definitely|great|good|fine|perfect|excellent|wonderful|sounds|that(?:['’]s| is| would be|['’]d be| will be| sounds)(?: (?:very|really|so))? (?:great|good|fine|perfect|nice|okay|ok|kind|wonderful|lovely|helpful|a good idea|very)|thanks?|thank you|cool|lovely|super|gladly|with pleasure|i['’]d (?:love|like|appreciate) (?:that|it)|please do|yes please|deal|got it|that works|you bet|right away)\b/i,
  promises:
    /\b(?:i will|i['’]ll|will do|i can do that|i promise|you got it|i won['’]t forget|no problem|of course|certainly|consider it done|sure thing|right away|leave it to me)\b/i,
  declines:
    /^(?:(?:oh|well|um|uh|ah),? )*(?:no,? (?:thanks?|thank you|don['’]t|that['’]s (?:ok|okay|all right|fine|alright)|there['’]s no need|you don['’]t|please don['’]t|i['’]d rather|need)|thanks?,? but|thank you,? but|please don['’]t|don['’]t (?:bother|worry about (?:it|that)|do that)|there['’]s no need|no need|you don['’]t (?:have|need) to|that won['’]t be necessary|that['’]s not necessary|i['’]d rather (?:you )?(?:not|didn['’]t)|i['’]m afraid (?:i|we|not)|i(?:['’]m)? sorry,? (?:but )?(?:i|we) (?:can['’]t|cannot)|i can['’]t|not (?:now|today|yet))\b/i,
  leavesOpen:
    /^(?:(?:oh|ooh|well|um|uh|hmm|so|and|yeah|good question|that['’]s a good question|honestly|actually|sorry)[,.;]? )*(?:i(?:['’]ll| will|['’]d) (?:have to |need to |just have to )?(?:check|find out|look into|ask|get back|look it up|let you know)|i (?:have|need) to (?:check|find out|ask|look into)|let me (?:get back|check with|find out|ask)|we(?:['’]ll| will) (?:have to )?(?:find out|check|get back)|can i get back|i(?:['’]m| am) (?:really )?not (?:quite |too |really )?sure|i (?:really )?(?:don['’]t|do not) know|(?:i have )?no idea|i couldn['’]t tell you|i can['’]t (?:say|tell you|answer|remember)|hard to say|we (?:don['’]t|do not) know|nobody knows|it remains to be seen)\b(?!.*\b(?:but|maybe|perhaps|probably|guess|think|if|that['’]s it|looks?|seems?|more questions|like)\b)/i,
  idle: /^(?:(?:and|so|but|okay|ok|well|right|oh|yeah),? )*(?:how are you|how have you|how['’]s it|what['’]s up|you know|right|okay|ok|really|is it|isn['’]t it|what|huh|yeah|pardon|sorry|excuse me|are you (?:sure|kidding|serious)|who knows|why not|(?:can|could|would|will) you|(?:can|could|may|shall|should) (?:i|we)|how about|what about|do you (?:know what|mean|understand|remember)|does that (?:make sense|sound)|make sense|anything else|any (?:other )?questions|guess what)\b/i,
};
