import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { conversationOf } from '../../src/dashboard/conversation/model.ts';
import { differenceOf, FIGURES, mostDifferent } from '../../src/dashboard/pages/compare/figures.ts';
import type { AnalysisResponse } from '../../src/sdk/wire.ts';

const RESULT = JSON.parse(
  readFileSync(new URL('../../src/openapi/example-analysis.json', import.meta.url), 'utf8'),
) as AnalysisResponse;

interface Changes {
  seconds?: number;
  silence?: number;
  /** Confidences of the objections. */
  objections?: readonly number[];
  speakers?: number;
}

function made({ seconds = 600, silence = 0.2, objections = [], speakers = 0.9 }: Changes) {
  const metrics = { ...RESULT.insights.metrics, silence_share: silence };
  return conversationOf({
    ...RESULT,
    media: { ...RESULT.media, duration_s: seconds },
    speakers: { ...RESULT.speakers, confidence: speakers },
    insights: { ...RESULT.insights, metrics },
    moments: objections.map((confidence, i) => ({
      ...RESULT.moments[0]!,
      ...{ category: 'objection', moment_id: `m${i}`, confidence },
    })),
  });
}

const difference = (name: string, one: Changes, other: Changes) => {
  const found = differenceOf(FIGURES.find((figure) => figure.name === name)!, made(one), made(other));
  return found && [found.larger, found.words];
};

it('a noticeable difference names the larger of two and by how much', () => {
  expect(difference('Length', { seconds: 600 }, { seconds: 1200 })).toEqual([1, '+10 min']);
  expect(difference('Length', { seconds: 600 }, { seconds: 610 })).toBeUndefined();
  expect(difference('Silence', { silence: 0.4 }, { silence: 0.1 })).toEqual([0, '+30 percentage points']);
  expect(difference('Silence', { silence: 0.03 }, { silence: 0.01 })).toBeUndefined();
});

it('unsure moments make a difference smaller, and an uncertain number of speakers none at all', () => {
  expect(difference('Objection', { objections: [0.9, 0.9, 0.9] }, {})).toEqual([0, '+3']);
  expect(difference('Objection', { objections: [0.9, 0.9, 0.9, 0.3] }, {})).toEqual([0, 'at least +3']);
  expect(difference('Objection', { objections: [0.9, 0.9, 0.9] }, { objections: [0.3, 0.3] })).toBeUndefined();
  expect(difference('Interactivity', { speakers: 0.4 }, {})).toBeUndefined();
});

it('says what differs most, and counts moments only where the lengths are alike', () => {
  const many = { objections: [0.9, 0.9, 0.9] };
  expect(mostDifferent(made({ silence: 0.4 }), made({ silence: 0.3, ...many }))).toBe(
    'What differs most: objection, 0 in the first and 3 in the second.',
  );
  expect(mostDifferent(made({}), made({ seconds: 1200, ...many }))).toBe(
    'What differs most: length, 10:00 in the first and 20:00 in the second.',
  );
  expect(mostDifferent(made({}), made({}))).toBe('The two hardly differ in any sure figure.');
});
