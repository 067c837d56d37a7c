import { describe, expect, it } from 'vitest';
import { EngineTally } from '../../../containers/pipeline/recognition/engine-tally.ts';
import { moonshineTiny } from '../../../containers/pipeline/recognition/moonshine/moonshine.ts';

const words = (count: number) =>
  Array.from({ length: count }, () => ({ word: 'a', t_start: 0, t_end: 1, confidence: 1 }));
const tallyOf = (
  engine = moonshineTiny,
  ...counts: [transcribedBy: string, count: number, asrConfidence: number][]
) => {
  const tally = new EngineTally(engine);
  for (const [transcribedBy, count, asrConfidence] of counts)
    tally.add({ transcribedBy, words: words(count), asrConfidence });
  return tally;
};
const TINY = moonshineTiny.id;
const endpoint = { ...moonshineTiny, id: 'endpoint', languages: ['en', 'pt'], confidenceShowsLanguage: false };

describe('the recognisers of a recording', () => {
  it('are counted by utterance, with a warning where one was not the requested one', () => {
    const tally = tallyOf(endpoint, ['endpoint', 5, 0.9], [TINY, 5, 0.9], ['endpoint', 5, 0.9]);
    expect(tally.transcribedBy).toEqual({ endpoint: 2, [TINY]: 1 });
    expect(tally.warnings(undefined)).toEqual([
      `1 of 3 utterances were transcribed by ${TINY} because endpoint did not respond.`,
    ]);
    expect(tallyOf(moonshineTiny, [TINY, 30, 0.9]).warnings(undefined)).toEqual([]);
  });

  it('cause a warning for speech that is hardly English, once there is enough of it', () => {
    expect(tallyOf(moonshineTiny, [TINY, 30, 0.45]).warnings(undefined)).toEqual([
      expect.stringMatching(/^The speech may not be English.* 0\.45\.$/),
    ]);
    expect(tallyOf(moonshineTiny, [TINY, 19, 0.45]).warnings(undefined)).toEqual([]);
    expect(tallyOf(moonshineTiny, [TINY, 30, 0.69]).warnings('en-GB')).toEqual([]);
    expect(tallyOf(endpoint, ['endpoint', 30, 0.3]).warnings(undefined)).toEqual([]);
    expect(tallyOf().warnings(undefined)).toEqual([]);
  });

  it('cause a warning for a named language that is not understood', () => {
    expect(tallyOf().warnings('pt-BR')).toEqual([`${TINY} supports en, not pt-BR: its transcript is unreliable.`]);
    expect(tallyOf(endpoint).warnings('pt-BR')).toEqual([]);
  });
});
