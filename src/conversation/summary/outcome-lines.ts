import { type MomentEvent, momentCategory } from '../../contract/findings.ts';
import type { Language } from '../language.ts';
import { isProposed, type Settled } from '../outcomes.ts';
import type { Quoted } from '../sentences/sentences.ts';
import type { Spans } from '../sentences/spans.ts';
import { isSure } from '../text/asr-confidence.ts';
import { asks } from '../text/questions.ts';
import { BREAK, clean, shorten } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { isBetweenPeople } from '../turn-taking/setting.ts';
import type { SummaryMaterial } from './material.ts';
import { ownEvidence } from './moment-descriptions.ts';
import { isFollowed, promises, quoteOf, quoteOver } from './wording.ts';

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

/** The last proposal that was accepted and the last that was rejected. */
export function settlementLines({ outcomes, book, language }: SummaryMaterial): Spans[] {
  return [outcomes.accepted.at(-1), outcomes.rejected.at(-1)]
    .filter((settled) => settled !== undefined)
    .sort((a, b) => a.answer.start_ms - b.answer.start_ms)
    .map((settled) => book.note(settlement(settled, language), idsOf(settled)));
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

/**
 * The last promises that a reader can check later by their quotes. Promises that are hypothetical, carried out
 * immediately, or reported as done later in the conversation are left out, and so are those already listed as answers.
 * Among more than two speakers, only promises in the speaker's own name count. A single voice or a machine promises
 * nothing to anybody, and what is promised in small talk is not followed up.
 */
export function openPromises({
  setting,
  sentences,
  speakers,
  idsOf: utterancesOf,
  outcomes,
  isSmallTalk,
  language,
}: SummaryMaterial): SpokenSentence[] {
  if (!isBetweenPeople(setting) || isSmallTalk) return [];
  const { promise, ownPromise, task, supposedFirst, atOnce } = language.summaryCues;
  const listed = new Set(outcomes.accepted.slice(-2).flatMap(idsOf));
  const cue = speakers.length > 2 ? ownPromise : promise;
  const kept = sentences.filter((s) => {
    const shown = shorten(s.text, PROMISE_WORDS, language);
    const isTask = isFollowed(shown, cue, task) && !supposedFirst.test(shown) && !atOnce.test(s.text);
    return (
      !s.asks &&
      isTask &&
      isSure(s.asrConfidence) &&
      promises(s.text, language) &&
      !utterancesOf(s).some((id) => listed.has(id))
    );
  });
  return kept.filter((s) => !isDoneLater(s, sentences, language)).slice(-MAX_PROMISES);
}

/** Whether the speaker of a promise later says that it has been kept. */
function isDoneLater(
  promise: SpokenSentence,
  sentences: readonly SpokenSentence[],
  { summaryCues }: Language,
): boolean {
  return sentences.some(({ turn, speaker, text }) => {
    if (speaker !== promise.speaker || turn <= promise.turn) return false;
    return summaryCues.done.test(text);
  });
}
