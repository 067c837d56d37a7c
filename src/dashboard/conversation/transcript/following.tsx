import { useComputed, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { clamp } from '../../lib/format.ts';
import { Icon } from '../../lib/icons.tsx';
import type { PageState } from '../state.ts';
import { type TranscriptRows, whenIdle } from './rows.ts';

type Ref<T> = { current: T };
type Scroll = Ref<HTMLDivElement | null>;

const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
/** Distance beyond which the text jumps instead of scrolling smoothly, px. */
const FAR_PX = 2400;
const TRIES = 4;

/** The box that scrolls the rows: their own, or the page on a low phone. */
function boxOf({ current: own }: Scroll): HTMLElement | null {
  return own && getComputedStyle(own).overflowY === 'visible' ? own.closest<HTMLElement>('.conv') : own;
}

/** Position of a row in the scrolling box, px from the top of the part that nothing covers. */
function placeOf(row: HTMLElement, box: HTMLElement): { top: number; bottom: number; height: number } {
  const frame = box.getBoundingClientRect();
  const { top, bottom } = row.getBoundingClientRect();
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(box);
  const above = Number.parseFloat(scrollPaddingTop) || 0;
  const start = frame.top + above;
  const covered = above + (Number.parseFloat(scrollPaddingBottom) || 0);
  return { top: top - start, bottom: bottom - start, height: frame.height - covered };
}

/** Keeps the current or requested line in view. */
export function useFollowing(page: PageState, rows: TranscriptRows, scroll: Scroll): void {
  const bring = (index: number, tries = TRIES): void => {
    const row = rows.elements[index];
    const box = boxOf(scroll);
    if (!row || !box) return;
    const { top, bottom, height } = placeOf(row, box);
    const isThere = tries < TRIES && top >= 0 && bottom <= height;
    if (tries === 0 || isThere) return;
    const by = clamp(box.scrollTop + top - height / 3, 0, box.scrollHeight - box.clientHeight) - box.scrollTop;
    const jumps = isCalm.matches || tries < TRIES || Math.abs(by) > FAR_PX;
    // At either end nothing scrolls, so no `scrollend` event would follow.
    if (Math.abs(by) >= 1) {
      // Until that event arrives, it is the page that scrolls, not the reader.
      box.dataset.glides = '';
      box.addEventListener('scrollend', () => delete box.dataset.glides, { once: true });
      box.scrollBy({ top: by, behavior: jumps ? 'auto' : 'smooth' });
    }
    // Rows get their true height only when they become visible, so the target may have moved.
    if (jumps) requestAnimationFrame(() => bring(index, tries - 1));
  };
  useSignalEffect(() => {
    const { value } = page.wanted;
    // The row may not exist yet.
    if (value) requestAnimationFrame(() => bring(value.line));
  });
  useSignalEffect(() => {
    const index = page.player.spoken.value;
    const row = rows.elements[index];
    const box = boxOf(scroll);
    if (!row || !box || !page.follows.peek() || !page.player.isPlaying.peek()) return;
    const { top, bottom, height } = placeOf(row, box);
    if (top < 40 || bottom > height - 60) bring(index);
  });
}

/** Following pauses when the current line is scrolled out of view. This button resumes it. */
export function Jump({ page, rows, scroll }: { page: PageState; rows: TranscriptRows; scroll: Scroll }) {
  const direction = useComputed(() => {
    const row = rows.elements[page.player.spoken.value];
    const box = boxOf(scroll);
    if (!page.player.isPlaying.value || page.follows.value || !row || !box) return undefined;
    const { top, bottom, height } = placeOf(row, box);
    if (bottom >= 0 && top <= height) return undefined;
    return top < 0 ? 'upward' : 'down';
  });
  useEffect(() => {
    const own = scroll.current!;
    const boxes = [own, own.closest<HTMLElement>('.conv')!];
    const look = (): void => {
      // Applies during silences, too, because the next line must not pull the reader back.
      const row = rows.elements[Math.max(0, page.player.current.peek())];
      const box = boxOf(scroll);
      // The last scroll event may arrive after the page has been left.
      if (!row || !box || !page.follows.peek()) return;
      const { top, height } = placeOf(row, box);
      if (top < 0 || top > height) page.follows.value = false;
    };
    // Measuring a row that is out of view forces its layout, which can wait while nothing plays.
    const scrolls = (): void => {
      if (page.player.isPlaying.peek() && !boxes.some((box) => 'glides' in box.dataset)) look();
    };
    const rests = (): void => whenIdle(look);
    for (const box of boxes) {
      box.addEventListener('scroll', scrolls, { passive: true });
      box.addEventListener('scrollend', rests);
    }
    return () => {
      for (const box of boxes) {
        box.removeEventListener('scroll', scrolls);
        box.removeEventListener('scrollend', rests);
      }
    };
  }, [page, rows, scroll]);
  if (!direction.value) return null;
  return (
    <button
      type="button"
      class="btn sm jump"
      onClick={() => {
        page.follows.value = true;
        page.show(page.player.current.peek());
      }}
    >
      <Icon name={direction.value} size={14} /> Back to what is playing
    </button>
  );
}
