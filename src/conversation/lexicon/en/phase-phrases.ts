import type { Genre, PhaseKind, PhrasesOfKind } from '../phase-kinds.ts';
import { CALL_PHASES } from './call-phases.ts';
import { MEETING_PHASES } from './meeting-phases.ts';
import { SHARED_PHASES } from './shared-phases.ts';

/** The phrases of every kind, written for this project. */
export const PHASE_PHRASES: Readonly<Record<PhaseKind, PhrasesOfKind>> = {
  ...SHARED_PHASES,
  ...CALL_PHASES,
  ...MEETING_PHASES,
};

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
