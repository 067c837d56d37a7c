import { type MomentEvent, momentCategory } from '../../contract/findings.ts';
import { DEFAULT_LANGUAGE } from '../languages.ts';
import { isProposed, type Settled } from '../outcomes.ts';
import { asks } from '../text/questions.ts';
import { clean, shorten } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import type { SummaryMaterial } from './material.ts';
import { ended, isFollowed, promises, quoted } from './wording.ts';

const { choice: CHOICE } = DEFAULT_LANGUAGE.questions;
const {
  atOnce: AT_ONCE,
  bareYes: BARE_YES,
  ownPromise: OWN_PROMISE,
  promise: PROMISE,
  supposedFirst: SUPPOSED_FIRST,
  task: TASK,
} = DEFAULT_LANGUAGE.summaryCues;

const QUOTE_WORDS = 24;
const ANSWER_WORDS = 14;
/** Promises told, and words of one. */
const MAX_OWED = 2;
const OWED_WORDS = 18;

/** What a moment quotes, made readable. */
export const momentQuote = (moment: MomentEvent, limit: number): string => {
  const raw = moment.evidence[0]?.quote ?? '';
  return quoted(clean(raw, DEFAULT_LANGUAGE) || raw.trim().replace(/(?<![.,!])[.,!]+$/, ''), limit);
};

export const possessive = (name: string): string => `${name}'s`;

/** Whether a proposal was put as a question. */
const isAsked = (offer: MomentEvent): boolean => asks(offer.evidence[0]?.quote ?? '', DEFAULT_LANGUAGE);

/** Whether an answer chooses among what a proposal leaves open. */
export const isChoice = (offer: MomentEvent, answer: MomentEvent): boolean =>
  isAsked(offer) &&
  CHOICE.test(offer.evidence[0]?.quote ?? '') &&
  !BARE_YES.test(answer.evidence[0]?.quote.trim() ?? '');

/** An answer with what it answers. */
export function settlement({ offer, answer }: Settled): string {
  const who = answer.speaker_id;
  const yes = momentCategory(answer.category).agrees;
  const said = momentQuote(answer, ANSWER_WORDS);
  const isSure = offer !== undefined && isProposed(offer);
  // What only its answer speaks for is told as the question it was, or not at all.
  if (!offer || !(isSure || isAsked(offer))) return ended(`${who} ${yes ? 'agrees' : 'declines'}: ${said}`);
  const proposed = momentQuote(offer, QUOTE_WORDS);
  const chooses = yes && isChoice(offer, answer);
  if (chooses || !isSure) return ended(`Asked ${proposed}, ${who} ${chooses ? 'chooses' : 'answers'}: ${said}`);
  return ended(`${who} ${yes ? 'agrees to' : 'turns down'} ${possessive(offer.speaker_id)} ${proposed} with ${said}`);
}

/** The utterances of an answer and of what it answers. */
export const idsOf = ({ offer, answer }: Settled): string[] => [
  ...answer.utterance_ids,
  ...(offer?.utterance_ids ?? []),
];

/** What came of it: the last proposal taken up and the last turned down. */
export function cameOf({ outcomes, book }: SummaryMaterial): string[] {
  return [outcomes.accepted.at(-1), outcomes.rejected.at(-1)]
    .filter((settled) => settled !== undefined)
    .sort((a, b) => a.answer.start_ms - b.answer.start_ms)
    .map((settled) => book.note(settlement(settled), idsOf(settled)));
}

/** What is left: the last proposal nobody answered, the last objection that stands, and who owes what. */
export function leftOpen(material: SummaryMaterial): string[] {
  const { outcomes, book } = material;
  const open = outcomes.open.at(-1);
  const objection = outcomes.standing.at(-1);
  const refused = outcomes.rejected.some(({ answer }) => answer.utterance_ids[0] === objection?.utterance_ids[0]);
  return [
    ...(open
      ? [
          book.note(
            `${possessive(open.speaker_id)} proposal ${momentQuote(open, QUOTE_WORDS)} has no answer that was recognised.`,
            open.utterance_ids,
          ),
        ]
      : []),
    ...(objection && !refused
      ? [
          book.note(
            ended(`${possessive(objection.speaker_id)} objection stands: ${momentQuote(objection, QUOTE_WORDS)}`),
            objection.utterance_ids,
          ),
        ]
      : []),
    ...owed(material)
      .slice(-1)
      .map((s) => book.note(ended(`${s.speaker} owes: ${quoted(s.text, OWED_WORDS)}`), [material.idOf(s)])),
  ];
}

/**
 * What was promised last and can be checked later: by a reader, in what is quoted of it. Nothing that was only supposed, is done
 * at once or was told as an answer; in talk of more than two only what somebody promised for themselves.
 */
export function owed({ sentences, speakers, idOf, outcomes }: SummaryMaterial): SpokenSentence[] {
  const told = new Set(
    outcomes.accepted.slice(-2).flatMap(({ offer, answer }) => [offer, answer].flatMap((m) => m?.utterance_ids ?? [])),
  );
  const promise = speakers.length > 2 ? OWN_PROMISE : PROMISE;
  return sentences
    .filter((s) => {
      const shown = shorten(s.text, OWED_WORDS);
      const isTask = isFollowed(shown, promise, TASK) && !SUPPOSED_FIRST.test(shown) && !AT_ONCE.test(s.text);
      return !s.asks && isTask && promises(s.text) && !told.has(idOf(s));
    })
    .slice(-MAX_OWED);
}
