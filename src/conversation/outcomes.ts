import { isAnswerable, type MomentCategory, type MomentEvent, momentCategory } from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';
import type { Language } from './language.ts';
import { asks } from './text/questions.ts';
import { clean } from './text/quotes.ts';
import { splitSentences } from './text/sentences.ts';

/**
 * The proposals and objections of a conversation that were settled one way or the other. This is the only definition of
 * settled. It depends on the moments' members and the text of their utterances, and not on their quotes, so that a
 * segmentation that receives the moments reaches the same outcomes. Uncertain moments are left out here and remain only
 * in the list of moments.
 */
export interface Outcomes {
  /** The confident answers to a proposal, in order of time. */
  accepted: Settled[];
  rejected: Settled[];
  /** Confident objections to a proposal: those whose speaker later accepted something, and the rest. */
  overcome: MomentEvent[];
  unresolved: MomentEvent[];
}

export interface Settled {
  offer: MomentEvent;
  answer: MomentEvent;
}

/**
 * Minimum confidence for an answer or an objection to count as a fact. Above it, at least three of four are right in
 * real dialogues that the network had not seen. `npm run train -- moments` prints these values.
 */
const CERTAIN: Partial<Record<MomentCategory, number>> = { cta_accepted: 0.6, cta_rejected: 0.6, objection: 0.6 };

const isCertain = ({ category, confidence }: MomentEvent): boolean => confidence >= (CERTAIN[category] ?? 1);

/** Minimum confidence for a moment to count as a proposal, regardless of its answer. */
const PROPOSED = 0.25;

/** Whether a moment counts as a proposal, regardless of its answer. */
export const isProposed = ({ confidence }: MomentEvent): boolean => confidence >= PROPOSED;

/**
 * Moments as a list for readers. When an utterance answers two offers in the same way, only the more likely answer is
 * listed.
 */
export function withoutRepeats(moments: readonly MomentEvent[]): MomentEvent[] {
  const likeliest = new Map<string, MomentEvent>();
  for (const m of moments) {
    const key = `${m.category} ${m.utterance_ids[0]}`;
    if (m.confidence > (likeliest.get(key)?.confidence ?? -1)) likeliest.set(key, m);
  }
  return [...likeliest.values()];
}

/** Minimum length of an objection, words. A shorter one ('No.') contains nothing that can be answered. */
const MIN_OBJECTION_WORDS = 3;
/** Minimum length of a quote, words, to show the content of a proposal or an objection. 'Tell you what.' does not. */
const MEANINGFUL_WORDS: Partial<Record<MomentEvent['category'], number>> = {
  cta_offered: 4,
  objection: MIN_OBJECTION_WORDS,
};

const wordsIn = (text: string, language: Language): number => clean(text, language).split(' ').filter(Boolean).length;

/** A proposal or an objection. If its quote says too little, the longest sentence of its utterance is used instead. */
function wellQuoted(moment: MomentEvent, text: string, language: Language): MomentEvent {
  const [first, ...rest] = moment.evidence;
  if (!first || wordsIn(first.quote, language) >= (MEANINGFUL_WORDS[moment.category] ?? 0)) return moment;
  const longest = splitSentences(text, language).reduce((a, b) => (b.text.length > a.length ? b.text : a), first.quote);
  return { ...moment, evidence: [{ ...first, quote: longest }, ...rest] };
}

/** Number of utterances after a proposal within which another speaker's objection is assumed to be about it. */
const OBJECTS_WITHIN = 8;

/**
 * @param all in order of time
 * @param utterances of the conversation
 */
export function outcomesOf(all: MomentEvent[], utterances: Utterance[], language: Language): Outcomes {
  const texts = new Map(utterances.map((u) => [u.utterance_id, u.text]));
  const indexes = new Map(utterances.map((u, i) => [u.utterance_id, i]));
  const textOf = (moment: MomentEvent): string => texts.get(moment.utterance_ids[0] ?? '') ?? '';
  const indexOf = (moment: MomentEvent): number => indexes.get(moment.utterance_ids[0] ?? '') ?? -1;
  const moments = all.map((m) => wellQuoted(m, textOf(m), language));
  const byId = new Map(moments.map((m) => [m.moment_id, m]));
  const agrees = ({ category }: MomentEvent): boolean | undefined => momentCategory(category).agrees;
  const isAsked = (offer: MomentEvent): boolean => asks(textOf(offer), language);
  const isMeeting = new Set(utterances.map(({ speaker }) => speaker)).size > 2;
  // In a meeting, a mere 'yeah' to what nobody asked only shows that somebody listens.
  const isListening = (offer: MomentEvent, answer: MomentEvent): boolean =>
    isMeeting && !isAsked(offer) && language.summaryCues.bareYes.test(answer.evidence[0]?.quote.trim() ?? '');
  const settle = (yes: boolean): Settled[] =>
    moments
      .filter((m) => agrees(m) === yes && isCertain(m))
      .flatMap((answer) => {
        const offer = byId.get(answer.answers ?? '');
        // A proposal that only its answer reveals counts if it was a question.
        const counts = offer && (isProposed(offer) || isAsked(offer)) && !isListening(offer, answer);
        return counts ? [{ offer, answer }] : [];
      });
  const proposals = moments.filter((m) => isAnswerable(m.category) && isProposed(m));
  const objectsTo = (objection: MomentEvent): boolean =>
    proposals.some((offer) => {
      const later = indexOf(objection) - indexOf(offer);
      return offer.speaker_id !== objection.speaker_id && later > 0 && later <= OBJECTS_WITHIN;
    });
  const objections = moments.filter(
    (m) =>
      m.category === 'objection' && isCertain(m) && wordsIn(textOf(m), language) >= MIN_OBJECTION_WORDS && objectsTo(m),
  );
  const accepted = settle(true);
  const isFollowedBy = (later: readonly MomentEvent[]) => (m: MomentEvent) =>
    later.some((yes) => yes.start_ms > m.start_ms && yes.speaker_id === m.speaker_id);
  const overcome = objections.filter(isFollowedBy(accepted.map(({ answer }) => answer)));
  // After an uncertain agreement, the objection may still stand.
  const mayBeOvercome = isFollowedBy(moments.filter(agrees));
  return {
    accepted,
    rejected: settle(false),
    overcome,
    unresolved: objections.filter((m) => !mayBeOvercome(m)),
  };
}
