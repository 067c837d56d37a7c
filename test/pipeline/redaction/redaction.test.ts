import { afterEach, describe, expect, it } from 'vitest';
import { SAMPLE_RATE_HZ } from '../../../containers/pipeline/audio/interval.ts';
import { PcmSpool } from '../../../containers/pipeline/audio/pcm-spool.ts';
import { muteRecording, redactionOf } from '../../../containers/pipeline/redaction/recording-redaction.ts';
import { mutedFor, UtteranceRedaction, valuesIn } from '../../../containers/pipeline/redaction/redaction.ts';
import { levelsOf, muteIntervals } from '../../../containers/pipeline/redaction/tone.ts';
import type { SpokenUtterance } from '../../../containers/pipeline/stages/spoken.ts';
import { REDACTION_KINDS } from '../../../src/contract/redaction.ts';
import { type MadeWord, madeDialogue } from '../../../support/made-personal-data.ts';
import { seeded } from '../../../support/random.ts';

/** An utterance with words of half a second each. */
function said(text: string, start: number, speaker = 0): SpokenUtterance {
  const words = text.split(' ').map((word, i) => ({
    ...{ word, t_start: start + i / 2, t_end: start + i / 2 + 0.4 },
    confidence: 0.9,
  }));
  const end = words.at(-1)!.t_end;
  const samples = new Float32Array(Math.round((end - start) * SAMPLE_RATE_HZ)).fill(0.5);
  return {
    ...{ speaker, start, end, text, words, samples },
    ...{ asrConfidence: 0.9, speakerConfidence: 1, overlapRatio: 0 },
  };
}

describe('an utterance', () => {
  it('gets a label with times in place of a value, and loses the sound under it', () => {
    const redaction = new UtteranceRedaction(['phone']);
    const [utterance] = redaction.add(said('my number is 415 555 0132, thanks a lot everybody', 10));
    expect(utterance!.text).toBe('my number is [phone], thanks a lot everybody');
    expect(utterance!.words[3]).toEqual({ word: '[phone],', t_start: 11.5, t_end: 12.9, confidence: 0.9 });
    expect(redaction.redacted.spans).toEqual([{ kind: 'phone', t_start: 11.5, t_end: 12.9 }]);
    const at = (seconds: number) => utterance!.samples[Math.round((seconds - 10) * SAMPLE_RATE_HZ)];
    expect([at(11), at(12), at(13), at(13.5)]).toEqual([0.5, 0, 0, 0.5]);
  });

  it('waits for the end of its number, and comes in order', () => {
    const redaction = new UtteranceRedaction(['card']);
    const texts = ['my card is 4242 4242', 'mhm', '4242 4242', 'thank you very much indeed'];
    const ready = texts.map((text, i) => redaction.add(said(text, 5 * i, i % 2)).map((one) => one.text));
    expect(ready[0]).toEqual([]);
    expect([...ready.flat(), ...redaction.end().map(({ text }) => text)]).toEqual([
      'my card is [card]',
      'mhm',
      '[card]',
      'thank you very much indeed',
    ]);
  });

  it('is muted as a whole if its words have no times', () => {
    const redaction = new UtteranceRedaction(['phone']);
    const timeless = said('call me on 415 555 0132', 3);
    for (const word of timeless.words) Object.assign(word, { t_start: 0, t_end: 0 });
    redaction.add(timeless);
    redaction.end();
    expect(redaction.redacted.spans).toEqual([{ kind: 'phone', t_start: timeless.start, t_end: timeless.end }]);
  });
});

it('interim text never shows what may become a number', () => {
  const redaction = new UtteranceRedaction<SpokenUtterance>(['card'], false);
  expect(redaction.interim('my card is four')).toBe('my card is [card]');
  expect(redaction.interim('thank you so much')).toBe('thank you so much');
});

describe('while a session is running', () => {
  /** A word of this many seconds, and a pause between utterances. */
  const WORD_S = 0.4;
  const PAUSE_S = 0.8;
  const CUT_S = 0.1;

  /** The words of an utterance heard so far, the last one perhaps in part. */
  const heardAt = (words: readonly MadeWord[], seconds: number): MadeWord[] =>
    words.flatMap(({ text, kind }, i) => {
      const share = Math.min(1, (seconds - i * WORD_S) / WORD_S);
      const heard = text.slice(0, Math.ceil(share * text.length));
      return share <= 0 ? [] : [{ text: heard, ...(kind && { kind }) }];
    });

  it('no partial and no final shows a digit of a card, cut every 100 ms in ten dialogues', () => {
    const random = seeded(20);
    let cuts = 0;
    for (let n = 0; n < 10; n++) {
      const { utterances } = madeDialogue(random, 'card');
      const redaction = new UtteranceRedaction<SpokenUtterance>(['card'], false);
      let start = 0;
      for (const { speaker, words } of utterances) {
        const seconds = words.length * WORD_S;
        // Words around a card hold no numbers, so any digit or number word that is left belongs to it.
        const isCard = words.some(({ kind }) => kind);
        for (let at = CUT_S; at < seconds; at += CUT_S) {
          const shown = redaction.interim(
            heardAt(words, at)
              .map(({ text }) => text)
              .join(' '),
          );
          if (isCard)
            expect(shown).not.toMatch(/\d|\b(?:two|three|four|five|six|seven|eight|nine|zero|double|triple)\b/u);
          cuts++;
        }
        const text = words.map((word) => word.text).join(' ');
        const [final] = redaction.add(said(text, start, speaker === 'Speaker_0' ? 0 : 1));
        if (isCard) expect(final!.text).not.toMatch(/\d|\b(?:two|three|four|five|six|seven|eight|nine|zero)\b/u);
        start += seconds + PAUSE_S;
      }
    }
    expect(cuts).toBeGreaterThan(1_000);
  });
});

it('muted intervals have a margin, are merged and end with the recording', () => {
  const spans = [
    { start: 9.9, end: 10 },
    { start: 0.1, end: 1 },
    { start: 1.4, end: 2 },
  ];
  expect(mutedFor(spans, 10)).toEqual([
    { start: 0, end: 2.25 },
    { start: 9.65, end: 10 },
  ]);
});

describe('the sound', () => {
  let spool: PcmSpool;
  afterEach(() => spool.close());

  /** A stereo recording of noise at full scale, seconds. */
  async function noise(seconds: number): Promise<PcmSpool> {
    spool = await PcmSpool.open(2);
    const samples = Int16Array.from({ length: 2 * seconds * SAMPLE_RATE_HZ }, (_, i) => (i % 7 < 3 ? 32_767 : -32_768));
    await spool.append(samples);
    return spool;
  }

  it('becomes a tone in both channels, and stays as it was beside it', async () => {
    await noise(3);
    const before = await spool.readInterleaved(0, spool.length);
    await muteIntervals(spool, [{ start: 1, end: 2 }]);
    const after = await spool.readInterleaved(0, spool.length);
    const edge = 2 * SAMPLE_RATE_HZ;
    expect(after.subarray(0, edge)).toEqual(before.subarray(0, edge));
    expect(after.subarray(2 * edge)).toEqual(before.subarray(2 * edge));
    const tone = after.subarray(edge, 2 * edge);
    expect(Math.max(...tone)).toBe(3277);
    for (let i = 0; i < tone.length; i += 2) expect(tone[i]).toBe(tone[i + 1]);
    expect(spool.length).toBe(3 * SAMPLE_RATE_HZ);
  });

  it('has the levels of the tone', async () => {
    await noise(3);
    await muteIntervals(spool, [{ start: 1, end: 2 }]);
    const [levels] = (await levelsOf(spool)).levels.channels.map((channel) => Buffer.from(channel, 'base64'));
    expect(levels![5]).toBe(255);
    expect(levels![30]).toBeLessThan(180);
  });

  /** A recording in which a recogniser hears these texts, by call. */
  function hears(...texts: string[]) {
    const asked: { start: number; end: number }[] = [];
    return {
      asked,
      recording: {
        spool,
        duration: spool.duration,
        read: () => Promise.resolve(new Float32Array(1)),
        run: (_: string, { segment }: { segment: { start: number; end: number } }) => {
          asked.push(segment);
          const words = (texts.shift() ?? '').split(' ').map((word) => ({ word }));
          return Promise.resolve({ words, workMs: 0, transcribedBy: 'fake' });
        },
      } as unknown as Parameters<typeof muteRecording>[0],
    };
  }
  const RECOGNISER = { id: 'fake', longestS: 30, options: {} } as Parameters<typeof muteRecording>[2];

  function redactedCall() {
    const redaction = new UtteranceRedaction(['phone']);
    redaction.add(said('my number is 415 555 0132 thanks a lot', 1));
    redaction.end();
    return redaction.redacted;
  }

  it('is verified if nothing is heard again', async () => {
    await noise(8);
    const { recording, asked } = hears('my number is thanks');
    const muted = await muteRecording(recording, redactedCall(), RECOGNISER);
    expect(asked).toHaveLength(1);
    expect(redactionOf(['phone'], redactedCall(), muted)).toEqual({
      kinds: ['phone'],
      counts: { phone: 1 },
      spans: [{ kind: 'phone', t_start: 2.5, t_end: 3.9 }],
      muted: [{ t_start: 2.25, t_end: 4.15 }],
      verified: true,
      notes: [],
    });
  });

  it('is muted for the whole utterance where a value is heard again', async () => {
    await noise(8);
    const { recording } = hears('5550 thanks', 'nothing');
    const { muted, isVerified, notes } = await muteRecording(recording, redactedCall(), RECOGNISER);
    expect(muted).toEqual([{ start: 0.75, end: 5.65 }]);
    expect(isVerified).toBe(true);
    expect(notes[0]).toContain('1 utterance was muted as a whole');
  });

  it('is not verified if a value is still heard', async () => {
    await noise(8);
    const { recording } = hears('5550 thanks', 'five five five oh');
    expect(await muteRecording(recording, redactedCall(), RECOGNISER)).toMatchObject({ isVerified: false });
  });

  it('is muted for the whole utterance where a number is heard that is not left in the text', async () => {
    await noise(8);
    const { recording } = hears('my number is 771 thanks', 'my number');
    const { muted, isVerified } = await muteRecording(recording, redactedCall(), RECOGNISER);
    expect(muted).toEqual([{ start: 0.75, end: 5.65 }]);
    expect(isVerified).toBe(true);
  });

  it('is not verified, with the place, if a value that was asked for was not recognised', async () => {
    await noise(8);
    const redaction = new UtteranceRedaction(['password', 'ssn']);
    redaction.add(said('My password in seven times delayed.', 2));
    redaction.end();
    const { recording } = hears('my', '');
    const { isVerified, notes } = await muteRecording(recording, redaction.redacted, RECOGNISER);
    expect(isVerified).toBe(false);
    expect(notes).toEqual(['At 2.0 s, no password was recognised where one is asked for or begun.']);
  });

  it('is not verified if it has more values than are searched for', async () => {
    await noise(8);
    const call = redactedCall();
    call.spans.push({ kind: 'phone', t_start: 6, t_end: 7 });
    const { recording } = hears('', '');
    const { isVerified, notes } = await muteRecording(recording, call, RECOGNISER);
    expect(isVerified).toBe(false);
    expect(notes).toEqual(['Only the first 1 of 2 values were searched for.']);
  });

  it('fails if it cannot be transcribed again', async () => {
    await noise(8);
    const { recording } = hears();
    recording.run = () => Promise.reject(new Error('a worker died'));
    await expect(muteRecording(recording, redactedCall(), RECOGNISER)).rejects.toThrow('a worker died');
  });
});

it('finds a value in other forms, and not its common words', () => {
  const redaction = new UtteranceRedaction(REDACTION_KINDS);
  redaction.add(said('mail me at ottoline dot smith at gmail dot com', 0));
  redaction.add(said('my card is 4242 4242 4242 4242', 9));
  redaction.end();
  const { secrets } = redaction.redacted;
  const found = (text: string) => valuesIn(text.split(' '), secrets).map(({ kind }) => kind);
  expect(found('it ends in four two four two')).toEqual(['card']);
  expect(found('Ottoline said so')).toEqual(['email']);
  expect(found('gmail is a company with 42 people')).toEqual([]);
});

it('counts an ordinary word of a name or an address as a trace only where it has a capital, or not at all', () => {
  const place = { start: 0, end: 1, digits: '', utterance: { start: 0, end: 1 } };
  const secrets = [
    { ...place, kind: 'name' as const, words: ['holloway', 'will'] },
    { ...place, kind: 'address' as const, words: ['the', 'corner', 'wexford'] },
  ];
  const found = (text: string) => valuesIn(text.split(' '), secrets).map(({ kind }) => kind);
  expect(found('they will wait around the Corner')).toEqual([]);
  expect(found('then Will came')).toEqual(['name']);
  expect(found('mister holloway from wexford')).toEqual(['name', 'address']);
});
