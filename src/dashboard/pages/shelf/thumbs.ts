import { signal } from '@preact/signals';
import type { Thumb } from '../../conversation/thumbs.ts';

/** The thumbs that were given or taken back since the lists were loaded, by the id of the moment. */
const changed = signal<ReadonlyMap<string, Thumb | null>>(new Map());

/** The thumb of a moment, which says so if it was judged wrong. @param loaded the one that came with the list */
export const thumbOf = (moment: string, loaded: Thumb | undefined): Thumb | undefined => {
  const thumb = changed.value.get(moment);
  return thumb === undefined ? loaded : (thumb ?? undefined);
};

export const keepThumb = (moment: string, thumb: Thumb | null): void => {
  changed.value = new Map(changed.value).set(moment, thumb);
};

/** For lists that were just loaded: they have all thumbs. */
export const forgetThumbs = (): void => {
  changed.value = new Map();
};
