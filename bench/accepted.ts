import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { scheduler } from 'node:timers/promises';
import { decodeStream } from '../containers/pipeline/media/decode.ts';
import { EVAL_DATA, readEvalJson } from '../scripts/eval-data.ts';
import { UPLOAD_EXTENSIONS } from '../src/contract/media.ts';
import { withSegmentRequest } from '../src/worker/segmentation/request.ts';
import { report, say } from './report.ts';

// Share of the evaluation data that a limit refuses. Every recording is decoded like an upload, and every conversation
// is parsed like the body of a segmentation request. Nothing is analysed.

interface MediaFile {
  file: string;
  ffmpeg_audio_decode: 'ok' | 'ok-with-errors' | 'fails';
}
interface Said {
  speaker: string;
  text: string;
}

/** The data is stored without loss. A decoder needs the file name only for raw audio. */
const EXTENSIONS: readonly string[] = UPLOAD_EXTENSIONS;
const AUDIO = ['asr', 'diarization', 'speech-emotion', 'media'];
const at = (...parts: string[]): string => join(EVAL_DATA, ...parts);
const jsonOf = <T>(...parts: string[]): T => JSON.parse(readFileSync(at(...parts), 'utf8')) as T;
const linesOf = (...parts: string[]): string[] =>
  readFileSync(at(...parts), 'utf8')
    .split('\n')
    .filter(Boolean);
const linesEach = <T>(...parts: string[]): T[] => linesOf(...parts).map((line) => JSON.parse(line) as T);

/** Files that nothing can decode, according to the data itself. */
const broken = new Set(
  readEvalJson<MediaFile[]>('media', 'manifest.json').flatMap(({ file, ffmpeg_audio_decode: how }) =>
    how === 'ok' ? [] : [at('media', file)],
  ),
);

async function refusalOf(path: string): Promise<string | null> {
  try {
    for await (const _ of decodeStream(createReadStream(path), extname(path).toLowerCase()));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function recordings(set: string): Promise<(string | number)[]> {
  const files = readdirSync(at(set), { recursive: true, encoding: 'utf8' })
    .map((name) => at(set, name))
    .filter((path) => EXTENSIONS.includes(extname(path).toLowerCase()));
  let [refused, known] = [0, 0];
  for (const path of files) {
    const why = await refusalOf(path);
    if (why === null) continue;
    if (broken.has(path)) known++;
    else {
      refused++;
      say(`refused: ${path}: ${why}`);
    }
  }
  return [set, files.length, known, refused];
}

/** Turns, one per line, as `speaker|text|…`. */
const piped = (line: string): Said => {
  const [speaker = '', text = ''] = line.split('|');
  return { speaker, text };
};
const turnsIn = (set: string): Said[][] =>
  ['train', 'val'].flatMap((split) =>
    readdirSync(at('conversations', set, split)).map((name) => linesOf('conversations', set, split, name).map(piped)),
  );
const inTurn = (texts: readonly string[]): Said[] => texts.map((text, i) => ({ speaker: `${i % 2}`, text }));

const TEXTS: Readonly<Record<string, () => Said[][]>> = {
  qmsum: () =>
    ['train', 'val']
      .flatMap((split) =>
        linesEach<{ meeting_transcripts: { speaker: string; content: string }[] }>(
          'conversations/qmsum',
          `${split}.jsonl`,
        ),
      )
      .map(({ meeting_transcripts: all }) => all.map(({ speaker, content: text }) => ({ speaker, text }))),
  casino: () =>
    jsonOf<{ chat_logs: { text: string; id: string }[] }[]>('conversations/casino/train.json').map(({ chat_logs }) =>
      chat_logs.map(({ id: speaker, text }) => ({ speaker, text })),
    ),
  abcd: () =>
    jsonOf<{ original: [string, string][] }[]>('conversations/abcd/abcd_sample.json').map(({ original }) =>
      original.map(([speaker, text]) => ({ speaker, text })),
    ),
  dialogsum: () =>
    linesEach<{ dialogue: string }>('conversations/dialogsum/dev.jsonl').map(({ dialogue }) =>
      dialogue.split('\n').map((turn) => ({ speaker: turn.split(':')[0]!, text: turn.slice(turn.indexOf(':') + 1) })),
    ),
  swda: () => turnsIn('swda'),
  mrda: () => turnsIn('mrda'),
  'topic-segmentation': () =>
    ['dialseg_711', 'tiage'].flatMap((name) =>
      jsonOf<{ utterances: string[] }[]>('conversations/topic-segmentation', `${name}.json`).map(({ utterances }) =>
        inTurn(utterances),
      ),
    ),
  'moments-real': () =>
    ['fit', 'judge']
      .flatMap((name) => jsonOf<{ turns: Said[] }[]>('moments-real', `${name}.json`))
      .map(({ turns }) => turns),
};

/** The body that a client sends if it has only words. */
function bodyOf(turns: readonly Said[]): string {
  // A speaker whose turn transcribes to nothing has no utterance.
  const spoken = turns.filter(({ text }) => text.trim() !== '');
  const timeline = spoken.map(({ speaker, text }, i) => ({
    ...{ utterance_id: `u${i}`, speaker, text },
    ...{ t_start: i * 3, t_end: i * 3 + 2.5 },
  }));
  return JSON.stringify({ timeline });
}

// The part of the Worker's runtime that the code needs.
Object.assign(globalThis, { scheduler });
Object.assign(ReadableStreamBYOBReader.prototype, {
  readAtLeast(this: ReadableStreamBYOBReader, _: number, view: Uint8Array<ArrayBuffer>) {
    return this.read(view);
  },
});

async function texts([set, load]: [string, () => Said[][]]): Promise<(string | number)[]> {
  const all = load();
  let [refused, utterances, chars] = [0, 0, 0];
  for (const [i, turns] of all.entries()) {
    const body = bodyOf(turns);
    const request = new Request('http://bench/', { method: 'POST', body });
    try {
      await withSegmentRequest(request, 60, async ({ timeline }) => {
        utterances = Math.max(utterances, timeline.length);
        chars = Math.max(
          chars,
          timeline.reduce((sum, { text }) => sum + text.length, 0),
        );
      });
    } catch (error) {
      refused++;
      say(`refused: ${set} ${i}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return [set, all.length, utterances, chars, refused];
}

const audio = [];
for (const set of AUDIO) audio.push(await recordings(set));
const conversations = [];
for (const entry of Object.entries(TEXTS)) conversations.push(await texts(entry));
report('accepted', [
  {
    title: 'Recordings decoded as uploads are',
    columns: ['set', 'files', 'cannot be decoded', 'refused'],
    rows: audio,
    note: 'What cannot be decoded is so by the manifest of the data.',
  },
  {
    title: 'Conversations read as bodies of /segment/conversation',
    columns: ['set', 'conversations', 'most utterances', 'most characters', 'refused'],
    rows: conversations,
  },
]);
process.exitCode = [...audio, ...conversations].some((row) => row.at(-1) !== 0) ? 1 : 0;
