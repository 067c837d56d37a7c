import { signal } from '@preact/signals';
import type { Thumb } from '../../conversation/thumbs.ts';

/** The thumbs that were given on shelves, by the id of the moment. A moment that was judged wrong is struck. */
export const thumbs = signal<ReadonlyMap<string, Thumb>>(new Map());

export function keepThumb(moment: string, thumb: Thumb | null): void {
  const after = new Map(thumbs.value);
  if (thumb) after.set(moment, thumb);
  else after.delete(moment);
  thumbs.value = after;
}
