import type { Language } from '../../../../src/conversation/language.ts';
import type { SourceAffect } from '../reading.ts';
import type { ModelReading } from './model.ts';

/** Inputs from the words of an utterance. */
export interface UtteranceWords {
  text: string;
  language: Language;
  model: ModelReading;
  /** Sentiment of the words, from -1 to 1. */
  polarity: number;
  /** The recogniser's confidence in the words, 0 to 1. */
  asrConfidence: number;
}

/** A synchronous source that reads affect from the words alone. */
export interface WordSource {
  read(input: UtteranceWords): SourceAffect;
}
