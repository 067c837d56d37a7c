import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import type { ConversationView, Pin, ShownPhase } from '../model.ts';
import type { PageState } from '../state.ts';

/** Number of rows in a block. Rows are created in blocks, so that the browser can skip drawing those out of view. */
const BLOCK = 10;
/** Number of blocks created at a time while the browser is idle. */
const AT_ONCE = 6;

/** Consecutive rows under the header of one phase. */
export interface Block {
  from: number;
  to: number;
  /** The phase that begins with it. */
  phase: ShownPhase | undefined;
}

/** The facts about its neighbours that a row needs. */
export interface Plan {
  blocks: readonly Block[];
  signs: ReadonlyMap<number, readonly Pin[]>;
  /** For each line, the time at which all earlier lines have ended. */
  endsBefore: readonly number[];
}

function planOf({ lines, signs, phases }: ConversationView): Plan {
  const phaseAt = new Map(phases.map((phase) => [phase.firstLine, phase]));
  const blocks: Block[] = [];
  let last: Block | undefined;
  let end = 0;
  const endsBefore = lines.map((line) => {
    const phase = phaseAt.get(line.index);
    if (!last || phase || line.index - last.from >= BLOCK) {
      last = { from: line.index, to: line.index, phase };
      blocks.push(last);
    }
    last.to = line.index + 1;
    const before = end;
    end = Math.max(end, line.end);
    return before;
  });
  return { blocks, signs: Map.groupBy(signs, ({ line }) => line), endsBefore };
}

/** The rows in the page, which are created block by block. */
export interface TranscriptRows {
  plan: Plan;
  /** Number of blocks to create. */
  ready: Signal<number>;
  /** Number of lines that have a row. */
  made: Signal<number>;
  /** The row of each line that has one. */
  elements: HTMLElement[];
  /** The block elements, in order. */
  blocks: HTMLElement[];
  place: (block: number, element: HTMLElement | null) => void;
}

export const whenIdle: (work: () => void) => void =
  typeof requestIdleCallback === 'function' ? (work) => requestIdleCallback(work) : (work) => setTimeout(work, 30);

/**
 * Creates the first rows immediately and the others while the browser is idle. A request for a later row creates all
 * rows up to it.
 */
export function useRows(page: PageState): TranscriptRows {
  const ready = useSignal(1);
  const made = useSignal(0);
  const rows = useMemo<TranscriptRows>(() => {
    const elements: HTMLElement[] = [];
    const blocks: HTMLElement[] = [];
    return {
      ...{ plan: planOf(page.conversation), ready, made, elements, blocks },
      place(block, element) {
        if (!element || blocks[block] === element) return;
        blocks[block] = element;
        for (const row of element.querySelectorAll<HTMLElement>('.u')) elements[Number(row.dataset.line)] = row;
      },
    };
  }, [page]);
  const { blocks } = rows.plan;
  useEffect(() => {
    let isGone = false;
    const grow = (): void => {
      if (isGone || ready.peek() >= blocks.length) return;
      ready.value = Math.min(blocks.length, ready.peek() + AT_ONCE);
      whenIdle(grow);
    };
    whenIdle(grow);
    return () => {
      isGone = true;
    };
  }, [rows]);
  // Printing needs all rows.
  useLayoutEffect(() => {
    const growWhole = (): void => {
      ready.value = blocks.length;
    };
    addEventListener('beforeprint', growWhole);
    return () => removeEventListener('beforeprint', growWhole);
  }, [rows]);
  useSignalEffect(() => {
    const line = page.wanted.value?.line ?? 0;
    const block = blocks.findIndex(({ to }) => line < to);
    if (block >= ready.peek()) ready.value = Math.min(blocks.length, block + 3);
  });
  return rows;
}
