import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import { evalPath } from '../../scripts/eval-data.ts';
import { DEFAULT_LANGUAGE } from '../../src/conversation/languages.ts';
import { MomentDetector } from '../../src/conversation/moments/moment-detector.ts';
import { SmallTalkGuess } from '../../src/conversation/moments/small-talk.ts';
import { type MarkedDialogue, type MarkedTurn, readDialogues } from '../../support/own-data.ts';
import type { Table } from '../report.ts';
import { type Encodings, encodeTexts } from './encodings.ts';
import { firstJudgeSet, judgeSet } from './judge-set.ts';
import { type MomentSource, momentsByTurn, type TurnMoment } from './scoring.ts';

/** Limit on the dialogues of each unmarked set. Encoding a turn takes about 5 ms. */
const MAX_DIALOGUES = 30;

/** The kinds of judged conversations, by the beginning of their ids. */
export const CORPORA: Record<string, string> = {
  dialogsum: 'everyday talk (DialogSum)',
  swda: 'telephone small talk (SwDA)',
  mrda: 'meetings (MRDA)',
  qmsum: 'meetings (QMSum)',
  heard: 'recordings',
};

interface TextSet {
  name: string;
  isMarked: boolean;
  dialogues: MarkedDialogue[];
}

function judged(): TextSet[] {
  const all = [...judgeSet(), ...firstJudgeSet()];
  return Object.entries(CORPORA).map(([prefix, name]) => ({
    name,
    isMarked: true,
    dialogues: all.filter(({ id }) => id.startsWith(`${prefix}-`)),
  }));
}

function unmarked(name: string, file: string): TextSet {
  const lines = gunzipSync(readFileSync(evalPath('dialogues', file)))
    .toString()
    .split('\n')
    .filter(Boolean);
  const dialogues = lines.slice(0, MAX_DIALOGUES).map((line) => {
    const { id, turns } = JSON.parse(line) as { id: string; turns: MarkedTurn[] };
    return { id, turns: turns.map(({ speaker, text }) => ({ speaker, text })) };
  });
  return { name, isMarked: false, dialogues };
}

function negotiations(): TextSet {
  const raw = JSON.parse(readFileSync(evalPath('conversations', 'casino', 'valid.json'), 'utf8')) as {
    dialogue_id: number;
    chat_logs: { text: string; id: string }[];
  }[];
  const dialogues = raw.slice(0, MAX_DIALOGUES).map(({ dialogue_id, chat_logs }) => ({
    id: `casino-${dialogue_id}`,
    turns: chat_logs
      .filter(({ text }) => !/^(Submit|Accept|Reject|Walk)-/.test(text))
      .map(({ id, text }) => ({ speaker: id, text })),
  }));
  return { name: 'negotiations (CaSiNo valid)', isMarked: false, dialogues };
}

/** Moments as the service detects them, or as it would if no conversation were small talk. */
function detector(isGuessed: boolean): MomentSource {
  const weights = conversationWeights().moments;
  const parts = isGuessed ? {} : { smallTalk: { add: () => {}, isSmallTalk: false } };
  const detects = new MomentDetector('d', weights, DEFAULT_LANGUAGE, parts);
  return {
    add: (utterance, encoding) => ({ moments: detects.add(utterance, encoding) }),
    end: () => ({ moments: detects.end() }),
  };
}

/** Numbers of reported moments that a reader marked too, and of the others. */
function rightAndFalse(dialogues: readonly MarkedDialogue[], isGuessed: boolean, encodings: Encodings) {
  let right = 0;
  let wrong = 0;
  for (const { turns } of dialogues) {
    const found: TurnMoment[][] = momentsByTurn(detector(isGuessed), turns, encodings);
    for (const [i, { moments = [] }] of turns.entries())
      for (const { category } of found[i]!) {
        if (moments.some((marked) => marked.category === category)) right++;
        else wrong++;
      }
  }
  return { right, wrong, all: right + wrong };
}

function isSmallTalk({ turns }: MarkedDialogue): boolean {
  const guess = new SmallTalkGuess(DEFAULT_LANGUAGE);
  for (const { text } of turns) guess.add(text);
  return guess.isSmallTalk;
}

/** Moments with and without the guess that a conversation is small talk, by kind of conversation. */
export async function smallTalkTable(): Promise<Table> {
  const sets = [
    ...judged(),
    { name: 'written for the project, held back', isMarked: true, dialogues: readDialogues('held-out') },
    negotiations(),
    unmarked('bookings (MultiWOZ)', 'multiwoz-val-test.jsonl.gz'),
    unmarked('bookings, spoken (DSTC10)', 'dstc10-spoken.jsonl.gz'),
    unmarked('doctors (PriMock57)', 'primock57.jsonl.gz'),
  ];
  const encodings = await encodeTexts(
    sets.flatMap(({ dialogues }) => dialogues.flatMap(({ turns }) => turns.map(({ text }) => text))),
  );
  return {
    title: 'Small talk: moments with and without the guess',
    columns: [
      'talk',
      'dialogues',
      'small talk',
      'told before',
      'told',
      'false before',
      'false',
      'right before',
      'right',
    ],
    rows: sets.map(({ name, isMarked, dialogues }) => {
      const before = rightAndFalse(dialogues, false, encodings);
      const now = rightAndFalse(dialogues, true, encodings);
      return [
        name,
        dialogues.length,
        dialogues.filter(isSmallTalk).length,
        before.all,
        now.all,
        ...(isMarked ? [before.wrong, now.wrong, before.right, now.right] : [null, null, null, null]),
      ];
    }),
    note: 'Right: a reader marked the same category at the same turn. The last four sets have no marks.',
  };
}
