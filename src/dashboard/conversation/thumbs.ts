import type { ReadonlySignal } from '@preact/signals';

export type Thumb = 'up' | 'down';
export type ThumbedKind = 'moment' | 'utterance' | 'line';

/** The user's judgements of findings. They can be given in some places, but never on a shared page. */
export interface Thumbs {
  /** The given thumbs, by the key from `placeOf`. */
  given: ReadonlySignal<ReadonlyMap<string, Thumb>>;
  /** Pass undefined to remove the thumb. */
  give: (kind: ThumbedKind, on: string, thumb: Thumb | undefined) => void;
}

export const placeOf = (kind: ThumbedKind, on: string): string => `${kind} ${on}`;
