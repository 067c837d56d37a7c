import type { MomentEvent } from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';
import { clean, splitSentences } from './words/sentences.ts';

/** What became of the proposals and objections of a conversation. */
export interface Outcomes {
  /** Proposal and the acceptance that settles it. */
  accepted: { offer: MomentEvent | undefined; answer: MomentEvent }[];
  rejected: { offer: MomentEvent | undefined; answer: MomentEvent }[];
  /** Proposals nobody answered; an agreement, sure or not, settles those before it. */
  open: MomentEvent[];
  /** Objections after which somebody still accepted something, and those after which nobody did. */
  overcome: MomentEvent[];
  standing: MomentEvent[];
}

/** Confidence from which a moment is told in a summary: what is told as a fact must be likelier than not. */
const TOLD = 0.5;
/** And what is told of somebody as a refusal likelier still. */
const TOLD_REFUSAL = 0.6;

/** Whether a moment is sure enough to be told in a summary. */
export const isTold = ({ category, confidence }: MomentEvent): boolean =>
  confidence >= (category === 'cta_rejected' ? TOLD_REFUSAL : TOLD);

/** Moments as a list for readers: an utterance that answers two offers in the same way is told once, by the likelier. */
export function toldOnce(moments: readonly MomentEvent[]): MomentEvent[] {
  const told = new Map<string, MomentEvent>();
  for (const m of moments) {
    const key = `${m.category} ${m.utterance_ids[0]}`;
    if (m.confidence > (told.get(key)?.confidence ?? -1)) told.set(key, m);
  }
  return [...told.values()];
}

/** A shorter objection ('No.') tells nothing that can be answered. */
const MIN_OBJECTION_WORDS = 3;

const wordsOf = (moment: MomentEvent): number => clean(moment.evidence[0]?.quote ?? '').split(' ').length;

/** Fewer words of a proposal do not tell what is proposed: 'Tell you what.' */
const MIN_OFFER_WORDS = 4;

/** A proposal whose quote says nothing with the longest sentence of the same utterance instead. */
function wellQuoted(moment: MomentEvent, text: string): MomentEvent {
  const [first, ...rest] = moment.evidence;
  if (!first || moment.category !== 'cta_offered' || wordsOf(moment) >= MIN_OFFER_WORDS) return moment;
  const longest = splitSentences(text).reduce((a, b) => (b.length > a.length ? b : a), first.quote);
  return { ...moment, evidence: [{ ...first, quote: longest }, ...rest] };
}

/** A question after when, how or what wants a fact, not a yes. */
function asksForFacts(moment: MomentEvent): boolean {
  const quote = moment.evidence[0]?.quote ?? '';
  return /\b(?:how|when|what|which|where)\b/i.test(quote.slice(0, Math.max(0, quote.lastIndexOf('?'))));
}

/** @param utterances those the moments rest on. */
export function outcomesOf(all: MomentEvent[], utterances: Utterance[]): Outcomes {
  const texts = new Map(utterances.map((u) => [u.utterance_id, u.text]));
  const moments = all.map((m) => wellQuoted(m, texts.get(m.utterance_ids[0] ?? '') ?? ''));
  const told = moments.filter(isTold);
  const byId = new Map(moments.map((m) => [m.moment_id, m]));
  const settle = (category: MomentEvent['category']) =>
    told
      .filter((m) => m.category === category)
      .map((answer) => ({ answer, offer: answer.answers === undefined ? undefined : byId.get(answer.answers) }));
  const accepted = settle('cta_accepted');
  const rejected = settle('cta_rejected');
  // Also by an answer too uncertain to be told.
  const answered = new Set(moments.map((m) => m.answers));
  const objections = told.filter((m) => m.category === 'objection' && wordsOf(m) >= MIN_OBJECTION_WORDS);
  const lastOf = (among: MomentEvent[]): number =>
    Math.max(-1, ...among.filter((m) => m.category === 'cta_accepted').map((m) => m.start_ms));
  const [lastYes, lastMaybe] = [lastOf(told), lastOf(moments)];
  return {
    accepted,
    rejected,
    open: told.filter(
      (m) => m.category === 'cta_offered' && m.start_ms > lastMaybe && !answered.has(m.moment_id) && !asksForFacts(m),
    ),
    overcome: objections.filter((m) => m.start_ms < lastYes),
    standing: objections.filter((m) => m.start_ms >= lastYes),
  };
}
