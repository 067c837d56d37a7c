import type { RecogniserOffer } from '../../../src/contract/analysis.ts';
import type { Quality } from '../../../src/contract/options.ts';
import type { Runtime } from '../models/runtime.ts';

export interface RecognisedWord {
  word: string;
  /** Seconds from the start of the samples. */
  start: number;
  end: number;
  /** Probability of the word's tokens, 0..1, and their number (1 for an engine that knows words alone). */
  confidence: number;
  tokens: number;
  /** Share of the hearings that have the word, where the sound was heard several times. */
  agreement?: number;
}

export interface Recognition {
  text: string;
  /** exp(mean token log-probability), 0..1; 0 for empty text. */
  confidence: number;
  words: RecognisedWord[];
  /** True when the engine broke the text off: a loop, or more than anybody says in that time. */
  cut: boolean;
  /** The id of the engine that heard it, where that may be another than was asked. */
  heardBy?: string;
}

export const NOTHING: Recognition = { text: '', confidence: 0, words: [], cut: false };

/** How an analysis wants to be heard. */
export interface RecognitionOptions {
  quality?: Quality;
  /** Names and terms that may be said (`words` of an analysis). */
  words?: readonly string[];
  /** What is spoken (BCP 47), where it is known. */
  language?: string;
}

/** An engine with its models loaded. It is asked for one thing at a time, of at most `longestS` of sound: mono, 16 kHz. */
export interface Recogniser {
  /** What is said, as surely as the engine can tell. */
  recognise(samples: Float32Array, hearing?: RecognitionOptions): Promise<Recognition>;
  /** What is said in speech that goes on, as soon as the engine can tell; its text is told and taken back. */
  recogniseInterim(samples: Float32Array): Promise<Recognition>;
}

/** A kind of speech recogniser; the known ones are listed in `engines.ts`. */
export interface RecogniserEngine {
  /** What an analysis chooses it by, and tells it was heard by: lower case, digits and hyphens. */
  id: string;
  /** With its maker, for readers. */
  name: string;
  kind: RecogniserOffer['kind'];
  /** That it understands: BCP 47. */
  languages: readonly string[];
  /** Most sound that it hears well at once, s: longer speech is cut before, at its pauses. At least 10. */
  longestS: number;
  /** Whether a low confidence over a whole recording means that another language is spoken. */
  isSureOfLanguage?: boolean;
  /**
   * @param other another engine, loaded
   * @throws when its files are missing or not the expected ones
   */
  load(runtime: Runtime, other: (id: string) => Promise<Recogniser>): Promise<Recogniser>;
}
