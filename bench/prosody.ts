/**
 * Prosody compared with Praat (same settings) and with synthesised signals whose answers are known, and its cost. Praat
 * is optional. Without it, the bench says so and prints the rest.
 */
import { semitones } from '../containers/pipeline/prosody/contour.ts';
import { type Delivery, measureDelivery } from '../containers/pipeline/prosody/delivery.ts';
import { intensityContour } from '../containers/pipeline/prosody/intensity.ts';
import { type PitchTrack, PitchTracker } from '../containers/pipeline/prosody/pitch.ts';
import { perturbation } from '../containers/pipeline/prosody/pulses.ts';
import { deviation, mean, quantile } from '../containers/pipeline/prosody/statistics.ts';
import { decodeAudio, evalPath, readEvalJson } from '../scripts/eval-data.ts';
import { add, noise, pulseTrain, rootMeanSquare, scaled, sine, vowel } from '../support/synthetic-voice.ts';
import { peakPicker } from './baselines/peak-picker.ts';
import { DEGRADATIONS } from './degradation.ts';
import { measureWithPraat } from './praat.ts';
import { report, say, type Table } from './report.ts';

/** The slow baseline measures only every nth clip. */
const BASELINE_EVERY = 6;
/** Praat's dB are re 2e-5 Pa, while ours are re full scale. */
const PRAAT_DB = 20 * Math.log10(1 / 2e-5);

interface Clip {
  name: string;
  group: string;
  path: string;
}

function clips(): Clip[] {
  const listed = (folder: string) =>
    readEvalJson<{ file: string; corpus: string }[]>(folder, 'manifest.json').map(({ file, corpus }) => ({
      name: file,
      group: corpus.split(' ')[0]!,
      path: evalPath(folder, file),
    }));
  return [...listed('asr').filter(({ group }) => group === 'LibriSpeech'), ...listed('speech-emotion')];
}

/** Totals of the comparison of many clips with Praat. */
class PitchComparison {
  frames = 0;
  agreed = 0;
  both = 0;
  gross = 0;
  readonly differences: number[] = [];
  readonly spreads: number[] = [];

  add(ours: ArrayLike<number>, theirs: number[]): void {
    const own: number[] = [];
    const other: number[] = [];
    for (let i = 0; i < theirs.length; i++) {
      const a = ours[i] ?? 0;
      const b = theirs[i]!;
      this.frames++;
      if (a > 0 === b > 0) this.agreed++;
      if (a > 0) own.push(semitones(a));
      if (b > 0) other.push(semitones(b));
      if (a === 0 || b === 0) continue;
      this.both++;
      if (Math.abs(a / b - 1) > 0.2) this.gross++;
      this.differences.push(Math.abs(semitones(a) - semitones(b)));
    }
    if (other.length > 10) this.spreads.push(Math.abs(deviation(own) - deviation(other)));
  }

  row(name: string): (string | number)[] {
    const differences = this.differences.toSorted((a, b) => a - b);
    const spreads = this.spreads.toSorted((a, b) => a - b);
    return [
      name,
      this.spreads.length,
      (100 * this.gross) / this.both,
      quantile(differences, 0.5),
      quantile(differences, 0.95),
      (100 * this.agreed) / this.frames,
      mean(spreads),
      quantile(spreads, 1),
      (100 * spreads.filter((s) => s > 0.5).length) / spreads.length,
    ];
  }
}

function againstPraat(): Table[] {
  const all = clips();
  say(`Praat on ${all.length} clips ...`);
  const references = measureWithPraat(all.map(({ path }) => path));
  if (references === null) {
    say('praat is not installed (Debian: apt-get install praat): the comparison is left out.');
    return [{ title: 'Against Praat', columns: ['not run'], rows: [['praat is not installed']] }];
  }
  const tracker = new PitchTracker();
  const pitch = new Map<string, PitchComparison>();
  const picked = new PitchComparison();
  const level = new Map<string, number[]>();
  const quality: Record<'jitter' | 'shimmer' | 'hnr', [number, number][]> = { jitter: [], shimmer: [], hnr: [] };
  all.forEach(({ path, group }, c) => {
    const samples = decodeAudio(path);
    const reference = references[c]!;
    const track = tracker.track(samples);
    for (const name of [group, 'all']) {
      if (!pitch.has(name)) pitch.set(name, new PitchComparison());
      pitch.get(name)!.add(track.frequencyHz, reference.pitch.hz);
    }
    if (c % BASELINE_EVERY === 0)
      picked.add(peakPicker(samples, track.startS, track.stepS, track.frequencyHz.length), reference.pitch.hz);
    const { startS, stepS, db } = reference.intensity;
    const ours = intensityContour(samples, startS, stepS, db.length);
    const loudest = Math.max(...db);
    const off = db.flatMap((theirs, i) => (theirs > loudest - 25 ? [Math.abs(ours[i]! + PRAAT_DB - theirs)] : []));
    level.set(group, [...(level.get(group) ?? []), ...off]);
    const own = perturbation(samples, track);
    const delivery = measureDelivery(samples);
    if (Number.isFinite(reference.jitter)) quality.jitter.push([own.jitter, reference.jitter]);
    if (Number.isFinite(reference.shimmer)) quality.shimmer.push([own.shimmer, reference.shimmer]);
    if (Number.isFinite(reference.hnrDb)) quality.hnr.push([delivery.hnrDb, reference.hnrDb]);
  });
  return [
    {
      title: 'Pitch against Praat, To Pitch (ac), 75-600 Hz, 10 ms',
      columns: [
        'clips',
        'n',
        'gross > 20 % (%)',
        'median st',
        'p95 st',
        'voicing agreed (%)',
        'clip SD off, mean st',
        'max st',
        'clips off > .5 st (%)',
      ],
      rows: [
        ...[...pitch].map(([name, comparison]) => comparison.row(name)),
        picked.row('baseline: strongest peak, no path'),
      ],
      note: 'bars: gross <= .5, median <= .02, voicing >= 98, clip SD within .5',
    },
    {
      title: 'Intensity against Praat, To Intensity 75 Hz, frames within 25 dB of the loudest',
      columns: ['clips', 'mean dB off', 'p95', 'max'],
      rows: [...level].map(([name, off]) => {
        const sorted = off.toSorted((a, b) => a - b);
        return [name, mean(sorted), quantile(sorted, 0.95), quantile(sorted, 1)];
      }),
      note: 'bar: within .5 dB',
    },
    {
      title: 'Voice quality against Praat, clip values',
      columns: ['measure', 'n', 'r', 'ours, mean', 'Praat, mean', 'median off'],
      rows: Object.entries(quality).map(([name, pairs]) => [
        name,
        pairs.length,
        correlation(pairs),
        mean(pairs.map(([a]) => a)),
        mean(pairs.map(([, b]) => b)),
        quantile(
          pairs.map(([a, b]) => Math.abs(a - b)).sort((a, b) => a - b),
          0.5,
        ),
      ]),
      note: "HNR is taken from the pitch frames (3 periods); Praat's harmonicity uses 4.5 and a higher silence threshold",
    },
  ];
}

function correlation(pairs: [number, number][]): number {
  const a = pairs.map(([x]) => x);
  const b = pairs.map(([, y]) => y);
  const ma = mean(a);
  const mb = mean(b);
  return mean(a.map((x, i) => (x - ma) * (b[i]! - mb))) / (deviation(a) * deviation(b));
}

function knownAnswers(): Table {
  const rows: (string | number)[][] = [];
  const compare = (name: string, known: number, found: number) =>
    rows.push([name, known, found, (100 * Math.abs(found - known)) / Math.abs(known)]);
  const steady = (hz: number) => vowel({ seconds: 1, hz: () => hz });
  for (const hz of [80, 147, 233, 440, 590]) compare(`sine ${hz} Hz`, hz, measureDelivery(sine(hz, 1)).pitchMedianHz);
  for (const hz of [85, 120, 210, 330]) compare(`vowel ${hz} Hz`, hz, measureDelivery(steady(hz)).pitchMedianHz);
  compare(
    'vowel 120 Hz, telephone band',
    120,
    measureDelivery(vowel({ seconds: 1, hz: () => 120, band: [300, 3400] })).pitchMedianHz,
  );
  const noisy = add(steady(180), noise(1, rootMeanSquare(steady(180)) * 10 ** (-10 / 20)));
  compare('vowel 180 Hz, noise at 10 dB', 180, measureDelivery(noisy).pitchMedianHz);
  const hum = add(steady(180), sine(50, 1, 0.02), sine(100, 1, 0.01));
  compare('vowel 180 Hz, mains hum', 180, measureDelivery(hum).pitchMedianHz);
  const clipped = scaled(steady(150), 6).map((x) => Math.max(-0.5, Math.min(0.5, x)));
  compare('vowel 150 Hz, clipped hard', 150, measureDelivery(clipped).pitchMedianHz);
  const glide = measureDelivery(vowel({ seconds: 2, hz: (t) => 100 * 2 ** (t / 2) }));
  // 6 st per second in frames that are 10 ms apart: the deviation of equally spaced values.
  const frames = Math.round(glide.voicedSeconds / 0.01);
  compare('glide 100-200 Hz: SD, st', 0.06 * Math.sqrt((frames ** 2 - 1) / 12), glide.pitchSdSt);
  compare('sine, intensity dB', 20 * Math.log10(0.3 / Math.sqrt(2)), measureDelivery(sine(200, 1)).intensityDb);
  const trackOf = (samples: Float32Array): PitchTrack => new PitchTracker().track(samples);
  for (const wobble of [0.005, 0.01]) {
    const train = pulseTrain(125, 2, wobble, 0.03);
    const { jitter, shimmer } = perturbation(train, trackOf(train));
    compare(`pulses, jitter ${200 * wobble} %`, 2 * wobble, jitter);
    compare('pulses, shimmer 6 %', 0.06, shimmer);
  }
  for (const db of [5, 10, 20]) {
    const tone = sine(200, 2, 0.2);
    const mixed = add(tone, noise(2, rootMeanSquare(tone) * 10 ** (-db / 20), 7));
    compare(`tone in white noise, HNR ${db} dB`, db, measureDelivery(mixed).hnrDb);
  }
  return {
    title: 'Known answers',
    columns: ['signal', 'known', 'found', 'off (%)'],
    rows,
    note: 'bar: .5 % on tones and vowels; jitter, shimmer and HNR are measured on signals built to have them',
  };
}

/** Number of syllables in an English text, counted as groups of vowel letters without silent endings. */
function syllablesOf(text: string): number {
  return (text.toLowerCase().match(/[a-z']+/g) ?? []).reduce((sum, word) => {
    const spoken = word.replace(/[^a-z]/g, '').replace(/([^laeiouy])es$|([^aeioutd])ed$|([^laeiouy])e$/, '$1$2$3');
    return sum + Math.max(1, spoken.match(/[aeiouy]+/g)?.length ?? 1);
  }, 0);
}

function rates(): Table {
  const read = readEvalJson<{ file: string; text: string }[]>('asr', 'manifest.json').map(({ file, text }) => {
    const delivery = measureDelivery(decodeAudio(evalPath('asr', file)));
    const known = syllablesOf(text) / delivery.duration;
    return { known, found: delivery.speechRate };
  });
  const row = (name: string, found: (one: (typeof read)[number]) => number) => [
    name,
    read.length,
    correlation(read.map((one) => [found(one), one.known])),
    mean(read.map(found)),
    mean(read.map(({ known }) => known)),
    mean(read.map((one) => Math.abs(found(one) - one.known))),
  ];
  const average = mean(read.map(({ known }) => known));
  return {
    title: 'Speech rate against the syllables of the transcripts (asr set)',
    columns: ['measure', 'n', 'r', 'found, syll/s', 'transcript, syll/s', 'mean off'],
    rows: [
      row('syllable nuclei', ({ found }) => found),
      [
        'baseline: always the mean rate',
        read.length,
        0,
        average,
        average,
        mean(read.map(({ known }) => Math.abs(average - known))),
      ],
    ],
    note: 'De Jong & Wempe (2009) report r .71 for speech rate; syllables of the texts are counted by letters',
  };
}

/** Effect of degrading a clean clip on its measures, as differences from the clean clip. */
function robustness(): Table {
  const read = clips()
    .filter(({ group }, i) => group === 'LibriSpeech' && i % 2 === 0)
    .map(({ path }) => decodeAudio(path));
  const tracker = new PitchTracker();
  const clean = read.map((samples) => ({ track: tracker.track(samples), delivery: measureDelivery(samples) }));
  return {
    title: 'Spoilt recordings against the same clean ones (LibriSpeech)',
    columns: [
      'spoilt by',
      'gross pitch (%)',
      'voicing agreed (%)',
      'median pitch off, st',
      'rate off, syll/s',
      'pauses off, share',
      'alpha ratio off, dB',
      'HNR off, dB',
      'known as',
    ],
    rows: Object.entries(DEGRADATIONS).map(([name, spoil]) => {
      const comparison = new PitchComparison();
      const spoilt = read.map((samples, i) => {
        const bad = spoil(samples);
        const delivery = measureDelivery(bad);
        const track = tracker.track(bad, undefined, delivery.narrowband);
        comparison.add(track.frequencyHz, Array.from(clean[i]!.track.frequencyHz));
        return delivery;
      });
      const off = (value: (d: Delivery) => number) =>
        quantile(
          spoilt.map((d, i) => Math.abs(value(d) - value(clean[i]!.delivery))).sort((a, b) => a - b),
          0.5,
        );
      const known = Map.groupBy(spoilt, (d) => d.confidenceReason ?? (d.narrowband ? 'narrow band' : 'good'));
      return [
        name,
        (100 * comparison.gross) / comparison.both,
        (100 * comparison.agreed) / comparison.frames,
        off((d) => semitones(d.pitchMedianHz)),
        off((d) => d.speechRate),
        off((d) => d.pauseRatio),
        off((d) => d.alphaRatioDb),
        off((d) => d.hnrDb),
        [...known].map(([reason, these]) => `${reason} ${these.length}`).join(', '),
      ];
    }),
    note: 'medians over clips; the telephone band takes the fundamental away: its octave errors are the price',
  };
}

function cost(): Table {
  const samples = clips()
    .filter(({ group }) => group === 'LibriSpeech')
    .map(({ path }) => decodeAudio(path));
  const seconds = samples.reduce((sum, s) => sum + s.length, 0) / 16_000;
  const tracker = new PitchTracker();
  const per = (work: (s: Float32Array) => void) => {
    const rounds = [0, 1, 2].map(() => {
      const before = process.cpuUsage();
      for (const s of samples) work(s);
      const used = process.cpuUsage(before);
      return (used.user + used.system) / 1000 / seconds;
    });
    return Math.min(...rounds.slice(1));
  };
  return {
    title: 'Cost, CPU ms per audio second, one thread',
    columns: ['what', 'ms'],
    rows: [
      ['everything (measureDelivery)', per((s) => measureDelivery(s))],
      ['everything, speaker bounds 120-400 Hz', per((s) => measureDelivery(s, { floorHz: 120, ceilingHz: 400 }))],
      ['pitch alone', per((s) => tracker.track(s))],
    ],
    note: 'bar: 8',
  };
}

report('prosody', [...againstPraat(), knownAnswers(), rates(), robustness(), cost()]);
