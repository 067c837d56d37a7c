import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureUtterance } from '../../containers/pipeline/affect/measure.ts';
import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import { Conversation } from '../../src/conversation/conversation.ts';
import { readSurfaces } from '../../src/conversation/dialogue-acts/dialogue-acts.ts';
import { DEFAULT_LANGUAGE, LANGUAGES, languageOf } from '../../src/conversation/languages.ts';
import { MomentDetector, type MomentReader } from '../../src/conversation/moments/moment-detector.ts';
import { type NetworkOutput, OUTPUTS } from '../../src/conversation/moments/moment-network.ts';
import { asks } from '../../src/conversation/text/questions.ts';
import { MADE_UP } from '../fixtures/made-up-language/index.ts';
import { talk } from './lines.ts';

const CALL = `
  A: Salu ni. Mi Ana.
  B: Salu ni. Keh la prisu por la barko.
  A: La barko kosta du. Mi juru la barko bonu.
  B: Ya, keh kosta la velo.
  A: La velo kosta unu. La prisu bonu.
  B: Tro kara. La prisu tro kara.
  A: Novu tema. La mardu adyo ni.
  B: Adyo ni.
`;

/** Returns the prepared reading of each line, by its index. */
const reading = (lines: Record<number, Partial<NetworkOutput>>): MomentReader => {
  const nothing = Object.fromEntries(OUTPUTS.map((name) => [name, -9])) as NetworkOutput;
  return { read: ({ turn }) => ({ ...nothing, ...lines[turn.index] }), readPart: () => nothing };
};

describe('a language defined by a folder and a row', () => {
  beforeAll(() => {
    LANGUAGES.qaa = MADE_UP;
  });
  afterAll(() => {
    delete LANGUAGES.qaa;
  });

  it('is found by its tag, with a region or without', () => {
    expect([languageOf('qaa'), languageOf('QAA-001')]).toEqual([MADE_UP, MADE_UP]);
    expect([languageOf('xx'), languageOf(undefined), languageOf('en-GB')]).toEqual(Array(3).fill(DEFAULT_LANGUAGE));
  });

  it('finds the sentences that ask', () => {
    expect(asks('Salu ni. Keh la prisu por la barko.', MADE_UP)).toBe(true);
    expect(asks('Are you coming', MADE_UP)).toBe(false);
    const { insights } = concluded('qaa');
    expect(insights.metrics.questions).toBe(2);
    expect(concluded('en').insights.metrics.questions).toBe(0);
  });

  it('names the phases, in its own words', () => {
    const names = concluded('qaa').segmentation.phases.map(({ phase_name }) => phase_name);
    expect(names).toEqual(['fasu opening', 'fasu closing']);
    const english = concluded('en').segmentation.phases.map(({ phase_name }) => phase_name);
    expect(english.filter((name) => /opening|closing/i.test(name))).toEqual([]);
  });

  it('gives the moments their cues and labels', () => {
    const cuesOf = (text: string) => readSurfaces(text, MADE_UP).flatMap(({ cues }) => [...cues]);
    expect(cuesOf('Novu tema. Mi juru.')).toEqual(['topic.announce', 'commitment.any']);
    expect(cuesOf("By the way, I'll send it.")).toEqual([]);
    const reader = reading({ 5: { objection: 9 }, 6: { topic_shift: 9 } });
    const detector = new MomentDetector('c', conversationWeights().moments, MADE_UP, { reader });
    const found = [...talk(CALL).flatMap((u) => detector.add(u)), ...detector.end()];
    expect(found.map(({ category, labels }) => [category, labels[0]])).toEqual([
      ['objection', 'price'],
      ['topic_shift', 'announced'],
    ]);
  });

  it('writes every sentence of the findings', () => {
    const { summary, insights, segmentation } = concluded('qaa');
    const written = [
      summary.overview,
      ...summary.key_insights,
      ...summary.evidence.map(({ text }) => text),
      ...insights.cognitive_profile.tips,
      ...segmentation.phases.flatMap(({ phase_name, summary: told }) => [phase_name, told]),
    ];
    expect(written.length).toBeGreaterThan(5);
    expect(written.filter((text) => !/\b(za|dira|demanda|fasu)\b/.test(text))).toEqual([]);
  });

  it('reads hedges, questions, commitment and sentiment of an utterance', () => {
    const measure = (text: string) =>
      measureUtterance({
        utteranceId: 'u',
        speaker: 'a',
        tStart: 0,
        tEnd: 3,
        text,
        language: MADE_UP,
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
    expect(measure('Keh la prisu').lexical_markers?.is_question).toBe(true);
    expect(measure('mi pensu la barko').lexical_markers?.hedge_density).toBe(0.25);
    expect(measure('mi juru la barko').commitment_score).toBeGreaterThan(measure('mi vidu la barko').commitment_score!);
    expect(measure('la barko bonu').polarity).toBeGreaterThan(measure('la barko malu').polarity!);
  });
});

function concluded(language: string) {
  const conversation = new Conversation({ conversationId: 'c', goal: '', language }, conversationWeights());
  for (const utterance of talk(CALL)) conversation.add(utterance);
  return conversation.finish();
}
