import { readSentimentLines } from '../../../support/own-data.ts';

const READINGS = ['negative', 'neutral', 'positive'] as const;

/** A text with its shares of negative, neutral and positive, whose sum is the weight of the text. */
export interface SentimentExample {
  text: string;
  shares: number[];
}

/** The project's own lines, for fitting the sentiment classifier over encodings. */
export const sentimentExamples = (): SentimentExample[] =>
  readSentimentLines('fit').map(({ reading, text }) => ({
    text,
    shares: READINGS.map((name) => (name === reading ? 1 : 0)),
  }));
