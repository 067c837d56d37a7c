import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnalysisOutput } from '../../containers/pipeline/analysis-output.ts';
import { type AnalysisResponse, AnalysisResponseSchema } from '../../src/contract/analysis.ts';
import { EVENT_SCHEMAS, type ServiceEvent } from '../../src/contract/events.ts';
import type { Affect } from '../../src/contract/options.ts';
import { EMOTIONS } from '../../src/contract/timeline.ts';
import type { TimelineEntry } from '../../src/contract/timeline-entry.ts';
import { OPTIONS } from '../../support/pipeline-server.ts';
import { dialogues, timelineOf } from '../../support/results.ts';
import { affectInAnswer, affectInEvents, withheld } from '../../support/withheld.ts';

const SPEAKER = 'Speaker_0';

/** Strong affect: an entry far from the middle of every scale, on either side. */
function moved(entry: TimelineEntry, mood: number): TimelineEntry {
  const side = mood >= 0 ? 'joy' : 'anger';
  const emotions = Object.fromEntries(EMOTIONS.map((e) => [e, e === side ? 0.76 : 0.04])) as TimelineEntry['emotions'];
  const signals = { focused: 0.2, confused: 0.7, engaged: mood > 0 ? 0.9 : 0, disengaged: mood > 0 ? 0 : 0.9 };
  const cognitive_signals = { ...signals, thoughtful: 0.1, uncertain: 0.1 };
  const engagement = mood > 0 ? 0.95 : 0.05;
  const pad_scores = { valence: 0.5 + mood / 2, arousal: 0.5 + Math.abs(mood) / 2, dominance: 0.5 };
  const load_level = mood > 0 ? 'low' : 'high';
  return {
    ...entry,
    emotions,
    dominant_emotion: side,
    emotion: entry.emotion && { ...entry.emotion, emotion: emotions!, scores: pad_scores, confidence: 0.9 },
    polarity: mood,
    pad_scores,
    cognitive_signals,
    engagement,
    load_level,
    cognitive: entry.cognitive && { ...entry.cognitive, signals: cognitive_signals, engagement, load_level },
    confidence: 0.9,
  };
}

interface Told {
  events: ServiceEvent[];
  result: AnalysisResponse;
}

/** The output for a timeline. */
function tell(timeline: TimelineEntry[], affect: Affect = 'full'): Told {
  const telling = new AnalysisOutput({ ...OPTIONS, affect, live: false });
  const lines = [
    ...timeline.flatMap((entry) => telling.take({ type: 'utterance', entry, latency_ms: 1 })),
    ...telling.take({
      type: 'end',
      utterances: timeline.length,
      media: { duration_s: 9, channels: 1, speaker_per_channel: false },
      speakers: { count: 2, confidence: 1, source: 'estimated' },
      warnings: [],
    }),
  ];
  const { parts } = telling.documents!.find(({ name }) => name === 'result.json')!;
  const result = AnalysisResponseSchema.parse(JSON.parse(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()));
  return { events: lines.filter((line) => line.type === 'event'), result };
}

const long = dialogues().filter(({ turns }) => turns.length >= 12 && new Set(turns.map((t) => t.speaker)).size > 1);
/** A dialogue, and the moods of its turns. */
const anyDialogue = fc.record({
  at: fc.nat(long.length - 1),
  moods: fc.array(fc.constantFrom(-0.9, -0.5, 0.5, 0.9), { minLength: 9, maxLength: 9 }),
});
const movedTimeline = ({ at, moods }: { at: number; moods: number[] }): TimelineEntry[] =>
  timelineOf('c', long[at]!).map((entry, i) => moved(entry, moods[i % moods.length]!));
const withholding = (timeline: TimelineEntry[], ...speakers: string[]) =>
  timeline.map((entry) => (speakers.includes(entry.speaker) ? withheld(entry) : entry));
const RUNS = { numRuns: 40 };

describe('where the affect of one speaker is withheld', () => {
  it('nothing of it is published, and the affect of the others is', () => {
    let found = 0;
    fc.assert(
      fc.property(anyDialogue, (dialogue) => {
        const timeline = movedTimeline(dialogue);
        const { events, result } = tell(withholding(timeline, SPEAKER));
        for (const { event, data } of events) expect(() => EVENT_SCHEMAS[event].parse(data)).not.toThrow();
        expect(affectInAnswer(result, SPEAKER)).toEqual([]);
        expect(affectInEvents(events, SPEAKER)).toEqual([]);
        const open = tell(timeline);
        found += Math.min(affectInAnswer(open.result, SPEAKER).length, affectInEvents(open.events, SPEAKER).length);
      }),
      RUNS,
    );
    expect(found).toBeGreaterThan(100);
  });

  it('words, timing, moments and metrics are unchanged', () => {
    fc.assert(
      fc.property(anyDialogue, (dialogue) => {
        const timeline = movedTimeline(dialogue);
        const [open, closed] = [tell(timeline), tell(withholding(timeline, SPEAKER))];
        const momentsIn = ({ events }: Told) => events.flatMap(({ event, data }) => (event === 'moment' ? [data] : []));
        expect(momentsIn(closed)).toEqual(momentsIn(open));
        expect(closed.result.moments).toEqual(open.result.moments);
        expect(closed.result.insights.metrics).toEqual(open.result.insights.metrics);
        const said = ({ result }: Told) =>
          result.timeline.map(({ text, t_start, t_end, words }) => [text, t_start, t_end, words]);
        expect(said(closed)).toEqual(said(open));
      }),
      RUNS,
    );
  });

  it('conclusions about the whole conversation rest on the other speakers alone', () => {
    fc.assert(
      fc.property(anyDialogue, (dialogue) => {
        const timeline = movedTimeline(dialogue);
        const { insights, transitions } = tell(withholding(timeline, SPEAKER)).result;
        const others = tell(timeline.filter(({ speaker }) => speaker !== SPEAKER)).result;
        expect(insights.overall_sentiment).toEqual(others.insights.overall_sentiment);
        expect(insights.dominant_emotions).toEqual(others.insights.dominant_emotions);
        expect(insights.engagement_pattern).toEqual(others.insights.engagement_pattern);
        expect(insights.cognitive_profile.averages).toEqual(others.insights.cognitive_profile.averages);
        expect(insights.cognitive_profile.load_level).toEqual(others.insights.cognitive_profile.load_level);
        expect(transitions).toEqual(others.transitions);
        for (const [speaker, profile] of Object.entries(others.insights.speaker_profiles))
          expect(insights.speaker_profiles[speaker]).toEqual(profile);
      }),
      RUNS,
    );
  });

  it('is null or empty throughout when withheld for every speaker', () => {
    fc.assert(
      fc.property(anyDialogue, (dialogue) => {
        const timeline = movedTimeline(dialogue);
        const everybody = [...new Set(timeline.map(({ speaker }) => speaker))];
        const { events, result } = tell(withholding(timeline, ...everybody), 'none');
        const { insights, segmentation, transitions, summary } = result;
        for (const speaker of everybody) expect(affectInAnswer(result, speaker)).toEqual([]);
        expect(events.filter(({ event }) => ['emotion', 'cognitive', 'transition'].includes(event))).toEqual([]);
        expect(transitions).toEqual([]);
        const { dominant_states, load_level, trend, hotspots, averages } = insights.cognitive_profile;
        expect([dominant_states, load_level, trend, hotspots, averages]).toEqual([[], null, null, [], null]);
        const { overall_sentiment, dominant_emotions, engagement_pattern } = insights;
        expect([overall_sentiment, dominant_emotions, engagement_pattern]).toEqual([null, [], null]);
        for (const { emotional_tone } of segmentation.phases) expect(emotional_tone).toBeNull();
        expect(segmentation.narrative_arc).not.toMatch(/\btone\b/);
        expect(summary.quality_reasons.join()).not.toMatch(/sentiment/);
      }),
      RUNS,
    );
  });

  it('no language model is asked to rewrite the summary', () => {
    const timeline = timelineOf('c', long[0]!);
    const asks = (affect: Affect) => {
      const telling = new AnalysisOutput({ ...OPTIONS, affect, material: true, live: false });
      const end = {
        type: 'end',
        utterances: 1,
        media: { duration_s: 9, channels: 1, speaker_per_channel: false },
      } as const;
      const speakers = { count: 2, confidence: 1, source: 'estimated' } as const;
      for (const entry of timeline) telling.take({ type: 'utterance', entry, latency_ms: 1 });
      return telling.take({ ...end, speakers, warnings: [] }).some(({ type }) => type === 'material');
    };
    expect([asks('full'), asks('words'), asks({ '*': 'words' })]).toEqual([true, true, true]);
    expect([asks('none'), asks({ Speaker_0: 'none' }), asks({ Speaker_0: 'full', '*': 'none' })]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('the answer reports the affect setting', () => {
    const { options } = tell(timelineOf('c', long[0]!), { Speaker_0: 'none', '*': 'full' }).result;
    expect(options).toEqual({
      goal: '',
      speakers: null,
      recogniser: null,
      heard_by: {},
      quality: 'best',
      words: 0,
      language: null,
      affect: { Speaker_0: 'none', '*': 'full' },
      recorded_at: null,
      time_zone: null,
    });
  });
});
