import type { AnalysisResponse, Job, TimelineEntry } from '../../sdk/wire.ts';

/**
 * Marks the start of each utterance in the JSON of an analysis. It cannot occur within a text, where quotes are
 * escaped.
 */
const BEGIN = '"timeline":[';
const NEXT = ',{"utterance_id":';
/** Number of characters parsed at a time. The first piece is smaller. */
const PIECE = 65_536;
/** Number of utterances announced early: more than fit into a window. */
const FIRST = 20;
/** Time after which parsing pauses so that the browser can draw and respond, ms. */
const SLICE_MS = 20;

/**
 * Parses an analysis as it arrives. The utterances are parsed in pieces and the rest at the end, so that words appear
 * early and the page stays responsive. JSON with a different layout is parsed once it is complete.
 * @param onWords receives the first utterances
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
      // The list of utterances has ended, or this is a different list. The rest is parsed at the end.
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
