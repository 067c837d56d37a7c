import { type MomentEvent, momentCategory } from '../../contract/findings.ts';

/** Characters of evidence that a moment's sentence quotes. */
const QUOTE_CHARS = 110;

/** A moment with the sentence that tells it. */
export function describeMoment(found: Omit<MomentEvent, 'summary'>): MomentEvent {
  const { moment_id, category, speaker_id, start_ms, end_ms, utterance_ids, ...rest } = found;
  const { labels, evidence } = rest;
  const { verb, hasGrounds } = momentCategory(category);
  const about = hasGrounds && labels.length > 0 ? ` (${labels.join(', ')})` : '';
  const summary = `${speaker_id} ${verb}${about}: "${shortened(evidence[0]?.quote ?? '')}"`;
  return { moment_id, category, speaker_id, start_ms, end_ms, utterance_ids, summary, ...rest };
}

const shortened = (quote: string): string =>
  quote.length <= QUOTE_CHARS ? quote : `${quote.slice(0, QUOTE_CHARS).replace(/(?<!\s)\s+\S*$/, '')}...`;
