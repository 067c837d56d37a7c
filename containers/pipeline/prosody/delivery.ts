import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { emphasisFrames, finalContour, semitones } from './contour.ts';
import { intensityContour, SILENCE_DB } from './intensity.ts';
import { frameEnergy, pausesIn, speechFrames, syllableNuclei } from './phonation.ts';
import { PITCH_CEILING_HZ, PITCH_FLOOR_HZ, PitchTracker } from './pitch.ts';
import { perturbation } from './pulses.ts';
import { SpectrumCollector } from './spectrum.ts';
import { clamp, deviation, mean, quantile } from './statistics.ts';

/**
 * Measures of the samples of one utterance, before any comparison with its speaker's baseline. A measure that could not
 * be taken is 0 (null where 0 is a possible value), and lowers `confidence`.
 */
export interface Delivery {
  /** Seconds. */
  duration: number;
  /** Median, standard deviation, and 5th and 95th percentile over the voiced frames, Hz. 0 when nothing is voiced. */
  pitchMedianHz: number;
  pitchSdHz: number;
  pitchP5Hz: number;
  pitchP95Hz: number;
  /** Quartiles of the voiced frames, Hz, from which the speaker's floor and ceiling are computed. */
  pitchQ25Hz: number;
  pitchQ75Hz: number;
  /** Semitones re 27.5 Hz over the voiced frames. */
  pitchMeanSt: number;
  pitchSdSt: number;
  pitchP90St: number;
  /** Voiced fraction of the speech frames, 0 to 1, and the seconds of voice behind it. */
  voicedRatio: number;
  voicedSeconds: number;
  /** Over the speech frames, full scale = 1. */
  rms: number;
  rmsSd: number;
  rmsMax: number;
  /** Over the speech frames, dB re full scale. */
  intensityDb: number;
  intensitySdDb: number;
  /** Hz. */
  spectralCentroidHz: number;
  spectralSpreadHz: number;
  /** Standard deviation of the frame centroid, Hz. */
  spectralCentroidSdHz: number;
  zcr: number;
  /** In dB, as defined by eGeMAPS. */
  alphaRatioDb: number;
  /** Fraction of the energy above 1 kHz, 0 to 1. */
  highEnergyRatio: number;
  /** Spectral slopes from 0 to 500 Hz and from 500 to 1500 Hz, dB per Hz. */
  slope0to500: number;
  slope500to1500: number;
  hnrDb: number;
  jitter: number;
  shimmer: number;
  syllables: number;
  /** Syllables per second, over the whole duration and over phonation time. */
  speechRate: number;
  articulationRate: number;
  /** Silences of at least 150 ms within the utterance. */
  pauseCount: number;
  pauseMeanMs: number;
  pauseLongestMs: number;
  /** Silent fraction of the duration, 0 to 1. */
  pauseRatio: number;
  finalContour: 'rising' | 'falling' | 'level' | 'unknown';
  finalSlopeSt: number;
  /** Seconds from the utterance's start at which pitch and loudness peak together. Null when none stands out. */
  emphasisAt: number[];
  /** Strongest band below 2 kHz relative to the strongest from 2 to 5 kHz, dB (Hammarberg index). */
  hammarbergDb: number;
  /** The loudest sample, dB re full scale. */
  peakDb: number;
  /** Whether everything above 4 kHz is missing (telephone). */
  narrowband: boolean;
  /** Confidence, 0 to 1, with the reason when it is low. */
  confidence: number;
  confidenceReason: string | null;
}

/** Most trackers kept. All utterances of a speaker share one, and a recording has few speakers. */
const MOST_TRACKERS = 12;
const trackers = new Map<string, PitchTracker>();
const collector = new SpectrumCollector();

function trackerOf(floorHz: number, ceilingHz: number): PitchTracker {
  const key = `${floorHz} ${ceilingHz}`;
  const tracker = trackers.get(key) ?? new PitchTracker(floorHz, ceilingHz);
  trackers.delete(key);
  trackers.set(key, tracker);
  if (trackers.size > MOST_TRACKERS) trackers.delete(trackers.keys().next().value!);
  return tracker;
}

/**
 * Minimum pitch for the smoothed intensity in which syllables are counted. De Jong & Wempe (2009) use 50 Hz, but quick
 * syllables merge in its 128 ms window. With 100 Hz, the count is closer to the transcripts of LibriSpeech and LJ
 * Speech (bench/prosody.ts).
 */
const SYLLABLE_MINIMUM_PITCH_HZ = 100;

/**
 * Measures one utterance: pitch, loudness, spectrum, voice quality, rate, pauses, contour. It never throws. A measure
 * that cannot be taken is 0 and lowers the confidence. Deterministic: equal samples and options produce equal numbers.
 * @param samples 16 kHz mono, full scale 1.
 * @param options bounds of the pitch search, Hz; in a second pass, the speaker's own bounds from the baseline (De Looze
 *   & Hirst 2008).
 */
export function measureDelivery(
  samples: Float32Array,
  options: { floorHz?: number; ceilingHz?: number } = {},
): Delivery {
  const tracker = trackerOf(options.floorHz ?? PITCH_FLOOR_HZ, options.ceilingHz ?? PITCH_CEILING_HZ);
  collector.reset(Math.ceil(samples.length / SAMPLE_RATE_HZ / 0.01) + 1);
  const broadband = tracker.track(samples, collector.add.bind(collector));
  const { narrowband } = collector.voiceSpectrum(broadband.frequencyHz.map((hz) => Math.min(1, hz)));
  const pitch = narrowband ? tracker.track(samples, undefined, true) : broadband;
  const { frequencyHz, strength, startS, stepS } = pitch;
  const frames = frequencyHz.length;
  const duration = samples.length / SAMPLE_RATE_HZ;
  const energy = frameEnergy(samples, startS, stepS, frames);
  const { speech } = speechFrames(energy, frequencyHz);
  const voiced = speech.map((is, i) => (is === 1 && frequencyHz[i]! > 0 ? 1 : 0));
  const intensity = intensityContour(samples, startS, stepS, frames);
  const nuclei = syllableNuclei(
    intensityContour(samples, startS, stepS, frames, SYLLABLE_MINIMUM_PITCH_HZ),
    frequencyHz,
    speech,
  );
  const pauses = pausesIn(speech, stepS);
  const spoken = (values: Float64Array) => values.filter((_, i) => speech[i] === 1);
  const inVoice = (values: Float64Array) => values.filter((_, i) => voiced[i] === 1);
  const hz = inVoice(frequencyHz).sort();
  const st = hz.map(semitones);
  const rms = spoken(energy);
  const levels = spoken(intensity);
  const hnr = inVoice(strength).map((r) => 10 * Math.log10(clamp(r, 1e-4, 1 - 1e-6) / (1 - clamp(r, 1e-4, 1 - 1e-6))));
  const voice = collector.voiceSpectrum(hz.length > 0 ? voiced : speech);
  const moments = collector.moments(speech);
  const { jitter, shimmer } = perturbation(samples, pitch);
  const end = finalContour(frequencyHz, speech, stepS);
  const phonation = duration - pauses.total;
  const { peak, clipped, zcr } = waveform(samples);
  return {
    duration,
    pitchMedianHz: quantile(hz, 0.5),
    pitchSdHz: deviation(hz),
    pitchP5Hz: quantile(hz, 0.05),
    pitchP95Hz: quantile(hz, 0.95),
    pitchQ25Hz: quantile(hz, 0.25),
    pitchQ75Hz: quantile(hz, 0.75),
    pitchMeanSt: mean(st),
    pitchSdSt: deviation(st),
    pitchP90St: quantile(st, 0.9),
    voicedRatio: rms.length > 0 ? hz.length / rms.length : 0,
    voicedSeconds: hz.length * stepS,
    rms: Math.sqrt(mean(rms.map((value) => value * value))),
    rmsSd: deviation(rms),
    rmsMax: rms.reduce((most, value) => Math.max(most, value), 0),
    intensityDb: levels.length > 0 ? 10 * Math.log10(mean(levels.map((db) => 10 ** (db / 10)))) : SILENCE_DB,
    intensitySdDb: deviation(levels),
    spectralCentroidHz: moments.centroidHz,
    spectralSpreadHz: moments.spreadHz,
    spectralCentroidSdHz: moments.centroidSdHz,
    zcr,
    alphaRatioDb: voice.alphaRatioDb,
    highEnergyRatio: voice.highEnergyRatio,
    slope0to500: voice.slope0to500,
    slope500to1500: voice.slope500to1500,
    hnrDb: mean(hnr),
    jitter,
    shimmer,
    syllables: nuclei.length,
    speechRate: duration > 0 ? nuclei.length / duration : 0,
    articulationRate: phonation > 0 ? nuclei.length / phonation : 0,
    pauseCount: pauses.count,
    pauseMeanMs: pauses.meanMs,
    pauseLongestMs: pauses.longestMs,
    pauseRatio: duration > 0 ? pauses.total / duration : 0,
    finalContour: end.contour,
    finalSlopeSt: end.slopeSt,
    emphasisAt: emphasisFrames(nuclei, frequencyHz, intensity).map((frame) => startS + frame * stepS),
    hammarbergDb: voice.hammarbergDb,
    peakDb: peak > 0 ? 20 * Math.log10(peak) : SILENCE_DB,
    narrowband,
    ...trust(hz.length * stepS, mean(hnr), clipped),
  };
}

/** Voice that makes pitch statistics stable, s (about three syllables; this project's estimate). */
const ENOUGH_VOICE_S = 0.6;
/**
 * HNR below which noise masks the voice (Praat's manual: healthy voices exceed 20 dB; 0 dB means as much noise as
 * voice).
 */
const NOISY_HNR_DB = 3;
/** Fraction of samples in flat tops above which the spectrum and the level are distorted. */
const CLIPPED_SHARE = 0.002;

function trust(
  voicedS: number,
  hnrDb: number,
  clipped: number,
): { confidence: number; confidenceReason: string | null } {
  if (voicedS === 0) return { confidence: 0, confidenceReason: 'no voice found' };
  const enough = Math.min(1, voicedS / ENOUGH_VOICE_S);
  if (enough < 1) return { confidence: 0.9 * enough, confidenceReason: 'not enough speech' };
  if (hnrDb < NOISY_HNR_DB) return { confidence: 0.45, confidenceReason: 'noisy' };
  if (clipped > CLIPPED_SHARE) return { confidence: 0.6, confidenceReason: 'clipped' };
  return { confidence: 0.9, confidenceReason: null };
}

/** A flat top has at least this many consecutive samples this close to the peak (a 200 Hz sine has two). */
const FLAT_TOP = 0.998;
const FLAT_RUN = 3;

function waveform(samples: Float32Array): { peak: number; clipped: number; zcr: number } {
  let peak = 0;
  let crossings = 0;
  for (let i = 0; i < samples.length; i++) {
    const value = Math.abs(samples[i]!);
    if (value > peak) peak = value;
    if (i > 0 && samples[i]! >= 0 !== samples[i - 1]! >= 0) crossings++;
  }
  let flat = 0;
  let run = 0;
  for (let i = 0; i < samples.length && peak > 0; i++) {
    run = Math.abs(samples[i]!) >= FLAT_TOP * peak ? run + 1 : 0;
    if (run >= FLAT_RUN) flat += run === FLAT_RUN ? FLAT_RUN : 1;
  }
  const n = Math.max(1, samples.length);
  return { peak, clipped: flat / n, zcr: crossings / n };
}
