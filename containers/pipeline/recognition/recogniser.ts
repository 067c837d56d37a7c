import type { RecogniserOffer } from '../../../src/contract/analysis.ts';
import type { Quality } from '../../../src/contract/options.ts';
import type { Runtime } from '../models/runtime.ts';

export interface RecognisedWord {
  word: string;
  /** Seconds from the start of the samples. */
  start: number;
  end: number;
  /** Probability of the word's tokens, 0..1, and their number (1 for an engine without tokens). */
  confidence: number;
  tokens: number;
  /** Share of the passes that have the word, where the sound was recognised several times. */
  agreement?: number;
}

export interface Recognition {
  text: string;
  /** exp(mean token log-probability), 0..1; 0 for empty text. */
  confidence: number;
  words: RecognisedWord[];
  /** True when the engine broke the text off: a loop, or more than anybody says in that time. */
  cut: boolean;
  /** The id of the engine that transcribed it, where that may differ from the requested one. */
  transcribedBy?: string;
  /** The language in which the engine took it to be spoken (BCP 47), where it says so. */
  language?: string;
}

export const NOTHING: Recognition = { text: '', confidence: 0, words: [], cut: false };

/** Options of an analysis for its recogniser. */
export interface RecognitionOptions {
  quality?: Quality;
  /** Names and terms that may occur (`words` of an analysis). */
  words?: readonly string[];
  /** The spoken language (BCP 47), where it is known. */
  language?: string;
}

/** The options for the recogniser. @param otherwise the quality where none was requested */
export const recognitionOptions = (
  { quality, words, language }: RecognitionOptions,
  otherwise: Quality,
): RecognitionOptions => ({ quality: quality ?? otherwise, words, language });

/** An engine with its models loaded. It runs one request at a time, of at most `longestS` of sound: mono, 16 kHz. */
export interface Recogniser {
  /** The words, at the engine's best quality. */
  recognise(samples: Float32Array, options?: RecognitionOptions): Promise<Recognition>;
  /** The words of speech that is still going on, as fast as the engine can; the text will be replaced. */
  recogniseInterim(samples: Float32Array): Promise<Recognition>;
}

/** A kind of speech recogniser; the known ones are listed in `engines.ts`. */
export interface RecogniserEngine {
  /** The name by which an analysis chooses it and a result names it: lower case, digits and hyphens. */
  id: string;
  /** With its maker, for readers. */
  name: string;
  kind: RecogniserOffer['kind'];
  /** Languages it understands: BCP 47. */
  languages: readonly string[];
  /** Longest sound that it transcribes well at once, s: longer speech is first cut at its pauses. At least 10. */
  longestS: number;
  /** Whether it turns any speech into words of its own languages, so that the words must be checked. */
  mishearsOtherLanguages?: boolean;
  /**
   * @param other another engine, loaded
   * @throws when its files are missing or not the expected ones
   */
  load(runtime: Runtime, other: (id: string) => Promise<Recogniser>): Promise<Recogniser>;
}
