import type { SentenceSpan } from '../../contract/findings.ts';

/** A sentence of the service, or part of one. */
export type Spans = SentenceSpan[];

/** The quoted words of a speaker. */
export type Quote = Extract<SentenceSpan, { quote: string }>;

/** A quote as spans. */
export const spansOf = (quote: Quote | Spans): Spans => [quote].flat();

type Part = string | number | SentenceSpan | readonly SentenceSpan[];

/** A sentence that contains speakers, quotes and other sentences: say`${{ speaker }} asks: ${quote}`. */
export function say(words: TemplateStringsArray, ...parts: readonly Part[]): Spans {
  return joined(words.flatMap((text, i) => (i < parts.length ? [text, parts[i]!] : [text])));
}

/** Parts joined into one sentence, with neighbouring texts merged. */
export function joined(parts: readonly Part[], separator = ''): Spans {
  const spans: SentenceSpan[] = [];
  const add = (span: SentenceSpan): void => {
    const last = spans.at(-1);
    if ('text' in span && last && 'text' in last) spans[spans.length - 1] = { text: last.text + span.text };
    else if (!('text' in span) || span.text !== '') spans.push(span);
  };
  for (const [i, part] of parts.entries()) {
    if (i > 0) add({ text: separator });
    if (Array.isArray(part)) for (const span of part as readonly SentenceSpan[]) add(span);
    else if (typeof part === 'object') add(part as SentenceSpan);
    else add({ text: String(part) });
  }
  return spans;
}

/** The text of a sentence. */
export const textOf = (spans: readonly SentenceSpan[]): string =>
  spans.map((span) => ('text' in span ? span.text : 'speaker' in span ? span.speaker : span.quote)).join('');

/** A sentence with other names for its speakers. */
export const renamed = (spans: readonly SentenceSpan[], nameOf: (speaker: string) => string): Spans =>
  spans.map((span) => ('speaker' in span ? { speaker: nameOf(span.speaker) } : span));

/** Whether a sentence names or quotes anybody. */
export const hasSpeech = (spans: readonly SentenceSpan[]): boolean => spans.some((span) => !('text' in span));

/** The sentences that a result keeps as spans: those that name or quote somebody, each listed once. */
export class SentenceList {
  readonly #byText = new Map<string, Spans>();

  /** @returns the sentence's text */
  add(spans: Spans): string {
    const text = textOf(spans);
    if (hasSpeech(spans) && !this.#byText.has(text)) this.#byText.set(text, spans);
    return text;
  }

  has(text: string): boolean {
    return this.#byText.has(text);
  }

  get all(): Spans[] {
    return [...this.#byText.values()];
  }
}
