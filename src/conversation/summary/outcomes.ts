import type { MomentEvent } from '../../contract/findings.ts';
import { clean } from './sentences.ts';

/** What became of the proposals and objections of a conversation. */
export interface Outcomes {
  /** Proposal and the acceptance that settles it. */
  accepted: { offer: MomentEvent | undefined; answer: MomentEvent }[];
  rejected: { offer: MomentEvent | undefined; answer: MomentEvent }[];
  /** Proposals nobody answered. */
  open: MomentEvent[];
  /** Objections after which somebody still accepted something, and those after which nobody did. */
  overcome: MomentEvent[];
  standing: MomentEvent[];
}

/** Confidence below which a moment is not told in a summary. */
const TOLD_CONFIDENCE = 0.45;

/** A shorter objection ('No.') tells nothing that can be answered. */
const MIN_OBJECTION_WORDS = 3;

const wordsOf = (moment: MomentEvent): number => clean(moment.evidence[0]?.quote ?? '').split(' ').length;

export function outcomesOf(moments: MomentEvent[]): Outcomes {
  const told = moments.filter((m) => m.confidence >= TOLD_CONFIDENCE);
  const byId = new Map(moments.map((m) => [m.moment_id, m]));
  const settle = (category: MomentEvent['category']) =>
    told
      .filter((m) => m.category === category)
      .map((answer) => ({ answer, offer: answer.answers === undefined ? undefined : byId.get(answer.answers) }));
  const accepted = settle('cta_accepted');
  const rejected = settle('cta_rejected');
  const answered = new Set([...accepted, ...rejected].map(({ answer }) => answer.answers));
  const objections = told.filter((m) => m.category === 'objection' && wordsOf(m) >= MIN_OBJECTION_WORDS);
  const lastYes = accepted.reduce((last, { answer }) => Math.max(last, answer.start_ms), -1);
  return {
    accepted,
    rejected,
    open: told.filter((m) => m.category === 'cta_offered' && !answered.has(m.moment_id)),
    overcome: objections.filter((m) => m.start_ms < lastYes),
    standing: objections.filter((m) => m.start_ms >= lastYes),
  };
}
