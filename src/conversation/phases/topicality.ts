import { PHASE_KINDS, type PhaseKind } from '../lexicon/phase-kinds.ts';
import type { Boundaries } from '../topics/boundaries.ts';
import { KINDS, type PhaseEvidence } from './phase-evidence.ts';

/** Where the topic changes, and how clearly; see `findBoundaries`. */
export type TopicChanges = Pick<Boundaries, 'starts' | 'gains'>;

// Proposals: set so that calls (docs/examples, data/moments) keep their stages while bench/segmentation.ts holds.

/** Topicality of a conversation whose topics change without clearness and whose words tell no purpose. */
const NEUTRAL = 0.6;
/** Topicality from which a conversation is told by its topics. */
export const TOPICAL_TALK = 0.3;

/** Kinds that any talk has, whether or not it serves a purpose. */
const SOCIAL: ReadonlySet<PhaseKind> = new Set<PhaseKind>(['opening', 'small_talk', 'closing']);
const PURPOSES = PHASE_KINDS.flatMap(({ kind }, k) => (SOCIAL.has(kind) ? [] : [k]));

/**
 * How far a conversation is told by its topics rather than by what its parts are for: how clear its changes of topic
 * are together, less what its words tell of purposes. A call whose every second turn asks, checks or arranges something
 * has stages; a chat has none, and of unrelated dialogues behind each other the joints say more than the stages.
 * @returns log-odds, from 0 for a conversation told by purposes alone; see `TOPICAL_TALK`.
 */
export function topicality({ count, cues }: PhaseEvidence, { starts, gains }: TopicChanges): number {
  const clearness = starts.reduce((sum, start) => sum + Math.max(0, gains[start - 1]!), 0);
  let purposeful = 0;
  for (let i = 0; i < count; i++) {
    let most = 0;
    for (const k of PURPOSES) most = Math.max(most, cues[i * KINDS + k]!);
    purposeful += most;
  }
  return Math.max(0, NEUTRAL + clearness - purposeful / Math.max(1, count));
}
