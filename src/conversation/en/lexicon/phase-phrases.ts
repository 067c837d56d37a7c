import type { PhaseLexicon } from '../../language.ts';
import { CALL_PHASES } from './call-phases.ts';
import { MEETING_PHASES } from './meeting-phases.ts';
import { NUMBER_WORDS } from './numbers.ts';
import { SHARED_PHASES } from './shared-phases.ts';

export const PHASES: PhaseLexicon = {
  /** Classes of words that phrases refer to as `<class>`. */
  classes: {
    number: [NUMBER_WORDS],
    weekday: [
      'monday tuesday wednesday thursday friday saturday sunday',
      'mondays tuesdays wednesdays thursdays fridays saturdays sundays',
    ],
    month: ['january february march april may june july august september october november december'],
  },
  /**
   * The phrases of every kind, written for this project. Phrases that occur in only one of the available corpora were
   * left out (the three sorts of meeting in QMSum, SwDA, MRDA, CaSiNo, DialogSum, ABCD, DialSeg711, TIAGE, each author
   * of data/moments).
   */
  phrases: {
    ...SHARED_PHASES,
    ...CALL_PHASES,
    ...MEETING_PHASES,
  },
  /** Phrases that show the genre of a conversation. */
  genres: {
    sales: [
      'pricing|proposal|demo|discount|vendor|subscription|license|licence|quote|purchase|tier|reseller|roi',
      'your (budget|plan), our budget, decision maker, (per|a) (seat|user|unit|kilo)',
      "buy|sell|selling|deal|package|packages, i'd like to (buy|order), percent off, lead time, sign up",
      'competitor|competitors, ship it, we do * for',
    ],
    support: [
      'help you (today|with), how (can|may) i (help|assist), thank you for calling, thanks for calling',
      'order (number|id), account|ticket|refund|technician|warranty|booking|reservation|appointment|router|repair',
      'customer (service|support), my (order|account|bill|internet|phone|password|card|car|boiler|laptop)',
      'return (an|the|this|it)',
    ],
    interview: [
      'interview|candidate|resume|cv|hire|hiring|recruiter, your experience, this (role|position|job)',
      'strengths|weaknesses|weakness, notice period, can you start',
    ],
    meeting: [
      'agenda|committee|quorum|slides|sprint|standup|stand-up|release, (the|this|last|next|previous|our) meeting',
      'minutes (from|of), all in (favour|favor), the group',
    ],
  },
};
