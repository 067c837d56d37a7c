import type { ReadonlySignal } from '@preact/signals';

export type Thumb = 'up' | 'down';
export type ThumbedKind = 'moment' | 'utterance' | 'line';

/**
 * The user's ratings of findings. Whether findings can be rated depends on the page; on a shared page they never can.
 */
export interface Thumbs {
  /** The ratings given so far, by the key from `placeOf`. */
  given: ReadonlySignal<ReadonlyMap<string, Thumb>>;
  /** Pass undefined to remove the rating. */
  give: (kind: ThumbedKind, on: string, thumb: Thumb | undefined) => void;
}

export const placeOf = (kind: ThumbedKind, on: string): string => `${kind} ${on}`;
