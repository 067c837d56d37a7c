import type { PhaseKind } from '../lexicon/phase-kinds.ts';
import type { TopicWord } from '../topics/topic-words.ts';

/** A phase that wants a name. */
export interface Unnamed {
  /** None where nothing fits. */
  kind: PhaseKind | undefined;
  topics: readonly TopicWord[];
}

/** Share of the first topic's weight from which the second is named with it. */
const SECOND_TOPIC = 0.75;

/** What a stretch is about, in one or two phrases; undefined when nothing stands out. */
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
 * The topic that each phase is named by: where no kind fits, a kind comes twice, or the caller asked for it. Where two
 * are about the same, the later one is named by what it says more.
 * @param focus stems of the caller's context or goal.
 */
export function phaseTopics(phases: readonly Unnamed[], focus: ReadonlySet<string>): (string | undefined)[] {
  const told = new Set<string>();
  return phases.map(({ kind, topics }) => {
    const repeated = phases.filter((other) => other.kind === kind).length > 1;
    const asked = topics[0] !== undefined && focus.has(topics[0].stem);
    if (kind !== undefined && !repeated && !asked) return undefined;
    const candidates = topics.map((topic, from) => (kind === undefined ? aboutOf(topics.slice(from)) : topic.surface));
    const keyOf = (topic: string | undefined): string => `${kind} ${topic?.toLowerCase()}`;
    const topic = candidates.find((candidate) => !told.has(keyOf(candidate))) ?? candidates[0];
    told.add(keyOf(topic));
    return topic;
  });
}
