import { describe, expect, it } from 'vitest';
import { measureUtterance } from '../../../containers/pipeline/affect/measure.ts';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { readNdjson } from '../../../src/contract/ndjson.ts';
import type { Utterance } from '../../../src/contract/timeline.ts';
import { Conversation } from '../../../src/conversation/conversation.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { segmentConversation } from '../../../src/conversation/summary/phase-descriptions.ts';
import { growth, LARGER, MOST_GROWTH } from './growth.ts';
import { TEXTS } from './texts.ts';

interface Shape {
  /** Size of the smaller conversation: its utterances, or the characters of its one long utterance. */
  size: number;
  make: (size: number, text: (typeof TEXTS)[string]) => Utterance[];
}

const said = (text: string, i: number, speaker = `Speaker_${i % 2}`): Utterance => ({
  utterance_id: `utt_${i}`,
  speaker,
  t_start: i * 4,
  t_end: i * 4 + 3,
  text,
});
const many = (count: number, utterance: (i: number) => Utterance): Utterance[] =>
  Array.from({ length: count }, (_, i) => utterance(i));
/** Words as the recogniser returns them, some with low confidence. */
const withWords = (u: Utterance): Utterance => ({
  ...u,
  words: u.text
    .split(/\s+/)
    .filter(Boolean)
    .map((word, k) => ({ word, t_start: u.t_start, t_end: u.t_end, confidence: (k % 10) / 10 })),
});
/** One turn of a sale each, so that the phases change. */
const PURPOSES = ['How much is it, what does it cost?', 'Which day works, tomorrow at two?', 'What is your name?'];

const SHAPES: Readonly<Record<string, Shape>> = {
  'one long utterance': { size: 4000, make: (size, text) => [said(text(size), 0)] },
  'one long utterance among others': {
    size: 4000,
    make: (size, text) => many(8, (i) => said(i === 4 ? text(size) : text(60, i * 60), i)),
  },
  'one long utterance with its words': { size: 4000, make: (size, text) => [withWords(said(text(size), 0))] },
  'many utterances': { size: 120, make: (size, text) => many(size, (i) => said(text(60, i * 60), i)) },
  'many utterances with their words': {
    size: 120,
    make: (size, text) => many(size, (i) => withWords(said(text(60, i * 60), i))),
  },
  'many speakers': { size: 120, make: (size, text) => many(size, (i) => said(text(30, i * 30), i, `Speaker_${i}`)) },
  'purposes that follow each other': {
    size: 120,
    make: (size, text) => many(size, (i) => said(`${PURPOSES[Math.floor(i / 4) % 3]} ${text(30, i * 30)}`, i)),
  },
};
const KINDS = [
  'what people say',
  'without marks',
  'apostrophes between words',
  'one word',
  'marks',
  'short sentences',
  'fillers',
  'a phrase',
  'a word and a mark',
  'promises',
  'names',
  'words that come once',
  'sentences that come once',
] as const;
/** For all findings together, which take longer. */
const FEWER_KINDS = ['what people say', 'a word and a mark', 'promises', 'words that come once'] as const;
const options = { context: 'price and training', goal: 'budget' };

function conclude(utterances: Utterance[]): unknown {
  const conversation = new Conversation({ conversationId: 'c', goal: 'price' }, conversationWeights());
  for (const u of utterances) conversation.add(u);
  return conversation.finish();
}

describe.each(Object.entries(SHAPES))('%s', (_, { size, make }) => {
  it.each([
    [
      'segmentConversation',
      KINDS,
      (utterances: Utterance[]) => segmentConversation(utterances, options, conversationWeights()),
    ],
    ['Conversation', FEWER_KINDS, conclude],
  ] as const)('%s takes time as the text grows', (_name, kinds, run) => {
    // Runs once before: unpacking or compiling on first use does not count.
    run(make(size, TEXTS['what people say']!));
    for (const kind of kinds) {
      const grown = growth((length) => {
        const utterances = make(length, TEXTS[kind]!);
        return () => run(utterances);
      }, size);
      expect(grown, kind).toBeLessThan(MOST_GROWTH);
    }
  });
});

it('measureUtterance takes time as the text grows', () => {
  const measure = (text: string) =>
    measureUtterance({
      utteranceId: 'u',
      speaker: 'a',
      tStart: 0,
      tEnd: 9,
      text,
      language: languageOf('en'),
      asrConfidence: 0.9,
      words: [],
      speakerConfidence: 1,
      overlapRatio: 0,
      voice: null,
      pauseBeforeMs: 0,
      previous: null,
      encoding: null,
      stability: 'final',
      affect: 'full',
    });
  measure('A first text.');
  for (const [kind, make] of Object.entries(TEXTS)) {
    const grown = growth((length) => {
      const text = make(length);
      return () => measure(text);
    }, 2000);
    expect(grown, kind).toBeLessThan(MOST_GROWTH);
  }
});

it('a line of NDJSON in many pieces is read as it grows', async () => {
  const read = async (pieces: number): Promise<number> => {
    const piece = new TextEncoder().encode('a'.repeat(1000));
    async function* line() {
      yield new TextEncoder().encode('"');
      for (let i = 0; i < pieces; i++) yield piece;
      yield new TextEncoder().encode('"\n');
    }
    const before = process.cpuUsage();
    for await (const value of readNdjson(line(), new TextDecoder())) expect(value).toHaveLength(pieces * 1000);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  await read(100);
  const small = Math.max(5, await read(1000));
  expect((await read(1000 * LARGER)) / small).toBeLessThan(MOST_GROWTH);
});
