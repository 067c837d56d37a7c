import type { ReadonlySignal } from '@preact/signals';

export type Thumb = 'up' | 'down';
export type ThumbedKind = 'moment' | 'utterance' | 'line';

/** What people say of what was found, where it may be said: never in the page behind a shared link. */
export interface Thumbs {
  /** By `placeOf` what a thumb lies on. */
  given: ReadonlySignal<ReadonlyMap<string, Thumb>>;
  /** Undefined takes it back. */
  give: (kind: ThumbedKind, on: string, thumb: Thumb | undefined) => void;
}

export const placeOf = (kind: ThumbedKind, on: string): string => `${kind} ${on}`;
