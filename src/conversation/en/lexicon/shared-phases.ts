import type { KindPhrases } from '../../lexicon/phase-kinds.ts';

/** Phases that occur in any sort of conversation. */
export const SHARED_PHASES = {
  opening: {
    cues: [
      'hello, hi, hey there, good (morning|afternoon|evening), how are you, how are you (doing|today)',
      '(nice|good) to (meet|see) you, (thanks|thank) you for (joining|calling|taking|having|coming)',
      '(thanks|thank) for (joining|calling|taking|having|coming|meeting), thank you (both|all) for (coming|joining)',
      'how (can|may) i help, how (can|may) we help, what can i do for you, can you hear me, come in have a seat',
      'am i speaking, got a minute, have you got a (minute|moment)',
    ],
    hints: [
      "my name is, my name's, this is * (from|with|speaking|calling|here|at), morning, afternoon, welcome, speaking",
      'a couple of minutes, did you find us',
    ],
  },
  introductions: {
    cues: [
      "i'm * from, originally from, this is * (and|in), nice to meet you, pleased to meet you",
      'introduce (myself|yourself|ourselves), let me introduce, where are you from, where are you calling from',
      "who am i talking to, i'm your",
    ],
    hints: ["my name is, my name's, i'm from, i live in, i come from, grew up"],
  },
  closing: {
    cues: [
      'bye, goodbye, bye-bye, take care, have a (nice|great|good|lovely|wonderful|safe), talk to you (soon|later|then)',
      'talk (soon|later), speak (soon|then), see you (soon|later|then|there|tomorrow|next|in|on|at), see you',
      'thanks again, thank you again, thank you (so|very) much for, thanks for (calling|your)',
      'thank you for (calling|your), anything else i can, anything else we can, is there anything else',
      'was there anything else, looking forward to, look forward to',
      "it was (nice|good|great) (talking|speaking|meeting), appreciate your business, that's all for today",
      "meeting is (adjourned|over|closed), let's wrap up, cheers, it's on (the|its) way, don't hesitate",
      'thanks for being, else (i|we) can help, glad (i|we) could help, able to help you, happy to help you today',
    ],
    hints: [
      "thank you, thanks, that's all, that's everything, that's it, my pleasure, you're welcome, have to go, better go",
      "i'd better, appreciate",
    ],
  },
  small_talk: {
    cues: [
      'the weather, nice weather, how (was|is) your (weekend|holiday|vacation|trip|evening|day)',
      'your (holiday|weekend|vacation|birthday)',
      "how (are|is|was) your (kids|family|dog|cat|husband|wife|mum|mom|dad|mother|father|son|daughter), how's your *",
      'how are things, do you like, do you have any (hobbies|pets|kids|siblings), for fun, in your (free|spare) time',
      'what do you do for a living, watch the (game|match)',
    ],
    hints: [
      'weekend, holiday, vacation, birthday, christmas, football, movie|movies, hobby|hobbies, favorite|favourite',
      'pet|pets, hiking|fishing, ice|snow|rain|sunny',
      '(my|your) (kids|husband|wife|dog|cat|mum|mom|dad|sister|brother|son|daughter)',
    ],
  },
  request: {
    cues: [
      "i'd like to (buy|order|book|return|make|get|reserve|rent|schedule|change|cancel|know|speak|talk|see)",
      'i would like to (buy|order|book|return|make|get|reserve|rent|schedule|change|cancel|know|speak|talk|see)',
      "i'm calling (because|about|to|in|for|regarding), i am calling (because|about|to|in|for|regarding)",
      "i'm looking for, i am looking for, we're looking for, looking to (buy|rent|book|get|hire)",
      'i need to (return|book|order|change|cancel|find|get|make|buy|reserve|speak|pay)',
      'i need (a|an|some) (help|information|place|train|taxi|hotel|room|reservation|ticket|appointment)',
      'i was wondering (if|whether), can you help me, could you help me',
      'i want to (buy|order|book|return|cancel|reserve|ask|rent), i wanted to (ask|check|talk|see|know)',
      "the reason (i'm|for), are you looking for, here to (see|pick|collect|return)",
    ],
    hints: ["help me, interested in, do you have any, i'd like, i would like"],
  },
  pricing: {
    cues: [
      "how much (is|are|does|do|would|will|for|it), how much, (what|what's) (does|the|your) (it|price|that|rate|cost)",
      'what does (it|that) (cost|come), going to cost, the (price|cost|rent|fee|rate|quote|premium)',
      '(a|per) (month|year|seat|user|head|hour|unit|kilo|day|night|week) (plus|each|and|with|for|all)',
      'per (month|user|seat|year|unit|hour|head|person|night|kilo)',
      '<number> (dollars|euros|pounds|bucks|quid|grand|pence|cents)',
      '<number> a (month|year|seat|head|hour|unit|kilo|night|week|piece), <number> an hour, <number> each',
      '<number> per, with (labour|labor|vat|tax), plus (vat|tax), how much (would|will), off the price',
      "(asking|selling|purchase) price, let's talk about (money|price|pay|salary), let's talk (money|price|numbers)",
    ],
    hints: [
      'price|prices|pricing|cost|costs|fee|fees|rent|budget|quote|discount|cheaper|expensive|deposit|salary|invoice|money',
      'dollars|euros|pounds|quid|grand, <number> (percent|off), hundred (a|an|each|for), vat|tax',
    ],
  },
  negotiation: {
    cues: [
      'meet (me|you|) (in the middle|halfway), split (it|the (difference|cost|costs)), best (price|offer)',
      '(come|go) (down|up) (to|a|on|at), come down, knock * off, throw in, in (return|exchange)',
      "can i (take|have) (<number>|all|the), (i'll|i will) (give|take) you (<number>|the)",
      'give you (<number>|the|my|some|one|all|extra), you can (have|take|keep) (<number>|the|all|some|one)',
      'i can (give|offer|spare|do), i could (give|offer|spare|do|take), we could (do|say|try|use)',
      'could you (do|go|make), what (about|if) (<number>|we|you|i), what if (i|we|you)',
      "how about (<number>|we|i|if|you), how does (that|this) sound, (you're|are) asking (<number>|for|too)",
      '<number> cash, how would (that|it), would you (take|accept|do|consider), would you be (willing|able|open)',
      'willing to, if you (commit|make|take|sign|buy|order|give|can)',
      'if we (can|could|have|take|commit|order|sign|make), trade (you|my|for|off)',
      "that's (my|the) (best|limit|lowest|final), i'd (settle|go) for, <number> off, a better (deal|price|offer)",
      'fair (deal|enough), i can live with, then do, then take, <number> then',
    ],
    hints: [
      'offer|deal|discount|trade|compromise|counter|negotiate|fair, extra, instead, in exchange, how about',
      'what about (the|that), off',
    ],
  },
  scheduling: {
    cues: [
      '(an|the|your|first|next) (appointment|availability|slot|opening)',
      '(make|schedule|book|reschedule|set|have) (an|the|your|another|a) (appointment|meeting|call|visit|time|slot)',
      "walk in, a walk in, <number> (a|p) m, <number> o'clock, what (time|day|days|date|works|suits)",
      'which (day|days|date|time|week), when (can|could|would|are|do|works|suits) (you|we|i|they|works|be), how soon',
      '(earliest|soonest) (you|we|appointment|slot|i), (works|work) for (me|you|us), (suits|suit) (me|you|us)',
      'are you (free|available), free (on|at|in) (<weekday>|the)',
      '<weekday> (at|morning|afternoon|evening|we|works|suits|or)',
      '(free|available|better|good|fine|there|in|it) on <weekday>, (this|next|by|until|till|before) <weekday>',
      '<number> (days|weeks) from now, next (week|month), the week after',
      '(pencil|book|fit|put|squeeze|schedule) you in, pencil, on the calendar',
      'come in (at|on|around|tomorrow|before|any), start (on|by) (the|<weekday>|<month>), earlier the better',
      'tomorrow (morning|afternoon|evening), between <number> (and|a), at <number> (or|in|on|tomorrow|then)',
      'the <number> of <month>',
    ],
    hints: [
      '<weekday>, on <weekday>, appointment|schedule|scheduled|calendar|availability|available|slot',
      "tomorrow|morning|afternoon|evening|noon|weekend|tonight, o'clock, earlier|sooner|later, two days",
      'ready (at|about|by|on)',
    ],
  },
  recommendation: {
    cues: [
      "(i'd|would|what|i) (suggest|recommend|advise), i (suggest|recommend|advise|propose)",
      "my (advice|suggestion|recommendation), what i'd (suggest|recommend|do|propose), you (should|ought)",
      "have you (thought|considered) (about|of), i think it's time, we could try, you might want, you could try",
      "it's worth, why don't you, here's (an|the|what|my) (experiment|plan|idea|thing|we|i), start you on",
      'best thing to do, if i were you',
    ],
    hints: ['suggest|recommend|advise|try|advice|dose|tablet|tablets|diet|exercise|exercises|treatment'],
  },
  agreement: {
    cues: [
      "it's a deal, deal, (you've|you have) got a deal, let's do (it|that|this|the), let's go (ahead|with)",
      "let's try it, go ahead (with|and), let's (sign|start|get), we're in, count me in",
      "i'll take (it|them|that|two|one), we'll take (it|them|that), where do i sign, ready to (sign|go|move|start)",
      "that works, then i'm (happy|in), then let's, we (agree|agreed), agreed, it's settled",
    ],
    hints: ['sounds (good|great|fair|perfect), perfect, done, great, brilliant'],
  },
  next_steps: {
    cues: [
      'next (step|steps), follow up (with|on|next|by)',
      "i'll (send|email|get|put|forward|check|set|draft|write|ask|arrange|prepare|share|ring)",
      'i will (send|email|get|put|forward|check|set|draft|write|ask|arrange|prepare|share)',
      "we'll (send|email|get|be|put), we will (send|email|get|be), send you (an|the|some|it|a|over)",
      'send me (the|something|an|it|a), send (it|them) (over|to), over (by|this|to), action (item|items|point|points)',
      'to do list, by end (of|the), get back to, let you know, give (you|them|us) a (call|ring|shout)',
      'write (it|that) (up|down), put (it|that|you|him|her) in (writing|the|down), put (his|her|your|my) name down',
      'paperwork, the best (address|email|number), let me send',
    ],
    hints: ["send|email|forward|draft|confirm|follow|paperwork|contract|invite, i'll|we'll, by (<weekday>|tomorrow)"],
  },
} as const satisfies KindPhrases;
