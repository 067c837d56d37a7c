import fc from 'fast-check';
import type { Utterance } from '../../src/contract/timeline.ts';

/** Turns as 'a: text' lines, made into utterances that follow each other, with ids `t_utt_<n>`. */
export function utterancesOf(script: string, gapS = 0.4): Utterance[] {
  let t = 0;
  return script
    .trim()
    .split('\n')
    .map((line, i) => {
      const [, speaker = '', text = ''] = /^\s*(\S+):\s*(.*)$/.exec(line) ?? [];
      const start = t;
      const end = start + Math.max(0.5, text.split(' ').length / 2.5);
      t = end + gapS;
      return { utterance_id: `t_utt_${i}`, speaker, t_start: start, t_end: end, text };
    });
}

const WORDS =
  'the a price is too high for us we need delivery on friday can you send an invoice yes no sure maybe server crashed again hello thanks bye what about training and support i think it works when do they start 40 dollars'.split(
    ' ',
  );

const utterance = fc.record(
  {
    speaker: fc.constantFrom('Speaker_0', 'Speaker_1', 'Speaker_2'),
    text: fc.oneof(
      fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }).map((w) => w.join(' ')),
      fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 }).map((w) => `${w.join(' ')}?`),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
    ),
    duration: fc.integer({ min: 0, max: 9000 }),
    gap: fc.integer({ min: -500, max: 6000 }),
    polarity: fc.double({ min: -1, max: 1, noNaN: true }),
    engagement: fc.double({ min: 0, max: 1, noNaN: true }),
    valence: fc.double({ min: 0, max: 1, noNaN: true }),
  },
  { requiredKeys: ['speaker', 'text', 'duration', 'gap'] },
);

/**
 * Any timeline that a client may send: in order of `t_start`, with times in whole milliseconds, and with some optional
 * fields.
 */
export const anyTimeline = (limits: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<Utterance[]> =>
  fc.array(utterance, { minLength: 1, maxLength: 40, ...limits }).map((drafts) => {
    let start = 0;
    let end = 0;
    return drafts.map(({ speaker, text, duration, gap, polarity, engagement, valence }, i) => {
      start = Math.max(start, end + gap, 0);
      end = start + duration;
      return {
        utterance_id: `t_utt_${i}`,
        speaker,
        t_start: start / 1000,
        t_end: end / 1000,
        text,
        ...(polarity === undefined ? {} : { polarity }),
        ...(engagement === undefined ? {} : { engagement }),
        ...(valence === undefined ? {} : { pad_scores: { valence, arousal: 0.5, dominance: 0.5 } }),
      };
    });
  });
