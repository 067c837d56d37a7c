import type { Language } from '../language.ts';
import { isMatter, type Phase } from '../phases/phases.ts';
import type { Spans } from '../sentences/spans.ts';
import { isBroken, isCutOff } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { unreadAltogether } from '../unread.ts';
import type { SummaryMaterial } from './material.ts';
import { openLines, settlementLines } from './outcome-lines.ts';
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
  if (unread) return { lines: [book.note(language.sentences.overview.unread(unread), []), frame(material)], used: [] };
  const { setting, isSmallTalk, speakers } = material;
  const who = setting === 'conversation' || setting === 'single_voice' ? [] : [setting];
  // The outcome of a proposal answers a question for outcomes better than the nearest sentence.
  const isSettled = !material.answer?.isSure && language.summaryCues.asksOutcome.test(material.goal);
  const settled = settlementLines(material, isSettled ? material.goal : '');
  const isAnswered = material.answer?.isSure === true || (isSettled && settled.length > 0);
  const isByOutcome = isAnswered && !material.answer?.isSure;
  const goal = isByOutcome ? { lines: [], used: [] } : onGoal(material);
  const isChat = isSmallTalk && speakers.length <= CHATTING;
  const picked = isAnswered || isChat ? [] : pickSentences(material.sentences, material.purposeValue, MAIN);
  const main = picked.filter((s) => !goal.used.includes(s));
  const lines = [
    ...who.map((one) => book.note(language.sentences.overview.setting(one), [])),
    ...(isByOutcome ? settled : isAnswered ? goal.lines : []),
    ...main.map((s) => sentenceLine(material, s, QUOTE_WORDS)),
    ...(isByOutcome || goal.lines.length + main.length > 0 || saysPurpose(material) ? [] : [purposeUnknown(material)]),
    ...(isAnswered ? [] : goal.lines),
    ...(main.length > 0 && saysLittle(material) ? [] : [frame(material)]),
    ...(isByOutcome ? [] : settled),
    ...openLines(material),
  ];
  return { lines, used: [...goal.used, ...main] };
}

/** Whether the frame says what the conversation was for, or the conversation is too short to have a purpose. */
function saysPurpose({ genre, phases, duration, language }: SummaryMaterial): boolean {
  return genre !== 'any' || courseOf(phases, language).length > 0 || lengthOf(duration).unit === 's';
}

/** States that nothing says what the conversation was for. */
function purposeUnknown({ utterances, book, language }: SummaryMaterial): Spans {
  return book.note(
    language.sentences.overview.purposeUnknown(),
    utterances.slice(0, 1).map((u) => u.utterance_id),
  );
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

/** The line on the goal. An uncertain answer is called the nearest sentence. */
function onGoal(material: SummaryMaterial): { lines: Spans[]; used: SpokenSentence[] } {
  const { goal, focus, turns, answer, book, idsOf, language } = material;
  const { overview: say, remarks } = language.sentences;
  if (!answer) {
    const isSilent = focus.size > 0 && ![...focus].some((stem) => turns.stemIds.has(stem));
    return { lines: isSilent ? [book.note(say.goalNotDiscussed(goal), [], { goal })] : [], used: [] };
  }
  const opening = answer.isSure ? say.onGoal : say.nearestToGoal;
  const remark = remarks.remark(remarkOf(answer.sentence, QUOTE_WORDS, material));
  return { lines: [book.note(opening(goal, remark), idsOf(answer.sentence), { goal })], used: [answer.sentence] };
}

/** Whether the frame would say nothing but who talks for how long. */
function saysLittle({ setting, genre, topics, phases, language }: SummaryMaterial): boolean {
  const isPlain = setting === 'conversation' && genre === 'any' && topics.length === 0;
  return isPlain && courseOf(phases, language).length === 0;
}

/** The genre of conversation, its speakers, its length and its course. */
function frame(material: SummaryMaterial): Spans {
  const { setting, genre, speakers, topics, duration, utterances, phases, book, language } = material;
  const length = lengthOf(duration);
  const line = language.sentences.overview.frame({
    setting,
    speakers: speakers.length <= LISTED_SPEAKERS ? speakers : speakers.length,
    genre,
    length,
    topics: topics.map(({ surface }) => surface),
    course: courseOf(phases, language),
  });
  const ids = phases.map(({ from }) => utterances[from]!.utterance_id);
  const measure = { [length.unit === 's' ? 'duration_s' : 'duration_min']: length.value };
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
