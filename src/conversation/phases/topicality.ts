import { PHASE_KINDS, type PhaseKind } from '../lexicon/phase-kinds.ts';
import type { Boundaries } from '../topics/boundaries.ts';
import { KINDS, type PhaseEvidence } from './phase-evidence.ts';

/** The changes of topic and how clear they are. See `findBoundaries`. */
export type TopicChanges = Pick<Boundaries, 'starts' | 'gains'>;

// The constants below are proposals. They are set so that calls (docs/examples, data/moments) keep their phases and
// bench/segmentation.ts does not get worse.

/** Topicality of a conversation with neither clear changes of topic nor words that show a purpose. */
const NEUTRAL = 0.6;
/** Minimum topicality for a conversation to be divided by its topics. */
export const TOPICAL_TALK = 0.3;

/** Kinds that occur in any conversation, whether it has a purpose or not. */
export const SOCIAL: ReadonlySet<PhaseKind> = new Set<PhaseKind>(['opening', 'small_talk', 'closing']);
const PURPOSES = PHASE_KINDS.flatMap(({ kind }, k) => (SOCIAL.has(kind) ? [] : [k]));

/**
 * How far topics, rather than purposes, structure a conversation: the total clarity of its topic changes, minus the
 * evidence of purposes in its words. A call in which every second turn asks, checks or arranges something has phases by
 * purpose. A chat has none, and unrelated dialogues in a row are better divided where they meet.
 * @returns log-odds, which are 0 for a conversation structured by purposes alone; see `TOPICAL_TALK`
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
