import { APOLOGY } from '../lexicon/en/summary-cues.ts';
import { isMatter, type Phase } from '../phases/phases.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { stem, words } from '../text/tokens.ts';
import type { SummaryMaterial } from './material.ts';
import { cameOf, leftOpen } from './outcome-lines.ts';
import { KIND_NAMES } from './phase-names.ts';
import { pickSentences } from './salience.ts';
import { enumerate, lengthOf, note, otherOf, quoted } from './wording.ts';

const GENRE_NAMES = {
  sales: 'a sales conversation',
  support: 'a support call',
  interview: 'an interview',
  meeting: 'a meeting',
} as const;
/** Topics named at the start, words of a quote, speakers listed by name. */
const NAMED_TOPICS = 2;
const QUOTE_WORDS = 24;
const LISTED_SPEAKERS = 4;
/** A longer answer is not told beside its question. */
const MAX_ANSWER_WORDS = 20;
/** Sentences that open the overview; more of them, or the frame first, scored lower in bench/summary.ts. */
const MAIN = 1;
/** Phases told of the course. */
const MAX_COURSE = 8;
/** Phases with a purpose from which the topics of the others are left out of the course. */
const ENOUGH_KINDS = 2;
/** Phases from which topics are a course. */
const ENOUGH_TOPICS = 3;
/** Sentences on the goal. */
const ON_GOAL = 2;

/**
 * The few sentences a reader with no time reads: on the goal; what was wanted and what the conversation is about; what came of
 * it; what is left open and who owes what.
 */
export function writeOverview(material: SummaryMaterial): { lines: string[]; told: SpokenSentence[] } {
  const { book } = material;
  if (material.utterances.length === 0) return { lines: [book.note('Nothing was said.', [])], told: [] };
  const goal = onGoal(material);
  const main = goal.told.length > 0 ? [] : pickSentences(material.sentences, material.purport, MAIN);
  const lines = [
    ...goal.lines,
    ...main.map((s) => sentenceLine(material, s, QUOTE_WORDS)),
    frame(material),
    ...cameOf(material),
    ...leftOpen(material),
  ];
  return { lines, told: [...goal.told, ...main] };
}

/** One sentence as a note has it. */
export function sentenceLine(material: SummaryMaterial, s: SpokenSentence, limit: number, lead = ''): string {
  const line = lead + note(s, limit, otherOf(s.speaker, material.speakers));
  return material.book.note(line, [material.idOf(s)]);
}

/** What the other side answered a question at once, if that is short. */
export function answerTo({ sentences }: SummaryMaterial, s: SpokenSentence): SpokenSentence | undefined {
  const said = s.asks ? sentences.filter((a) => a.turn === s.turn + 1 && !a.asks) : [];
  const answer = said.find(({ text }) => !APOLOGY.test(text)) ?? said[0];
  return answer && answer.speaker !== s.speaker && answer.length <= MAX_ANSWER_WORDS ? answer : undefined;
}

/** A sentence, with what answers it. */
export function sentenceWithAnswer(material: SummaryMaterial, s: SpokenSentence, limit: number): string {
  const answer = answerTo(material, s);
  if (!answer) return sentenceLine(material, s, limit);
  const asked = note(s, limit, otherOf(s.speaker, material.speakers));
  const quote = quoted(answer.text, limit);
  const line = asked.endsWith('.')
    ? `${asked.slice(0, -1)}; the answer: ${quote}.`
    : `${asked} ${answer.speaker} answers: ${quote}.`;
  return material.book.note(line, [material.idOf(s), material.idOf(answer)]);
}

function onGoal(material: SummaryMaterial): { lines: string[]; told: SpokenSentence[] } {
  const { goal, focus, sentences, value, book } = material;
  if (focus.size === 0) return { lines: [], told: [] };
  const touching = sentences.filter((s) => words(s.text).some((w) => focus.has(stem(w))));
  if (touching.length === 0)
    return { lines: [book.note(`No one speaks of what was asked for (“${goal}”).`, [], { goal })], told: [] };
  const worth = new Map(sentences.map((s, i) => [s, value[i]!]));
  const told = pickSentences(
    touching,
    Float64Array.from(touching, (s) => worth.get(s)!),
    ON_GOAL,
  );
  const picked = told.length > 0 ? told : touching.slice(0, 1);
  return {
    lines: picked.map((s, i) => {
      const line = sentenceLine(material, s, QUOTE_WORDS, i === 0 ? `On “${goal}”: ` : '');
      return book.note(line, [], { goal });
    }),
    told: picked,
  };
}

/** What sort of conversation, between whom, how long, and what it went through. */
function frame({ genre, speakers, topics, duration, utterances, phases: purposes, book }: SummaryMaterial): string {
  const length = lengthOf(duration);
  const several = speakers.length <= LISTED_SPEAKERS ? enumerate(speakers) : `${speakers.length} speakers`;
  const who = speakers.length === 1 ? `${speakers[0]} speaks alone` : `${several} talk`;
  const course = courseOf(purposes);
  const named = topics.slice(0, NAMED_TOPICS).map((t) => t.surface);
  const about = named.length > 0 ? ` about ${enumerate(named)}` : '';
  const sort = genre === 'any' ? `for ${length.text}` : `in ${GENRE_NAMES[genre]} of ${length.text}`;
  const line = `${who}${about} ${sort}${course.length > 0 ? `: ${sequence(course)}` : ''}.`;
  const ids = purposes.map(({ from }) => utterances[from]!.utterance_id);
  return book.note(line, ids.slice(0, MAX_COURSE), { ...length.measure, speakers: speakers.length });
}

/** What the phases between greeting and farewell were for, in order, each once; topics where few were for anything. */
function courseOf(purposes: readonly Phase[]): string[] {
  const inner = purposes.filter(isMatter);
  const kinds = new Set(inner.flatMap(({ kind }) => kind ?? []));
  const withTopics = kinds.size < ENOUGH_KINDS && inner.length >= ENOUGH_TOPICS;
  const told = inner.flatMap(({ kind, topic }) => {
    if (kind) return [KIND_NAMES[kind].toLowerCase()];
    return withTopics && topic ? [topic] : [];
  });
  return [...new Set(told)].slice(0, MAX_COURSE);
}

/** 'a', 'a, then b', 'a, then b, c and d'. */
const sequence = ([first = '', ...rest]: string[]): string =>
  rest.length === 0 ? first : `${first}, then ${enumerate(rest)}`;
