/** What sort of conversation a phase belongs to; 'any' fits all. */
export type Genre = 'any' | 'sales' | 'support' | 'interview' | 'meeting';

/** A kind of phase and the phrases by which it is known. */
export interface PhaseKind {
  name: string;
  genre: Genre;
  /** Where in a conversation it belongs: 0 the start, 1 the end; absent when it may stand anywhere. */
  place?: number;
  cues: RegExp;
  /** Moments that speak for it. */
  moments?: readonly string[];
}

/**
 * Phases of calls as sales, support, interview and meeting guides name them, with phrases written for this project.
 * A cue counts once an utterance.
 */
export const PHASE_KINDS: readonly PhaseKind[] = [
  {
    name: 'Opening',
    genre: 'any',
    place: 0,
    cues: /\b(hello|hi|hey|good (morning|afternoon|evening)|how are you|nice to (meet|see|talk)|thanks for (joining|calling|taking|having|coming)|thank you for (joining|calling|taking|having|coming)|this is \w+ (from|with|speaking)|my name is|welcome|can you hear me|how can i help|how may i help)\b/i,
  },
  {
    name: 'Closing',
    genre: 'any',
    place: 1,
    cues: /\b(bye|goodbye|take care|have a (nice|great|good|lovely)|talk (to you )?(soon|later|then)|see you|speak (soon|then)|thanks (again|a lot|so much|for your)|thank you (again|so much|for your)|anything else i can|that('s| is) (all|everything)|look(ing)? forward)\b/i,
  },
  {
    name: 'Small Talk',
    genre: 'any',
    cues: /\b(weekend|weather|holiday|vacation|your (kids|family|dog|cat|husband|wife)|birthday|football|movie|hobb(y|ies)|favou?rite|pets?|cooking|concert|do you like|for fun)\b/i,
  },
  {
    name: 'Next Steps',
    genre: 'any',
    place: 0.9,
    cues: /\b(next steps?|follow(-| )?up|i('ll| will) (send|email|call|get back|put|forward|check|set|schedule|book)|we('ll| will) (send|call|get back|schedule|meet)|send (you|me|over)|calendar|invite|by (monday|tuesday|wednesday|thursday|friday|tomorrow|next week|the end of)|action items?|schedule (a|the|another))\b/i,
    moments: ['cta_accepted'],
  },
  {
    name: 'Discovery',
    genre: 'sales',
    place: 0.25,
    cues: /\b(what (tools?|system|software|process|challenges?|problems?|are you (using|looking)|brings you|does your)|how (do|are) you (currently|handl|manag|track|do)|currently (us|do|have)|pain points?|tell me (more )?about your (team|business|company|process|needs)|looking for|how many (users|people|seats|employees|locations)|biggest (challenge|problem|issue)|walk me through|your goals?|right now we|we (currently|mostly) use)\b/i,
  },
  {
    name: 'Product Presentation',
    genre: 'sales',
    place: 0.45,
    cues: /\b(our (product|platform|solution|service|software|app|system)|let me show|show you|demo|features?|dashboard|integrat(e|es|ion|ions)|share my screen|allows? you to|lets you|you can (see|click|filter|export)|out of the box|case stud(y|ies)|our customers)\b/i,
  },
  {
    name: 'Objection Handling',
    genre: 'sales',
    place: 0.65,
    cues: /\b(too (expensive|much|complicated|long)|not sure (about|if|whether|we)|concern(s|ed)?|worried|hesitant|competitors?|already (have|use|using)|don't (really )?(need|see|have (the )?(budget|time))|out of (our )?budget|over (our )?budget|can't afford|what if|the problem is|last (vendor|time)|think about it|convince)\b/i,
    moments: ['objection'],
  },
  {
    name: 'Pricing and Negotiation',
    genre: 'sales',
    place: 0.7,
    cues: /\b(pric(e|es|ing)|costs?|discounts?|budget|per (month|user|seat|year)|a (month|year|seat)|annual(ly)?|contract|quotes?|dollars|euros?|pounds|percent|pay(ment)?|terms|deal|offer|cheaper|trade|negotiat\w+|split|tiers?|penalty|fee|charges?|a unit|come (out|down) (at|to)|how much|knock .{1,20} off|afford|lock(ed|ing)? (us )?in)\b/i,
  },
  {
    name: 'Commitment',
    genre: 'sales',
    place: 0.85,
    cues: /\b(sign(ed|ing)?|let's (do it|go ahead|move forward|get started)|go ahead|deal|sounds (good|great|fair)|we('re| are) in|i('ll| will) take (it|the)|ready to|agree(d|ment)?|move forward|purchase order)\b/i,
    moments: ['cta_accepted'],
  },
  {
    name: 'Issue Description',
    genre: 'support',
    place: 0.15,
    cues: /\b(problem|issue|broken?|doesn't work|not working|isn't working|won't|can't (log|get|access|find|open|connect)|error|crash(ed|es|ing)?|stopped|wrong|missing|hasn't arrived|has not arrived|never (arrived|received|came)|didn't (get|receive|arrive)|charged|complain(t)?|return (an|the|this)|refund)\b/i,
  },
  {
    name: 'Identification',
    genre: 'support',
    place: 0.2,
    cues: /\b((your|the) (full |order |account |phone |user |policy |reference )?(name|number|id|username|email|e-mail|zip code|post ?code|date of birth)|may i have|can i (get|have) your|verify|confirm your|membership|security question|spell)\b/i,
  },
  {
    name: 'Troubleshooting',
    genre: 'support',
    place: 0.5,
    cues: /\b(restart|reboot|reset|unplug|plug(ged)?|try (to|that|this|it|again|turning)|have you tried|click|screen|settings?|cable|router|install|update|log (in|out|back)|does it (show|work|say)|what do you see|check (the|your|that|if)|let me (look|check|see|run|pull))\b/i,
  },
  {
    name: 'Resolution',
    genre: 'support',
    place: 0.75,
    cues: /\b(refund(ed)?|replac(e|ed|ement)|credit(ed)?|fixed|resolved|works? now|working now|back (up|online)|i('ve| have) (processed|issued|updated|reset|sent|refunded|cancelled|changed)|all set|taken care of|voucher|compensat\w+|waive[ds]?|engineer|solv(e|ed))\b/i,
  },
  {
    name: 'Background and Experience',
    genre: 'interview',
    place: 0.2,
    cues: /\b(tell (me|us) about (yourself|your (experience|background|last|time))|your (background|experience|resume|cv|career|degree|last (job|role|company))|years of experience|i (worked|studied|graduated|led|managed|built|majored)|previous(ly)? (job|role|work\w*|company)|responsible for|my (degree|background|career|last job))\b/i,
  },
  {
    name: 'Skills Questions',
    genre: 'interview',
    place: 0.5,
    cues: /\b(how would you|give (me|us) an example|describe a (time|situation)|tell (me|us) about a time|your (biggest )?(strengths?|weakness(es)?)|what would you do|how do you (handle|deal|approach)|walk (me|us) through how)\b/i,
  },
  {
    name: 'Role and Conditions',
    genre: 'interview',
    place: 0.8,
    cues: /\b(salary|notice period|start date|the (role|position)|benefits|relocat\w+|remote|working hours|why (do you want|this (job|company)|should we hire)|questions for (me|us)|the team you|expect(ations)? for the)\b/i,
  },
  {
    name: 'Agenda',
    genre: 'meeting',
    place: 0.05,
    cues: /\b(agenda|minutes (from|of)|first (item|point|thing)|let's (start|begin|get started)|everyone here|who's (here|missing)|on the list (for )?today|today we('re| are| will)|call(ed)? (this|the) meeting|quorum|previous meeting)\b/i,
  },
  {
    name: 'Status Reports',
    genre: 'meeting',
    place: 0.3,
    cues: /\b(status|progress|update on|this week i|last week|finished|still working|so far|results?|deadline|on track|behind schedule|milestone|i('ve| have) been (working|doing|looking)|slides?|presentation|report)\b/i,
  },
  {
    name: 'Decision',
    genre: 'meeting',
    place: 0.75,
    cues: /\b(decid(e|ed|ing)|decision|vote|agree(d)?|all in favou?r|motion|let's go (with|for)|we('ll| will) go (with|for)|settle on|consensus|option)\b/i,
  },
];

/** Phrases that tell the sort of conversation, beside the phases' own cues. */
export const GENRE_CUES: Readonly<Record<Exclude<Genre, 'any'>, RegExp>> = {
  sales:
    /\b(pricing|proposal|demo|trial|discount|your budget|decision maker|vendor|roi|subscription|licen[cs]es?|(per|a) (seat|user|unit)|quote|purchase|buy(ing)?|sell(ing)?|deal|packages?|your plan|tier|percent off|knock .{1,20} off|lead time|sign up|payment terms|competitors?)\b/i,
  support:
    /\b(help you (with|today)|order number|account|ticket|customer (service|support)|refund|my (order|account|bill|internet|phone|password)|how (can|may) i (help|assist)|technician|warranty|return|booking|reservation|appointment)\b/i,
  interview:
    /\b(interview|candidate|resume|cv|your experience|hire|hiring|this (role|position)|career|strengths?|weakness(es)?|job)\b/i,
  meeting:
    /\b(agenda|(this|last|next|previous|the) meeting|minutes (from|of)|action items?|committee|minister|madam chair|mr\.? chair|slides?|prototype|all in favou?r|the group|user (interface|requirements)|design(er)?)\b/i,
};
