import type { PhaseKind } from '../lexicon/phase-kinds.ts';
import type { TopicWord } from '../topics/topic-words.ts';

/** A phase that needs a name. */
export interface Unnamed {
  /** Undefined when no kind fits. */
  kind: PhaseKind | undefined;
  topics: readonly TopicWord[];
}

/** Limit on the topics in one name. */
const NAMED = 3;
/** A further topic is also named if its weight is at least this fraction of the first topic's. */
const FURTHER_TOPIC = 0.6;

/** Minimum mentions of a word or a phrase for it to be a topic, in a short and in a long conversation. */
const MENTIONS = 2;
const LONG_TALK_MENTIONS = 3;
/** Number of utterances of a long conversation. */
const LONG_TALK = 30;
/** Minimum share of a phase from the first to the last mention of its topic. Others name it only where none lasts. */
const SPAN = 0.25;
/** Maximum place in a phase at which a phrase that is mentioned once names it, 0 to 1. */
const AT_ITS_HEAD = 0.34;

/** Minimum mentions of a topic of a phase, in a conversation of `utterances` utterances. */
export const mentionsNeeded = (utterances: number): number => (utterances < LONG_TALK ? MENTIONS : LONG_TALK_MENTIONS);

/**
 * Minimum mentions of the topics in a name: this many in 100 words and, in a part of n hundred words, this many times
 * the root of n, so that a few mentions in a short part are no accident. Strict readers found .68 of the names above
 * both right, and .32 of the others.
 */
const DENSITY = 1;
const BEYOND_CHANCE = 2;

/**
 * Whether topics are mentioned often enough to be what a part is about.
 * @param least mentions in 100 words
 */
export function isDense(topics: readonly Pick<TopicWord, 'mentions' | 'density'>[], least = DENSITY): boolean {
  const density = topics.reduce((sum, topic) => sum + topic.density, 0);
  const mentions = topics.reduce((sum, topic) => sum + topic.mentions, 0);
  return density >= least && density * mentions >= BEYOND_CHANCE ** 2;
}

/** Whether a topic of a short conversation is a phrase with which a phase begins. One mention of it suffices. */
const isPhraseAtHead = ({ surface, first }: TopicWord): boolean => surface.includes(' ') && first <= AT_ITS_HEAD;

/**
 * The topics that together say what a part is about: the first, and those of similar weight. A single word rarely covers
 * a long part.
 */
export function mainTopics([first, ...others]: readonly TopicWord[], mentions = MENTIONS): TopicWord[] {
  if (!first) return [];
  const named = [first];
  const used = new Set(first.surface.toLowerCase().split(' '));
  for (const topic of others) {
    if (named.length === NAMED) break;
    const own = topic.surface.toLowerCase().split(' ');
    const isFurther = topic.mentions >= mentions && topic.score >= FURTHER_TOPIC * first.score;
    if (!isFurther || own.some((word) => used.has(word))) continue;
    named.push(topic);
    for (const word of own) used.add(word);
  }
  return named;
}

/** The subject of a part in a few phrases. Undefined when no topic is mentioned often enough to be it. */
function aboutOf(
  topics: readonly TopicWord[],
  focus: ReadonlySet<string>,
  isSure: (topics: readonly TopicWord[]) => boolean,
): string | undefined {
  const named = mainTopics(topics, Math.min(MENTIONS, topics[0]?.mentions ?? 0));
  const isNameable = isSure(named) || named.some(({ stem }) => focus.has(stem));
  return named.length > 0 && isNameable ? named.map(({ surface }) => surface).join(', ') : undefined;
}

/**
 * The topic in the name of each phase that has no kind, shares its kind with another phase, or matches the caller's
 * request. If two phases have the same topics, the later is named by the topics that it adds.
 * @param focus stems of the caller's context or goal
 * @param mentions minimum mentions of a topic
 * @param isSure whether topics are mentioned often enough to be named
 */
export function phaseTopics(
  phases: readonly Unnamed[],
  focus: ReadonlySet<string>,
  mentions: number = MENTIONS,
  isSure: (topics: readonly TopicWord[]) => boolean = isDense,
): (string | undefined)[] {
  const used = new Set<string>();
  return phases.map(({ kind, topics: all }) => {
    const frequent = all.filter((topic) => topic.mentions >= mentions || focus.has(topic.stem));
    const lasting = frequent.filter(({ stem, first, last }) => focus.has(stem) || last - first >= SPAN);
    const isShortTalk = mentions === MENTIONS;
    const topics =
      [lasting, frequent, isShortTalk ? all.filter(isPhraseAtHead) : []].find((own) => own.length > 0) ?? [];
    const repeated = phases.filter((other) => other.kind === kind).length > 1;
    const asked = topics[0] !== undefined && focus.has(topics[0].stem);
    if (kind !== undefined && !repeated && !asked) return undefined;
    const candidates = topics.map((topic, from) =>
      kind === undefined ? aboutOf(topics.slice(from), focus, isSure) : topic.surface,
    );
    const keyOf = (topic: string | undefined): string => `${kind} ${topic?.toLowerCase()}`;
    if (candidates[0] === undefined) return undefined;
    const topic = candidates.find((candidate) => candidate && !used.has(keyOf(candidate))) ?? candidates[0];
    used.add(keyOf(topic));
    return topic;
  });
}
