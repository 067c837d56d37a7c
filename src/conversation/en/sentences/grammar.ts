import { joined, type Quote, type Spans, say } from '../../sentences/spans.ts';

/** 'a', 'a and b', 'a, b and c'. */
export function enumerate(parts: readonly (string | Spans)[]): Spans {
  if (parts.length < 2) return joined(parts);
  return joined([joined(parts.slice(0, -1), ', '), ' and ', parts.at(-1)!]);
}

/** A list of speakers' names. */
export const enumerateSpeakers = (speakers: readonly string[]): Spans =>
  enumerate(speakers.map((speaker) => [{ speaker }]));

export const quoted = (quote: Quote | Spans): Spans => say`“${quote}”`;

/** A sentence with a full stop, unless it ends with a quoted question. */
export function ended(spans: Spans): Spans {
  const [quote, mark] = spans.slice(-2);
  const endsInQuestion = mark && 'text' in mark && mark.text === '”' && quote && 'quote' in quote;
  return endsInQuestion && quote.quote.endsWith('?') ? spans : say`${spans}.`;
}

/** Capitalises the first letter, as in a title. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
