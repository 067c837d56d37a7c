import { SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import { diarize } from '../../containers/pipeline/diarization/diarize.ts';
import type { SpeechDetector } from '../../containers/pipeline/models/silero.ts';
import { decodeAudio, evalPath, readEvalJson } from '../../scripts/eval-data.ts';
import { shuffled } from '../../support/random.ts';
import { addErrors, type DiarizationErrors, diarizationErrors, type LabelledSegment, NO_ERRORS } from '../der.ts';
import type { Table } from '../report.ts';
import { featuresOf, labelled, speechOf } from './recordings.ts';

interface Clip {
  file: string;
  corpus: string;
  emotion: string | null;
  speaker: string | null;
  sex?: string;
}

const CALM = ['neutral', 'sadness'];
/**
 * Minimum number of conversations for each corpus and kind. Every pair is arranged as often as needed, since a single
 * draw of a pair may score 0 or 26 %.
 */
const CONVERSATIONS = 24;
/** The target for calm voices with the number of speakers given, %. */
const CALM_BAR = 15;
const COLLAR_S = 0.25;
const LONGEST_S = 75;
/** Noise of a quiet room under all audio, -80 dB, because the clips are cut to digital silence. */
const NOISE = 1e-4;

/** The same random numbers in every run (Numerical Recipes' quick generator). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Laid {
  samples: Float32Array;
  reference: LabelledSegment[];
}

/** Clips of the speakers arranged as turns in random order, .1 to .8 s apart. */
function conversation(clips: Map<string, Float32Array[]>, random: () => number): Laid {
  const left = new Map(
    [...clips].map(([speaker, list]) => [speaker, Array.from(shuffled(list.length, random), (i) => list[i]!)]),
  );
  const turns: { speaker: string; clip: Float32Array; gap: number }[] = [];
  let seconds = 0;
  while (seconds < LONGEST_S) {
    const last = turns.at(-1)?.speaker;
    const next = [...left].filter(([speaker, list]) => list.length > 0 && (speaker !== last || left.size === 1));
    if (next.length === 0) break;
    const [speaker, list] = next[Math.floor(random() * next.length)]!;
    const clip = list.shift()!;
    turns.push({ speaker, clip, gap: Math.round((0.1 + 0.7 * random()) * SAMPLE_RATE_HZ) });
    seconds += clip.length / SAMPLE_RATE_HZ;
  }
  const samples = new Float32Array(turns.reduce((n, { clip, gap }) => n + clip.length + gap, SAMPLE_RATE_HZ / 2));
  for (let i = 0; i < samples.length; i++) samples[i] = (random() - 0.5) * 2 * NOISE;
  const reference: LabelledSegment[] = [];
  let at = SAMPLE_RATE_HZ / 4;
  for (const { speaker, clip, gap } of turns) {
    for (let i = 0; i < clip.length; i++) samples[at + i] = samples[at + i]! + clip[i]!;
    reference.push({ start: at / SAMPLE_RATE_HZ, end: (at + clip.length) / SAMPLE_RATE_HZ, speaker });
    at += clip.length + gap;
  }
  return { samples, reference };
}

/** Null if there is nothing to score, for example when there are no two people of the same sex. */
const share = ({ confusion, total }: DiarizationErrors): number | null =>
  total > 0 ? (100 * confusion) / total : null;

/**
 * Voices recorded with one microphone in one room, which measures the accuracy without information from the channel.
 */
export async function sameMicrophoneTable(detector: SpeechDetector): Promise<Table> {
  const clips = readEvalJson<Clip[]>('speech-emotion', 'manifest.json').filter((clip) => clip.speaker && clip.emotion);
  const rows: Table['rows'] = [];
  let allCalm: DiarizationErrors = NO_ERRORS;
  for (const corpus of [...new Set(clips.map((clip) => clip.corpus))].sort()) {
    const own = clips.filter((clip) => clip.corpus === corpus);
    const speakers = [...new Set(own.map((clip) => clip.speaker!))].sort();
    const sexOf = new Map(own.map((clip) => [clip.speaker!, clip.sex]));
    const sounds = new Map(own.map((clip) => [clip, decodeAudio(evalPath('speech-emotion', clip.file))]));
    for (const calm of [true, false]) {
      const random = randomNumbers(11);
      const of = (speaker: string): Float32Array[] =>
        own
          .filter((clip) => clip.speaker === speaker && (!calm || CALM.includes(clip.emotion!)))
          .map((clip) => sounds.get(clip)!);
      const kind = calm ? 'calm (neutral, sadness)' : 'all emotions';
      let split = 0;
      for (const speaker of speakers) {
        const { samples } = conversation(new Map([[speaker, of(speaker)]]), random);
        split += Number(diarize(featuresOf(samples), await speechOf(samples, detector)).speakers.count > 1);
      }
      const pairs = speakers.flatMap((a, i) => speakers.slice(i + 1).map((b): [string, string] => [a, b]));
      const layouts = Math.ceil(CONVERSATIONS / Math.max(1, pairs.length));
      let sameSex: DiarizationErrors = NO_ERRORS;
      let mixed: DiarizationErrors = NO_ERRORS;
      let found: DiarizationErrors = NO_ERRORS;
      let one: DiarizationErrors = NO_ERRORS;
      let right = 0;
      for (const [a, b] of Array.from({ length: layouts }, () => pairs).flat()) {
        const laid = conversation(
          new Map([
            [a, of(a)],
            [b, of(b)],
          ]),
          random,
        );
        const features = featuresOf(laid.samples);
        const speech = await speechOf(laid.samples, detector);
        const duration = laid.samples.length / SAMPLE_RATE_HZ;
        const score = (turns: LabelledSegment[]): DiarizationErrors =>
          diarizationErrors(laid.reference, turns, duration, COLLAR_S);
        const counted = diarize(features, speech);
        right += Number(counted.speakers.count === 2);
        const given = score(labelled(diarize(features, speech, { speakers: 2 }).turns));
        if (sexOf.get(a) === sexOf.get(b)) sameSex = addErrors(sameSex, given);
        else mixed = addErrors(mixed, given);
        found = addErrors(found, score(labelled(counted.turns)));
        one = addErrors(one, score(speech.map((s) => ({ ...s, speaker: '0' }))));
      }
      const given = addErrors(sameSex, mixed);
      if (calm) allCalm = addErrors(allCalm, given);
      const conversations = layouts * pairs.length;
      rows.push([
        corpus,
        kind,
        conversations,
        share(given),
        calm ? CALM_BAR : null,
        share(sameSex),
        share(mixed),
        share(found),
        share(one),
        `${right}/${conversations}`,
        `${split}/${speakers.length}`,
      ]);
    }
  }
  rows.push(['both', 'calm, pooled by time', null, share(allCalm), CALM_BAR, null, null, null, null, null, null]);
  return {
    title: 'Same microphone: two acted voices laid out as turns (confusion %, collar .25 s)',
    columns: [
      'corpus',
      'voices',
      'conversations',
      '2 given',
      'bar',
      'same sex',
      'man and woman',
      'count found',
      'one speaker',
      'count right',
      'one person split',
    ],
    rows,
    note: 'Evaluation only. A few seconds of each voice, same room and channel: the count is not found here, and shouted and sad clips of one person differ more than two people. Same sex, man and woman: parts of 2 given.',
  };
}
