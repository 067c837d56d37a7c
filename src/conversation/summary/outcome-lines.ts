import type { CommitmentState } from '../../contract/commitments.ts';
import { type MomentEvent, momentCategory } from '../../contract/findings.ts';
import type { Language } from '../language.ts';
import { isProposed, type Settled } from '../outcomes.ts';
import type { Quoted } from '../sentences/sentences.ts';
import type { Spans } from '../sentences/spans.ts';
import { asks } from '../text/questions.ts';
import { BREAK, clean, shorten } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
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
export function settlement({ offer, answer }: Settled, language: Language): Spans {
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
 * The last proposal that was accepted and the last that was rejected.
 * @param told settlements that another line has
 */
export function settlementLines({ outcomes, book, language }: SummaryMaterial, told: readonly Settled[]): Spans[] {
  const isTold = ({ answer }: Settled): boolean => told.some((one) => one.answer.moment_id === answer.moment_id);
  return [outcomes.accepted.at(-1), outcomes.rejected.at(-1)]
    .flatMap((settled) => (settled && !isTold(settled) ? [settled] : []))
    .sort((a, b) => a.answer.start_ms - b.answer.start_ms)
    .map((settled) => book.note(settlement(settled, language), idsOf(settled)));
}

/**
 * The last unresolved objection, and the last promise.
 * @param told sentences that another line has
 */
export function openLines(material: SummaryMaterial, told: readonly SpokenSentence[]): Spans[] {
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
      .filter((s) => !told.includes(s))
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
