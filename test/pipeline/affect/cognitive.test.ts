import { describe, expect, it } from 'vitest';
import { loadIndex, loadLevel, readCognitive } from '../../../containers/pipeline/affect/text/cognitive.ts';
import { type Cues, cuesOf, isBackchannel } from '../../../containers/pipeline/affect/text/cues.ts';
import { readLexical } from '../../../containers/pipeline/affect/text/lexical.ts';
import { NO_BASELINE, speakerBaseline } from '../../../containers/pipeline/prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../../../containers/pipeline/prosody/delivery.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { words as wordsOf } from '../../../src/conversation/text/tokens.ts';
import { vowel } from '../../../support/synthetic-voice.ts';

const ENGLISH = languageOf('en');

const usual: Delivery = {
  ...measureDelivery(vowel({ seconds: 1.5, hz: () => 130 })),
  confidence: 0.9,
  finalContour: 'level',
};
const baseline = speakerBaseline(Array.from({ length: 40 }, () => usual));
const TEXT = 'we looked at the second offer and the numbers';

interface Said {
  text?: string;
  voice?: Partial<Delivery>;
  pauseBeforeMs?: number;
  answering?: boolean;
}
const cues = ({ text = TEXT, voice = {}, pauseBeforeMs = 200, answering = true }: Said): Cues =>
  cuesOf(readLexical(text, ENGLISH), { delivery: { ...usual, ...voice }, baseline, pauseBeforeMs, answering }, ENGLISH);
const read = (said: Said) => readCognitive(cues(said), true, said.answering ?? true);
const load = (said: Said) => loadIndex(cues(said), true, said.answering ?? true);

describe('cognitive load', () => {
  it.each<[string, Said]>([
    ['longer pauses inside', { voice: { pauseRatio: usual.pauseRatio + 0.2 } }],
    ['slower articulation', { voice: { articulationRate: usual.articulationRate - 1 } }],
    ['a later answer', { pauseBeforeMs: 2500 }],
    ['fillers', { text: `um ${TEXT} uh` }],
    ['a self-repair', { text: `we saw we looked at the second offer and the numbers` }],
  ])('rises with %s', (_, cues) => expect(load(cues)).toBeGreaterThan(load({})));

  it("does not count a pause within one speaker's turn", () => {
    expect(load({ pauseBeforeMs: 2500, answering: false })).toBe(load({ pauseBeforeMs: 0, answering: false }));
  });

  it('has its levels in order', () => {
    expect([-1, 0, 1].map(loadLevel)).toEqual(['low', 'moderate', 'high']);
  });
});

describe('cognitive signals', () => {
  it.each<[keyof ReturnType<typeof read>['signals'], string, Said, Said]>([
    ['uncertain', 'hedges', { text: `maybe ${TEXT}` }, {}],
    ['uncertain', 'a rising end', { voice: { finalContour: 'rising' } }, {}],
    ['uncertain', 'missing boosters', {}, { text: `definitely ${TEXT}` }],
    ['confused', 'words of confusion', { text: `I don't understand, ${TEXT}` }, {}],
    ['thoughtful', 'words of reflection', { text: `on the other hand ${TEXT}` }, {}],
    ['thoughtful', 'pauses', { voice: { pauseRatio: usual.pauseRatio + 0.2 } }, {}],
    ['engaged', 'a lively voice', { voice: { pitchSdSt: usual.pitchSdSt + 2 } }, {}],
    ['engaged', 'words of interest', { text: `tell me more, ${TEXT}` }, {}],
    ['engaged', 'an early answer', { pauseBeforeMs: 200 }, { pauseBeforeMs: 3000 }],
    ['disengaged', 'words of disinterest', { text: `whatever, ${TEXT}` }, {}],
    ['disengaged', 'a quiet voice', { voice: { intensityDb: usual.intensityDb - 8 } }, {}],
    ['focused', 'fluency', {}, { text: `um uh ${TEXT} um` }],
    ['focused', 'substance', {}, { text: 'the offer' }],
  ])('"%s" rises with %s', (signal, _, more, less) =>
    expect(read(more).signals[signal]).toBeGreaterThan(read(less).signals[signal]),
  );

  it('give an engagement between disengaged and engaged', () => {
    const { signals, engagement } = read({});
    expect(engagement).toBeCloseTo(0.5 + (signals.engaged - signals.disengaged) / 2);
  });

  it('do not take loudness without a baseline of the speaker', () => {
    const loud = { ...usual, intensityDb: usual.intensityDb + 12 };
    const situation = { delivery: loud, baseline: NO_BASELINE, pauseBeforeMs: 0, answering: false };
    expect(cuesOf(readLexical(TEXT, ENGLISH), situation, ENGLISH).loudness).toBe(0);
  });
});

describe('back-channels', () => {
  it.each(['Okay.', 'yeah, right', 'Mm-hmm.', 'oh I see', 'thank you'])('"%s" is one', (text) =>
    expect(isBackchannel(wordsOf(text, 'joined'), ENGLISH)).toBe(true),
  );
  it.each(['', 'okay let us sign', 'yes yes yes yes yes yes'])('"%s" is none', (text) =>
    expect(isBackchannel(wordsOf(text, 'joined'), ENGLISH)).toBe(false),
  );
});
