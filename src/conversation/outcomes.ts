import { isAnswerable, type MomentEvent, momentCategory } from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';
import type { Language } from './language.ts';
import { asks } from './text/questions.ts';
import { clean } from './text/quotes.ts';
import { splitSentences } from './text/sentences.ts';

/**
 * The proposals and objections of a conversation with their outcomes: the single definition of open and settled. It
 * rests on the moments' members and the text of their utterances, not on their quotes, so that a segmentation that is
 * given the moments reaches the same outcomes.
 */
export interface Outcomes {
  /** The acceptances that settle a proposal, in order of time; with the proposal where it is known. */
  accepted: Settled[];
  rejected: Settled[];
  /** Proposals without an answer, see `isOpen`; empty where only one person speaks. */
  open: MomentEvent[];
  /** Objections after which somebody still accepted something, and those after which nobody did. */
  overcome: MomentEvent[];
  unresolved: MomentEvent[];
}

export interface Settled {
  offer: MomentEvent | undefined;
  answer: MomentEvent;
}

/**
 * Confidence from which a moment of any category counts as a fact: likelier than not. In 134 real dialogues, 13 of 17
 * acceptances and 10 of 15 objections above it are right, and 9 of 23 and 12 of 67 below it, which stay in the list of
 * moments only.
 */
const CERTAIN = 0.5;

const isCertain = ({ confidence }: MomentEvent): boolean => confidence >= CERTAIN;

/** Confidence from which a proposal counts as one whatever its answer. */
const PROPOSED = 0.25;

/** Whether a proposal counts as one whatever its answer. */
export const isProposed = ({ confidence }: MomentEvent): boolean => confidence >= PROPOSED;

/**
 * Moments as a list for readers: an utterance that answers two offers in the same way is listed once, by the likelier.
 */
export function withoutRepeats(moments: readonly MomentEvent[]): MomentEvent[] {
  const likeliest = new Map<string, MomentEvent>();
  for (const m of moments) {
    const key = `${m.category} ${m.utterance_ids[0]}`;
    if (m.confidence > (likeliest.get(key)?.confidence ?? -1)) likeliest.set(key, m);
  }
  return [...likeliest.values()];
}

/** Shorter objections ('No.') contain nothing that can be answered. */
const MIN_OBJECTION_WORDS = 3;
/** Words from which a quote shows the content of a proposal or an objection; 'Tell you what.' does not. */
const MEANINGFUL_WORDS: Partial<Record<MomentEvent['category'], number>> = {
  cta_offered: 4,
  objection: MIN_OBJECTION_WORDS,
};

const wordsIn = (text: string, language: Language): number => clean(text, language).split(' ').filter(Boolean).length;

/** A proposal or an objection; a quote that says too little is replaced by the longest sentence of its utterance. */
function wellQuoted(moment: MomentEvent, text: string, language: Language): MomentEvent {
  const [first, ...rest] = moment.evidence;
  if (!first || wordsIn(first.quote, language) >= (MEANINGFUL_WORDS[moment.category] ?? 0)) return moment;
  const longest = splitSentences(text, language).reduce((a, b) => (b.text.length > a.length ? b.text : a), first.quote);
  return { ...moment, evidence: [{ ...first, quote: longest }, ...rest] };
}

/**
 * Confidence from which a proposal counts as open. Answers are missed more often than not: in 134 annotated real
 * dialogues 3 of 9 proposals above it are open, and 14 of 35 from `CERTAIN` on, which adds more errors. A later
 * agreement to another proposal, certain or not, settles it too within so many utterances: of the versions of a
 * proposal the last is answered.
 */
const CERTAINLY_OPEN = 0.8;
const SETTLING_UTTERANCES = 8;

/** Whether the last question of a text asks for a fact (when, how, what), not for a yes (how about it). */
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
  const indexes = new Map(utterances.map((u, i) => [u.utterance_id, i]));
  const textOf = (moment: MomentEvent): string => texts.get(moment.utterance_ids[0] ?? '') ?? '';
  const moments = all.map((m) => wellQuoted(m, textOf(m), language));
  const certain = moments.filter(isCertain);
  const byId = new Map(moments.map((m) => [m.moment_id, m]));
  const agrees = ({ category }: MomentEvent): boolean | undefined => momentCategory(category).agrees;
  const settle = (yes: boolean): Settled[] =>
    certain
      .filter((m) => agrees(m) === yes)
      .map((answer) => ({ answer, offer: answer.answers === undefined ? undefined : byId.get(answer.answers) }));
  // Uncertain answers count here.
  const answered = new Set(moments.map((m) => m.answers));
  const objections = certain.filter(
    (m) => m.category === 'objection' && wordsIn(textOf(m), language) >= MIN_OBJECTION_WORDS,
  );
  const indexOf = (moment: MomentEvent): number => indexes.get(moment.utterance_ids[0] ?? '') ?? -1;
  const agreedAt = moments.filter(agrees).map(indexOf);
  const isOpen = (m: MomentEvent): boolean => {
    if (!isAnswerable(m.category) || m.confidence < CERTAINLY_OPEN) return false;
    if (answered.has(m.moment_id) || asksForFacts(textOf(m), language)) return false;
    const later = agreedAt.map((at) => at - indexOf(m));
    return !later.some((utterances) => utterances > 0 && utterances <= SETTLING_UTTERANCES);
  };
  const lastYes = Math.max(-1, ...certain.filter(agrees).map((m) => m.start_ms));
  // With one recorded side, nobody can answer.
  const severalSpeak = utterances.some((u) => u.speaker !== utterances[0]!.speaker);
  return {
    accepted: settle(true),
    rejected: settle(false),
    open: severalSpeak ? certain.filter(isOpen) : [],
    overcome: objections.filter((m) => m.start_ms < lastYes),
    unresolved: objections.filter((m) => m.start_ms >= lastYes),
  };
}
