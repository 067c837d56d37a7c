import type { SentimentForms, ValuedPattern } from '../../affect-lexicon.ts';

const NOT = "(?:not|isn't|aren't|wasn't|weren't|ain't)";
const CANNOT = "(?:can't|cannot|can not|couldn't|could not|unable to|not able to|impossible to)";
const FAILS = "(?:won't|doesn't|does not|didn't|did not|don't|never|hasn't|haven't|isn't|wouldn't|not)";
const WE = '(?:i|we|you|they|he|she|it)';

/** Praise and agreement. */
const POSITIVE: readonly ValuedPattern[] = [
  {
    value: 0.6,
    pattern: new RegExp(`\\b(?:${NOT}|not) (?:that |too |so |half |a )?(?:bad|terrible|shabby)(?: at all)?\\b`),
  },
  {
    value: 0.6,
    pattern: new RegExp(
      `\\b${CANNOT} (?:complain|fault|go wrong|wait to|thank you enough|say enough|recommend \\w+ enough|beat (?:it|that))\\b`,
    ),
  },
  {
    value: 0.8,
    pattern:
      /\b(?:couldn't|could not|can't) (?:be|have been|have asked for|ask for|do|imagine|find) (?:a |any )?(?:better|happier|more|easier|nicer|pleased|smoother)\b/,
  },
  { value: 0.8, pattern: /\b(?:doesn't|does not|can't|won't|didn't) get (?:any |much )?(?:better|easier)\b/ },
  { value: 0.7, pattern: /\b(?:wouldn't|would not) (?:change|trade|swap|want it any|have it any|miss)\b/ },
  {
    value: 0.5,
    pattern:
      /\b(?:no|zero|nothing to|never any|without any|without a single|not a single|not one|hardly any|any more) (?:complain\w*|problems? at all|issues? at all|worries|hassle|fuss|regrets?|drawbacks?|downsides?|worry about|downtime)\b/,
  },
  { value: 0.5, pattern: /\bno (?:problem|trouble|worries|big deal)\b/ },
  {
    value: 0.7,
    pattern:
      /\b(?:haven't|hasn't|hadn't|never|not) had (?:a|any|a single|one) (?:(?!not |never |hardly )\w+ )?(?:problems?|issues?|outages?|complaints?|failures?|bugs?|breakdowns?|hiccups?)\b/,
  },
  {
    value: 0.5,
    pattern:
      /\b(?:wasn't|isn't|not|weren't|aren't) (?:nearly |even |at all |half )?(?:as|that|so) (?:hard|bad|difficult|painful|expensive|scary|complicated|slow)\b/,
  },
  { value: 0.4, pattern: /\b(?:don't|doesn't|wouldn't) mind(?: at all)?\b(?! (?:if|me|you))/ },
  {
    value: 0.7,
    pattern:
      /\b(?:so|much|way|a lot|far|even|significantly|\w+ times) (?:faster|better|easier|cheaper|smoother|clearer|quicker|simpler|nicer|happier|calmer|friendlier|safer)\b/,
  },
  {
    value: 0.6,
    pattern:
      /\b(?:smoother|easier|better|faster|nicer|quicker|simpler|cheaper) than (?:i|we|what|expected|before|anything|any)\b/,
  },
  { value: 0.8, pattern: /\bworth (?:it|every|the (?:money|price|wait|effort|trouble))\b/ },
  {
    value: 0.6,
    pattern:
      /\bsav(?:ed|es|ing) (?:us|me|our|my|them|the team)\b|\bsav(?:ed|es) (?:\w+ ){0,2}(?:hours|days|time|money|weeks)\b/,
  },
  {
    value: 0.6,
    pattern:
      /\bjust works\b|\bworks? (?:great|well|fine|beautifully|perfectly|pretty well|really well|like a charm|out (?:great|well|fine))\b|\b(?:could|will|would|should|might) (?:actually )?work (?:out )?(?:pretty |really |quite |very )?(?:well|great|nicely)\b|\bworks for (?:me|us)\b/,
  },
  {
    value: 0.6,
    pattern:
      /\bin no time\b|\bwithin (?:(?!not |never |hardly )\w+ )?(?:minutes|seconds|an hour)\b|\b(?:the )?(?:very )?same day\b|\bahead of schedule\b|\bon the spot\b/,
  },
  { value: 0.8, pattern: /\bwent out of (?:his|her|their|your) way\b|\bwent (?:above and beyond|the extra mile)\b/ },
  {
    value: 0.8,
    pattern:
      /\b(?:piece of cake|game.?changer|life.?saver|load off|nail on the head|over the moon|so far so good|made my day|thumbs up|dream come true|breath of fresh air|second to none|top notch|spot on|on cloud nine|best thing since|walk in the park|smooth sailing|music to my ears|a blessing|hit it off|no.?brainer|like a charm|in good hands|light at the end)\b/,
  },
  {
    value: 0.7,
    pattern:
      /\b(?:exactly|just|precisely) what (?:i|we|you) (?:needed|need|wanted|want|was|were|had|hoped|asked)\b|\beverything (?:i|we)(?:'d| had|'ve)? (?:(?!not |never |hardly )\w+ )?(?:hoped|wanted|need|needed|dreamed|wished)\b/,
  },
  {
    value: 0.5,
    pattern:
      /\b(?:sounds?|looks?|seems?|feels?) (?:(?!not |never |hardly )\w+ )?(?:good|great|perfect|reasonable|fair|fine|like a plan|right to me|promising|wonderful|fantastic|amazing|nice)\b/,
  },
  {
    value: 0.45,
    pattern:
      /\b(?:that's|that is|it's|this is|which is|is) (?:(?!not |never |hardly )\w+ )?(?:fine|great|perfect|good|reasonable|impressive|lovely|wonderful|awesome|helpful|fair)\b(?! for| but|, but)/,
  },
  {
    value: 0.6,
    pattern:
      /\b(?:good|great|nice|excellent|brilliant|fantastic|awesome|well) (?:idea|point|job|work|news|deal|call|catch|question|result|service|one|done)\b/,
  },
  {
    value: 0.5,
    pattern:
      /\blet's (?:do (?:it|that|this)|go (?:ahead|for it|with))\b|\bshould (?:just )?go (?:ahead|for it)\b|\bi'm (?:in|sold|all for it|on board)\b|\bcount me in\b/,
  },
  {
    value: 0.7,
    pattern:
      /\blooking forward\b|\b(?:really |do |truly |so |much )?appreciate (?:it|that|you|your|the)\b|\bthank you (?:so|very) much\b|\bthanks (?:so much|a lot|a million|a ton)\b/,
  },
  {
    value: 0.6,
    pattern:
      /\b(?:closed|won|landed|got|sealed|signed) the (?:deal|contract|account|job|client|order)\b|\b(?:can|could) (?:definitely |easily |certainly )?afford\b/,
  },
  {
    value: 0.6,
    pattern:
      /\b(?:churn|costs?|errors?|complaints?|wait(?:ing)? times?|returns|expenses|bills?|risk|losses|downtime) (?:is|are|was|were|has|have|went|go|goes|gone|dropped|fell|came|come|been|\w+ed)? ?(?:gone |come |been )?(?:down|dropped|fell|halved|cut)\b/,
  },
  {
    value: 0.6,
    pattern:
      /\b(?:sales|revenue|profits?|numbers|conversions?|orders|traffic|signups|satisfaction|ratings?|growth|morale|income|productivity) (?:is|are|was|were|has|have|went|go|goes|been)? ?(?:gone |been |way |really )?(?:up|grown?|growing|doubled|tripled|rising|increased|through the roof)\b/,
  },
  {
    value: 0.7,
    pattern:
      /\bcrystal clear\b|\b(?:easy|simple|quick|painless|straightforward) to (?:use|set up|learn|install|work with|understand)\b|\buser.?friendly\b|\bhelped (?:me|us) (?:a lot|out|so much|a great deal)\b|\bvery (?:helpful|patient|kind|clear|professional)\b|\b(?:a |my |our |such a )pleasure\b/,
  },
  {
    value: 0.5,
    pattern:
      /\b(?:is|are|'s|'re|been|was|were|am|'m) (?:(?!not |never |hardly )\w+ )?(?:happy|pleased|satisfied|impressed|delighted|thrilled|glad|relieved|grateful|excited)\b/,
  },
  {
    value: 0.6,
    pattern:
      /\bno (?:complaints?|issues|objections?|regrets|doubts?)\b|\b(?:solved|fixed|sorted|resolved) (?:it|that|this|my|our|the|everything)\b|\bdid the trick\b|\blike a dream\b|\bsleep (?:better |well )?at night\b|\bthe best\b/,
  },
  {
    value: 0.6,
    pattern:
      /\b(?:highly|definitely|absolutely|gladly|happily) recommend\b|\bwould (?:definitely |gladly |happily )?(?:buy|recommend|use|choose|do|order|hire|come back to) (?:\w+ ){0,2}(?:again|to (?:anyone|everyone|a friend|friends))\b|\bfive stars\b|\bten out of ten\b|\bblown away\b|\ba (?:real )?(?:steal|bargain)\b|\b(?:good|great|excellent|real) value\b/,
  },
  {
    value: 0.55,
    pattern:
      /\bmakes? (?:my|our|your|their|everyone's) (?:\w+ )?(?:lives|life|job|day|work|week|jobs) (?:so much |a lot |much |way )?(?:easier|better|simpler)?\b|\b(?:good|great|nice|glad|happy|lovely|pleased) to (?:hear|see|know|help|be)\b|\b(?:ahead of|right on|on) time\b|\bfor the better\b|\bturned out (?:great|well|fine|good|better|perfectly|nice)\b|\bi'm sold\b/,
  },
];

/** Complaint, refusal and worry. */
const NEGATIVE: readonly ValuedPattern[] = [
  {
    value: -0.6,
    pattern: new RegExp(
      `\\b${CANNOT} (?:\\w+ )?(?:figure|work (?:it |this |that )?out|get|find|understand|afford|access|connect|log|open|reach|see (?:how|why|the point)|make|trust|use|even|stand|accept|handle|cope|keep up|rely|justify|do (?:it|this|that|anything)|believe (?:you|they|he|she|this)|send|pay|print|save|install|download|log ?in|hear)\\b`,
    ),
  },
  {
    value: -0.6,
    pattern: new RegExp(
      `\\b${FAILS} (?:\\w+ )?(?:work|start|turn on|open|load|connect|help(?: me| us| much| at all)|solve|fix|answer|call(?:ed)? (?:me |us |anyone )?back|called|respond|reply|listen|listened|show up|arrive|make (?:any |much |a lot of )?sense|makes sense|add up|address|keep (?:its|their|your|his|her) (?:word|promise)|does what|do what|come with|deliver|sound right|feel right|last|sync|print|charge|care about)\\b`,
    ),
  },
  {
    value: -0.6,
    pattern:
      /\bkeeps? (?:on )?(?:crashing|freezing|failing|timing out|disconnecting|dropping|losing|breaking|throwing|asking|cutting|stopping|rebooting|restarting|hanging|happening|changing|getting|telling|sending|coming back|saying|going (?:down|wrong))\b/,
  },
  {
    value: -0.8,
    pattern:
      /\b(?:defeats? the (?:whole |entire )?purpose|waste of (?:my |our |your )?(?:time|money|effort)|square one|last straw|going nowhere|end of (?:my|our) rope|(?:had|have) (?:had )?(?:it up to here|enough)|fed up|pulling teeth|short end of the stick|left (?:us|me|them) hanging|fall(?:s|ing)? apart|fell (?:apart|through|short)|out of hand|dropped the ball|pain in the|rip.?off|deal.?breaker|red flag|dead end|what a (?:joke|mess|shame)|is a joke|up the wall|sick (?:and tired )?of|tired of|too little too late|let (?:me|us|them) down|driv\w+ me (?:crazy|nuts|mad|insane)|wild goose chase|slap in the face|hit a (?:wall|brick wall)|a (?:total |complete |bit of a |real )?(?:mess|nightmare|disaster|headache|hassle)|hanging by a thread|on (?:my|our) last nerve|run(?:s|ning)? out of patience|throwing money|money down the drain|bad taste in)\b/,
  },
  {
    value: -0.5,
    pattern:
      /\b(?:was|were|had been|been|'d been) hoping\b|\b(?:had |have |'d |would have |would've )?expected (?:a (?:bit |little |lot )?)?(?:more|better|at least|something|faster|a call|you to|it to|somebody|someone|an)\b|\bthought (?:it|this|that|you|they|we) (?:would|could|should|'d|were going to)\b/,
  },
  {
    value: -0.5,
    pattern: new RegExp(
      `\\b(?:would have|would've|it'd have|could have|could've) (?:been (?:nice|better|good|great|helpful)|liked|preferred|appreciated|expected|wanted|told|warned|said|called)\\b|\\b(?:you|they|he|she|somebody|someone|it) (?:should have|should've|ought to have) (?!a |an |one |received |got )\\w+\\b|\\bi (?:just |really )?wish (?:${WE}|somebody|someone|there|that|the)\\b|\\bif only\\b`,
    ),
  },
  {
    value: -0.55,
    pattern:
      /(?<!\b(?:not|isn't|aren't|wasn't|me|you) )(?:\b(?:far|way|much|just|a bit|a little|kind of|simply|still|really)\s)?\btoo (?:slow|expensive|high|complicated|late|long|much|many|small|big|hard|difficult|loud|pricey|steep|heavy|short|early|old|vague|risky|few|little|confusing|often|low|tight|limited|rigid|busy|cold|hot|dark|far|weak|technical|costly)\b/,
  },
  {
    value: -0.55,
    pattern:
      /\b(?:over|above|beyond|out of|outside) (?:our|my|the|your) (?:\w+ )?(?:budget|price range|league|means)\b|\b(?:price|cost|fee|rate)s? (?:is|are|seems?|looks?|feels?) (?:just |pretty |quite |a bit |very |really |kind of |rather )?(?:high|steep|ridiculous|outrageous|expensive|unfair)\b|\b(?:kind of|pretty|quite|very|really|so|rather|a bit|a little|awfully) (?:expensive|pricey|steep|slow|confusing|complicated|annoying|clunky|frustrating|unclear|disappointing|unreliable)\b/,
  },
  {
    value: -0.6,
    pattern:
      /\b(?:is|are|was|were|'s|'re|went|gone|goes|been|got|get|turn(?:ed|s)?) (?:still |all |just |now |completely |totally )?(?:wrong|broken|dead|down|missing|black|offline|stuck|frozen|lost|useless|pointless|unacceptable|ridiculous|unreliable|unusable|damaged|late|overdue|a waste|worse|sour|misleading|blurry)\b|\b(?:just |has |had )?(?:crashed|crashes|froze|broke down|failed|died|dies)\b|\bfall(?:s|ing)? behind\b/,
  },
  {
    value: -0.5,
    pattern:
      /\bstill (?:not|isn't|hasn't|haven't|doesn't|don't|no|waiting|broken|having)\b|\b(?:second|third|fourth|fifth|tenth|hundredth|umpteenth) time (?:this|today|now|already|in a row|i've|we've)\b|\bover and over\b|\byet again\b/,
  },
  {
    value: -0.55,
    pattern:
      /\b(?:on hold|been waiting|waited|waiting) (?:for )?(?:\w+ ){0,2}(?:minutes|hours|days|weeks|months|ages|forever|an hour|so long)\b|\b(?:took|takes|taking) (?:(?:them|you|me|us|him|her|it) )?(?:\w+ ){0,2}(?:weeks|months|years|forever|ages|too long)\b/,
  },
  {
    value: -0.6,
    pattern:
      /\b(?:over)?charged (?:me |us )?(?:twice|double|again|too much|for (?:something|nothing))\b|\bcharging (?:me|us) for (?:something|things|what)\b|\bnever (?:ordered|asked for|agreed|signed up|received|got|told|heard)\b|\bhidden (?:fees?|costs?)\b/,
  },
  {
    value: -0.6,
    pattern: new RegExp(
      `\\b(?:${NOT}|not|never) (?:\\w+ )?(?:worth|happy|good|great|ideal|convinced|comfortable|acceptable|fair|helpful|impressed|satisfied|thrilled|a fan|the best|what (?:i|we|was|you|they)|exactly|right|okay|ok|enough|reliable|useful|ready for|interested|going to (?:work|happen|help|fly)|pleased|user.?friendly|easy|clear|possible|up to|like(?:d|ly)? (?:it|that|this|the|how))\\b`,
    ),
  },
  {
    value: -0.6,
    pattern:
      /\b(?:don't|do not|doesn't|didn't|not sure (?:i|we|if|that)) (?:really |even |quite |think )?(?:like|trust|want (?:this|that|it|to (?:pay|do|keep|deal))|see (?:the|how|why|any)|think (?:this|that|it|it's|we|i|you|the)|believe|agree|feel (?:comfortable|right|good|safe|heard)|have (?:time|patience) for)\b/,
  },
  {
    value: -0.6,
    pattern:
      /\b(?:wouldn't|would not|won't|will never|never) (?:\w+ )?(?:recommend|use|buy|trust|come back|do business|again|renew|be possible|happen|wish)\b/,
  },
  {
    value: -0.55,
    pattern:
      /\b(?:nobody|no one|not one person) (?:ever |even |has |here )?(?:called|told|answers?|answered|picks? up|knows?|helped|helps|cares?|showed|listens?|replied|explained|got back)\b|\b(?:there's|there is|there was|i see|have|has|had) (?:really |just |absolutely )?(?:no way|nothing (?:good|i can do|we can do)|no (?:support|help|point|reason|excuse|option|response|reply|answer))\b/,
  },
  {
    value: -0.6,
    pattern:
      /\b(?:lost|losing|lose|cost) (?:us|me|our|my|them|a lot|\w+ (?:days|weeks|months|hours|customers|thousand|hundred|dollars)|customers|money|data|clients|sleep|patience|trust|all)\b/,
  },
  {
    value: -0.6,
    pattern:
      /\b(?:sales|revenue|profits?|numbers|quality|traffic|orders|conversions?|morale|service|satisfaction|performance|income) (?:is|are|was|were|has|have|went|go|goes|been)? ?(?:really |gone |been |come |way )?(?:down|dropped|dropping|fell|falling|fallen|declined|declining|suffering|worse|downhill)\b|\b(?:costs?|prices?|churn|errors?|complaints?|fees?|rents?|bills?|expenses) (?:is|are|was|were|has|have|went|go|goes|been)? ?(?:really |gone |been |way |just )?(?:up|rising|doubled|tripled|through the roof|exploded|increased|skyrocketed)\b/,
  },
  {
    value: -0.6,
    pattern:
      /\b(?:are you|you've got to be|you must be) (?:kidding|joking)\b|\bwhat(?:'s| is) the point\b|\bhow (?:is|are|am|was|were) (?:that|this|it|i|we) (?:even )?supposed to\b|\bwhy (?:is|isn't|does|doesn't|do|can't|am|are|has|hasn't|did|didn't) (?:this|it|that|nobody|no one|i|you|the \w+) (?:still|always|even|keep|have to|not|never|take so|so)\b|\bhow many times\b/,
  },
  {
    value: -0.5,
    pattern:
      /\b(?:i'm afraid (?!of\b|so\b)|unfortunately|i regret|i hate to say|sadly|have to pass|have to decline|have to say no|pass on (?:this|that|it)|rather not|not interested|no interest|not for (?:me|us)|no thank you|no thanks)\b/,
  },
  {
    value: -0.6,
    pattern:
      /\b(?:feel|feels|felt|feeling) (?:\w+ )?(?:ignored|cheated|lied to|let down|bad|stuck|lost|left out|awful|terrible|overwhelmed|frustrated|stupid|rushed|pressured|uneasy|misled|used|burned|worse|disappointed|powerless|invisible)\b|\b(?:worried|concerned|nervous|anxious|uneasy|skeptical|sceptical|unhappy|frustrated|disappointed|annoyed|upset|angry|furious|confused) (?:about|with|by|that|because|at|over)\b|\b(?:i'm|we're|i am|we are) (?:\w+ )?(?:worried|concerned|nervous|skeptical|unhappy|frustrated|disappointed|annoyed|upset|angry|furious|struggling|stuck|lost)\b/,
  },
  {
    value: -0.55,
    pattern:
      /\b(?:huge|big|real|serious|major|massive|significant) (?:risk|problem|issue|concern|gap|mistake|setback|blow|letdown|disappointment)\b|\bexact opposite\b|\b(?:have|had) to live with\b|\b(?:have|had) to (?:call|ask|explain|repeat|do) (?:\w+ )?(?:again|twice|three times|everything)\b|\bmore trouble than\b|\bworse than\b/,
  },
  {
    value: -0.6,
    pattern:
      /\b(?:freezes|freezing|crash(?:es|ing)|glitch\w*|buggy|lags|lagging|hangs|locks? (?:me|us) out|(?:throws|kicks|logs) (?:me|us) out|errors? out|error messages?|disconnects|overheats|leaks|leaking|breaks? (?:again|down|after|every|all)|broke (?:again|after|down|within)|unresponsive|timed out)\b|\b(?:locked|blocked|shut) out\b|\bout of stock\b|\bsold out\b|\b(?:locked|down|offline|out|broken|blocked|without (?:\w+ )?\w+) (?:for|since) (?:\w+ ){0,3}(?:hours|days|weeks|months|yesterday|monday|tuesday|wednesday|thursday|friday)\b/,
  },
  {
    value: -0.5,
    pattern:
      /\b(?:nobody|no one|none of (?:you|them|your)) (?:\w+ )?(?:seems?|wants?|tells?|bothers?|bothered|understands?|could|can|would|will|did|does|even|is able|was able)\b|\bnothing (?:happened|happens|has (?:changed|happened)|changed|works|worked|but (?:trouble|problems|excuses|grief|issues|headaches))\b|\b(?:i|we) doubt\b|\bon the fence\b/,
  },
  {
    value: -0.55,
    pattern:
      /\b(?:paying|pay|paid|costs?|costing|spend|spending) (?:\w+ )?(?:too much|more than|way more|far more|a fortune|through the nose|an arm)\b|\ba fortune\b|\barm and a leg\b|\boverpriced\b|\bmore than (?:we|i) (?:should|bargained|can|want|planned|budgeted|expected to pay)\b/,
  },
  {
    value: -0.55,
    pattern:
      /\b(?:impossible|hard|difficult|tough|a pain|tricky|awkward) (?:for (?:us|me) )?to (?:follow|use|find|understand|get|read|reach|justify|navigate|set up|believe|hear|see|work with|deal with|explain|learn|install|manage)\b|\b(?:having|had|have|nothing but|ran into|run into) (?:a lot of |some |so much |all kinds of |serious |constant )?(?:trouble|problems|issues|difficult\w+)\b|\b(?:a|another|the same|big|huge) (?:problem|issue) with\b/,
  },
  {
    value: -0.5,
    pattern:
      /\b(?:competitors?|competition|elsewhere|somewhere else|another (?:vendor|company|provider|place)|other (?:vendors?|companies|providers?)|they|them|(?:vendor|provider) \w+) (?:\w+ ){0,4}(?:cheaper|better|faster|less|half the price)\b|\bcheaper (?:elsewhere|somewhere|option|than you)\b/,
  },
  {
    value: -0.6,
    pattern:
      /\b(?:speak|talk) (?:to|with) (?:a|your|the) (?:manager|supervisor|boss|superior)\b|\bcancel (?:my|our|the|everything|it|this)\b|\b(?:my|our|the) money back\b|\b(?:want|need|demand|get) (?:a|my) (?:full )?refund\b|\bfile a complaint\b|\benough is enough\b/,
  },
  {
    value: -0.55,
    pattern:
      /\b(?:didn't|did not|haven't|hasn't|never|don't) (?:\w+ )?(?:get|got|gotten|receive|received|hear|heard|see|seen) (?:any|a|an|my|our|the|anything|back|from)\b(?! (?:problem|issue|complaint|question))|\b(?:wrong|missing|damaged|broken|defective|faulty) (?:item|size|order|color|colour|address|person|part|one|product|piece|number|amount|parts|box|package|department)\b|\blet.?down\b|\b(?:was|were|is|are|been|got|running) (?:\w+ )?(?:delayed|late|damaged|rude|overcharged|behind schedule|misleading|mistaken)\b|\bpromised (?:me |us )?(?:\w+ ){0,6}(?:nothing|never|didn't|hasn't|but)\b|\brather not\b/,
  },
  {
    value: -0.5,
    pattern:
      /\bi don't (?:\w+ )?(?:have time|want to (?:do|deal|go|wait|hear))\b|\bgo through (?:that|this|it) again\b|\bnot (?:going to|gonna) (?:pay|accept|wait|do|sign|renew|be|put up)\b|\b(?:isn't|aren't|not|wasn't) (?:really )?helping\b|\buseless\b|\bthe worst\b/,
  },
];

/** A feeling that the speaker only asks about. It is removed before the last question mark of a line. */
const UNFELT_ASKED =
  /\b(?:any|have you had|do you have) (?:\w+ )?(?:problems?|issues?|questions?|concerns?|trouble)\b/g;

/** Polite formulas, and words about the subject of the call. They are removed before the words are rated. */
const UNFELT: readonly RegExp[] = [
  /\b(?:thank you|thanks)(?: so much| very much)? for (?:calling|holding|waiting|joining|contacting|choosing|your (?:call|patience|business|time today|feedback))(?: us\b)?/g,
  /\b(?:one|just a|just one) (?:moment|second|sec|minute)\b|\bbear with me\b|\bhold (?:on|the line)(?: (?:for )?(?:a|one|just a) (?:moment|second|sec|minute))?\b|\bhave a (?:great|nice|good|wonderful|lovely|pleasant) (?:day|one|evening|afternoon|weekend|rest of (?:your|the) day)\b|\bis there anything else(?: (?:that )?i can (?:help|assist|do)(?: (?:you )?(?:with|for you))?)?(?: today)?\b|\b(?:i'd|i would|i'll|i will) be (?:happy|glad|more than happy) to (?:help|assist)(?: you)?(?: with that)?(?: today)?\b|\b(?:we|i) appreciate your (?:call|patience|business|time|feedback)\b/g,
  /\b(?:how|what) (?:can|may|could) (?:i|we) (?:help|do for|assist)(?: you)?(?: today| with)?\b/g,
  /\b(?:would|do) you mind\b|\bif (?:it's|that's) (?:okay|ok|all right|fine|alright) (?:with|by|for) you\b|\bif you (?:don't mind|please|like)\b|\bfeel free to\b/g,
  /\b(?:i'm |i am )?sorry,? (?:could|can|what|would|i (?:missed|didn't (?:catch|hear|get))|say|you were|how|to (?:interrupt|bother))\b|\b(?:excuse|pardon) me\b/g,
  /\b(?:i'd|i would|we'd|we would|would you|they'd|you'd) (?:just )?like\b|\b(?:i'd|i would|we would|we'd) love to (?:know|hear|see)\b/g,
  /\b(?:so|um|uh|and|it's|was|is|just|i mean|or),? like,?\b|, like,|\bi feel (?:like|that)\b|\bi mean\b|\byou know(?: what)?\b|\bthings? like\b|\blooks? like\b|\bstuff like\b|\bsomething like\b/g,
  /\b(?:(?:i'm|i am) )?sorry\b(?! (?:to (?:say|hear|see)|but|that|about|for))/g,
  /^no\b|\bno\b(?=[,.!?]|$)/g,
  /\bgood (?:morning|afternoon|evening|night|day)\b|\b(?:hello|hi|hey|please|okay|ok|all right|alright|yes|yeah|well|sure|god|oh)\b/g,
  /\bshar(?:e|ing) (?:my|your|the|a|this) screen\b|\bend of the day\b|\bget (?:the ball|it) rolling\b|\btouch base\b/g,
  /\b(?:support|help|service|customer care|customer service) (?:team|desk|line|center|centre|department|page|ticket|agent|number)\b|\b(?:security|risk|crisis|pain|anger|conflict) (?:management|team|assessment|settings|question|questions|officer|company|policy)\b/g,
  /\b(?:kill|terminate|abort|execute) the (?:process|job|task|script|program)\b|\b(?:fire|smoke|burglar) (?:alarm|drill|door|exit|escape)s?\b|\b(?:cancer|drug) (?:screening|test|research|program)\b|\bcrash course\b|\bdead (?:simple|line)\b|\b(?:interest|exchange|success|failure|error|growth) rates?\b|\b(?:free|no charge|charge|charges|refunds?|credit|debit)(?: (?:cards?|of charge))?\b|\bcritical path\b|\bdefault settings\b|\bblack and white\b|\bdeal (?:closes|size|with|terms)\b/g,
  UNFELT_ASKED,
  /\bkeeps you up\b|\byour (?:biggest )?(?:pain points?|challenges?|problems?|worries)\b/g,
];

export const SENTIMENT: SentimentForms = {
  positive: POSITIVE,
  negative: NEGATIVE,
  unfelt: UNFELT,
  unfeltAsked: UNFELT_ASKED,
  // "isn't | too expensive", "not | that happy".
  negatedBefore: /(?:\bnot|n't|\bnever|\bno longer|\bhardly)(?: (?:\w+|'\w+))?\s*$/,
  turned: /^(?=.*$)(.+?)[,.]? (?:but|however|although it|except that) (.+)$/,
};
