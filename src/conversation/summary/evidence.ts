import type { ConversationSummary } from '../../contract/findings.ts';

/** A line with what it rests on. */
export type LineEvidence = ConversationSummary['evidence'][number];

/** Keeps every line of a summary together with what it rests on. */
export class EvidenceBook {
  readonly #entries = new Map<string, LineEvidence>();

  /**
   * @param text a line as it will be read; its numbers stand in `measures`, its quoted words in the utterances.
   * @returns the line
   */
  note(text: string, utteranceIds: string[], measures: Record<string, number | string> = {}): string {
    const known = this.#entries.get(text);
    this.#entries.set(text, {
      text,
      utterance_ids: [...new Set([...(known?.utterance_ids ?? []), ...utteranceIds])],
      measures: { ...known?.measures, ...measures },
    });
    return text;
  }

  /** What lines that were noted rest on, in this order. */
  of(lines: readonly string[]): LineEvidence[] {
    return lines.map((line) => this.#entries.get(line)!);
  }
}
