import type { SummaryCues } from '../../language.ts';

export const SUMMARY_CUES: SummaryCues = {
  // Cues that decide which sentences of a conversation are reported, and how.

  /** A sentence that announces something new. */
  announces:
    /^(let's|let us|moving on|next|now|anyway|by the way|speaking of|before (we|i)|another (thing|question|point)|one more|first of all|finally|back to|turning to)\b|\b((talk|ask|hear) (a (little|bit) )?(you )?about|move on to|i('d| would) like to (ask|discuss|talk|start|show)|shall we|next (item|point|topic|question|thing))\b/i,
  /** Phrases that show what matters: decisions, commitments, needs, problems, reasons, figures. */
  informativeCue:
    /\b(decid\w+|agree\w*|will|'ll|going to|gonna|need\w*|must|have to|should|want\w*|would like|'d like|problem|issue|trouble|because|instead|important|main(ly)?|plan\w*|suggest\w*|propos\w+|recommend\w*|offer\w*|prefer|cost\w*|price|deadline|by (monday|tuesday|wednesday|thursday|friday|tomorrow|next)|sorry|can't|cannot|won't|doesn't|never|first|finally)\b|\d/i,
  /** The speaker states what they want from the conversation. */
  wanted:
    /\b(?:(?:i|we)(?:(?:'d| would)(?: \w+)? (?:like|love|prefer)| (?:\w+ )?(?:need|want|wanted)| was wondering| (?:can't|cannot) (?:find|get|log|open))|(?:i'm|i am|we're|we are)(?: \w+)? (?:looking for|hoping|calling|trying|thinking (?:of|about))|(?:how|where|when) (?:do|can|could) (?:i|we))\b/i,
  /** Courtesies, which have no content. */
  courtesy:
    /\b(thanks?|thank you|welcome|bye|good (morning|afternoon|evening|day)|hello|have a (nice|great|good)|nice to|pleasure|take care|how are you|see you|my name is|help you|moment|hold on|(it's|this is|i'm) \w+ (from|here|speaking|calling)|speaking$|can you hear|see my screen|for coming|(?:what an|it(?:'s| is) an?) (?:honou?r|pleasure|privilege)|i would like to (?:thank|remind|recogni[sz]e)|a couple of minutes|got a minute|your time|we('d| would) (love|be (happy|glad)) to)\b/i,
  /** The running of a call or a meeting: waiting, identifying the caller, the agenda, the equipment. */
  procedure:
    /\b(agenda|proceedings|earpieces?|(?:move|moving|go|going) on,?(?: then,?)? to item|apologies for the|petitions? for a period|(?:drop|hand) (?:[\w']+ ){1,6}(?:off|in) at the (?:table|desk)|(?:recogni[sz]e|call on) you by name|(?:brief|short|quick|three|few) (?:introductions?|presentations?)|(?:turn|hand)(?: it)? over to you|televised|webcast|standing orders?|(?:simultaneous )?translation|interpreters?|joining us|(?:have|has|takes?|give) the floor|please note|next on (?:our|the) list|declarations? of interest|apologies (?:from|for absence)|(?:call|called) (?:this|the) meeting|(?:public|members) (?:are|is) excluded|consent forms?|slides?|powerpoint|whiteboard|(?:wireless )?mikes?|microphones?|unmute|point of order|(?:my|your|our|the|some|first|next|another|short|three) presentations?|project documents|anything else|(one|just a|(give|get) (me|us) a|hold on a) (second|sec|minute|moment)|bear with me|hold the line|(look|looking|pull|pulling|bring|bringing) (\w+ ){0,3}up|verification|(spell|confirm|verify|repeat) (it|that|this|your)|(your|the|my) (first|last|full|sur) ?names?|one moment|for verification|date of birth|post ?code|zip code|(account|card|customer|order|policy|reference|telephone|phone) number|last (four|three) digits|call (is|may be) (being )?recorded)\b/i,
  /** A sentence that refers back and cannot stand alone. */
  leaningStart:
    /^(?:(?:no|yes|yeah),? )?((?:all|some|most|both|none|each|many) of (?:which|whom)|(?:is|are|was|were|has|had)|have(?! (?:an?|some|your|the) (?:\w+ )?(?:look|seat|rest|go|lunch|day|time|drink|try|chat)\b)|it|that|this|they(?:'re|'ve|'ll|'d)?|he|she|those|these|which|there(?! (?:is|are|was|were|has|have|will|would|must)\b|'s\b)|too|one|what|mine|yours|either|whereas|although|especially|when however)\b/i,
  dependentOnly:
    /^(?:since|because|although|though|unless|until|till|while|whilst|when|whenever|if|whether|where|once|than|rather than|such as|except|even though|so that|in order|as far as|as long as|especially|mainly|usually|just (?!(?:to|about)\b)|only to)\b(?!.*(?:,|\bthen\b) (?:and |but |so |then |you know |i think |i guess )?(?:i|we|you|they|he|she|it|there|that|this|those|these|the|an?|my|our|your|his|her|their|some|all|most|[a-z]+s)\b)/i,
  pronoun: /^(?:it|they|them|he|she|him|his|her|hers|their|theirs|its)(?:'(?:s|ll|d|ve|re))?$/,
  anybody: /^(?:every|some|any|no)(?:body|one)$|^people$/,
  expletive:
    /\bit(?: ?'s| ?'ll be| ?'d be| is| was| will be| would be| has been)(?: (?:not|really|so|very|quite|too|just|always|more|pretty))* (?:important|better|best|hard|easy|possible|impossible|likely|necessary|good|great|nice|fine|difficult|clear|true|worth|time|problematic|smart)\b|\bit (?:seem|look|sound|take)(?:s|ed)?\b|\bit took\b/gi,
  /** Words in which an account reports what others said. */
  accountWords: new Set(
    'accepts agrees agreement answers asks begins both call calls complains confirms conversation customer decides declines describes discuss ends explains hopes interview meeting meets needs offers opens orders plans promises proposes refuses reports requests says settled speaker speakers stays suggests talk tells thanks unanswered undecided wants whether'.split(
      ' ',
    ),
  ),
  /** An apology before an answer. */
  apology: /^(?:(?:i'm|i am) )?(?:(?:so|very|really|terribly|awfully) )?sorry$|\bplease$/i,
  asking:
    /^(?:summari[sz]\w*|summary|discuss\w*|talk\w*|mention\w*|said|says?|saying|think\w*|thought\w*|opinions?|describ\w*|explain\w*|conversation|meeting|team|group|members?|regarding|concerning|details?|according|whole|find|tell|know|ask\w*|answer\w*|respon\w*|views?|attitudes?|agree\w*|disagree\w*|reasons?|feel\w*|decid\w+|decisions?|conclu\w+|want\w*|propos\w+|suggest\w*|recommend\w*)$/,
  asksNumber: /\b(?:how (?:many|much|long|old|often|far|soon)|when|what (?:time|date|day|number|price)|cost|price)\b/i,
  asksOutcome:
    /\b(?:agree(?:d|ment)?|accept(?:ed)?|decline[ds]?|refused?|reject(?:ed)?|decided?|decision|settled|deal|outcome|booked|sold|bought)\b/i,
  asksRefusal: /\b(?:decline[ds]?|refused?|reject(?:ed)?|turned down)\b/i,
  /** A yes that makes no choice. */
  bareYes: /^(?:yes|yeah|yep|yup|ok|okay|sure|right|mm+|uh-huh|all right|fine)\b[\s.,!]*$/i,
  /** Praise and complaints of the speakers. */
  praise: /\b(great|perfect|excellent|wonderful|love|helpful|appreciate|happy|glad|awesome|fantastic|pleased)\b/i,
  complaint:
    /\b((?:i'm|i am|we're|we are)(?: (?!not\b|never\b)\w+){0,2} (?:annoyed|upset|frustrated|disappointed|unhappy|fed up|not happy)|(?:this|that|it|which)(?:'s| is)(?: (?!not\b)\w+)? (?:frustrating|annoying|disappointing|unacceptable|ridiculous)|unacceptable|waste of|still (waiting|not)|(?:for the|this is the|the) (?:second|third|fourth) time(?! around)|again and again|(?<!\b(?:your|the|this|that|any|no|his|her|their) )complaint)\b/i,
  /** Praise of the other side or of the present events, not of something reported. */
  addressed:
    /\b(?:thanks?|appreciate|(?:you|it|this|that)(?:'ve|'s| have| has) been|(?:you're|you are|you were|it's|it was|this is|this was|that's|that was|sounds)(?: \w+)? (?:great|perfect|excellent|wonderful|helpful|awesome|fantastic)|(?:i'm|i am|we're|we are)(?: \w+)? (?:happy|glad|pleased)(?= .{0,80}\byou)(?! (?:to|when)\b))\b/i,
  /** A feeling that the speaker denies having. */
  denied: /(?:\b(?:not|never|hardly|nothing|without|no)|n't)(?: [\w']+){0,2} $/i,
  /** A feeling that the speaker sees in the listener, not the speaker's own. */
  seen: /\b(?:sorry|understand|you(?:'re| are| were| sound| seem))(?: [\w']+){0,2} $/i,
  /** A promise in the speaker's own name. A 'we' among several people commits nobody in particular. */
  ownPromise: /\bi('ll| will| am going to|'m going to)\b/i,
  /** A courtesy formula that can be said to anybody. */
  pleasantry:
    /\b((?:thank you|thanks)(?: so much| very much)? for (?:calling|holding|waiting|choosing|your (?:call|business|patience|time|feedback|custom))|appreciate your (?:call|business|patience|time|feedback|custom|understanding)|have a (?:great|nice|good|wonderful)|how (?:can|may) i help|(?:happy|glad|pleased) to (?:help|assist)|good (?:morning|afternoon|evening)|nice to meet|looking forward)\b/i,
  /** A supposition, which is neither praise nor complaint. */
  supposed:
    /\b(i think|i guess|but|would|could|might|may|if|unless|hope|'d be|to keep|great (?:extent|deal|number|care|many))\b/i,
  /** A statement that a promise has been kept. */
  done: /\b(?:i've|i have|i|we've|we have|just|it's been|has been|have been|was) (?:just |now |already )?(?:sent|e-?mailed|mailed|forwarded|booked|scheduled|prepared|written|finished|ordered|fixed|sorted|updated|shared|checked|done|set up|put)\b/i,
  /** A time or price that was agreed. */
  time: /(?<=\d ?)[ap]\.?m\b|\b(?:[ap]\.m|o'clock|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|appointment|slot|morning|afternoon|next week)\b/i,
  asked: [
    {
      asks: /\b(?:days?|dates?|deadline|when|appointment|(?:which|what) (?:week|month))\b/i,
      names:
        /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tonight|tomorrow|(?:this|next) (?:week|weekend|month)|in (?:a|an|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?)|january|february|march|april|june|july|august|september|october|november|december|may (?:the )?\d+|\d+(?:st|nd|rd|th)|the (?:twenty |thirty )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|twentieth|thirtieth) of)\b/i,
    },
    {
      asks: /\b(?:time|hour|slot|when|appointment|how (?:soon|late|early))\b/i,
      names:
        /\b(?:a\.?m|p\.?m|o'clock|noon|midday|midnight|morning|afternoon|evening|half past|quarter (?:to|past)|(?:at|by|until|around|before|after|from) (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|in (?:an|one|two|three|four|\d+) (?:hours?|minutes?))\b/i,
    },
    {
      asks: /\b(?:how much|(?:price|cost|fee|budget|discount)s?)\b/i,
      names: /\b(?:dollars?|pounds|euros|quid|bucks|grand|per ?cent)\b|[$£€%]/i,
    },
    {
      asks: /\b(?:how (?:many|long|old|often|far|big|large)|numbers?|amount)\b/i,
      names:
        /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|dozen|half|once|twice)\b/i,
    },
    // The line about what was settled or promised names the person.
    { asks: /\b(?:who|whose|whom|(?:which|what) (?:person|company|people|names?))\b/i, names: /\w/ },
  ],
  price: /\b(?:dollars?|pounds|euros|quid|bucks)\b|[$£€]/i,
};
