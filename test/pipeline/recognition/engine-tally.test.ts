import { expect, it } from 'vitest';
import { EngineTally } from '../../../containers/pipeline/recognition/engine-tally.ts';

it('counts utterances by recogniser, and warns where one was not the requested one', () => {
  const tally = new EngineTally();
  for (const id of ['endpoint', 'tiny', 'endpoint']) tally.add(id);
  expect(tally.transcribedBy).toEqual({ endpoint: 2, tiny: 1 });
  expect(tally.warnings('endpoint')).toEqual([
    '1 of 3 utterances were transcribed by tiny because endpoint did not respond.',
  ]);
  expect(new EngineTally().warnings('endpoint')).toEqual([]);
});
