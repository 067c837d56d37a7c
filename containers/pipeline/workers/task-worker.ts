import { parentPort } from 'node:worker_threads';
import { measureVoice } from '../affect/voice-measurement.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { readSamples } from '../audio/pcm-spool.ts';
import { diarize, diarizeWithModel } from '../diarization/diarize.ts';
import { SpeakerEmbedder } from '../diarization/speaker-embedding.ts';
import { SpeakerFeatures } from '../diarization/speaker-features.ts';
import { loadRuntime } from '../models/runtime.ts';
import { SpeechDetector, VAD_LEAD } from '../models/silero.ts';
import { measureDelivery } from '../prosody/delivery.ts';
import { LoadedRecognisers } from '../recognition/engines.ts';
import { profiledEngines } from '../recognition/profile/profiled.ts';
import { timedWords } from '../recognition/timed-words.ts';
import { pipelineSettings } from '../settings.ts';
import { collectGarbage } from './memory.ts';
import type { SpoolRange, TaskName, TaskRequest, WorkerReply, WorkerTasks } from './tasks.ts';

/** Entry point of a worker thread. It loads its own models and then runs one task at a time. */
const port = parentPort!;
const runtime = await loadRuntime();
const recognisers = new LoadedRecognisers(runtime);
await recognisers.get();
// A recogniser that cannot be loaded fails at startup, not in the first analysis that requests it.
for (const { id } of profiledEngines(pipelineSettings())) await recognisers.get(id);
const detector = await SpeechDetector.load(runtime);
const { speakerModel } = pipelineSettings();
const embedder = speakerModel && (await SpeakerEmbedder.load(speakerModel, runtime));
const features = new Map<string, SpeakerFeatures>();

const samplesOf = ({ location, channel, start, end }: SpoolRange) => readSamples(location, start, end, channel);

const DO: {
  [K in TaskName]: (input: WorkerTasks[K]['input']) => WorkerTasks[K]['output'] | Promise<WorkerTasks[K]['output']>;
} = {
  speech: (block) => {
    const lead = Math.min(block.start, VAD_LEAD);
    return detector.blockProbabilities(samplesOf({ ...block, start: block.start - lead }), lead);
  },
  features: ({ recording, ...range }) => {
    const taken = features.get(recording) ?? new SpeakerFeatures();
    features.set(recording, taken);
    taken.push(samplesOf(range));
    return null;
  },
  diarize: ({ recording, location, speech, speakers, isBeginning = false }) => {
    const taken = features.get(recording);
    if (!taken) throw new Error('the speaker features of this recording are lost');
    if (!isBeginning) features.delete(recording);
    const options = speakers === undefined ? {} : { speakers };
    if (!embedder) return diarize(taken, speech, options);
    const embed = ({ start, end }: Interval) =>
      embedder.embed(readSamples(location, start * SAMPLE_RATE_HZ, end * SAMPLE_RATE_HZ, 'mix'));
    return diarizeWithModel(taken, speech, options, embed);
  },
  beginning: ({ speech, speakers, ...range }) => {
    const taken = new SpeakerFeatures();
    taken.push(samplesOf(range));
    return diarize(taken, speech, speakers === undefined ? {} : { speakers }).turns;
  },
  forget: ({ recording }) => {
    features.delete(recording);
    return null;
  },
  delivery: (range) => measureDelivery(samplesOf(range)),
  transcribe: async ({ samples, segment, recogniser: id, options }) => {
    const began = performance.now();
    const recogniser = await recognisers.get(id);
    let transcribedBy = id;
    let language: string | undefined;
    const words = await timedWords(samples, segment, async (part) => {
      const recognition = await recogniser.recognise(part, options);
      transcribedBy = recognition.transcribedBy ?? id;
      language = recognition.language ?? language;
      return recognition;
    });
    return { words, workMs: performance.now() - began, transcribedBy, language };
  },
  interim: async ({ samples, recogniser: id }) => (await recognisers.get(id)).recogniseInterim(samples),
  voice: async (task) => {
    const began = performance.now();
    const voice = await measureVoice(task).catch(unmeasured);
    return { voice, workMs: performance.now() - began };
  },
};

/** In that case only the words are read, and a warning is logged. */
function unmeasured(cause: unknown): null {
  console.error('the audio of an utterance could not be measured:', cause);
  return null;
}

async function perform<K extends TaskName>({ name, input }: TaskRequest<K>): Promise<WorkerReply> {
  try {
    return { type: 'done', output: await DO[name](input) };
  } catch (error) {
    return { type: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

collectGarbage();
port.on('message', (request: TaskRequest) => {
  void perform(request).then((reply) => port.postMessage(reply));
});
port.postMessage({ type: 'ready' } satisfies WorkerReply);
