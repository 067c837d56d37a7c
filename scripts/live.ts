import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { durationOf, LiveCapture, type LiveEvent, paced, type Service } from './live-capture.ts';

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
function lineOf({ event, data }: LiveEvent): string | null {
  switch (event) {
    case 'final_transcript':
      return `${clock(data.t_start)} ${data.speaker}: ${data.text}`;
    case 'emotion': {
      const [name, share] = Object.entries<number>(data.emotion).sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
      return name === 'neutral' ? null : `       ${name} ${share.toFixed(2)}`;
    }
    case 'transition':
      return `       transition: ${data.from_state} -> ${data.to_state}`;
    case 'moment':
      return `       moment: ${data.category}: ${data.summary}`;
    case 'summary_update':
      return `\n${[data.overview, ...data.key_insights.map((line: string) => `- ${line}`)].join('\n')}`;
    case 'error':
      return `error ${data.code}: ${data.message}`;
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

async function one(service: Service, path: string, footer: Footer | null): Promise<LiveCapture> {
  const bytes = new Uint8Array(readFileSync(path));
  const rate = Number(values.speed) === 0 ? Number.POSITIVE_INFINITY : bytes.length / durationOf(path);
  const capture = await LiveCapture.start(service, {
    filename: basename(path),
    goal: values.goal,
    speakers: values.speakers === undefined ? undefined : Number(values.speakers),
  });
  const reading = (async () => {
    for await (const event of capture.events()) {
      if (event.event === 'partial_transcript') footer?.interim(event.data.text);
      const line = lineOf(event);
      if (line !== null) footer?.print(line);
      if (event.event === 'error') throw new Error(`${event.data.code}: ${event.data.message}`);
    }
  })();
  const sending = (async () => {
    let sent = 0;
    for await (const chunk of paced(bytes, Number(values.chunk), rate * (Number(values.speed) || 1))) {
      await capture.chunk(chunk);
      sent += chunk.length;
      footer?.sent(sent / bytes.length);
    }
    await capture.control({ action: 'finalize' });
  })();
  await Promise.all([reading, sending]);
  return capture;
}

async function many(service: Service, path: string, sessions: number): Promise<void> {
  const captures = await Promise.all(Array.from({ length: sessions }, () => one(service, path, null)));
  const waits = captures.flatMap((capture) => capture.acknowledgedMs).sort((a, b) => a - b);
  const at = (share: number): string => (waits[Math.floor(share * (waits.length - 1))] ?? 0).toFixed(1);
  console.log(`${sessions} sessions, ${waits.length} chunks acknowledged: median ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}

const [path] = positionals;
if (values.help || path === undefined) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}
const service = { url: values.url, key: values.key };
try {
  if (Number(values.sessions) > 1) await many(service, path, Number(values.sessions));
  else await one(service, path, new Footer());
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
