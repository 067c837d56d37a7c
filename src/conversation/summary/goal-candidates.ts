import type { Commitment, CommitmentState } from '../../contract/commitments.ts';
import { isAnswerable, type MomentEvent, momentCategory } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';
import { isProposed, type Outcomes, type Settled } from '../outcomes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { isContentWord, words } from '../text/tokens.ts';
import type { Turns } from '../text/turns.ts';
import type { WordVectors } from '../text/word-vectors.ts';
import { answerGoal } from './goal-answer.ts';

/** Something said that may answer a goal: a sentence, a proposal with its answer, or a proposal alone. */
export type GoalCandidate = { utterance_ids: string[]; score: number } & (
  | { sentence: SpokenSentence }
  | { settled: Settled }
  | { offer: MomentEvent }
);

/** The answer to a goal as far as it may be called one, or else what may be one. */
export interface GoalAnswers {
  told: GoalCandidate | undefined;
  /** Best first; empty with an answer. */
  possible: GoalCandidate[];
  /** Whether the goal has content words, and somebody says one of them. */
  isDiscussed: boolean;
}

/**
 * Minimum score of a sentence that is shown as a possible answer, unless it has all content words of the goal. With it,
 * half of the possible answers that `npm run bench -- summary --goals` counts are right.
 */
const POSSIBLE = 0.4;
/** Limit on the possible answers. */
const MAX_POSSIBLE = 2;
/** Minimum share of the words for the subject of a goal that a settled, offered or promised matter has. */
const SAME_SUBJECT = 0.5;
/** States in which a promise stands or was kept. */
const STANDING: ReadonlySet<CommitmentState> = new Set(['open', 'accepted', 'done']);

/** The things that a goal asks for, as far as its words say. */
interface Wanted {
  /** The ways in which a sentence names what is asked for. None: the goal asks for no such thing. */
  names: readonly RegExp[];
  asksOutcome: boolean;
  asksRefusal: boolean;
  /** Content stems of the subject, without the words that ask. */
  subject: ReadonlySet<string>;
}

function readWanted(goal: string, { speakers, language }: Pick<GoalMaterial, 'speakers' | 'language'>): Wanted {
  const { asked, asking, asksOutcome, asksRefusal } = language.summaryCues;
  const kinds = asked.filter(({ asks }) => asks.test(goal));
  const rest = kinds.reduce((text, { asks }) => text.replace(asks, ' '), goal);
  const called = new Set(speakers.flatMap((name) => words(name)));
  const subject = words(rest).filter(
    (word) => isContentWord(word, language) && !called.has(word) && !asking.test(word) && !asksOutcome.test(word),
  );
  return {
    names: kinds.map(({ names }) => names),
    asksOutcome: asksOutcome.test(goal),
    asksRefusal: asksRefusal.test(goal),
    subject: new Set(subject.map((word) => language.words.stem(word))),
  };
}

/** Everything that the search for answers reads. Moments are those between people, in order of time. */
export interface GoalMaterial {
  goal: string;
  turns: Turns;
  sentences: readonly SpokenSentence[];
  utterances: readonly Utterance[];
  speakers: readonly string[];
  moments: readonly MomentEvent[];
  outcomes: Outcomes;
  commitments: readonly Commitment[];
  idsOf: (sentence: SpokenSentence) => string[];
  language: Language;
}

/** The answers to a goal among the sentences, the moments and the commitments of a conversation. */
export function answersTo(material: GoalMaterial, recognised: SpokenSentence[], vectors: WordVectors): GoalAnswers {
  const { goal, turns, outcomes, idsOf } = material;
  const nearest = answerGoal(goal, turns, recognised, vectors);
  const found = nearest && {
    sentence: nearest.sentence,
    utterance_ids: idsOf(nearest.sentence),
    score: nearest.score,
  };
  const answers = { told: undefined, possible: [], isDiscussed: nearest !== undefined };
  if (found && nearest?.isSure) return { ...answers, told: found };
  const wanted = readWanted(goal, material);
  const subjectOf = subjectReader(material, wanted);
  if (wanted.asksOutcome) {
    const settled = [...outcomes.accepted, ...outcomes.rejected]
      .filter(({ answer }) => isWanted(answer, wanted))
      .map(ofSettled)
      .filter((one) => isNamed(textIn(one), wanted) && subjectOf(one) >= SAME_SUBJECT)
      .sort((a, b) => b.settled.answer.start_ms - a.settled.answer.start_ms);
    if (settled[0]) return { ...answers, told: settled[0] };
  }
  const possible = findings(material, wanted)
    .filter((one) => isNamed(textIn(one), wanted))
    .map((one) => ({ one, subject: subjectOf(one) }))
    .filter(({ subject }) => subject >= SAME_SUBJECT)
    .sort((a, b) => b.subject - a.subject || rankOf(b.one) - rankOf(a.one) || b.one.score - a.one.score)
    .map(({ one }) => one);
  if (found && isNear(found, material) && isNamed(found.sentence.text, wanted)) possible.push(found);
  return { ...answers, possible: apart(possible).slice(0, MAX_POSSIBLE) };
}

/** Whether a sentence is near enough to be shown: by its score, or because it has every content word of the goal. */
function isNear({ sentence, score }: { sentence: SpokenSentence; score: number }, { goal, language }: GoalMaterial) {
  if (score >= POSSIBLE) return true;
  const { stem } = language.words;
  const asked = words(goal).filter((word) => isContentWord(word, language));
  const said = new Set(words(sentence.text).map(stem));
  return asked.length > 0 && asked.every((word) => said.has(stem(word)));
}

const ofSettled = (settled: Settled): Extract<GoalCandidate, { settled: Settled }> => ({
  settled,
  utterance_ids: [...settled.answer.utterance_ids, ...settled.offer.utterance_ids],
  score: settled.answer.confidence,
});

/** All that was settled, offered and promised, however sure, where the goal asks for such a thing. */
function findings(
  { moments, commitments, sentences, utterances, idsOf }: GoalMaterial,
  wanted: Wanted,
): GoalCandidate[] {
  if (wanted.names.length === 0 && !wanted.asksOutcome) return [];
  const offers = new Map(moments.map((moment) => [moment.moment_id, moment]));
  const settled = moments.flatMap((answer) => {
    const offer = offers.get(answer.answers ?? '');
    return offer && isWanted(answer, wanted) ? [ofSettled({ offer, answer })] : [];
  });
  if (wanted.names.length === 0) return settled;
  const answered = new Set(settled.map(({ settled: { offer } }) => offer));
  const open = moments
    .filter((moment) => isAnswerable(moment.category) && isProposed(moment) && !answered.has(moment))
    .map((offer) => ({ offer, utterance_ids: offer.utterance_ids, score: offer.confidence }));
  const key = (utteranceId: string, text: string): string => `${utteranceId} ${text}`;
  const spoken = new Map(sentences.map((s) => [key(utterances[s.turn]!.utterance_id, s.text), s]));
  const promised = commitments
    .filter(({ state }) => (wanted.asksOutcome ? state === 'accepted' : STANDING.has(state)))
    .flatMap(({ utterance_id, quote, confidence }): GoalCandidate[] => {
      const sentence = spoken.get(key(utterance_id, quote));
      return sentence ? [{ sentence, utterance_ids: idsOf(sentence), score: confidence }] : [];
    });
  return [...settled, ...promised, ...open];
}

/** Whether a goal may ask for an answer: a refusal names no day or price that was settled, unless it asks for one. */
function isWanted({ category }: MomentEvent, { names, asksRefusal }: Wanted): boolean {
  const isYes = momentCategory(category).agrees === true;
  return asksRefusal ? !isYes : isYes || names.length === 0;
}

/** Settlements come before promises, and both before mere proposals. */
const rankOf = (one: GoalCandidate): number => ('settled' in one ? 2 : 'sentence' in one ? 1 : 0);

const quotesOf = ({ evidence }: MomentEvent): string => evidence.map(({ quote }) => quote).join(' ');

/** The words that a line about a candidate quotes. */
const textIn = (one: GoalCandidate): string =>
  'sentence' in one
    ? one.sentence.text
    : 'offer' in one
      ? quotesOf(one.offer)
      : `${quotesOf(one.settled.offer)} ${quotesOf(one.settled.answer)}`;

const isNamed = (text: string, { names }: Wanted): boolean =>
  names.length === 0 || names.some((name) => name.test(text));

/** The share of a goal's subject that the utterances of a candidate have; 1 if the goal names no subject. */
function subjectReader({ utterances, language }: GoalMaterial, { subject }: Wanted): (one: GoalCandidate) => number {
  const texts = new Map(utterances.map(({ utterance_id, text }) => [utterance_id, text]));
  return ({ utterance_ids }) => {
    if (subject.size === 0) return 1;
    const spoken = utterance_ids.flatMap((id) => words(texts.get(id) ?? ''));
    const said = new Set(spoken.map((word) => language.words.stem(word)));
    return [...subject].filter((stem) => said.has(stem)).length / subject.size;
  };
}

/** The candidates without those that share an utterance with a better one, or say what it says again. */
function apart(candidates: readonly GoalCandidate[]): GoalCandidate[] {
  const used = new Set<string>();
  const told: string[] = [];
  return candidates.filter((one) => {
    const text = textIn(one);
    if (one.utterance_ids.some((id) => used.has(id)) || told.some((better) => better.includes(text))) return false;
    for (const id of one.utterance_ids) used.add(id);
    told.push(text);
    return true;
  });
}
