import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { capital, clock } from '../../lib/format.ts';
import { speakerClass } from '../../lib/speaker-marks.tsx';
import type { SummaryClaim } from '../model.ts';
import type { PageState } from '../state.ts';
import { ThumbButtons } from '../ThumbButtons.tsx';

/** How many places of a claim are shown before "+n". */
const PLACES = 3;
/** A quote in the service's typographic marks, or a speaker by label or name. */
const partsOf = (labels: readonly string[]): RegExp => {
  const longestFirst = [...labels].sort((a, b) => b.length - a.length).map((label) => RegExp.escape(label));
  return new RegExp(
    `(“[^”]*”)|(?<![\\p{L}\\p{N}_])(?:${[...longestFirst, 'Speaker_\\d+'].join('|')})(?![\\p{L}\\p{N}_])`,
    'gu',
  );
};

/** The service's words, with speakers by name and quotes set off. */
export function Prose({ page, text }: { page: PageState; text: string }) {
  const { labels, names } = page.conversation;
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const match of text.matchAll(partsOf(labels))) {
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    const index = labels.indexOf(match[0]);
    if (match[1]) parts.push(<q key={from}>{match[1]}</q>);
    else
      parts.push(
        <span key={from} class={`nm ${speakerClass(Math.max(0, index))}`}>
          <i />
          {names[index] ?? match[0]}
        </span>,
      );
  }
  parts.push(text.slice(from));
  return <>{parts}</>;
}

/** The times a claim rests on: three, then the rest on demand. */
export function Evidence({ page, lines }: { page: PageState; lines: readonly number[] }) {
  const [isOpen, open] = useState(false);
  const shown = isOpen ? lines : lines.slice(0, PLACES);
  const rest = lines.length - shown.length;
  if (lines.length === 0) return null;
  return (
    <span class="evs">
      {shown.map((index) => {
        const { start } = page.conversation.lines[index]!;
        return (
          <button
            type="button"
            key={index}
            class="ev"
            aria-label={`Evidence at ${clock(start)}`}
            onClick={() => {
              page.tab.value = 'transcript';
              page.goToLine(index);
              page.select(index);
            }}
          >
            {clock(start)}
          </button>
        );
      })}
      {rest > 0 && (
        <button
          type="button"
          class="ev"
          aria-label={`+${rest}, show all ${lines.length} places`}
          onClick={() => open(true)}
        >
          +{rest}
        </button>
      )}
    </span>
  );
}

/** More places than this light nothing in the timeline: they would light all of it. */
const MOST_LIT = 30;
export const highlightEvidence = (page: PageState, lines: readonly number[]) => ({
  onPointerEnter: () => {
    if (lines.length < MOST_LIT) page.evidence.value = lines;
  },
  onPointerLeave: () => {
    page.evidence.value = [];
  },
});

/** One line of the summary, and the seconds it rests on. */
export function ClaimLine({ page, claim }: { page: PageState; claim: SummaryClaim }) {
  return (
    <div class="line" {...highlightEvidence(page, claim.lines)}>
      <span class="tx">
        <Prose page={page} text={capital(claim.text)} />
      </span>{' '}
      <Evidence page={page} lines={claim.lines} />
      {claim.isOfSummary && <ThumbButtons page={page} kind="line" on={claim.text} what={claim.text} />}
    </div>
  );
}
