import type { Sentiment } from '../../../src/contract/timeline.ts';
import { readVader } from './vader.ts';

/** Sentiment of one utterance. The three shares sum to 1; polarity -1..1; subjectivity and confidence 0..1. */
export interface SentimentReading {
  sentiment: Sentiment;
  polarity: number;
  subjectivity: number;
  confidence: number;
}

/** Reads the sentiment of a text. */
export function readSentiment(text: string): SentimentReading {
  const { compound, positive, negative, neutral } = readVader(text);
  return {
    sentiment: { positive, negative, neutral },
    polarity: compound,
    subjectivity: positive + negative,
    confidence: 0.5 + Math.abs(compound) / 2,
  };
}
