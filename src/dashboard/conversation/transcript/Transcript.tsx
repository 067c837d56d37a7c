import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { memo } from '../../lib/memo.ts';
import type { PageState } from '../state.ts';
import { BarKey } from './BarKey.tsx';
import { Jump, useFollowing } from './following.tsx';
import { useMarks } from './marks.ts';
import { PhaseHead, Row } from './Row.tsx';
import { type Block, type Plan, type TranscriptRows, useRows } from './rows.ts';
import { FilteredOnPaper, Search, TranscriptFilters } from './search.tsx';

/** Minimum duration of a silence that gets its own row, s. */
const SILENCE_S = 2.5;

/** The transcript. All of it is in the page, so that it can be searched, read aloud and printed. */
export function Transcript({ page }: { page: PageState }) {
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useRows(page);
  useMarks(page, rows);
  useFollowing(page, rows, scroll);
  return (
    <section class="col transcript" aria-label="What was said">
      <div class="shd">
        <Search page={page} />
        <TranscriptFilters page={page} />
      </div>
      <FilteredOnPaper page={page} />
      <section
        class={`tx-scroll ${page.filter.value ? 'some' : ''}`}
        ref={scroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        tabIndex={0}
        aria-label="Transcript"
      >
        <BarKey page={page} />
        <Blocks page={page} rows={rows} />
      </section>
      <Jump page={page} rows={rows} scroll={scroll} />
    </section>
  );
}

function Blocks({ page, rows }: { page: PageState; rows: TranscriptRows }) {
  const hidden = page.hidden.value;
  const isSilent = page.player.problem.value !== undefined;
  useEffect(() => {
    rows.made.value = rows.elements.length;
  });
  return (
    <>
      {rows.plan.blocks.slice(0, rows.ready.value).map((block, i) => (
        <BlockOfRows key={i} page={page} hidden={hidden} isSilent={isSilent} rows={rows} block={block} index={i} />
      ))}
    </>
  );
}

interface BlockProps {
  page: PageState;
  hidden: ReadonlySet<number>;
  /** Whether there is no sound to play. */
  isSilent: boolean;
  rows: TranscriptRows;
  block: Block;
  index: number;
}

/**
 * Drawn once. Whatever changes during playback is drawn on top. The phase header is sticky, so it is a separate
 * element.
 */
const BlockOfRows = memo(({ page, hidden, isSilent, rows, block, index }: BlockProps) => (
  <>
    {block.phase && <PhaseHead phase={block.phase} />}
    <div class="rows" style={{ '--rows': block.to - block.from }} ref={(element) => rows.place(index, element)}>
      {page.conversation.lines
        .slice(block.from, block.to)
        .flatMap((_, i) => rowsOf(page, { hidden, isSilent }, rows.plan, block, block.from + i))}
    </div>
  </>
));

function rowsOf(
  page: PageState,
  { hidden, isSilent }: Pick<BlockProps, 'hidden' | 'isSilent'>,
  plan: Plan,
  block: Block,
  index: number,
): readonly ComponentChildren[] {
  const { lines, names } = page.conversation;
  const line = lines[index]!;
  const silence = index > 0 ? line.start - plan.endsBefore[index]! : 0;
  const isAfterSilence = silence >= SILENCE_S;
  const isAfterHead = block.phase !== undefined && index === block.from;
  const isSame = lines[index - 1]?.speaker === line.speaker;
  return [
    isAfterSilence && (
      <div class="gap num" key={`gap${index}`}>
        {silence.toFixed(1)} s of silence
      </div>
    ),
    <Row
      key={line.entry.utterance_id}
      page={page}
      name={names[line.speaker]!}
      line={line}
      isFirst={!isSame || isAfterSilence || isAfterHead}
      signs={plan.signs.get(index) ?? []}
      isToneHidden={hidden.has(line.speaker) || !line.tone}
      isSilent={isSilent}
    />,
  ];
}
