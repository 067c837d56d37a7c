import type { PhaseKind } from '../lexicon/phase-kinds.ts';
import type { TopicWord } from '../topics/topic-words.ts';

/** A phase that needs a name. */
export interface Unnamed {
  /** Undefined when no kind fits. */
  kind: PhaseKind | undefined;
  topics: readonly TopicWord[];
}

/** The second topic is also named if its weight is at least this fraction of the first topic's. */
const SECOND_TOPIC = 0.75;

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

/** Whether a topic of a short conversation is a phrase with which a phase begins. One mention of it suffices. */
const isPhraseAtHead = ({ surface, first }: TopicWord): boolean => surface.includes(' ') && first <= AT_ITS_HEAD;

/** The subject of a part in one or two phrases. Undefined when no topic stands out. */
function aboutOf([first, second]: readonly TopicWord[]): string | undefined {
  if (!first) return undefined;
  const pair =
    second !== undefined &&
    first.mentions > 1 &&
    second.mentions > 1 &&
    second.score > SECOND_TOPIC * first.score &&
    !`${first.surface} ${second.surface}`.includes(' ', first.surface.length + 1);
  return pair ? `${first.surface} and ${second.surface}` : first.surface;
}

/**
 * The topic in the name of each phase that has no kind, shares its kind with another phase, or matches the caller's
 * request. If two phases have the same topics, the later is named by the topics that it adds.
 * @param focus stems of the caller's context or goal
 * @param mentions minimum mentions of a topic
 */
export function phaseTopics(
  phases: readonly Unnamed[],
  focus: ReadonlySet<string>,
  mentions: number = MENTIONS,
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
    const candidates = topics.map((topic, from) => (kind === undefined ? aboutOf(topics.slice(from)) : topic.surface));
    const keyOf = (topic: string | undefined): string => `${kind} ${topic?.toLowerCase()}`;
    const topic = candidates.find((candidate) => !used.has(keyOf(candidate))) ?? candidates[0];
    used.add(keyOf(topic));
    return topic;
  });
}
