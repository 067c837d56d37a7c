import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import {
  claimsOf,
  conversationOf,
  isHard,
  type MomentPin,
  mishearingsOf,
  overviewByGoal,
  overviewOf,
  phaseWords,
} from '../../src/dashboard/conversation/model.ts';
import { personMeasures } from '../../src/dashboard/conversation/people/definitions.ts';
import { comparedWords, wordsForMeasure } from '../../src/dashboard/conversation/people/usual.ts';
import { createPlayer } from '../../src/dashboard/conversation/player.ts';
import { groupsOf } from '../../src/dashboard/conversation/summary/moment-groups.ts';
import { busiestOf } from '../../src/dashboard/conversation/timeline/busy-parts.ts';
import {
  binned,
  isCrowded,
  joined,
  rowsOf,
  scaleOf,
  signWidth,
} from '../../src/dashboard/conversation/timeline/geometry.ts';
import { fullLevelOf } from '../../src/dashboard/conversation/timeline/lanes.ts';
import { means, paintRibbon, paintStrokes } from '../../src/dashboard/conversation/timeline/tone.ts';
import { isOfWordsAlone, measuresOf, soundOf, styleOf } from '../../src/dashboard/conversation/tone-words.ts';
import { clock, percents, plus, tier, timeSpan, two } from '../../src/dashboard/lib/format.ts';
import {
  type AnalysisResponse,
  MOMENT_CATEGORIES,
  type MomentCategory,
  type MomentEvent,
  type Prosody,
} from '../../src/sdk/wire.ts';

const RESULT = JSON.parse(
  readFileSync(new URL('../../src/openapi/example-analysis.json', import.meta.url), 'utf8'),
) as AnalysisResponse;

it('the overview is shown whole, sentence by sentence with its evidence', () => {
  const conversation = conversationOf(RESULT);
  const claims = overviewOf(conversation);
  expect(claims.map(({ text }) => text).join(' ')).toBe(RESULT.summary.overview);
  const known = new Map(RESULT.summary.evidence.map(({ text, utterance_ids }) => [text, utterance_ids]));
  // The example's timeline is cut short.
  const there = RESULT.timeline.map(({ utterance_id }) => utterance_id);
  for (const { text, lines } of claims)
    expect(lines.map((line) => RESULT.timeline[line]!.utterance_id)).toEqual(
      there.filter((id) => known.get(text)?.includes(id)),
    );
  expect(claims.some(({ lines }) => lines.length > 0)).toBe(true);
});

it('the overview begins with who talks about what, and the question stands directly above the sentences on it', () => {
  const [quote, open, course] = ['Speaker_0 says: "Hello".', 'No sentence clearly answers "Why?".', '2 speakers talk.'];
  const line = (text: string, measures: Record<string, number | string> = {}) => ({
    text,
    utterance_ids: [],
    measures,
  });
  const shown = (...evidence: ReturnType<typeof line>[]) => {
    const overview = evidence.map(({ text }) => text).join(' ');
    const result = { ...RESULT, goal: 'Why?', summary: { ...RESULT.summary, overview, evidence } };
    const { before, onGoal, after } = overviewByGoal(conversationOf(result));
    return [before, onGoal, after].map((claims) => claims.map(({ text }) => text));
  };
  const ofGoal = line(open, { goal: 'Why?' });
  expect(shown(line(quote), ofGoal, line(course, { duration_s: 9 }))).toEqual([[course, quote], [open], []]);
  expect(shown(line(quote), line(course, { duration_min: 9, speakers: 2 }))).toEqual([[], [], [course, quote]]);
  // Words of the opening that are said again as the answer stay where they are.
  expect(shown(line(quote), ofGoal, line(quote, { goal: 'Why?' }), line(course))).toEqual([
    [quote],
    [open, quote],
    [course],
  ]);
  // The sentences of a language model do not say which of them deal with the goal.
  expect(shown(line(quote), line(open), line(course))).toEqual([[], [], [quote, open, course]]);
});

it('an overview rewritten by a language model is shown too, without evidence that it does not name', () => {
  const summary = { ...RESULT.summary, overview: 'Something else was said.', evidence: [] };
  expect(overviewOf(conversationOf({ ...RESULT, summary }))).toEqual([
    { text: 'Something else was said.', isOfSummary: false, lines: [] },
  ]);
});

it('a speaker without a name has a letter, in order of first speech; one who was named has the name', () => {
  const named = RESULT.timeline.map((entry) => ({
    ...entry,
    speaker: entry.speaker === 'Speaker_1' ? 'Željka' : entry.speaker,
  }));
  expect(conversationOf({ ...RESULT, timeline: named }).names).toEqual(['Speaker A', 'Željka']);
});

it('moments are grouped by kind: an answer stays with its offer, which is as sure as the surest of both', () => {
  const at = (category: MomentCategory, confidence: number, moment_id: string, answers?: string): MomentEvent => ({
    ...RESULT.moments[0]!,
    ...{ category, confidence, moment_id, answers, start_ms: Number(moment_id) * 1000 },
  });
  const moments = [
    at('objection', 0.3, '1'),
    at('cta_offered', 0.3, '2'),
    at('cta_accepted', 0.8, '3', '2'),
    at('cta_offered', 0.3, '4'),
    at('cta_rejected', 0.4, '5', '4'),
    at('cta_accepted', 0.9, '6'),
    at('objection', 0.9, '7'),
    at('objection', 0.2, '8'),
  ];
  const ids = (pins: readonly MomentPin[]) => pins.map(({ moment }) => moment.moment_id).join(' ');
  const groups = groupsOf(conversationOf({ ...RESULT, moments }).pins);
  expect(groups.map(({ category, sure, unsure, answers }) => [category, ids(sure), ids(unsure), answers])).toEqual(
    MOMENT_CATEGORIES.flatMap(({ name }) => {
      if (name === 'objection') return [[name, '7', '1 8', 0]];
      if (name === 'cta_offered') return [[name, '2', '4', 2]];
      return name === 'cta_accepted' ? [[name, '6', '', 0]] : [];
    }),
  );
});

it('without affect a line has no tone, and its text is complete', () => {
  const bare = RESULT.timeline.map((entry) => ({ ...entry, pad_scores: null, emotion: null }));
  const { lines } = conversationOf({ ...RESULT, timeline: bare });
  for (const line of lines) expect([line.tone, line.felt]).toEqual([undefined, undefined]);
  expect(lines.map(({ text }) => text)).toEqual(RESULT.timeline.map(({ text }) => text));
});

it('a line has the suggestions for its misheard words, unless the words were corrected', () => {
  const { utterance_id, text } = RESULT.timeline[0]!;
  const misheard = { utterance_id, heard: text.split(' ')[0]!, meant: 'Dana' };
  const mishearings = [misheard, { ...misheard, heard: 'no longer there' }];
  const view = conversationOf({ ...RESULT, summary: { ...RESULT.summary, mishearings } });
  expect(mishearingsOf(view, view.lines[0]!)).toEqual([misheard]);
  expect(mishearingsOf(view, view.lines[1]!)).toEqual([]);
  const plain = conversationOf(RESULT);
  expect(mishearingsOf(plain, plain.lines[0]!)).toEqual([]);
});

it('words that were not understood are among those that are hard to hear', () => {
  const unread = RESULT.timeline.map((entry) => ({ ...entry, unread: 'not_understood' as const }));
  expect(conversationOf({ ...RESULT, timeline: unread }).lines.every(isHard)).toBe(true);
  expect(conversationOf(RESULT).lines.every(isHard)).toBe(false);
});

it('a claim without evidence has no lines, and an absent text has no claims', () => {
  const conversation = conversationOf(RESULT);
  expect(claimsOf(conversation, ['nowhere'])).toEqual([{ text: 'nowhere', isOfSummary: false, lines: [] }]);
  expect(claimsOf(conversation, null)).toEqual([]);
});

it('the places of a claim are in the order of the conversation', () => {
  const ids = RESULT.timeline.map(({ utterance_id }) => utterance_id);
  const answer = { text: 'an answer', utterance_ids: [ids[1]!, ids[0]!], measures: {} };
  const summary = { ...RESULT.summary, evidence: [answer] };
  expect(claimsOf(conversationOf({ ...RESULT, summary }), [answer.text])[0]!.lines).toEqual([0, 1]);
});

it('a mean or median over the whole conversation has no single second as its evidence', () => {
  const ids = RESULT.timeline.map(({ utterance_id }) => utterance_id);
  const mean = { text: 'mean sentiment 0.18', utterance_ids: ids, measures: { mean_polarity: 0.18 } };
  const slow = { text: 'a median of 1.6 s', utterance_ids: ids, measures: { response_latency_s_0: 1.6 } };
  const agreed = { text: '1 proposal accepted', utterance_ids: ids.slice(0, 1), measures: { accepted: 1 } };
  const summary = { ...RESULT.summary, evidence: [mean, slow, agreed] };
  const claims = claimsOf(conversationOf({ ...RESULT, summary }), [mean.text, slow.text, agreed.text]);
  expect(claims.map(({ lines }) => lines)).toEqual([[], [], [0]]);
});

it('numbers are written as people read them', () => {
  expect([clock(59.9), clock(61), clock(3661)]).toEqual(['0:59', '1:01', '1:01:01']);
  expect([two(-0.5), plus(0.25), plus(-0.25)]).toEqual(['−0.50', '+0.25', '−0.25']);
  expect([two(-0.001), plus(0.001), plus(-0.001)]).toEqual(['0.00', '0.00', '0.00']);
  expect([0.75, 0.5, 0.49].map((value) => tier(value).word)).toEqual(['sure', 'likely', 'unsure']);
  expect([0.5, 73, 691, 3600, 5400].map(timeSpan)).toEqual(['0.5 s', '73 s', '12 min', '1 h', '1.5 h']);
  for (const shares of [
    [1, 1, 1],
    [0.335, 0.335, 0.33],
    [5, 0, 0],
  ]) {
    const whole = percents(shares);
    expect(whole.reduce((sum, share) => sum + share, 0)).toBe(100);
  }
  expect(percents([0, 0])).toEqual([0, 0]);
});

it('the lanes are filled by the loud parts of the recording itself, not by its noise', () => {
  const levels = (...channels: number[][]) => ({ rate: 10, channels: channels.map((each) => Uint8Array.from(each)) });
  const speech = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? 0 : 60 + (i % 100) / 2));
  expect(fullLevelOf(levels(speech))).toBeGreaterThan(100);
  expect(fullLevelOf(levels(speech))).toBeLessThan(110);
  expect(fullLevelOf(levels(speech, [255]))).toBeLessThan(110);
  expect(fullLevelOf(levels([1, 2, 3]))).toBe(48);
  expect(fullLevelOf(levels([0, 0]))).toBe(48);
});

it('nothing is said of a voice that was not measured', () => {
  const [measured] = conversationOf(RESULT).lines;
  const style = { delivery_style: 'brisk' };
  const comparable = { ...measured!, isComparable: true };
  expect(styleOf({ ...comparable, entry: { ...measured!.entry, ...style } })).toBe('brisk');
  const timeline = RESULT.timeline.map((entry) => ({
    ...{ ...entry, ...style, prosody: {} },
    emotion: entry.emotion && { ...entry.emotion, voice: null },
  }));
  const [unmeasured] = conversationOf({ ...RESULT, timeline }).lines;
  expect(styleOf(unmeasured!)).toBe('');
  expect(soundOf(unmeasured!)).not.toContain('brisk');
  expect(soundOf(unmeasured!)).toContain('from the words alone');
  expect([measured!, unmeasured!].map(({ felt }) => isOfWordsAlone(felt!))).toEqual([false, true]);
});

it('a voice is compared only with three or more measured utterances of its speaker', () => {
  const [base] = RESULT.timeline;
  const said = (count: number, confidence = 0.9) =>
    conversationOf({
      ...RESULT,
      timeline: Array.from({ length: count }, (_, i) => ({
        ...{ ...base!, utterance_id: `u${i}`, delivery_style: 'brisk' },
        prosody: { ...(base!.prosody as Prosody), confidence },
      })),
    }).lines;
  for (const lines of [said(1), said(2), said(3, 0.3)]) {
    expect(lines.map(styleOf)).toEqual(lines.map(() => ''));
    expect(soundOf(lines[0]!)).not.toContain('brisk');
  }
  expect(said(3).map(styleOf)).toEqual(['brisk', 'brisk', 'brisk']);
  expect(soundOf(said(3)[0]!)).toContain('brisk');
});

it('without measured audio, every stroke of the tone is equally thin and nothing is said of the arousal', () => {
  const toned = (voice: boolean) =>
    conversationOf({
      ...RESULT,
      timeline: RESULT.timeline.map((entry, i) => ({
        ...{
          ...entry,
          asr_confidence: 0.9,
          pad_scores: { valence: 0.5, arousal: 0.4 + 0.1 * (i % 2), dominance: 0.5 },
        },
        prosody: voice ? { ...entry.prosody, confidence: 0.9 } : {},
      })),
    });
  const thicknesses = (voice: boolean): number => {
    const conversation = toned(voice);
    const drawn = new Set<number>();
    const ctx = new Proxy({} as CanvasRenderingContext2D, {
      get: () => () => undefined,
      set: (_, name, value) => name !== 'lineWidth' || !!drawn.add(value),
    });
    // More than four speakers have no threads, which have a width of their own.
    const rows = rowsOf(5, false, true);
    const view = { from: 0, to: conversation.duration };
    const scale = scaleOf(view, 1_000, rows, 'strokes', conversation.duration);
    const nothing = { levels: undefined, solo: undefined, shown: undefined, hidden: new Set<number>() };
    const picture = { conversation, view, width: 1_000, rows, scale, mode: 'strokes' as const, ...nothing };
    paintStrokes(ctx, picture, {}, conversation.lines);
    return drawn.size;
  };
  expect(thicknesses(true)).toBeGreaterThan(1);
  expect(thicknesses(false)).toBe(1);
  expect(measuresOf(toned(true).lines[0]!)).toContain('arousal');
  expect(measuresOf(toned(false).lines[0]!)).toBe('valence 0.50 (0 to 1), from the words alone');
  expect(soundOf(toned(false).lines[0]!)).not.toMatch(/calm|energy|lively/);
});

it('phases are named without a kind of no purpose, and without a second number beside their own', () => {
  const [phase] = RESULT.segmentation.phases;
  const names = ['Opening', 'Scheduling: Demo', 'Scheduling', 'Account: Scheduling: Visit', 'Supplier, demo'];
  const phases = names.map((phase_name) => ({ ...phase!, phase_name }));
  const view = conversationOf({ ...RESULT, segmentation: { ...RESULT.segmentation, phases } });
  expect(view.phases.map(({ name }) => name)).toEqual([
    'Opening',
    'Scheduling: Demo',
    'Scheduling',
    'Scheduling: Visit',
    'Supplier, demo',
  ]);
});

it('a measure is compared in words with the usual voice of its speaker, and not without enough of it', () => {
  expect([-1.2, -0.4, 1].map((z) => comparedWords(z, ['lower', 'higher']))).toEqual([
    'lower than usual',
    'as usual',
    'higher than usual',
  ]);
  const voiced = (...jitters: readonly number[]) =>
    conversationOf({
      ...RESULT,
      timeline: jitters.map((jitter, i) => ({
        ...RESULT.timeline[0]!,
        utterance_id: `u${i}`,
        prosody: { ...(RESULT.timeline[0]!.prosody as Prosody), jitter, confidence: i === 4 ? 0.2 : 0.9 },
      })),
    });
  const words = (line: number, ...jitters: readonly number[]): string | undefined => {
    const conversation = voiced(...jitters);
    return wordsForMeasure(conversation, conversation.lines[line]!, 'jitter', ['smoother', 'rougher']);
  };
  expect(words(3, 0.01, 0.01, 0.012, 0.04)).toBe('rougher than usual');
  expect(words(0, 0.01, 0.01, 0.01)).toBe('as usual');
  expect(words(1, 0.01, 0.04)).toBeUndefined();
  // The utterance itself was measured poorly.
  expect(words(4, 0.01, 0.01, 0.01, 0.01, 0.04)).toBeUndefined();
});

it('the busiest parts of a long conversation are those with more moments than usual, in order of time', () => {
  const at = (minutes: readonly number[], hours: number) =>
    busiestOf(
      conversationOf({
        ...RESULT,
        media: { ...RESULT.media, duration_s: hours * 3600 },
        moments: minutes.map((minute, i) => ({
          ...RESULT.moments[0]!,
          ...{ moment_id: `m${i}`, start_ms: minute * 60_000 },
        })),
      }),
    ).map(({ from, count }) => [from / 60, count]);
  expect(at([1, 100, 101, 102, 200, 201, 300, 301, 302, 303, 400, 401], 8)).toEqual([
    [90, 3],
    [195, 2],
    [300, 4],
  ]);
  // One moment in each part is nothing to go to, and a short conversation is seen whole.
  expect(at([1, 100, 200, 300], 8)).toEqual([]);
  expect(at([1, 2, 3], 1)).toEqual([]);
});

it('a phase without a clear topic has neither a name nor a theme', () => {
  const [phase] = RESULT.segmentation.phases;
  const phases = [
    { ...phase!, phase_name: 'No clear topic', theme: 'contract, Friday' },
    { ...phase!, phase_name: 'Scheduling', theme: 'no topic of its own' },
    { ...phase!, phase_name: 'No clear topic', theme: 'no topic of its own' },
  ];
  const view = conversationOf({ ...RESULT, segmentation: { ...RESULT.segmentation, phases } });
  expect(view.phases.map(({ name, theme }) => [name, theme])).toEqual([
    ['', ''],
    ['Scheduling', ''],
    ['', ''],
  ]);
  expect(view.phases.map(phaseWords)).toEqual(['Phase 1', 'Phase 2 Scheduling', 'Phase 3']);
});

it('a recording that cannot be played does not play, and a position can still be chosen', () => {
  const player = createPlayer(conversationOf(RESULT));
  player.setProblem('deleted');
  player.toggle();
  expect(player.isPlaying.value).toBe(false);
  player.seek(3);
  expect(player.time.value).toBe(3);
});

it('keys that are pressed faster than the sound starts leave it as the last of them says', async () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  const sound = new SlowSound();
  const player = createPlayer(conversationOf(RESULT));
  player.listenTo(sound as unknown as HTMLAudioElement);
  for (const [presses, plays] of [
    [2, false],
    [3, true],
    [4, true],
    [1, false],
  ] as const) {
    for (let i = 0; i < presses; i++) player.toggle();
    await sound.settled();
    expect([player.isPlaying.value, !sound.paused], `after ${presses} presses`).toEqual([plays, plays]);
  }
  vi.unstubAllGlobals();
});

it('one voice has no share and no turns; two have both', () => {
  expect(personMeasures(1)).not.toContain('Longest turn');
  expect(personMeasures(1)).not.toContain('Talk share');
  expect(personMeasures(2)).toContain('Longest turn');
});

it('signs of moments neither overlap nor leave the picture, however many digits they have', () => {
  const width = 375;
  for (const count of [1, 7, 40, 1007, 20_000]) {
    const items = Array.from({ length: count }, (_, i) => ({ x: (i / count) * width }));
    const signs = joined(items, width);
    expect(signs.flatMap((sign) => sign.items)).toEqual(items);
    signs.forEach(({ x, items: own }, i) => {
      const half = signWidth(own.length) / 2;
      expect(x - half).toBeGreaterThanOrEqual(0);
      expect(x + half).toBeLessThanOrEqual(width);
      const next = signs[i + 1];
      if (next) expect(next.x - signWidth(next.items.length) / 2).toBeGreaterThan(x + half);
    });
  }
});

it('moments whose signs would fill the picture are counted by equal intervals that have room for their number', () => {
  const duration = 28_800;
  const view = { from: 0, to: duration };
  for (const width of [305, 375, 1_100])
    for (const count of [9, 1007, 5_000]) {
      const scale = scaleOf(view, width, rowsOf(4, false, true), 'ribbon', duration);
      const pins = Array.from({ length: count }, (_, i) => ({ at: (i / count) * duration }));
      const signs = joined(
        pins.map((pin) => ({ pin, x: scale.x(pin.at) })),
        width,
      );
      expect(isCrowded(signs, width)).toBe(count > 9);
      const { step, bins } = binned(pins, view, width, scale);
      expect(bins.flatMap(({ items }) => items)).toEqual(pins);
      bins.forEach(({ from, to, x, width: wide, items }, i) => {
        expect([to - from, from % step]).toEqual([step, 0]);
        expect(items.every(({ at }) => at >= from && at < to)).toBe(true);
        expect(wide).toBeGreaterThanOrEqual(30);
        expect(x + wide).toBeLessThanOrEqual((bins[i + 1]?.x ?? width) + 1e-6);
      });
    }
});

it('the ribbon of a phone shows the same course and the same marks as that of a desktop', () => {
  const seconds = 28_800;
  const timeline = Array.from({ length: 2_880 }, (_, i) => ({
    ...{ ...RESULT.timeline[0]!, utterance_id: `u${i}`, t_start: i * 10, t_end: i * 10 + 8 },
    // The strongest ones lie close together.
    pad_scores: { valence: 0.5 + 0.2 * Math.sin(i / 6) * (i / 2_880), arousal: 0.5, dominance: 0.5 },
  }));
  const conversation = conversationOf({ ...RESULT, timeline });
  const view = { from: 0, to: seconds };
  const seen = (width: number, isPhone: boolean): { course: number[]; marks: number[] } => {
    const rows = rowsOf(2, isPhone, true);
    const scale = scaleOf(view, width, rows, 'ribbon', seconds);
    const nothing = { levels: undefined, solo: undefined, shown: undefined, hidden: new Set<number>() };
    const picture = { conversation, view, width, rows, scale, mode: 'ribbon' as const, ...nothing };
    const marks: number[] = [];
    let begun = 0;
    // A mark is a line with a letter after it.
    const calls = {
      moveTo: (x: number) => {
        begun = x;
      },
      fillText: () => marks.push(Math.round(scale.t(begun))),
    };
    const ctx = new Proxy(calls as unknown as CanvasRenderingContext2D, {
      get: (of, name) => (name in of ? Reflect.get(of, name) : () => undefined),
      set: () => true,
    });
    paintRibbon(ctx, picture, {});
    return { course: means(picture).map(({ valence }) => valence), marks };
  };
  const phone = seen(390, true);
  expect(phone.marks).toHaveLength(15);
  expect(phone).toEqual(seen(1_150, false));
});

it('every lane has its letter on a phone, and none beside the names', () => {
  for (const speakers of [1, 2, 4, 8]) {
    expect(rowsOf(speakers, true, true).left).toBeGreaterThan(0);
    expect(rowsOf(speakers, true, true).lane).toBeGreaterThan(10);
    expect(rowsOf(speakers, false, true).left).toBe(0);
  }
});

/** A media element whose events come later than the calls that cause them, as in a browser. */
class SlowSound extends EventTarget {
  paused = true;
  ended = false;
  currentTime = 0;
  playbackRate = 1;
  private refusals: ((reason: unknown) => void)[] = [];

  play(): Promise<void> {
    this.paused = false;
    setTimeout(() => this.dispatchEvent(new Event('play')));
    return new Promise((resolve, refuse) => {
      this.refusals.push(refuse);
      setTimeout(resolve, 1);
    });
  }

  pause(): void {
    if (this.paused) return;
    this.paused = true;
    const interrupted = this.refusals.splice(0);
    setTimeout(() => {
      for (const refuse of interrupted) refuse(new DOMException('interrupted by a call to pause()', 'AbortError'));
      this.dispatchEvent(new Event('pause'));
    });
  }

  settled(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, 10));
  }
}
