import type { CommitmentState } from '../../contract/commitments.ts';
import { type MomentEvent, momentCategory } from '../../contract/findings.ts';
import type { Language } from '../language.ts';
import { isProposed, type Settled } from '../outcomes.ts';
import type { Quoted } from '../sentences/sentences.ts';
import type { Spans } from '../sentences/spans.ts';
import { asks } from '../text/questions.ts';
import { BREAK, clean, shorten } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { isContentWord, words } from '../text/tokens.ts';
import type { SummaryMaterial } from './material.ts';
import { ownEvidence } from './moment-descriptions.ts';
import { quoteOf, quoteOver } from './wording.ts';

const QUOTE_WORDS = 24;
const ANSWER_WORDS = 14;
/** Limits on the open promises that are listed, and on the words of each. */
const MAX_PROMISES = 2;
const PROMISE_WORDS = 18;

/** The evidence of a moment in readable form. */
export function momentQuote(moment: MomentEvent, limit: number, language: Language): Spans {
  const said = ownEvidence(moment);
  const raw = said.map(({ quote }) => quote).join(`${BREAK} `);
  const readable = clean(raw, language) || raw.trim().replace(/(?<![.,!])[.,!]+$/, '');
  const ids = said.map(({ utterance_id }) => utterance_id);
  return quoteOver(shorten(readable, limit, language), ids.length > 0 ? ids : moment.utterance_ids);
}

/** A moment's speaker and evidence. */
export const quotedMoment = (moment: MomentEvent, limit: number, language: Language): Quoted => ({
  speaker: moment.speaker_id,
  quote: momentQuote(moment, limit, language),
});

/** Whether a proposal was made as a question. */
const isAsked = (offer: MomentEvent, language: Language): boolean => asks(offer.evidence[0]?.quote ?? '', language);

/** Whether an answer chooses among the options that a proposal leaves open. */
export const isChoice = (offer: MomentEvent, answer: MomentEvent, language: Language): boolean =>
  isAsked(offer, language) &&
  language.questions.choice.test(offer.evidence[0]?.quote ?? '') &&
  !language.summaryCues.bareYes.test(answer.evidence[0]?.quote.trim() ?? '');

/** An answer together with the proposal that it answers. */
function settlement({ offer, answer }: Settled, language: Language): Spans {
  const { outcomes: say } = language.sentences;
  const isYes = momentCategory(answer.category).agrees === true;
  const answered = quotedMoment(answer, ANSWER_WORDS, language);
  const proposal = quotedMoment(offer, QUOTE_WORDS, language);
  const chooses = isYes && isChoice(offer, answer, language);
  // A proposal that only its answer reveals is quoted as the question that it was.
  if (chooses || !isProposed(offer))
    return say.answerToQuestion({ ...answered, question: proposal.quote, isChoice: chooses });
  return say.answerToProposal({ ...answered, proposal, isYes });
}

/** The utterances of an answer and of its proposal. */
export const idsOf = ({ offer, answer }: Settled): string[] => [...answer.utterance_ids, ...offer.utterance_ids];

/**
 * Whether what was settled is about a goal: it shares a word with it, names the time or the price for which the goal
 * asks, or the goal asks for any outcome.
 */
function isAbout(goal: string, settled: Settled, { utterances, language }: SummaryMaterial): boolean {
  const { asking, asksOutcome, asksTime, asksPrice, time, price } = language.summaryCues;
  const asked = words(goal)
    .filter((word) => isContentWord(word, language) && !asking.test(word) && !asksOutcome.test(word))
    .map(language.words.stem);
  const ids = new Set(idsOf(settled));
  const texts = utterances.filter(({ utterance_id }) => ids.has(utterance_id)).map(({ text }) => text);
  const names = (cue: RegExp): boolean => texts.some((text) => cue.test(text));
  if ((asksTime.test(goal) && names(time)) || (asksPrice.test(goal) && names(price))) return true;
  const said = new Set(texts.flatMap((text) => words(text).map(language.words.stem)));
  return asked.length === 0 || asked.some((stem) => said.has(stem));
}

/**
 * The last proposal that was accepted and the last that was rejected.
 * @param goal that asks for an outcome; empty if it does not
 */
export function settlementLines(material: SummaryMaterial, goal: string): Spans[] {
  const { outcomes, book, language } = material;
  const { overview: say } = language.sentences;
  return [outcomes.accepted.at(-1), outcomes.rejected.at(-1)]
    .filter((settled) => settled !== undefined)
    .sort((a, b) => a.answer.start_ms - b.answer.start_ms)
    .map((settled, i) => {
      const line = settlement(settled, language);
      if (goal === '' || i > 0) return book.note(line, idsOf(settled));
      const opening = isAbout(goal, settled, material) ? say.settledOnGoal : say.nearestToGoal;
      return book.note(opening(goal, line), idsOf(settled), { goal });
    });
}

/** The last unresolved objection, and the last promise. */
export function openLines(material: SummaryMaterial): Spans[] {
  const { outcomes, book, idsOf, language } = material;
  const { outcomes: say } = language.sentences;
  const objection = outcomes.unresolved.at(-1);
  const refused = outcomes.rejected.some(({ answer }) => answer.utterance_ids[0] === objection?.utterance_ids[0]);
  return [
    ...(objection && !refused
      ? [book.note(say.unresolvedObjection(quotedMoment(objection, QUOTE_WORDS, language)), objection.utterance_ids)]
      : []),
    ...openPromises(material)
      .slice(-1)
      .map((s) => {
        const promise = { speaker: s.speaker, quote: quoteOf(s, PROMISE_WORDS, material) };
        return book.note(say.openPromise(promise), idsOf(s));
      }),
  ];
}

/** States in which a promise can still be kept. */
const STANDING: ReadonlySet<CommitmentState> = new Set(['open', 'accepted']);

/**
 * The last promises of the speakers that a reader can check later by their quotes. Promises already listed as answers
 * are left out, and so is what is promised in small talk, because nobody follows it up.
 */
export function openPromises({
  sentences,
  commitments,
  utterances,
  idsOf: utterancesOf,
  outcomes,
  isSmallTalk,
}: SummaryMaterial): SpokenSentence[] {
  if (isSmallTalk) return [];
  const listed = new Set(outcomes.accepted.slice(-2).flatMap(idsOf));
  const key = (utteranceId: string, quote: string): string => `${utteranceId} ${quote}`;
  const owners = new Map(
    commitments
      .filter(({ state }) => STANDING.has(state))
      .map(({ utterance_id, quote, owner }) => [key(utterance_id, quote), owner]),
  );
  return sentences
    .filter(
      (s) =>
        owners.get(key(utterances[s.turn]!.utterance_id, s.text)) === s.speaker &&
        !utterancesOf(s).some((id) => listed.has(id)),
    )
    .slice(-MAX_PROMISES);
}
