import type { AnalysisResponse, Job, TimelineEntry } from '../../sdk/wire.ts';

/** Where the utterances begin in the JSON of an analysis, and each next one. No text can hold it: its quotes are escaped. */
const BEGIN = '"timeline":[';
const NEXT = ',{"utterance_id":';
/** Parsed at a time, characters; the first sooner. */
const PIECE = 65_536;
/** Utterances that are told as they come: more than a window holds. */
const FIRST = 20;
/** After so much work the browser may draw and answer, ms. */
const SLICE_MS = 20;

/**
 * Reads an analysis as it comes: the utterances in pieces, and the rest at its end, so that words can be shown before all
 * has come and the page answers meanwhile. What is written otherwise than the service does is parsed when it is whole.
 * @param onWords told the first utterances
 */
export async function parseProgressively(
  response: Response,
  onWords: (entries: readonly TimelineEntry[]) => void,
): Promise<AnalysisResponse | Job> {
  const reader = response.body?.getReader();
  if (!reader) return response.json() as Promise<AnalysisResponse | Job>;
  const decoder = new TextDecoder();
  let head = '';
  let rest = '';
  let entries: TimelineEntry[] = [];
  let isWithin = false;
  let since = performance.now();
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    if (done) break;
    if (head === '') {
      const begin = rest.indexOf(BEGIN) + BEGIN.length;
      if (begin >= BEGIN.length) {
        head = rest.slice(0, begin);
        rest = rest.slice(begin);
        isWithin = parsed(`${head}]}`) !== undefined;
      }
    }
    if (isWithin && (rest.length >= PIECE || entries.length === 0)) {
      const end = rest.lastIndexOf(NEXT);
      const piece = end < 0 ? [] : (parsed(`[${rest.slice(0, end)}]`) as TimelineEntry[] | undefined);
      // No list of utterances any more, or of something else: it waits for the end.
      isWithin = piece !== undefined;
      if (piece && piece.length > 0) {
        const isFirst = entries.length < FIRST;
        entries = entries.concat(piece);
        rest = rest.slice(end + 1);
        if (isFirst) onWords(entries);
      }
    }
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
  const whole = JSON.parse(head + rest) as AnalysisResponse | Job;
  return 'timeline' in whole ? { ...whole, timeline: entries.concat(whole.timeline) } : whole;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
