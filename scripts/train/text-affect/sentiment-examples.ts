import { readFileSync } from 'node:fs';
import { ownFiles, readJson } from '../own-data.ts';

const READINGS = ['negative', 'neutral', 'positive'];

/**
 * How a line of a dialogue act is mostly meant: negative, neutral, positive. Estimates of ours, not counts: an act is a
 * weak label (an objection complains, an offer seldom does), so each such line counts a tenth of a line that was read.
 */
const SHARES_OF_ACT: Record<string, [number, number, number]> = {
  objection: [0.8, 0.18, 0.02],
  reject: [0.5, 0.45, 0.05],
  accept: [0.02, 0.38, 0.6],
  offer: [0.03, 0.87, 0.1],
  none: [0.15, 0.7, 0.15],
  neither: [0.1, 0.85, 0.05],
  topic_shift: [0.03, 0.92, 0.05],
};
const ACT_WEIGHT = 0.1;

/** A text with its shares of negative, neutral and positive; they sum to the weight of the text. */
export interface SentimentExample {
  text: string;
  shares: number[];
}

/** What the reading of sentiment in encodings learns from: this project's own lines, those set apart for it and the acts. */
export function sentimentExamples(): SentimentExample[] {
  const read = ownFiles('sentiment', 'fit', 'lines')
    .flatMap(({ path }) => readFileSync(path, 'utf8').split('\n'))
    .filter((line) => /^(tune|train)\t/.test(line))
    .map((line) => line.split('\t'))
    .map(([, reading, , text]) => ({ text: text!, shares: READINGS.map((name) => (name === reading ? 1 : 0)) }));
  const acts = ownFiles('moments', 'fit', 'lines')
    .flatMap((file) => readJson<{ act: string; text: string }[]>(file))
    .map(({ act, text }) => ({ text, shares: SHARES_OF_ACT[act]!.map((share) => ACT_WEIGHT * share) }));
  return [...read, ...acts];
}
