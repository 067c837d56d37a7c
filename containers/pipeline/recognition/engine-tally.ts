import type { Word } from '../../../src/contract/timeline.ts';
import type { RecogniserEngine } from './recogniser.ts';

/**
 * Mean confidence of the built-in recogniser over a recording: .69 and more for English, clean and over telephones; .42
 * to .47 for German (bench/emotion-voice.ts and the recordings of the evaluation data). Over at least this many words.
 */
const LEAST_CONFIDENCE = 0.58;
const LEAST_WORDS = 20;

/** The facts about an utterance that are counted. */
interface CountedUtterance {
  transcribedBy: string;
  words: readonly Word[];
  asrConfidence: number;
}

const baseOf = (language: string) => language.split('-')[0]!.toLowerCase();

/** Counts the recognisers that transcribed the utterances of a recording, and their confidence. */
export class EngineTally {
  readonly #engine: RecogniserEngine;
  readonly #counts = new Map<string, number>();
  #words = 0;
  #logProbability = 0;

  /** @param engine the requested engine */
  constructor(engine: RecogniserEngine) {
    this.#engine = engine;
  }

  add({ transcribedBy, words, asrConfidence }: CountedUtterance): void {
    this.#counts.set(transcribedBy, (this.#counts.get(transcribedBy) ?? 0) + 1);
    this.#words += words.length;
    this.#logProbability += words.length * Math.log(Math.max(asrConfidence, Number.MIN_VALUE));
  }

  /** Utterances by the id of the recogniser that transcribed them. */
  get transcribedBy(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  /** @param language the spoken language, where a client named it */
  warnings(language: string | undefined): string[] {
    const { id, languages, confidenceShowsLanguage } = this.#engine;
    const warnings: string[] = [];
    const all = this.#counts.values().reduce((sum, count) => sum + count, 0);
    for (const [other, count] of this.#counts)
      if (other !== id)
        warnings.push(`${count} of ${all} utterances were transcribed by ${other} because ${id} did not respond.`);
    if (language !== undefined && !languages.some((known) => baseOf(known) === baseOf(language)))
      warnings.push(`${id} supports ${languages.join(', ')}, not ${language}: its transcript is unreliable.`);
    const confidence = Math.exp(this.#logProbability / Math.max(1, this.#words));
    if (confidenceShowsLanguage && this.#words >= LEAST_WORDS && confidence < LEAST_CONFIDENCE)
      warnings.push(
        `The speech may not be English, the only language that ${id} supports, or may be hard to hear: the mean confidence of its words is ${confidence.toFixed(2)}.`,
      );
    return warnings;
  }
}
