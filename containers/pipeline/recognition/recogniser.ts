import type { RecogniserOffer } from '../../../src/contract/analysis.ts';
import type { Quality } from '../../../src/contract/options.ts';
import type { Runtime } from '../models/runtime.ts';

export interface RecognisedWord {
  word: string;
  /** Seconds from the start of the samples. */
  start: number;
  end: number;
  /** Probability of the word's tokens, 0 to 1, and the number of tokens (1 for an engine without tokens). */
  confidence: number;
  tokens: number;
  /** Fraction of the passes that contain the word, if there were several. */
  agreement?: number;
}

export interface Recognition {
  text: string;
  /** exp(mean token log-probability), 0 to 1. 0 for empty text. */
  confidence: number;
  words: RecognisedWord[];
  /** Whether the engine broke the text off, because it looped or was longer than anyone can speak in that time. */
  cut: boolean;
  /** Id of the engine that transcribed it, if it can differ from the requested one. */
  transcribedBy?: string;
  /** The language that the engine recognised (BCP 47), if it reports one. */
  language?: string;
}

export const NOTHING: Recognition = { text: '', confidence: 0, words: [], cut: false };

/** Options of an analysis for its recogniser. */
export interface RecognitionOptions {
  quality?: Quality;
  /** Names and terms that are likely to occur (the `words` of an analysis). */
  words?: readonly string[];
  /** The spoken language (BCP 47), if it is known. */
  language?: string;
}

/** The options for the recogniser. @param otherwise quality if none was requested */
export const recognitionOptions = (
  { quality, words, language }: RecognitionOptions,
  otherwise: Quality,
): RecognitionOptions => ({ quality: quality ?? otherwise, words, language });

/**
 * An engine with its models loaded. It processes one request at a time, with at most `longestS` of audio: mono, 16 kHz.
 */
export interface Recogniser {
  /** Transcribes at the engine's best quality. */
  recognise(samples: Float32Array, options?: RecognitionOptions): Promise<Recognition>;
  /** Transcribes speech that has not ended, as fast as the engine can. The text will be replaced. */
  recogniseInterim(samples: Float32Array): Promise<Recognition>;
}

/** A kind of speech recogniser. `engines.ts` lists the known ones. */
export interface RecogniserEngine {
  /** The name by which an analysis chooses it and a result refers to it: lower case, digits and hyphens. */
  id: string;
  /** Display name, including the maker. */
  name: string;
  kind: RecogniserOffer['kind'];
  /** Languages that it understands (BCP 47). */
  languages: readonly string[];
  /**
   * Longest audio that it transcribes well in one request, s, at least 10. Longer speech is first cut at its pauses.
   */
  longestS: number;
  /** Whether it renders any speech as words of its own languages, so that the words have to be checked. */
  mishearsOtherLanguages?: boolean;
  /**
   * @param other returns another engine, already loaded
   * @throws when its files are missing or differ from the expected ones
   */
  load(runtime: Runtime, other: (id: string) => Promise<Recogniser>): Promise<Recogniser>;
}
