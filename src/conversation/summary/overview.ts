import type { ConversationPhase, MomentEvent } from '../../contract/findings.ts';
import { NO_TOPIC } from '../phases/topic-words.ts';
import { stem, words } from '../segmentation/tokens.ts';
import type { Material } from './material.ts';
import { pickSentences } from './salience.ts';
import { clean, type Sentence } from './sentences.ts';
import { deed, ended, enumerate, lengthOf, quoted } from './wording.ts';

const GENRE_NAMES = {
  any: '',
  sales: 'Sales conversation: ',
  support: 'Support call: ',
  interview: 'Interview: ',
  meeting: 'Meeting: ',
} as const;
/** Topics named at the start, words of a quote, speakers listed by name. */
const NAMED_TOPICS = 2;
const QUOTE_WORDS = 24;
const ANSWER_WORDS = 14;
const LISTED_SPEAKERS = 4;
/** A longer answer is not told beside its question. */
const MAX_ANSWER_WORDS = 20;
/** Sentences that open the overview; more of them, or the frame first, scored lower in bench:summary. */
const MAIN = 1;
/** Utterances from which the course is told, and phases told of it. */
const LONG_CONVERSATION = 60;
const MAX_COURSE = 8;
/** Sentences on the goal. */
const ON_GOAL = 2;

/** The few sentences a reader with no time reads: goal first, what it was, what was said, how it ended. */
export function writeOverview(material: Material, phases: ConversationPhase[]): { text: string; told: Sentence[] } {
  const { book } = material;
  if (material.utterances.length === 0) return { text: book.note('Nothing was said.', []), told: [] };
  const goal = onGoal(material);
  const main = goal.told.length > 0 ? [] : pickSentences(material.sentences, material.value, MAIN);
  const lines = [
    ...goal.lines,
    ...main.map((s) => tell(material, s, QUOTE_WORDS)),
    frame(material),
    ...course(material, phases),
    ...ending(material),
  ];
  return { text: book.join(lines), told: [...goal.told, ...main] };
}

/** One sentence, said by whom, in quotation marks. */
export function tell(material: Material, s: Sentence, limit: number, lead = ''): string {
  const line = ended(`${lead}${s.speaker} ${deed(s)}: ${quoted(s.text, limit)}`);
  return material.book.note(line, [material.idOf(s)]);
}

/** A sentence, and where it asks, what the other side answered at once. */
export function tellWithAnswer(material: Material, s: Sentence, limit: number): string {
  const answer = s.asks ? material.sentences.find((a) => a.turn === s.turn + 1 && !a.asks) : undefined;
  if (!answer || answer.speaker === s.speaker || answer.length > MAX_ANSWER_WORDS) return tell(material, s, limit);
  const line = ended(
    `${s.speaker} asks: ${quoted(s.text, limit)} ${answer.speaker} answers: ${quoted(answer.text, limit)}`,
  );
  return material.book.note(line, [material.idOf(s), material.idOf(answer)]);
}

function onGoal(material: Material): { lines: string[]; told: Sentence[] } {
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
      const line = tell(material, s, QUOTE_WORDS, i === 0 ? `On “${goal}”: ` : '');
      return book.note(line, [], { goal });
    }),
    told: picked,
  };
}

/** What sort of conversation, between whom, how long, about what. */
function frame({ genre, speakers, topics, duration, utterances, book }: Material): string {
  const length = lengthOf(duration);
  const who =
    speakers.length === 1
      ? `${speakers[0]} alone`
      : speakers.length <= LISTED_SPEAKERS
        ? enumerate(speakers)
        : `${speakers.length} speakers`;
  const named = topics.slice(0, NAMED_TOPICS).map((t) => t.surface);
  const about = named.length > 0 ? ` on ${enumerate(named)}` : '';
  const naming = utterances.filter((u) => {
    const own = u.text.toLowerCase();
    return named.some((n) => own.includes(n));
  });
  return book.note(
    `${GENRE_NAMES[genre]}${who}${about} (${length.text}).`,
    (naming.length > 0 ? naming : utterances).slice(0, 8).map((u) => u.utterance_id),
    { ...length.measure, speakers: speakers.length },
  );
}

/** What a long conversation went through, phase by phase. */
function course({ utterances, book }: Material, phases: ConversationPhase[]): string[] {
  if (utterances.length < LONG_CONVERSATION || phases.length < 3) return [];
  const told = phases.filter((p) => p.theme !== NO_TOPIC).slice(0, MAX_COURSE);
  if (told.length === 0) return [];
  const themes = told.map((p) => enumerate(p.theme.split(', ').slice(0, 2)));
  return [
    book.note(
      `In turn: ${themes.join('; ')}.`,
      told.map((p) => p.start_utterance_id),
    ),
  ];
}

/** What a moment quotes, made readable. */
export const momentQuote = (moment: MomentEvent, limit: number): string => {
  const raw = moment.evidence[0]?.quote ?? '';
  return quoted(clean(raw) || raw.trim().replace(/[.,!]+$/, ''), limit);
};

/** How it ended: the last proposal taken up and the last turned down, or what stays open. */
function ending({ outcomes, book }: Material): string[] {
  const settled = [outcomes.accepted.at(-1), outcomes.rejected.at(-1)]
    .filter((s) => s !== undefined)
    .sort((a, b) => a.answer.start_ms - b.answer.start_ms);
  if (settled.length > 0)
    return settled.map(({ answer, offer }) => {
      const yes = answer.category === 'cta_accepted';
      const line = offer
        ? `${answer.speaker_id} ${yes ? 'agrees to' : 'turns down'} ${possessive(offer.speaker_id)} ${momentQuote(offer, QUOTE_WORDS)} with ${momentQuote(answer, ANSWER_WORDS)}`
        : `${answer.speaker_id} ${yes ? 'agrees' : 'declines'}: ${momentQuote(answer, ANSWER_WORDS)}`;
      return book.note(ended(line), [...answer.utterance_ids, ...(offer?.utterance_ids ?? [])]);
    });
  const open = outcomes.open.at(-1);
  if (open)
    return [
      book.note(
        `${possessive(open.speaker_id)} proposal ${momentQuote(open, QUOTE_WORDS)} stays unanswered.`,
        open.utterance_ids,
      ),
    ];
  const objection = outcomes.standing.at(-1);
  if (objection)
    return [
      book.note(
        ended(`${possessive(objection.speaker_id)} objection stands: ${momentQuote(objection, QUOTE_WORDS)}`),
        objection.utterance_ids,
      ),
    ];
  return [];
}

export const possessive = (name: string): string => `${name}'s`;
