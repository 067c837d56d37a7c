import { describe, expect, it } from 'vitest';
import { measureVoice, type VoiceTask } from '../../../containers/pipeline/affect/voice-measurement.ts';
import { NO_BASELINE, speakerBaseline } from '../../../containers/pipeline/prosody/baseline.ts';
import { measureDelivery } from '../../../containers/pipeline/prosody/delivery.ts';
import type { SpokenUtterance } from '../../../containers/pipeline/stages/spoken.ts';
import { Timeline, type TimelineStages } from '../../../containers/pipeline/stages/timeline.ts';
import { OPTIONS } from '../../../support/pipeline-server.ts';
import { vowel } from '../../../support/synthetic-voice.ts';

const samples = vowel({ seconds: 1, hz: (t) => 130 + 6 * Math.sin(8 * t) });
const spoken = (speaker: number, start: number, end: number, text = 'We ship on Monday.'): SpokenUtterance => {
  return { speaker, start, end, text, words: [], asrConfidence: 0.9, speakerConfidence: 1, overlapRatio: 0, samples };
};
/** Stages that record their requests. */
function stages(changes: Partial<TimelineStages> = {}) {
  const tasks: VoiceTask[] = [];
  const own: TimelineStages = {
    encode: async () => null,
    measureVoice: async (task) => {
      tasks.push(task);
      return { voice: await measureVoice(task), workMs: 5 };
    },
    ...changes,
  };
  return { own, tasks };
}

describe('a timeline', () => {
  it('numbers utterances and names speakers in order of first speech', async () => {
    const timeline = new Timeline(OPTIONS, stages().own, []);
    const lines = [];
    for (const [i, speaker] of [3, 0, 3, 1].entries()) lines.push(await timeline.add(spoken(speaker, i, i + 0.9)));
    expect(lines.map(({ entry }) => entry.utterance_id)).toEqual(['c_utt_0', 'c_utt_1', 'c_utt_2', 'c_utt_3']);
    expect(lines.map(({ entry }) => entry.speaker)).toEqual(['Speaker_0', 'Speaker_1', 'Speaker_0', 'Speaker_2']);
    expect([timeline.count, timeline.speakers]).toEqual([4, 3]);
  });

  it('is the same whichever measurement finishes first', async () => {
    const [first, second, third] = [spoken(0, 1, 2), spoken(1, 1.5, 4, 'Do you?'), spoken(0, 4.7, 5, 'Yes.')];
    const oneByOne = new Timeline(OPTIONS, stages().own, []);
    const expected = [await oneByOne.add(first), await oneByOne.add(second), await oneByOne.add(third)];
    const waits = [30, 10, 0];
    const { own } = stages({
      measureVoice: async (task) => {
        await new Promise((resolve) => setTimeout(resolve, waits.shift()));
        return { voice: await measureVoice(task), workMs: 0 };
      },
    });
    const atOnce = new Timeline(OPTIONS, own, []);
    const lines = await Promise.all([first, second, third].map((one) => atOnce.add(one)));
    expect(lines.map(({ entry }) => entry)).toEqual(expected.map(({ entry }) => entry));
  });

  it('gives the silence since the last speech of anyone', async () => {
    const timeline = new Timeline(OPTIONS, stages().own, []);
    const lines = [];
    for (const one of [spoken(0, 1, 5), spoken(1, 2, 3), spoken(0, 5.5, 6)]) lines.push(await timeline.add(one));
    const pauses = lines.map(({ entry }) => 'pause_before_ms' in entry.prosody && entry.prosody.pause_before_ms);
    expect(pauses).toEqual([1000, 0, 500]);
  });

  it('compares each voice with the baseline of its speaker, or of anybody', async () => {
    const usual = speakerBaseline([measureDelivery(samples)]);
    const { own, tasks } = stages();
    const timeline = new Timeline(OPTIONS, own, [usual]);
    await timeline.add(spoken(0, 0, 1));
    await timeline.add(spoken(1, 1, 2));
    expect(tasks.map((task) => task.usual)).toEqual([usual, NO_BASELINE]);
  });

  it('lets baselines grow while a session is running, and marks all as provisional', async () => {
    const { own, tasks } = stages();
    const timeline = new Timeline(OPTIONS, own, null);
    for (let i = 0; i < 32; i++) await timeline.add(spoken(0, i, i + 0.9));
    const { entry } = await timeline.add(spoken(1, 40, 41));
    expect(tasks.map(({ usual }) => (Array.isArray(usual) ? usual.length : -1))).toEqual([
      ...Array.from({ length: 29 }, (_, i) => i),
      29,
      29,
      29,
      0,
    ]);
    expect([entry.emotion?.stability, entry.cognitive?.stability]).toEqual(['provisional', 'provisional']);
  });

  it('adds up the time of recognition, sound and words', async () => {
    const { latency_ms } = await new Timeline(OPTIONS, stages().own, []).add(spoken(0, 0, 1), 100);
    expect(latency_ms).toBeGreaterThanOrEqual(105);
  });

  it('continues without a measurable sound and without the encoder, and warns', async () => {
    const { own } = stages({ measureVoice: async () => ({ voice: null, workMs: 0 }) });
    const timeline = new Timeline(OPTIONS, own, []);
    expect((await timeline.add(spoken(0, 0, 1))).entry.prosody).toEqual({});
    expect(timeline.warnings).toEqual([
      'The audio of 1 utterance could not be measured, so only the words were analysed.',
      'The sentence encoder failed on 1 utterance, which makes the analysis less accurate.',
    ]);
  });

  it('decides how affect is read by the label, before any reading', async () => {
    const { own, tasks } = stages();
    const affect = { Speaker_0: 'none', Speaker_1: 'words' } as const;
    const timeline = new Timeline({ ...OPTIONS, affect }, own, []);
    const entries = [];
    for (const [i, speaker] of [4, 2, 7].entries())
      entries.push((await timeline.add(spoken(speaker, i, i + 0.9))).entry);
    expect(tasks.map(({ isRead }) => isRead)).toEqual([false, false, true]);
    expect(entries.map(({ emotion }) => emotion === null)).toEqual([true, false, false]);
    expect(entries.map(({ acoustic_reasoning }) => acoustic_reasoning)).toEqual([
      null,
      'Based on the words alone, as requested.',
      expect.not.stringContaining('as was asked'),
    ]);
  });

  it('gives a speaker the role of the channel, and reads the least affect while channels are not people', async () => {
    const options = {
      ...OPTIONS,
      roles: ['agent', 'customer'],
      affect: { 'role:agent': 'none', '*': 'full' } as const,
    };
    const { own, tasks } = stages();
    const timeline = new Timeline(options, own, []);
    await timeline.add(spoken(1, 0, 0.9));
    expect(timeline.roles).toEqual({});
    timeline.useChannels((speaker) => (speaker === 1 ? 0 : 1));
    for (const [i, speaker] of [0, 1].entries()) await timeline.add(spoken(speaker, i + 1, i + 1.9));
    expect(timeline.roles).toEqual({ Speaker_0: 'agent', Speaker_1: 'customer' });
    expect(tasks.map(({ isRead }) => isRead)).toEqual([false, true, false]);
  });

  it('passes on the encoding for moments, whether affect is read or not', async () => {
    const encoded = { sentence: new Float32Array(512).fill(512 ** -0.5), moments: new Float32Array(512).fill(1) };
    const { own } = stages({ encode: async () => encoded });
    for (const affect of ['full', 'none'] as const) {
      const { encoding } = await new Timeline({ ...OPTIONS, affect }, own, []).add(spoken(0, 0, 1));
      expect(encoding).toBe(encoded.moments);
    }
  });
});
