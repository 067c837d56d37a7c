import type { Language } from '../language.ts';
import type { Genre } from '../lexicon/phase-kinds.ts';
import { isMatter, type Phase } from '../phases/phases.ts';
import type { Spans } from '../sentences/spans.ts';
import { isBroken, isCutOff } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { unreadAltogether } from '../unread.ts';
import type { GoalCandidate } from './goal-candidates.ts';
import type { SummaryMaterial } from './material.ts';
import { spansOfMoment } from './moment-descriptions.ts';
import { openLines, settlement, settlementLines } from './outcome-lines.ts';
import { pickSentences } from './salience.ts';
import { lengthOf, quoteOf, remarkOf } from './wording.ts';

/** Limits on the words of a quote, and on the speakers listed by name. */
const QUOTE_WORDS = 36;
const LISTED_SPEAKERS = 4;
/** Length limit of an answer that is quoted with its question, words. */
const MAX_ANSWER_WORDS = 20;
/**
 * Number of sentences that open the overview. A larger number, or starting with the frame, scored lower in
 * bench/summary.ts.
 */
const MAIN = 1;
/** Maximum number of speakers of small talk that has no purpose. More of them hold a meeting, whatever they tell. */
const CHATTING = 2;
/** Limit on the phases that the course of the conversation lists. */
const MAX_COURSE = 8;
/** Minimum number of distinct purposes that form a course. */
const ENOUGH_KINDS = 2;

/**
 * A few sentences for a reader in a hurry: the answer to the goal, or the purpose of the conversation and the sentence
 * nearest to the goal; the subject of the conversation; its outcome; its open points and promises.
 * @returns `used`: the spoken sentences that it repeats
 */
export function writeOverview(material: SummaryMaterial): { lines: Spans[]; used: SpokenSentence[] } {
  const { book, language } = material;
  if (material.utterances.length === 0)
    return { lines: [book.note(language.sentences.overview.nothingSaid(), [])], used: [] };
  const unread = unreadAltogether(material.utterances);
  if (unread)
    return { lines: [book.note(language.sentences.overview.unread(unread), []), frame(material, false)], used: [] };
  const { setting, isSmallTalk, speakers } = material;
  const who = setting === 'conversation' || setting === 'single_voice' ? [] : [setting];
  const { told, possible } = material.answers;
  const goal = onGoal(material);
  const shown = told ? [told] : possible;
  const said = shown.flatMap((one) => ('sentence' in one ? [one.sentence] : []));
  const settled = shown.flatMap((one) => ('settled' in one ? [one.settled] : []));
  const isChat = isSmallTalk && speakers.length <= CHATTING;
  const picked = told || isChat ? [] : pickSentences(material.sentences, material.purposeValue, MAIN);
  const main = picked.filter((s) => !said.includes(s));
  const isPurposeUnknown = shown.length + main.length === 0 && !saysPurpose(material);
  const lines = [
    ...who.map((one) => book.note(language.sentences.overview.setting(one), [])),
    ...(told ? goal : []),
    ...main.map((s) => sentenceLine(material, s, QUOTE_WORDS)),
    ...(told ? [] : goal),
    ...(main.length > 0 && saysLittle(material) ? [] : [frame(material, isPurposeUnknown)]),
    ...settlementLines(material, settled),
    ...openLines(material, said),
  ];
  return { lines, used: [...said, ...main] };
}

/** Whether the frame says what the conversation was for, or the conversation is too short to have a purpose. */
function saysPurpose(material: SummaryMaterial): boolean {
  const { phases, duration, language } = material;
  return genreOf(material) !== 'any' || courseOf(phases, language).length > 0 || lengthOf(duration).unit === 's';
}

/** The genre, if the course of the conversation bears it out. A chat about a car that was repaired is no support call. */
function genreOf({ genre, phases, language }: Pick<SummaryMaterial, 'genre' | 'phases' | 'language'>): Genre {
  return genre === 'meeting' || courseOf(phases, language).length > 0 ? genre : 'any';
}

/** A spoken sentence as a line. */
export function sentenceLine(material: SummaryMaterial, s: SpokenSentence, limit: number): Spans {
  const { remarks } = material.language.sentences;
  return material.book.note(remarks.remark(remarkOf(s, limit, material)), material.idsOf(s));
}

/** The other side's immediate answer to a question, if it is short. */
export function answerTo({ sentences, language }: SummaryMaterial, s: SpokenSentence): SpokenSentence | undefined {
  const isAnswer = (a: SpokenSentence): boolean =>
    a.turn === s.turn + s.turns && !a.asks && !isBroken(a.text, language) && !isCutOff(a.text, language);
  const next = s.asks ? sentences.filter(isAnswer) : [];
  const answer = next.find(({ text }) => !language.summaryCues.apology.test(text)) ?? next[0];
  return answer && answer.speaker !== s.speaker && answer.length <= MAX_ANSWER_WORDS ? answer : undefined;
}

/** A spoken sentence as a line, with its answer. */
export function sentenceWithAnswer(material: SummaryMaterial, s: SpokenSentence, limit: number): Spans {
  const { book, idsOf, language } = material;
  const answer = answerTo(material, s);
  if (!answer) return sentenceLine(material, s, limit);
  const question = remarkOf(s, limit, material);
  const line = language.sentences.remarks.answered(question, {
    speaker: answer.speaker,
    quote: quoteOf(answer, limit, material),
  });
  return book.note(line, [...idsOf(s), ...idsOf(answer)]);
}

/** The line on the goal, if there is one. What may answer it is called possible and unsure. */
function onGoal(material: SummaryMaterial): Spans[] {
  const { goal, answers, focus, turns, book, language } = material;
  const { told, possible, isDiscussed } = answers;
  const { overview: say } = language.sentences;
  if (goal === '') return [];
  if (told) {
    const opening = 'settled' in told ? say.settledOnGoal : say.onGoal;
    return [book.note(opening(goal, lineOf(material, told)), told.utterance_ids, { goal })];
  }
  if (possible.length === 0 && !isDiscussed) {
    const isSilent = focus.size > 0 && ![...focus].some((stem) => turns.stemIds.has(stem));
    return isSilent ? [book.note(say.goalNotDiscussed(goal), [], { goal })] : [];
  }
  const lines = possible.map((one) => lineOf(material, one));
  const ids = possible.flatMap(({ utterance_ids }) => utterance_ids);
  return [book.note(say.mayAnswerGoal(goal, lines), ids, { goal })];
}

function lineOf(material: SummaryMaterial, one: GoalCandidate): Spans {
  const { language } = material;
  if ('settled' in one) return settlement(one.settled, language);
  if ('offer' in one) return spansOfMoment(one.offer, language);
  return language.sentences.remarks.remark(remarkOf(one.sentence, QUOTE_WORDS, material));
}

/** Whether the frame would say nothing but who talks for how long. */
function saysLittle(material: SummaryMaterial): boolean {
  const { setting, topics, phases, language } = material;
  const isPlain = setting === 'conversation' && genreOf(material) === 'any' && topics.length === 0;
  return isPlain && courseOf(phases, language).length === 0;
}

/**
 * The genre of conversation, its speakers, its length and its course.
 * @param isPurposeUnknown whether to state that nothing says what the conversation was for
 */
function frame(material: SummaryMaterial, isPurposeUnknown: boolean): Spans {
  const { setting, speakers, topics, duration, utterances, phases, book, language } = material;
  const length = lengthOf(duration);
  const line = language.sentences.overview.frame({
    setting,
    speakers: speakers.length <= LISTED_SPEAKERS ? speakers : speakers.length,
    genre: genreOf(material),
    length,
    topics: topics.map(({ surface }) => surface),
    course: courseOf(phases, language),
    isPurposeUnknown,
  });
  const ids = phases.map(({ from }) => utterances[from]!.utterance_id);
  const measure = { [`duration_${length.unit}`]: length.value };
  const measures = setting === 'unknown' ? measure : { ...measure, speakers: speakers.length };
  return book.note(line, ids.slice(0, MAX_COURSE), measures);
}

/**
 * The purposes of the phases between greeting and farewell, in order and without repetition. None if there are too few
 * to say how the conversation went: topics would say less than they seem to.
 */
function courseOf(phases: readonly Phase[], { sentences }: Language): string[] {
  const kinds = new Set(phases.filter(isMatter).flatMap(({ kind }) => kind ?? []));
  return kinds.size < ENOUGH_KINDS ? [] : [...kinds].slice(0, MAX_COURSE).map(sentences.phases.kind);
}
