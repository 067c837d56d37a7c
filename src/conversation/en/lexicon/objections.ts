import type { CuePhrases } from '../../lexicon/cue-phrases.ts';

/** Phrases that are an objection by themselves, by label. */
export const OBJECTION_CUES = {
  'objection.price': [
    '(too|so|very|really|pretty|quite|rather|awfully|insanely|a bit|a little|that|way too|incredibly) (expensive|pricey|steep|costly|dear|much money)',
    '(overpriced|extortionate|daylight robbery|a rip off|rip-off|costs a fortune|arm and a leg|sticker shock)',
    "(can't|cannot|couldn't|can not|don't think <i> can|never) (really|possibly|) (afford|justify|stretch|spend|pay|swallow|swing)",
    '(over|beyond|outside|out of|above|exceeds|not in|blow|past) (of|) (my|our|the|what we) (budget|price range|means|range|had budgeted|reach)',
    "(more|higher|lot more|way more) than (<i>|i'd|we'd|what <i>|i had|we had|i've|we've) (can|could|expected|planned|budgeted|thought|wanted|want|hoped|pay|paid|was|were|had|have|hoping|set aside|spend|currently|the)",
    '(cheaper|less expensive|better price|better deal|lower price|for less|for half|half the price) (elsewhere|somewhere|than|from|at|online|with|if|)',
    "(that's|it's|this is|that is|is|sounds|seems) (a lot|a fortune|a big number|a big jump|a hefty|quite a bit|an awful lot|a lot of money|serious money|twice|double)",
    '(budget|money) (is|was|got|has been|is really|is very|are) (tight|frozen|cut|limited|spent|gone|an issue|a problem)',
    "(don't|do not|doesn't) have (the|that|that kind of|this kind of|any|enough|much) (budget|money|cash|funds)",
    '(not|hardly|never) (worth (it|the|that)|paying|going to pay)',
    '(was|were|been) hoping for (something|a) (cheaper|less|lower|better price|discount|smaller)',
    '(price|cost|fee|premium|rate|quote|rent|number|bill) (* |)(is|went|has gone|seems|feels|sounds|looks) (still |just |really |)(high|too high|up|ridiculous|steep|crazy|an issue|a problem|insane|hard to|difficult)',
    '(hidden|extra|additional) (fees|costs|charges)',
  ],
  'objection.timing': [
    "(not|bad|terrible|wrong|worst|isn't) (a|the|) (good|great|best|right|ideal|) (time|moment|timing)",
    '(too|so|really|very|completely|swamped|super) (busy|swamped|slammed|soon|early|late|rushed|tight|short notice|long to wait|booked up|stretched)',
    "(don't|do not|won't|doesn't|never) (have|get|got) (the|any|enough|that much|) (time|bandwidth|capacity|hours)",
    '(not|nothing) (until|before|till) (the|next|after|*) (quarter|year|month|summer|spring|autumn|fall|winter|week|january|february|march|april|may|june|july|august|september|october|november|december|*)',
    '(middle of|busy with|right before|in the thick of|up against) (a|the|our|an|my|year) (*|* *|) (launch|move|migration|audit|deadline|season|close|project|exams|harvest|reorganisation|renovation|year-end|release|*)',
    "(timing|timeline|deadline|schedule|date|turnaround) (* |)(is|seems|looks|feels|won't|doesn't|isn't) (a (problem|issue|concern)|tight|off|bad|wrong|tricky|unrealistic|aggressive|work|awkward|too|the|difficult)",
    '(takes|take|taking|took|wait|waiting) (way|far|much|) too long',
    "(that's|it's|this is) (too|awfully|very|really|rather|a bit|a little) (soon|late|fast|rushed|far off|far away|tight|short notice|early)",
    "(can't|cannot|won't|couldn't) (* |)(wait|take time off|get away|make it|be without|spare) (that long|until|for|on|by|the|*)",
  ],
  'objection.authority': [
    "(not|isn't|never) (my|mine|only my|just my|up to me|entirely my|me who|solely my) (decision|call|place|to make|to decide|)",
    '(have|need|needs|want|going|got) to (first |really |) (talk|speak|check|run|clear|discuss|ask|go|get|consult|be signed|be approved|take) (to|with|it|this|that|past|by|through|off|up|approval|sign-off|*) (my|our|the|with|by|past|from|to|through) (*|* *|) (<authority>)',
    "(i'm|i am|we're) not (the|authorised|authorized|in a position|allowed|able to (sign|approve|decide)|* the decision maker)",
    "(my|our|the) (*|) (<authority>) (would|will|has to|have to|needs to|won't|must|handles|decides|makes|needs|always|wouldn't|doesn't|would have|is the one|holds|signs)",
    '(above my pay grade|out of my hands|need (sign-off|approval|permission|someone else)|final say|get (approval|sign-off|permission)|someone else decides|decision (is|lies|sits|rests) (with|not)|pay grade)',
    "(can't|cannot|couldn't|can not) (decide|sign|approve|commit|agree|say yes|authorise|authorize) (*|* *|) (alone|myself|on my own|without|by myself|today)",
  ],
  'objection.need': [
    "(don't|do not|doesn't|didn't|really don't|never|not sure <i>|wouldn't) (really |actually |even |) (need|use|want|require|see (the|a|any|why|how)|have a use|get why|miss)",
    '(already|currently) (have|got|use|using|do|covered|handle|working with|pay for|own|did) (a|one|that|it|something|someone|this|an|our|the|*)',
    "(we're|i'm|we are|i am) (fine|happy|good|okay|all set|doing fine|perfectly happy|covered|comfortable) (with|as|without|the way|doing|where)",
    '(what|where) is the point',
    "(what's|don't see|can't see|fail to see|not seeing|see) (the|any|much) (point|benefit|value|need|use|upside|reason|advantage)",
    "(not|isn't|nothing|hardly) (really |) (a priority|necessary|needed|for us|relevant|useful|something <i> need|what <i> need|a problem for us|our problem|worth the (trouble|hassle|effort))",
    '(works|working|worked|runs|does the job) (just |perfectly |) (fine|well|okay) (as it is|as is|already|for us|for me|without|so far|the way)',
    '(manage|managed|cope|doing) (just |) (fine|okay|well) (without|so far|on (my|our) own|for years)',
    "(if it ain't broke|if it isn't broken|why (would|should) (i|we)|why fix|why change|overkill|do without|rarely use|hardly use|never use)",
  ],
  'objection.trust': [
    "(don't|do not|can't|cannot|hard to|not sure <i>|wouldn't|no longer|how (can|do) <i>) (really |quite |) (trust|believe|rely|count on)",
    '(been|got|getting|were|was) (burned|burnt|scammed|ripped|cheated|lied|misled|let down|promised|told that|bitten) (before|off|to|by|once|twice|last|*)',
    '(sounds|seems|looks|feels) (too good|fishy|shady|sketchy|like a scam|dodgy|suspicious|risky|like a sales pitch|like a trick)',
    "(too good to be true|what's the catch|where's the catch|the catch|is this a scam|sceptical|skeptical|suspicious|never heard of (you|your|this|them|it)|heard (bad|horror|mixed)|bad reviews|horror stories)",
    '(what|how do <i>|no|any) (guarantee|proof|guarantees|evidence|know you|know that you|know it|know this|assurance|happens if you) (*|)',
    '(said|heard|promised|told|tell) (the same|that before|that last|me that last|us that|that every|it before|all that)',
    '(you|they) (said|promised|told (me|us)) (that|the same|it|this|*|) (last time|before|last (week|month|year)|*)',
    "(don't|not|wouldn't) (feel|be|) (comfortable|confident|convinced|persuaded|sure about (this|that|you|giving|handing))",
    "(i'm|we're|i am) (not (convinced|persuaded|sold|so sure about)|sceptical|skeptical|wary|nervous about|hesitant|reluctant|worried that you)",
  ],
  'objection.competitor': [
    '(your|the|a|another|other) (competitor|competitors|competition|vendor|supplier|provider|agency|dealer|garage|company|bank|insurer|shop|agent|firm) (*|* *|) (offered|offers|quoted|gave|is cheaper|does|has|can|charges|said|includes|already|for less)',
    '(already|currently|happily) (with|working with|use|using|go through|signed with|a customer of) (another|a different|someone else|a competitor|somebody else|*)',
    '(got|have|had|received|found|seen) (a|an|another|two other|other|better|several|three) (better|cheaper|lower|competing|other|) (quote|quotes|offer|offers|deal|bid|bids|proposal) (from|elsewhere|at|that|with|*)',
    '(comparing|looking at|talking to|considering|leaning towards|evaluating|speaking with|also looking) (you |it |)(with|to|against|other|several|two|three|your|some|a few|someone|another|at) (other|others|competitor|competitors|vendors|providers|options|offers|companies|alternatives|*)',
    '(someone|somebody|place|everyone|anyone) else (offers|offered|does|is|has|quoted|will|can|down the road|charges|includes)',
    '(going|go|gone|switch|stay|stick|staying|sticking|loyal) (with|to) (the competition|a competitor|your competitor|someone else|our current|my current|our existing|the other|another)',
  ],
  'objection.technical': [
    "(doesn't|won't|does not|didn't|can't|never|not going to|isn't going to) (even |really |) (integrate|work with|support|connect|talk to|run on|sync|scale|fit|handle|export|import|load|be compatible|play nicely|install)",
    "(not|isn't|in) (compatible|supported|compliant|secure|certified|encrypted|scalable|incompatible)",
    '(too|so|very|really|overly|far too) (complicated|complex|technical|clunky|slow|buggy|unreliable|fiddly|hard to (use|set up|learn|install))',
    '(security|data|privacy|integration|migration|compliance|compatibility|performance|downtime|latency|reliability) (*|is|are|would be|will be|could be) (a |an |our |the |my |still a |)(concern|concerns|worry|problem|issue|risk|nightmare|headache|dealbreaker|deal-breaker|question mark)',
    '(it |system |app |software |thing |tool |) (keeps|kept) (crashing|freezing|failing|breaking|dropping|logging me|giving)',
    "(our|my|the) (it|security|tech|engineering|dev) (team|department|people|guys|folks|policy) (won't|will never|doesn't|has concerns|would|don't|need|needs|will not|has a)",
  ],
} as const satisfies CuePhrases;

/** Words before or after a mention of a label's topic that make it a concern. */
export const CONCERN_CUES = {
  concern: [
    '(worried|worry|worries|concerned|concern|concerns|nervous|afraid|hesitant|unsure|uneasy|bothers|bothered|struggle|struggling|scared) (about|that|with|is|me|by|over|if|*|)',
    '(the|my|our|a|one|only|big|bigger|biggest|main|real|another) (problem|issue|concern|worry|snag|trouble|sticking point|hesitation|objection|catch|obstacle|difficulty|thing holding)',
    "(not sure|not convinced|hard to|tough to|difficult to|don't know (if|how|whether)|no way|can't see|cannot see|don't see|a stretch|a hard sell|tough sell|a problem|an issue|too)",
    "(unless|unfortunately|however|the thing is|to be honest|honestly|frankly|i'm afraid)",
  ],
  /** A fear or refusal that the speaker denies. */
  reassured: [
    "(not|isn't|wasn't|no|never) (a|an|too|that|any|at all|really|) (problem|issue|concern|concerns|expensive|worried|complicated|busy|bad|worry|worries|trouble|rush|hurry)",
    "(don't|do not|no need to|needn't) worry",
    '(used to|no longer|not anymore|turned out|worth every|worth the|happy with the (price|cost|timing)|within (our |the |my |)budget|reasonable|cheaper than (i|we) (thought|expected|feared))',
  ],
  'topic.price': ['<price>'],
  'topic.timing': ['<time>'],
  'topic.authority': ['<authority>'],
  'topic.trust': ['<trust>'],
  'topic.technical': ['<tech>'],
  'topic.competitor': ['<rival>'],
} as const satisfies CuePhrases;
