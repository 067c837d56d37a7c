import { clockOf } from '../mcp/links.ts';
import type { StreamEvent } from '../sdk/index.ts';
import { categoryDisplay } from './result.ts';
import { clipped, type Output, plain, speakerStyle, wrapped } from './terminal.ts';

/** Formats events as lines for people to read. Minor events produce no line. */
export class EventLines {
  readonly #output: Output;
  readonly #speakers: string[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  of({ event, data }: StreamEvent): string[] {
    switch (event) {
      case 'final_transcript':
        return this.#utterance(data.t_start, data.speaker, data.text);
      case 'emotion': {
        const [name, share] = Object.entries(data.emotion).sort((a, b) => b[1] - a[1])[0] ?? ['neutral', 0];
        return name === 'neutral' ? [] : [this.#aside(`${name} ${share.toFixed(2)}`)];
      }
      case 'transition':
        return [
          this.#aside(`${data.speaker_id ? `${plain(data.speaker_id)}: ` : ''}${data.from_state} → ${data.to_state}`),
        ];
      case 'moment':
        return wrapped(`▸ ${categoryDisplay(data.category).name}: ${data.summary}`, this.#output.width - 8).map(
          (line) => this.#output.paint('yellow', `        ${line}`),
        );
      case 'rule_match':
        return wrapped(`◆ ${plain(data.name)}: ${data.quote}`, this.#output.width - 8).map((line) =>
          this.#output.paint('cyan', `        ${line}`),
        );
      case 'summary_update':
        return [
          '',
          ...wrapped(data.overview, this.#output.width),
          ...data.key_insights.flatMap((line) =>
            wrapped(line, this.#output.width - 4).map((part, i) => `  ${i === 0 ? '•' : ' '} ${part}`),
          ),
        ];
      case 'done':
        return ['', this.#output.paint('dim', `conversation ${data.conversation_id}`)];
      default:
        return [];
    }
  }

  /** Interim text as one line. */
  interim(text: string): string {
    return clipped(plain(text), this.#output.width - 4);
  }

  #utterance(seconds: number, speaker: string, text: string): string[] {
    if (!this.#speakers.includes(speaker)) this.#speakers.push(speaker);
    const style = speakerStyle(this.#speakers.indexOf(speaker));
    const time = clockOf(seconds).padStart(6);
    const name = plain(speaker);
    const lines = wrapped(`${name}: ${text}`, this.#output.width - 8);
    return lines.map((line, i) =>
      i === 0
        ? `${this.#output.paint('dim', time)}  ${this.#output.paint(style, name)}${line.slice(name.length)}`
        : `        ${line}`,
    );
  }

  #aside(text: string): string {
    return this.#output.paint('dim', clipped(`        ${text}`, this.#output.width));
  }
}
