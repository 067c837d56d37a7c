import { spawn } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { LiveCapture, LiveExtension, LiveStartRequest } from '../../sdk/index.ts';
import { EventLines } from '../events.ts';
import { Misuse } from '../exits.ts';
import { durationOf, isFile } from '../recording.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf } from '../terminal.ts';
import { type GivenOptions, optionsOf, withAnalysisOptions } from './analyze.ts';

/** Chunk size for a file that is sent in real time, bytes. In most recordings this is a fraction of a second. */
const CHUNK_BYTES = 16_384;

/** Recorders that may be installed. Each writes WAV to standard output until it is interrupted. */
const RECORDERS: readonly (readonly [string, ...string[]])[] = [
  ['arecord', '-q', '-f', 'S16_LE', '-r', '16000', '-c', '1', '-t', 'wav', '-'],
  ['rec', '-q', '-b', '16', '-r', '16000', '-c', '1', '-t', 'wav', '-'],
  ['sox', '-q', '-d', '-b', '16', '-r', '16000', '-c', '1', '-t', 'wav', '-'],
];

interface LiveCommand extends GivenOptions, ServiceOptions {
  mic?: true;
  suffix?: string;
  speed: number;
  json?: true;
}

/** The source of a session's bytes. */
interface Source {
  bytes: AsyncIterable<Uint8Array<ArrayBuffer>>;
  suffix: LiveExtension | undefined;
  filename: string | undefined;
  /** Total number of bytes, if known. */
  size: number | undefined;
  end: () => void;
}

export function addLive(program: Command, run: CommandRun): void {
  const command = program
    .command('live')
    .description('Send a recording, standard input or a microphone to a live session, and print the events')
    .argument('[file]', 'a file, or - for standard input');
  withAnalysisOptions(command)
    .option('--mic', 'record the microphone with arecord or sox')
    .option('--suffix <.ext>', 'format of standard input', '.wav')
    .option('--speed <x>', 'speed of a file relative to real time; 0 is as fast as possible', speedOf, 1)
    .option('--json', 'print each event as a line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ undertone live call.wav
  $ undertone live --mic --goal "What was agreed?"
  $ ffmpeg -i talk.mp4 -f wav - | undertone live -

Ctrl-C ends a microphone session and prints its summary; a second Ctrl-C discards the session.`,
    )
    .action(async (file: string | undefined, _, self: Command) => {
      const options = self.optsWithGlobals<LiveCommand>();
      const source = sourceOf(file, options);
      try {
        await follow(source, options, run);
      } finally {
        source.end();
      }
    });
}

export function speedOf(text: string): number {
  const speed = Number(text);
  if (!(speed >= 0 && speed <= 100) || text.trim() === '')
    throw new Misuse(`--speed ${text}: must be a number from 0 to 100`);
  return speed;
}

/** @throws Misuse */
function sourceOf(file: string | undefined, options: LiveCommand): Source {
  if (options.mic) return microphone();
  if (file === undefined) throw new Misuse('Give a file, - for standard input, or --mic');
  if (file === '-') {
    const suffix = options.suffix as LiveExtension;
    const end = () => void process.stdin.destroy();
    return { bytes: pieces(process.stdin), suffix, filename: undefined, size: undefined, end };
  }
  if (!isFile(file)) throw new Misuse(`${file}: no such file`);
  const { size } = statSync(file);
  const duration = options.speed === 0 ? undefined : durationOf(file);
  const stream = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const rate = duration === undefined ? Number.POSITIVE_INFINITY : (size / duration) * options.speed;
  const end = () => void stream.destroy();
  return { bytes: paced(pieces(stream), rate), suffix: undefined, filename: basename(file), size, end };
}

function microphone(): Source {
  const found = RECORDERS.find(([program]) => isInstalled(program));
  if (!found) throw new Misuse('No recorder is installed: --mic needs arecord or sox');
  const [program, ...args] = found;
  const recorder = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const stream = recorder.stdout ?? Readable.from([]);
  const end = () => void recorder.kill('SIGINT');
  // The first Ctrl-C ends the recording, and the analysis is then completed.
  process.prependOnceListener('SIGINT', end);
  recorder.on('error', (error) => stream.destroy(error));
  return { bytes: pieces(stream), suffix: '.wav', filename: undefined, size: undefined, end };
}

const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));

async function* pieces(stream: AsyncIterable<Buffer | string>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const piece of stream) yield new Uint8Array(Buffer.from(piece));
}

/** Yields each piece when its last byte would have been recorded. */
async function* paced(
  all: AsyncIterable<Uint8Array<ArrayBuffer>>,
  bytesPerSecond: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const begun = performance.now();
  let sent = 0;
  for await (const bytes of all) {
    sent += bytes.length;
    const early = begun + (sent / bytesPerSecond) * 1000 - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    yield bytes;
  }
}

async function follow(source: Source, options: LiveCommand, run: CommandRun): Promise<void> {
  const { mic } = options;
  const start: LiveStartRequest = {
    ...optionsOf(options),
    suffix: source.suffix,
    filename: source.filename,
  };
  let sent = '';
  let interim = '';
  const showProgress = () => run.show([sent, interim].filter(Boolean).join('  '));
  const lines = new EventLines(outputOf(process.stdout));
  run.show('Opening a session');
  const client = clientOf(options, run.onRetry);
  const capture = await client.live.start({
    ...start,
    // When recording from a microphone, the first Ctrl-C ends the recording and not the session.
    signal: mic ? run.secondSignal() : run.signal,
    onProgress({ received_bytes }) {
      sent = source.size
        ? `${Math.round((100 * received_bytes) / source.size)} %`
        : `${Math.round(received_bytes / 1024)} kB`;
      showProgress();
    },
  });
  const sending = send(source, capture, run);
  // A failure is reported by the events or, once they have ended, here.
  sending.catch(() => undefined);
  try {
    for await (const event of capture) {
      if (event.event === 'partial_transcript') interim = lines.interim(event.data.text);
      if (event.event === 'final_transcript') interim = '';
      if (options.json) await print(JSON.stringify(event));
      else for (const line of lines.of(event)) await print(line);
      showProgress();
    }
    await sending;
  } catch (error) {
    source.end();
    await capture.cancel().catch(() => undefined);
    await sending.catch(() => undefined);
    // An interrupted session leaves no record.
    if (run.signal.aborted) await client.conversations.delete(capture.session.conversation_id).catch(() => undefined);
    throw error;
  } finally {
    run.hide();
  }
}

async function send(source: Source, capture: LiveCapture, run: CommandRun): Promise<void> {
  try {
    for await (const bytes of source.bytes) await capture.send(bytes);
    await capture.finalize();
  } catch (error) {
    // Cancelling also ends the events, whose reader would otherwise keep waiting.
    if (!run.signal.aborted) await capture.cancel().catch(() => undefined);
    throw error;
  }
}
