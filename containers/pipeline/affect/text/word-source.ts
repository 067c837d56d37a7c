import type { Language } from '../../../../src/conversation/language.ts';
import type { SourceAffect } from '../reading.ts';
import type { ModelReading } from './model.ts';

/** The inputs from the words of an utterance. */
export interface UtteranceWords {
  text: string;
  language: Language;
  model: ModelReading;
  /** Sentiment of the words, -1..1. */
  polarity: number;
  /** The recogniser's confidence in the words, 0..1. */
  asrConfidence: number;
}

/** A source of affect in the words alone. It reads synchronously. */
export interface WordSource {
  read(said: UtteranceWords): SourceAffect;
}
