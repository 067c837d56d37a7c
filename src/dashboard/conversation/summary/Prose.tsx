import { useState } from 'preact/hooks';
import type { AnalysisResponse, SentenceSpan } from '../../../sdk/wire.ts';
import { capital, clock } from '../../lib/format.ts';
import { speakerClass } from '../../lib/speaker-marks.tsx';
import { letter } from '../../lib/speaker-names.ts';
import type { SummaryClaim } from '../model.ts';
import type { PageState } from '../state.ts';
import { ThumbButtons } from '../ThumbButtons.tsx';

/** Number of references of a claim that are shown before "+n", and that are printed. */
const PLACES = 3;
const PRINTED_PLACES = 60;

const spansByResult = new WeakMap<AnalysisResponse, ReadonlyMap<string, readonly SentenceSpan[]>>();

/** The spans of a sentence in a result. A sentence that neither names nor quotes anyone is a single text. */
function spansOf(result: AnalysisResponse, text: string): readonly SentenceSpan[] {
  let byText = spansByResult.get(result);
  if (!byText) {
    byText = new Map(result.sentences?.map((spans) => [spans.map(textOf).join(''), spans]));
    spansByResult.set(result, byText);
  }
  return byText.get(text) ?? [{ text }];
}

const textOf = (span: SentenceSpan): string =>
  'text' in span ? span.text : 'speaker' in span ? span.speaker : span.quote;

/**
 * One of the service's sentences, with speakers by name and with quotes highlighted.
 * @param text as it is in the result
 * @param isCapital whether to start it with a capital letter
 */
export function Prose({ page, text, isCapital = false }: { page: PageState; text: string; isCapital?: boolean }) {
  const { labels, names, result } = page.conversation;
  return (
    <>
      {spansOf(result, text).map((span, i) => {
        if ('text' in span) return isCapital && i === 0 ? capital(span.text) : span.text;
        if ('quote' in span) return <q key={i}>{span.quote}</q>;
        const index = labels.indexOf(span.speaker);
        const speaker = Math.max(0, index);
        return (
          <span key={i} class={`nm ${speakerClass(speaker)}`} data-letter={letter(speaker)}>
            {names[index] ?? span.speaker}
          </span>
        );
      })}
    </>
  );
}

/** The times that support a claim. Three are shown, and the rest on demand; paper has up to 60. */
export function Evidence({ page, lines }: { page: PageState; lines: readonly number[] }) {
  const [isOpen, open] = useState(false);
  const shown = isOpen ? lines : lines.slice(0, PLACES);
  const rest = lines.length - shown.length;
  if (lines.length === 0) return null;
  return (
    <span class={isOpen ? 'evs open' : 'evs'}>
      {shown.map((index) => {
        const { start } = page.conversation.lines[index]!;
        return (
          <button
            type="button"
            key={index}
            class="ev"
            aria-label={`Evidence at ${clock(start)}`}
            onClick={(e) => {
              page.tab.value = 'transcript';
              page.hear(start, e);
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
          aria-expanded={false}
          onClick={() => open(true)}
        >
          +{rest}
        </button>
      )}
      {rest > 0 && (
        <span class="paper">
          {lines
            .slice(shown.length, PRINTED_PLACES)
            .map((index) => clock(page.conversation.lines[index]!.start))
            .join(', ')}
          {lines.length > PRINTED_PLACES && ` and ${lines.length - PRINTED_PLACES} more`}
        </span>
      )}
    </span>
  );
}

/** Limit on the references highlighted in the timeline. More would cover all of it, so none is highlighted then. */
const MOST_LIT = 30;
export const highlightEvidence = (page: PageState, lines: readonly number[]) => ({
  onPointerEnter: () => {
    if (lines.length < MOST_LIT) page.evidence.value = lines;
  },
  onPointerLeave: () => {
    page.evidence.value = [];
  },
});

/** One line of the summary, and the seconds that support it. */
export function ClaimLine({ page, claim }: { page: PageState; claim: SummaryClaim }) {
  return (
    <div class="line" {...highlightEvidence(page, claim.lines)}>
      <span class="tx">
        <Prose page={page} text={claim.text} isCapital />
      </span>{' '}
      <Evidence page={page} lines={claim.lines} />
      {claim.isOfSummary && <ThumbButtons page={page} kind="line" on={claim.text} what={claim.text} />}
    </div>
  );
}
