import { type NamedProgram, runNamed } from '../scripts/named-programs.ts';

const bench = (does: string, file: string): NamedProgram => ({ does, files: [`bench/${file}`] });

/** The benches of `npm run bench -- <name>`. */
export const BENCHES = {
  speed: bench('speed and memory of the pipeline on a ten-minute call, then of the whole service', 'speed.ts'),
  asr: bench('word error rate of the recogniser, clean and over two telephones', 'asr.ts'),
  languages: bench('whether speech in other languages is recognised as not understood', 'languages.ts'),
  diarization: bench('diarization error per group, one microphone, short replies, live labels, cost', 'diarization.ts'),
  prosody: bench('prosody against Praat and against synthesised signals', 'prosody.ts'),
  'emotion-text': bench('emotions and sentiment from words alone', 'emotion-text.ts'),
  'emotion-voice': bench('affect on acted and rated speech, with words and from the voice alone', 'emotion-voice.ts'),
  moments: bench('key moments against those that readers marked', 'moments.ts'),
  near: bench('whether rules could find what is near in meaning to a phrase, beside its words', 'near.ts'),
  names: bench('names of speakers heard in introductions and address, against 60 marked by hand', 'names.ts'),
  roles: bench('roles of speakers proposed from their words: coverage and accuracy', 'roles.ts'),
  redaction: bench('personal data that redaction finds, by kind, beside rules for written text', 'redaction.ts'),
  canaries: bench('spoken values through the whole service, then searched for in all it keeps', 'canaries.ts'),
  segmentation: bench('topic boundaries against labelled conversations', 'segmentation.ts'),
  summary: bench('the summary against reference summaries, facts and its evidence', 'summary.ts'),
  reading: bench('every line concluded from real conversations, for readers to mark', 'reading.ts'),
  commitments: bench('commitments in real dialogues as sheets for two readers, and what they found', 'commitments.ts'),
  media: bench('odd media files through the pipeline: right duration or a clear refusal', 'media.ts'),
  accepted: bench('which recordings and conversations of the evaluation data a limit refuses', 'accepted.ts'),
  live: bench('latency of live capture, and how many sessions run at real time', 'live.ts'),
  replay: bench('a live session that moves to another pipeline, with and without its transcriptions', 'replay.ts'),
  finalize: bench('from finalize to done of live sessions, beside the same recording as a file', 'finalize.ts'),
  distance: bench('latency of live capture with the pipeline far from the Worker', 'live-distance.ts'),
  load: bench('many live sessions at once without recognition, and the memory of workerd', 'load.ts'),
  fairness: bench("whether a tenant's flood delays another tenant's file", 'fairness.ts'),
  calibrate: bench('speed, starts, round trips and cost of a deployed service, in one paid hour', 'calibrate.ts'),
  simulate: bench('a fleet in simulated time, under the plan of the pool: a day, faults and loads', 'simulate.ts'),
  fleet: bench('live sessions on containers that start, die and lose their pool, in the real Worker', 'fleet.ts'),
  'lost-pipeline': bench(
    'npm start with two pipelines: more live sessions than slots, and one pipeline killed',
    'lost-pipeline.ts',
  ),
  catalogue: bench('lists, filters and searches of stored conversations, and the catalogue rebuilt', 'catalogue.ts'),
  patterns: bench('moments, lines and trends over 10,000 conversations, and reactions of the page', 'patterns.ts'),
  'tenant-tables': bench("what an upload asks a tenant's tables, at 200,000 conversations", 'tenant-tables.ts'),
  'segment-speed': bench('CPU and memory of POST /segment/conversation in workerd', 'segment-speed.ts'),
  edge: bench("the Worker's bundle, its start-up and CPU per utterance", 'edge.ts'),
  'runtime-growth': bench('memory that the local runtime keeps of requests, under a bare Worker', 'runtime-growth.ts'),
  dashboard: bench('the pages in Chromium with a throttled processor', 'dashboard.ts'),
  sdk: bench('size of the client in a page', 'sdk.ts'),
  'same-answers': bench('what the service answers against another checkout, byte for byte', 'same-answers.ts'),
  'image-tree': bench("the pipeline's image built without Docker: its size, and an analysis in it", 'image-tree.ts'),
} as const satisfies Record<string, NamedProgram>;

if (import.meta.main) process.exitCode = await runNamed('bench', BENCHES);
