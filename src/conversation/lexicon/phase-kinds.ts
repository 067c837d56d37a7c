import { CALL_PHASES } from './call-phases.ts';
import { MEETING_PHASES } from './meeting-phases.ts';
import { SHARED_PHASES } from './shared-phases.ts';

/** What sort of conversation a phase belongs to; 'any' fits all. */
export type Genre = 'any' | 'sales' | 'support' | 'interview' | 'meeting';

/**
 * A kind of phase and the phrases by which it is known, parted by commas. A phrase is words with blanks between: `a|b` is
 * one of them, `_` any word, `#` a number in words or digits, `@day` and `@month` their names.
 */
export interface PhaseKind {
  name: string;
  /** Conversations in which it is at home; elsewhere it takes more to be named. */
  genres: readonly Genre[];
  /** Where in a conversation it belongs: 0 the start, 1 the end; absent when it may stand anywhere. */
  place?: number;
  /** Phrases each of which alone tells the kind. */
  cues: readonly string[];
  /** Phrases that agree with it. */
  hints?: readonly string[];
  /** Moments that agree with it. */
  moments?: readonly string[];
}

/** Phases of calls as sales, support, interview and meeting guides name them, with phrases written for this project. */
export const PHASE_KINDS: readonly PhaseKind[] = [...SHARED_PHASES, ...CALL_PHASES, ...MEETING_PHASES];

/** Phrases that tell the sort of conversation. */
export const GENRE_CUES: Readonly<Record<Exclude<Genre, 'any'>, readonly string[]>> = {
  sales: [
    'pricing|proposal|demo|discount|vendor|subscription|license|licence|quote|purchase|tier|reseller|roi',
    'your budget|plan, our budget, decision maker, per|a seat|user|unit|jar|kilo',
    "buy|sell|selling|deal|package|packages, i'd like to buy|order, percent off, lead time, sign up, payment terms",
    'competitor|competitors, ship it, we do _ for',
  ],
  support: [
    'help you today|with, how can|may i help|assist, thank you for calling, thanks for calling, order number|id',
    'account|ticket|refund|technician|warranty|booking|reservation|appointment|router|repair',
    'customer service|support, my order|account|bill|internet|phone|password|card|car|boiler|laptop',
    'return an|the|this|it',
  ],
  interview: [
    'interview|candidate|resume|cv|hire|hiring|recruiter, your experience, tell me about yourself',
    'this role|position|job, last job|place you|role, strengths|weaknesses|weakness, notice period',
    'an hour to begin|start, can you start',
  ],
  meeting: [
    'agenda|committee|minister|quorum|slides|prototype|sprint|standup|stand-up|release',
    'the|this|last|next|previous|our meeting, minutes from|of, action items, madam chair, mr chair|chairman|speaker',
    'all in favour|favor, the group, user interface|requirements, remote control, status report|update',
  ],
};
