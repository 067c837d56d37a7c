import type { Utterance } from '../../../contract/timeline.ts';
import { type Edited, labelOf } from './edited.ts';

/** Resolution at which speech of two analyses is compared, in parts of a second. */
const PARTS = 10;
/** Share of the speech of either speaker that must be the other's, for the two to be the same person. */
const SAME = 0.7;

type Spoken = Pick<Utterance, 'utterance_id' | 'speaker' | 't_start' | 't_end'>;

/**
 * The people of a conversation after another analysis, whose labels may be others. A person is kept where most of what
 * the speaker said is now one speaker's, and the other way round.
 */
export function carriedPeople(
  edited: Edited,
  before: readonly Spoken[],
  after: readonly Spoken[],
): Record<string, string> {
  const labels = [...new Set(after.map(({ speaker }) => speaker))];
  const end = after.reduce((last, { t_end }) => Math.max(last, t_end), 0);
  /** The speaker of each part of the recording, counted from 1. */
  const speakers = new Uint8Array(Math.ceil(end * PARTS) + 1);
  for (const { speaker, t_start, t_end } of after)
    speakers.fill(labels.indexOf(speaker) + 1, Math.round(t_start * PARTS), Math.round(t_end * PARTS));
  const spoken = new Uint32Array(labels.length + 1);
  for (const one of speakers) spoken[one]!++;
  const shared = new Map<string, Uint32Array>();
  for (const { utterance_id, speaker, t_start, t_end } of before) {
    const label = labelOf(edited, utterance_id, speaker);
    if (!edited.people.has(label)) continue;
    const counts = shared.get(label) ?? new Uint32Array(labels.length + 1);
    for (let part = Math.round(t_start * PARTS); part < Math.round(t_end * PARTS); part++)
      counts[speakers[part] ?? 0]!++;
    shared.set(label, counts);
  }
  const carried: Record<string, string> = {};
  for (const [label, counts] of shared) {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const same = labels.find((_, i) => counts[i + 1]! >= SAME * total && counts[i + 1]! >= SAME * spoken[i + 1]!);
    const id = edited.people.get(label);
    if (total > 0 && same !== undefined && id !== undefined) carried[same] = id;
  }
  return carried;
}
