import { readFileSync } from 'node:fs';
import { FINE_CLASSES, fineClassOf } from '../../../containers/pipeline/affect/text/emotion-classes.ts';
import type { Emotion } from '../../../src/contract/timeline.ts';
import { evalPath } from '../../eval-data.ts';

export interface EmotionText {
  text: string;
  /** Weight of each fine class. The weights sum to 1. */
  fine: Float32Array;
  /** The Ekman classes of the row as published. */
  ekman: Emotion[];
}

const lines = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Label names of the corpus in the order of their ids (its labels.txt). */
const LABELS =
  'admiration amusement anger annoyance approval caring confusion curiosity desire disappointment disapproval disgust embarrassment excitement fear gratitude grief joy love nervousness optimism pride realization relief remorse sadness surprise neutral'.split(
    ' ',
  );
const EKMAN_LABELS: readonly Emotion[] = ['anger', 'disgust', 'fear', 'joy', 'neutral', 'sadness', 'surprise'];

/** GoEmotions (Demszky et al. 2020, CC BY 4.0): each row with its published Ekman classes and its fine classes. */
export function goEmotions(split: 'train' | 'dev' | 'test'): EmotionText[] {
  const ekmanRows = lines(evalPath(`text-emotion/goemotions_ekman/${split}.tsv`));
  return lines(evalPath(`text-emotion/goemotions_original/${split}.tsv`)).map((line, row) => {
    const [text = '', labels = '', id] = line.split('\t');
    const [, ekmanLabels = '', ekmanId] = ekmanRows[row]!.split('\t');
    if (id !== ekmanId) throw new Error(`GoEmotions ${split}: row ${row} differs between its two label sets`);
    const fine = new Float32Array(FINE_CLASSES.length);
    const ids = labels.split(',');
    for (const label of ids) fine[fineClassOf(LABELS[Number(label)]!)]! += 1 / ids.length;
    return { text, fine, ekman: ekmanLabels.split(',').map((label) => EKMAN_LABELS[Number(label)]!) };
  });
}

/** Rows of a CSV with quoted fields. */
export function csvRows(text: string): Record<string, string>[] {
  const table: string[][] = [[]];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    table.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== ',') table.push([]);
    if (match.index + match[0].length >= text.length) break;
  }
  const [header = [], ...rows] = table.filter((row) => row.length > 1);
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])));
}

export interface RatedText {
  text: string;
  /** Valence, arousal and dominance, each from 1 to 5. */
  vad: [number, number, number];
}

/** EmoBank (Buechel & Hahn 2017, CC BY-SA 4.0). */
export const emoBank = (split: 'train' | 'dev' | 'test'): RatedText[] =>
  csvRows(readFileSync(evalPath('text-affect/emobank.csv'), 'utf8'))
    .filter((row) => row.split === split)
    .map((row) => ({ text: row.text!, vad: [Number(row.V), Number(row.A), Number(row.D)] }));

/**
 * Unlabelled conversation, for estimating its share of neutral: QMSum meetings (MIT) and CaSiNo negotiations (CC BY
 * 4.0), one turn each.
 */
export function unlabelledTalk(): string[] {
  const meetings = lines(evalPath('conversations/qmsum/train.jsonl')).flatMap((line) =>
    (JSON.parse(line) as { meeting_transcripts: { content: string }[] }).meeting_transcripts.map(({ content }) =>
      content.replace(/\{\w+\}/g, '').replace(/\s+([.,?!'])/g, '$1'),
    ),
  );
  const dialogues = JSON.parse(readFileSync(evalPath('conversations/casino/train.json'), 'utf8')) as {
    chat_logs: { text: string }[];
  }[];
  const negotiations = dialogues.flatMap(({ chat_logs }) => chat_logs.map(({ text }) => text));
  const talk = (texts: string[], every: number) =>
    texts.filter((text, i) => i % every === 0 && /\w/.test(text) && text.length < 300);
  return [...talk(meetings, 12), ...talk(negotiations, 3)];
}
