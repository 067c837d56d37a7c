import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { type StreamEvent, Undertone, UndertoneError } from '../src/sdk/index.ts';
import { durationOf, paced } from './recording-chunks.ts';

const USAGE = `npm run live -- <file> [options]
Streams a recording to a live session and prints what is understood.
  --speed 1          times real time; 0 as fast as it is taken
  --chunk 65536      bytes of a chunk
  --sessions 1       sessions at once; over 1, a summary instead of the events
  --speakers n       their number, when it is known
  --goal text        what the analysis is for
  --url, --key       the service; else http://127.0.0.1:$PORT and $DEMO_API_KEY or undertone-demo`;

/** Columns of the progress bar. */
const BAR = 30;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    speed: { type: 'string', default: '1' },
    chunk: { type: 'string', default: '65536' },
    sessions: { type: 'string', default: '1' },
    speakers: { type: 'string' },
    goal: { type: 'string' },
    url: { type: 'string', default: `http://127.0.0.1:${process.env.PORT ?? 8787}` },
    key: { type: 'string', default: process.env.DEMO_API_KEY ?? 'undertone-demo' },
    help: { type: 'boolean', default: false },
  },
});

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** One line for an event; null for those that say little to a reader. */
function lineOf({ event, data }: StreamEvent): string | null {
  switch (event) {
    case 'final_transcript':
      return `${clock(data.t_start)} ${data.speaker}: ${data.text}`;
    case 'emotion': {
      const [name, share] = Object.entries(data.emotion).sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
      return name === 'neutral' ? null : `       ${name} ${share.toFixed(2)}`;
    }
    case 'transition':
      return `       transition: ${data.from_state} -> ${data.to_state}`;
    case 'moment':
      return `       moment: ${data.category}: ${data.summary}`;
    case 'summary_update':
      return `\n${[data.overview, ...data.key_insights.map((line) => `- ${line}`)].join('\n')}`;
    case 'status':
      return data.phase === 'processing' && data.progress > 0 ? null : `[${data.phase}]`;
    case 'done':
      return `[done] conversation ${data.conversation_id}`;
    default:
      return null;
  }
}

/** The bottom line of a terminal: how much was sent, and the text that is still open. */
class Footer {
  readonly #isShown = process.stdout.isTTY === true;
  #sent = 0;
  #interim = '';

  sent(share: number): void {
    this.#sent = share;
    this.#draw();
  }

  interim(text: string): void {
    this.#interim = text;
    this.#draw();
  }

  /** Prints a line above. */
  print(line: string): void {
    if (this.#isShown) process.stdout.write('\r\x1b[K');
    process.stdout.write(`${line}\n`);
    this.#draw();
  }

  #draw(): void {
    if (!this.#isShown) return;
    const full = Math.round(this.#sent * BAR);
    const bar = `${'#'.repeat(full)}${'.'.repeat(BAR - full)} ${String(Math.round(this.#sent * 100)).padStart(3)} %  `;
    const room = Math.max(0, (process.stdout.columns ?? 80) - bar.length - 1);
    process.stdout.write(`\r\x1b[K${bar}${this.#interim.slice(-room)}`);
  }
}

/** @returns how long each chunk waited until it was known to be stored, ms */
async function one(undertone: Undertone, path: string, footer: Footer | null): Promise<number[]> {
  const bytes = new Uint8Array(readFileSync(path));
  const rate = Number(values.speed) === 0 ? Number.POSITIVE_INFINITY : bytes.length / durationOf(path);
  const waits: number[] = [];
  const capture = await undertone.live.start({
    filename: basename(path),
    goal: values.goal,
    speakers: values.speakers === undefined ? undefined : Number(values.speakers),
    onProgress({ latency_ms, received_bytes }) {
      waits.push(latency_ms);
      footer?.sent(received_bytes / bytes.length);
    },
  });
  const reading = (async () => {
    for await (const event of capture) {
      if (event.event === 'partial_transcript') footer?.interim(event.data.text);
      const line = lineOf(event);
      if (line !== null) footer?.print(line);
    }
  })();
  const sending = (async () => {
    for await (const chunk of paced(bytes, Number(values.chunk), rate * (Number(values.speed) || 1)))
      await capture.send(chunk);
    await capture.finalize();
  })();
  await Promise.all([reading, sending]);
  return waits;
}

async function many(undertone: Undertone, path: string, sessions: number): Promise<void> {
  const all = await Promise.all(Array.from({ length: sessions }, () => one(undertone, path, null)));
  const waits = all.flat().sort((a, b) => a - b);
  const at = (share: number): string => (waits[Math.floor(share * (waits.length - 1))] ?? 0).toFixed(1);
  console.log(`${sessions} sessions, ${waits.length} chunks acknowledged: median ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}

const [path] = positionals;
if (values.help || path === undefined) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}
const undertone = new Undertone({ url: values.url, key: values.key });
try {
  if (Number(values.sessions) > 1) await many(undertone, path, Number(values.sessions));
  else await one(undertone, path, new Footer());
} catch (error) {
  console.error(`\n${error instanceof UndertoneError ? `${error.code}: ${error.message}` : String(error)}`);
  process.exit(1);
}
