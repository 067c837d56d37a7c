import type { Word } from '../../../src/contract/timeline.ts';
import type { RecogniserEngine } from './recogniser.ts';

/**
 * Of English, clean and over telephones, the built-in recogniser is sure by .69 and more over a recording; of German by .42 to .47
 * (bench/emotion-voice.ts and the recordings of the evaluation data). Over so many words at least.
 */
const SURE_OF_ITS_LANGUAGE = 0.58;
const LEAST_WORDS = 20;

/** What is to be known of an utterance. */
interface Heard {
  heardBy: string;
  words: readonly Word[];
  asrConfidence: number;
}

const baseOf = (language: string) => language.split('-')[0]!.toLowerCase();

/** Who heard the utterances of a recording, and whether they were heard as one would expect. */
export class EngineTally {
  readonly #engine: RecogniserEngine;
  readonly #counts = new Map<string, number>();
  #words = 0;
  #logProbability = 0;

  /** @param engine that was asked */
  constructor(engine: RecogniserEngine) {
    this.#engine = engine;
  }

  add({ heardBy, words, asrConfidence }: Heard): void {
    this.#counts.set(heardBy, (this.#counts.get(heardBy) ?? 0) + 1);
    this.#words += words.length;
    this.#logProbability += words.length * Math.log(Math.max(asrConfidence, Number.MIN_VALUE));
  }

  /** Utterances by the id of the recogniser that heard them. */
  get heardBy(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  /** @param language what is spoken, where a client said it */
  warnings(language: string | undefined): string[] {
    const { id, languages, isSureOfLanguage } = this.#engine;
    const told: string[] = [];
    const all = this.#counts.values().reduce((sum, count) => sum + count, 0);
    for (const [other, count] of this.#counts)
      if (other !== id) told.push(`${count} of ${all} utterances were heard by ${other}: ${id} did not answer.`);
    if (language !== undefined && !languages.some((known) => baseOf(known) === baseOf(language)))
      told.push(`${id} understands ${languages.join(', ')} and not ${language}: the words are not to be trusted.`);
    const confidence = Math.exp(this.#logProbability / Math.max(1, this.#words));
    if (isSureOfLanguage && this.#words >= LEAST_WORDS && confidence < SURE_OF_ITS_LANGUAGE)
      told.push(
        `The speech does not seem to be English, which is all that ${id} understands, or is hardly audible: its confidence in the words is ${confidence.toFixed(2)}.`,
      );
    return told;
  }
}
