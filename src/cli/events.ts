import { clockOf } from '../mcp/links.ts';
import type { StreamEvent } from '../sdk/index.ts';
import { momentCategory } from './result.ts';
import { clipped, type Paper, plain, speakerStyle, wrapped } from './terminal.ts';

/** Turns events into lines for a reader; those that say little to one give none. */
export class EventLines {
  readonly #paper: Paper;
  readonly #speakers: string[] = [];

  constructor(paper: Paper) {
    this.#paper = paper;
  }

  of({ event, data }: StreamEvent): string[] {
    switch (event) {
      case 'final_transcript':
        return this.#said(data.t_start, data.speaker, data.text);
      case 'emotion': {
        const [name, share] = Object.entries(data.emotion).sort((a, b) => b[1] - a[1])[0] ?? ['neutral', 0];
        return name === 'neutral' ? [] : [this.#aside(`${name} ${share.toFixed(2)}`)];
      }
      case 'transition':
        return [
          this.#aside(`${data.speaker_id ? `${plain(data.speaker_id)}: ` : ''}${data.from_state} → ${data.to_state}`),
        ];
      case 'moment':
        return wrapped(`▸ ${momentCategory(data.category).name}: ${data.summary}`, this.#paper.width - 8).map((line) =>
          this.#paper.paint('yellow', `        ${line}`),
        );
      case 'summary_update':
        return [
          '',
          ...wrapped(data.overview, this.#paper.width),
          ...data.key_insights.flatMap((line) =>
            wrapped(line, this.#paper.width - 4).map((part, i) => `  ${i === 0 ? '•' : ' '} ${part}`),
          ),
        ];
      case 'done':
        return ['', this.#paper.paint('dim', `conversation ${data.conversation_id}`)];
      default:
        return [];
    }
  }

  /** What is not yet certain, as one line. */
  interim(text: string): string {
    return clipped(plain(text), this.#paper.width - 4);
  }

  #said(seconds: number, speaker: string, text: string): string[] {
    if (!this.#speakers.includes(speaker)) this.#speakers.push(speaker);
    const style = speakerStyle(this.#speakers.indexOf(speaker));
    const time = clockOf(seconds).padStart(6);
    const name = plain(speaker);
    const lines = wrapped(`${name}: ${text}`, this.#paper.width - 8);
    return lines.map((line, i) =>
      i === 0
        ? `${this.#paper.paint('dim', time)}  ${this.#paper.paint(style, name)}${line.slice(name.length)}`
        : `        ${line}`,
    );
  }

  #aside(text: string): string {
    return this.#paper.paint('dim', clipped(`        ${text}`, this.#paper.width));
  }
}
