import type { Language } from '../../../../src/conversation/language.ts';
import type { SourceAffect } from '../reading.ts';
import type { ModelReading } from './model.ts';

/** What is read of the words of an utterance. */
export interface UtteranceWords {
  text: string;
  language: Language;
  model: ModelReading;
  /** Of their sentiment, -1..1. */
  polarity: number;
  /** How well they were heard, 0..1. */
  asrConfidence: number;
}

/** A source of affect in the words alone. It reads at once. */
export interface WordSource {
  read(said: UtteranceWords): SourceAffect;
}
