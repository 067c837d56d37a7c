import { isAnswerable, type MomentEvent, momentCategory } from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';
import type { Language } from './language.ts';
import { asks } from './text/questions.ts';
import { clean } from './text/quotes.ts';
import { splitSentences } from './text/sentences.ts';

/**
 * What became of the proposals and objections of a conversation: the one definition of told, open and settled, for all
 * that speaks of them. It rests on what a moment is and on the text of its utterance, not on what it quotes, so that
 * moments carried to a segmentation come to the same.
 */
export interface Outcomes {
  /** The acceptance that settles a proposal, in order of time; the proposal where it is known. */
  accepted: Settled[];
  rejected: Settled[];
  /** Proposals nobody answered, see `isOpen`; none where only one person speaks. */
  open: MomentEvent[];
  /** Objections after which somebody still accepted something, and those after which nobody did. */
  overcome: MomentEvent[];
  standing: MomentEvent[];
}

export interface Settled {
  offer: MomentEvent | undefined;
  answer: MomentEvent;
}

/**
 * Confidence from which a moment is told as a fact, of whatever kind: it must be likelier than not. Of 134 real dialogues 13 of 17
 * acceptances and 10 of 15 objections told so are right, and 9 of 23 and 12 of 67 of those less sure, which stay in the list
 * of moments.
 */
const TOLD = 0.5;

const isTold = ({ confidence }: MomentEvent): boolean => confidence >= TOLD;

/** Confidence below which nothing but its answer speaks for a proposal. */
const PROPOSED = 0.25;

/** Whether a proposal was one by itself. */
export const isProposed = ({ confidence }: MomentEvent): boolean => confidence >= PROPOSED;

/** Moments as a list for readers: an utterance that answers two offers in the same way is told once, by the likelier. */
export function withoutRepeats(moments: readonly MomentEvent[]): MomentEvent[] {
  const told = new Map<string, MomentEvent>();
  for (const m of moments) {
    const key = `${m.category} ${m.utterance_ids[0]}`;
    if (m.confidence > (told.get(key)?.confidence ?? -1)) told.set(key, m);
  }
  return [...told.values()];
}

/** A shorter objection ('No.') tells nothing that can be answered. */
const MIN_OBJECTION_WORDS = 3;
/** Words of a quote that tell what a proposal or an objection is about; fewer do not: 'Tell you what.' */
const TELLING_WORDS: Partial<Record<MomentEvent['category'], number>> = {
  cta_offered: 4,
  objection: MIN_OBJECTION_WORDS,
};

const wordsIn = (text: string, language: Language): number => clean(text, language).split(' ').filter(Boolean).length;

/** A proposal or an objection whose quote says nothing with the longest sentence of the same utterance instead. */
function wellQuoted(moment: MomentEvent, text: string, language: Language): MomentEvent {
  const [first, ...rest] = moment.evidence;
  if (!first || wordsIn(first.quote, language) >= (TELLING_WORDS[moment.category] ?? 0)) return moment;
  const longest = splitSentences(text, language).reduce((a, b) => (b.text.length > a.length ? b.text : a), first.quote);
  return { ...moment, evidence: [{ ...first, quote: longest }, ...rest] };
}

/**
 * Confidence from which a proposal is said to be open. An answer is overheard more often than not: by the marks of 134 real
 * dialogues 3 of 9 told so are open, and 14 of 35 from `TOLD` on, which only says more that is wrong. And utterances after it in
 * which an agreement to another one, sure or not, settles it too: of the versions of a proposal the last is answered.
 */
const TOLD_OPEN = 0.8;
const SETTLING_UTTERANCES = 8;

/** Whether the last question of a text wants a fact, not a yes: it asks when, how or what, not how about it. */
function asksForFacts(text: string, language: Language): boolean {
  const question = splitSentences(text, language).findLast((sentence) => asks(sentence.text, language));
  return question !== undefined && language.questions.factQuestion.test(question.text);
}

/**
 * @param all in order of time
 * @param utterances those of the conversation
 */
export function outcomesOf(all: MomentEvent[], utterances: Utterance[], language: Language): Outcomes {
  const texts = new Map(utterances.map((u) => [u.utterance_id, u.text]));
  const places = new Map(utterances.map((u, i) => [u.utterance_id, i]));
  const textOf = (moment: MomentEvent): string => texts.get(moment.utterance_ids[0] ?? '') ?? '';
  const moments = all.map((m) => wellQuoted(m, textOf(m), language));
  const told = moments.filter(isTold);
  const byId = new Map(moments.map((m) => [m.moment_id, m]));
  const agrees = ({ category }: MomentEvent): boolean | undefined => momentCategory(category).agrees;
  const settle = (yes: boolean): Settled[] =>
    told
      .filter((m) => agrees(m) === yes)
      .map((answer) => ({ answer, offer: answer.answers === undefined ? undefined : byId.get(answer.answers) }));
  // Also by an answer too uncertain to be told.
  const answered = new Set(moments.map((m) => m.answers));
  const objections = told.filter(
    (m) => m.category === 'objection' && wordsIn(textOf(m), language) >= MIN_OBJECTION_WORDS,
  );
  const placeOf = (moment: MomentEvent): number => places.get(moment.utterance_ids[0] ?? '') ?? -1;
  const agreedAt = moments.filter(agrees).map(placeOf);
  const isOpen = (m: MomentEvent): boolean => {
    if (!isAnswerable(m.category) || m.confidence < TOLD_OPEN) return false;
    if (answered.has(m.moment_id) || asksForFacts(textOf(m), language)) return false;
    const later = agreedAt.map((at) => at - placeOf(m));
    return !later.some((utterances) => utterances > 0 && utterances <= SETTLING_UTTERANCES);
  };
  const lastYes = Math.max(-1, ...told.filter(agrees).map((m) => m.start_ms));
  // Where only one side was recorded, nobody could answer.
  const severalSpeak = utterances.some((u) => u.speaker !== utterances[0]!.speaker);
  return {
    accepted: settle(true),
    rejected: settle(false),
    open: severalSpeak ? told.filter(isOpen) : [],
    overcome: objections.filter((m) => m.start_ms < lastYes),
    standing: objections.filter((m) => m.start_ms >= lastYes),
  };
}
