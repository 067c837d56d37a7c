import type { ConversationSummary } from '../../contract/findings.ts';

/** What a line rests on. */
export type LineEvidence = ConversationSummary['evidence'][string];

/** Keeps every line of a summary together with what it rests on. */
export class EvidenceBook {
  readonly #entries = new Map<string, LineEvidence>();

  /**
   * @param line as it will be read; its numbers stand in `measures`, its quoted words in the utterances.
   * @returns the line
   */
  note(line: string, utteranceIds: string[], measures: Record<string, number | string> = {}): string {
    const known = this.#entries.get(line);
    this.#entries.set(line, {
      utterance_ids: [...new Set([...(known?.utterance_ids ?? []), ...utteranceIds])],
      measures: { ...known?.measures, ...measures },
    });
    return line;
  }

  /** Several noted lines as one text, which is noted too. */
  join(lines: string[]): string {
    const text = lines.join(' ');
    const own = lines.map((line) => this.#entries.get(line));
    const ids = own.flatMap((e) => e?.utterance_ids ?? []);
    return this.note(text, ids, Object.assign({}, ...own.map((e) => e?.measures ?? {})));
  }

  get entries(): ConversationSummary['evidence'] {
    return Object.fromEntries(this.#entries);
  }
}
