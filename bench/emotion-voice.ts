/**
 * Affect of acted speech that was not used in fitting, RAVDESS and EmoDB (classes), and of 47 rated clips (arousal):
 * first the service's report from words and voice, and then the voice alone. `--service` and `--voice` run only one
 * part. `--svg` writes the reliability diagram to docs/reliability-voice.svg.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceAffect } from '../containers/pipeline/affect/reading.ts';
import { readVoice } from '../containers/pipeline/affect/voice/voice-affect.ts';
import { NO_BASELINE, type SpeakerBaseline, speakerBaseline } from '../containers/pipeline/prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../containers/pipeline/prosody/delivery.ts';
import { deviation, mean, quantile } from '../containers/pipeline/prosody/statistics.ts';
import { decodeAudio, evalPath, readEvalJson } from '../scripts/eval-data.ts';
import { rocAuc } from '../scripts/train/agreement.ts';
import { EMOTIONS, type Emotion } from '../src/contract/timeline.ts';
import { uniform } from '../support/synthetic-voice.ts';
import { DEGRADATIONS } from './degradation.ts';
import { serviceTables } from './emotion-service.ts';
import { calibrationError, type Prediction, reliabilityBins, reliabilitySvg } from './reliability-diagram.ts';
import { report, say, type Table } from './report.ts';

interface Clip {
  file: string;
  corpus: string;
  speaker: string | null;
  emotion: Emotion | null;
  arousal?: number;
  valence?: number;
}
interface Heard extends Clip {
  samples: Float32Array;
  delivery: Delivery;
}
/** One clip judged once. */
interface Judged {
  clip: Heard;
  affect: SourceAffect;
}

const AROUSED = new Set(['anger', 'fear', 'joy']);
const CALM = new Set(['sadness', 'neutral']);
const BASELINE_CLIPS = 5;
/** Number of draws for the rows of degraded clips, which are measured again. */
const SPOILT_DRAWS = 2;
/** Each clip is judged against this many random draws of five other clips of its speaker. */
const DRAWS = 10;

const random = uniform(20_260_101);
const below = (n: number) => Math.min(n - 1, Math.floor(((random() + 1) / 2) * n));

function draw<T>(items: T[], n: number): T[] {
  const left = [...items];
  return Array.from({ length: Math.min(n, left.length) }, () => left.splice(below(left.length), 1)[0]!);
}

function bySpeaker<T extends { clip: Heard }>(judged: T[]): T[][] {
  return [...Map.groupBy(judged, ({ clip }) => clip.speaker).values()];
}

/** Within-speaker AUC of a score, with one number per speaker. */
const speakerAucs = <T extends { clip: Heard }>(judged: T[], score: (one: T) => number): number[] =>
  bySpeaker(judged).map((own) =>
    rocAuc(
      own.filter(({ clip }) => AROUSED.has(clip.emotion ?? '')).map(score),
      own.filter(({ clip }) => CALM.has(clip.emotion ?? '')).map(score),
    ),
  );

function named(affect: SourceAffect): Emotion {
  return EMOTIONS.reduce(
    (best, emotion) => (affect.emotions[emotion] > affect.emotions[best] ? emotion : best),
    'neutral',
  );
}

/** Unweighted average recall over the classes that occur. */
function recall(judged: { clip: Heard; named: Emotion }[]): number {
  const classes = [...Map.groupBy(judged, ({ clip }) => clip.emotion).entries()];
  return mean(classes.map(([emotion, own]) => own.filter((one) => one.named === emotion).length / own.length));
}

/** 95 % interval of a statistic by resampling speakers. */
function interval<T extends { clip: Heard }>(judged: T[], statistic: (judged: T[]) => number): string {
  const speakers = bySpeaker(judged);
  const values = Array.from({ length: 200 }, () =>
    statistic(speakers.flatMap(() => speakers[below(speakers.length)]!)),
  );
  const sorted = values.sort((a, b) => a - b);
  return `${quantile(sorted, 0.025).toFixed(2)}-${quantile(sorted, 0.975).toFixed(2)}`;
}

function concordance(a: number[], b: number[]): { r: number; ccc: number } {
  const [ma, mb, sa, sb] = [mean(a), mean(b), deviation(a), deviation(b)];
  const covariance = mean(a.map((x, i) => (x - ma) * (b[i]! - mb)));
  return { r: covariance / (sa * sb), ccc: (2 * covariance) / (sa * sa + sb * sb + (ma - mb) ** 2) };
}

function judgeWith(clips: Heard[], baselineOf: (clip: Heard) => SpeakerBaseline): Judged[] {
  return clips.map((clip) => {
    const baseline = baselineOf(clip);
    const delivery = baseline.n > 0 ? measureDelivery(clip.samples, baseline) : clip.delivery;
    return { clip, affect: readVoice(delivery, baseline) };
  });
}

/** Judges every clip against a baseline of other clips of its speaker, in several draws. */
function againstOthers(own: Heard[], draws: number): Judged[][] {
  return Array.from({ length: draws }, () =>
    judgeWith(own, (clip) => {
      const others = own.filter((other) => other.speaker === clip.speaker && other !== clip);
      return speakerBaseline(draw(others, BASELINE_CLIPS).map(({ delivery }) => delivery));
    }),
  );
}

function rows(name: string, setting: string, runs: Judged[][]): (string | number)[] {
  const classed = runs.map((run) => run.map((one) => ({ ...one, named: named(one.affect) })));
  const predictions: Prediction[] = classed.flat().map(({ affect, clip, named: emotion }) => ({
    probability: affect.emotions[emotion],
    right: clip.emotion === emotion,
  }));
  const arousal = ({ affect }: Judged) => affect.pad.arousal;
  const confused = classed
    .flat()
    .filter(
      ({ affect, named: emotion, clip }) =>
        affect.emotions[emotion] > 0.5 && emotion !== clip.emotion && emotion !== 'neutral',
    );
  return [
    name,
    setting,
    mean(runs.map((run) => mean(speakerAucs(run, arousal)))),
    interval(runs[0]!, (run) => mean(speakerAucs(run, arousal))),
    mean(classed.map(recall)),
    interval(classed[0]!, recall),
    calibrationError(reliabilityBins(predictions)),
    mean(predictions.map(({ probability }) => probability)),
    (100 * confused.length) / predictions.length,
  ];
}

const clips: Heard[] = readEvalJson<Clip[]>('speech-emotion', 'manifest.json').map((clip) => {
  const samples = decodeAudio(evalPath('speech-emotion', clip.file));
  return { ...clip, samples, delivery: measureDelivery(samples) };
});
say(`${clips.length} clips measured`);

const [onlyService, onlyVoice] = ['--service', '--voice'].map((option) => process.argv.includes(option));
if (!onlyVoice)
  report(
    'emotion-service',
    await serviceTables(clips.filter(({ corpus, emotion }) => emotion !== null && /^(RAVDESS|EmoDB)$/.test(corpus))),
  );
if (onlyService) process.exit();

const classes: (string | number)[][] = [];
const confusion: Table[] = [];
const reliability: { name: string; bins: ReturnType<typeof reliabilityBins> }[] = [];
for (const corpus of ['RAVDESS', 'EmoDB']) {
  const own = clips.filter((clip) => clip.corpus === corpus);
  const withBaseline = againstOthers(own, DRAWS);
  const without = [judgeWith(own, () => NO_BASELINE)];
  classes.push(
    rows(corpus, `baseline of ${BASELINE_CLIPS} other clips`, withBaseline),
    rows(corpus, 'no baseline', without),
  );
  for (const spoiling of ['telephone (300-3400 Hz, mu-law)', 'white noise, 10 dB']) {
    const spoilt = own.map((clip) => {
      const samples = DEGRADATIONS[spoiling]!(clip.samples);
      return { ...clip, samples, delivery: measureDelivery(samples) };
    });
    classes.push(rows(corpus, `baseline; ${spoiling}`, againstOthers(spoilt, SPOILT_DRAWS)));
  }
  const energy = own.map((clip) => ({ clip, level: clip.delivery.intensityDb }));
  const present = new Set(own.map(({ emotion }) => emotion)).size;
  classes.push([corpus, 'energy only', mean(speakerAucs(energy, ({ level }) => level)), '', '-', '', '-', '-', '-']);
  classes.push([corpus, 'always neutral', 0.5, '', 1 / present, '', '-', '-', '-']);
  classes.push([corpus, 'chance (seven classes)', 0.5, '', 1 / 7, '', '-', '-', '-']);
  for (const [setting, runs] of [
    ['with baseline', withBaseline],
    ['no baseline', without],
  ] as const) {
    const flat = runs.flat().map((one) => ({ emotion: one.clip.emotion, named: named(one.affect), p: one.affect }));
    reliability.push({
      name: `${corpus}, ${setting}`,
      bins: reliabilityBins(
        flat.map(({ emotion, named: n, p }) => ({ probability: p.emotions[n], right: n === emotion })),
      ),
    });
    confusion.push({
      title: `${corpus}, ${setting}: named (%), by acted class`,
      columns: ['acted', ...EMOTIONS],
      rows: EMOTIONS.filter((emotion) => flat.some((one) => one.emotion === emotion)).map((acted) => {
        const these = flat.filter((one) => one.emotion === acted);
        return [
          acted,
          ...EMOTIONS.map((e) => Math.round((100 * these.filter((one) => one.named === e).length) / these.length)),
        ];
      }),
    });
  }
}

const rated = clips.filter((clip) => clip.arousal !== undefined);
const ratings = rated.map((clip) => clip.arousal!);
const scores = judgeWith(rated, () => NO_BASELINE).map(({ affect }) => 2 * affect.pad.arousal - 1);
const valences = judgeWith(rated, () => NO_BASELINE).map(({ affect }) => 2 * affect.pad.valence - 1);
const levels = rated.map(({ delivery }) => delivery.intensityDb);
const levelZ = levels.map((db) => ((db - mean(levels)) / deviation(levels)) * deviation(ratings) + mean(ratings));
const asRow = (name: string, found: number[], known: number[]) => {
  const { r, ccc } = concordance(found, known);
  return [name, r, ccc, mean(found), deviation(found), mean(known), deviation(known)];
};

if (process.argv.includes('--svg'))
  writeFileSync(
    join(import.meta.dirname, '../docs/reliability-voice.svg'),
    reliabilitySvg('Emotion from the voice alone', reliability),
  );

report('emotion-voice', [
  {
    title: 'Classes and arousal (anger, fear, joy against sadness, neutral, within speaker)',
    columns: [
      'clips',
      'setting',
      'arousal AUC',
      '95 %',
      'UAR',
      '95 %',
      'ECE',
      'mean top probability',
      'wrong and sure > .5 (%)',
    ],
    rows: classes,
    note: 'bars: AUC .85 / .93, UAR .36 / .43 with baseline, .27 / .40 without; acted studio speech, says little about calls; intervals by drawing speakers anew',
  },
  {
    title: `Arousal of ${rated.length} rated clips, -1..1, no baseline`,
    columns: ['score', 'r', 'CCC', 'mean', 'sd', 'rated mean', 'rated sd'],
    rows: [
      asRow('voice arousal', scores, ratings),
      asRow('baseline: energy only, scaled to the ratings', levelZ, ratings),
      asRow(
        'baseline: always the middle',
        ratings.map((_, i) => 1e-9 * (i % 2)),
        ratings,
      ),
      asRow(
        'voice valence against rated valence',
        valences,
        rated.map((clip) => clip.valence!),
      ),
    ],
    note: 'bars: r .70, CCC .60',
  },
  ...confusion,
]);
