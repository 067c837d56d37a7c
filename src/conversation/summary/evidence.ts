import type { ConversationSummary } from '../../contract/findings.ts';
import { type Spans, textOf } from '../sentences/spans.ts';

/** A line of a summary with the utterances and measures that support it. */
export type LineEvidence<S> = Omit<ConversationSummary['evidence'][number], 'text'> & { text: S };

/** Keeps every line of a summary together with its evidence. */
export class EvidenceBook {
  readonly #entries = new Map<string, LineEvidence<Spans>>();

  /** @param line its numbers must be in `measures` and its quoted words in the utterances @returns the line */
  note(line: Spans, utteranceIds: string[], measures: Record<string, number | string> = {}): Spans {
    const text = textOf(line);
    const known = this.#entries.get(text);
    this.#entries.set(text, {
      text: known?.text ?? line,
      utterance_ids: [...new Set([...(known?.utterance_ids ?? []), ...utteranceIds])],
      measures: { ...known?.measures, ...measures },
    });
    return line;
  }

  /** The evidence of the recorded lines, in the order of the lines. */
  of(lines: readonly Spans[]): LineEvidence<Spans>[] {
    return lines.map((line) => this.#entries.get(textOf(line))!);
  }
}

/** The lines without those that resemble an earlier one. */
export function distinct(lines: readonly Spans[]): Spans[] {
  const byText = new Map<string, Spans>();
  for (const line of lines) if (!byText.has(textOf(line))) byText.set(textOf(line), line);
  return [...byText.values()];
}
