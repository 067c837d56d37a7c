import type { ReadonlySignal } from '@preact/signals';

export type Thumb = 'up' | 'down';
export type ThumbedKind = 'moment' | 'utterance' | 'line';

/** The user's judgements of findings, where they can be given: never on a shared page. */
export interface Thumbs {
  /** Given thumbs by the key of `placeOf`. */
  given: ReadonlySignal<ReadonlyMap<string, Thumb>>;
  /** Undefined removes the thumb. */
  give: (kind: ThumbedKind, on: string, thumb: Thumb | undefined) => void;
}

export const placeOf = (kind: ThumbedKind, on: string): string => `${kind} ${on}`;
