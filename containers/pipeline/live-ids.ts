import type { MomentEvent, TransitionEvent } from '../../src/contract/findings.ts';
import type { Word } from '../../src/contract/timeline.ts';
import type { TimelineEntry } from '../../src/contract/timeline-entry.ts';

/** The parts of a conversation, or the events that were sent while it was live. */
export interface FoundParts {
  timeline: TimelineEntry[];
  transitions: TransitionEvent[];
  moments: MomentEvent[];
}

/** Findings of a running session have ids of their own, because the final analysis segments the speech again. */
export const liveIdPrefix = (conversationId: string): string => `${conversationId}_live`;

/** Largest time difference between a word of a live session and the same word in the final analysis, s. */
const APART_S = 0.5;

/**
 * The parts of the final analysis, with the ids (`heard_as`) under which the live session sent them. An utterance
 * corresponds to the live utterances that share words with it or, if there are none, to those at the same time. A
 * moment or transition corresponds to the ones of its kind in these utterances.
 */
export function withLiveIds(final: FoundParts, live: FoundParts): FoundParts {
  const timeline = final.timeline.map((entry) => ({ ...entry, heard_as: liveUtterancesOf(entry, live.timeline) }));
  const heardAs = new Map(timeline.map(({ utterance_id, heard_as }) => [utterance_id, heard_as]));
  const liveIds = (ids: readonly string[]) => new Set(ids.flatMap((id) => heardAs.get(id) ?? []));
  return {
    timeline,
    moments: final.moments.map((moment) => {
      const ids = liveIds(moment.utterance_ids);
      const same = live.moments.filter(
        ({ category, utterance_ids }) => category === moment.category && utterance_ids.some((id) => ids.has(id)),
      );
      return { ...moment, heard_as: same.map(({ moment_id }) => moment_id) };
    }),
    transitions: final.transitions.map((transition) => {
      const ids = liveIds(transition.evidence_utterance_ids);
      const same = live.transitions.filter(
        ({ to_state, evidence_utterance_ids }) =>
          to_state === transition.to_state && evidence_utterance_ids.some((id) => ids.has(id)),
      );
      return { ...transition, heard_as: same.map(({ transition_id }) => transition_id) };
    }),
  };
}

/** @param live by start; they can overlap when several people speak */
function liveUtterancesOf(entry: TimelineEntry, live: readonly TimelineEntry[]): string[] {
  const near = live.filter(({ t_start, t_end }) => t_start < entry.t_end && t_end > entry.t_start);
  const sharing = near.filter(({ words }) => shareWord(words, entry.words));
  return (sharing.length > 0 ? sharing : near).map(({ utterance_id }) => utterance_id);
}

const shareWord = (some: readonly Word[], others: readonly Word[]): boolean =>
  some.some((word) =>
    others.some((other) => Math.abs(other.t_start - word.t_start) <= APART_S && bare(other.word) === bare(word.word)),
  );

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');
