import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import { ConversationPatchSchema, type Edit } from '../../../src/contract/conversations.ts';
import type { ServiceEvent } from '../../../src/contract/events.ts';
import type { TimelineEntry } from '../../../src/contract/timeline-entry.ts';
import { allRounded } from '../../../src/contract/wire-numbers.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { renamed, textOf } from '../../../src/conversation/sentences/spans.ts';
import { MetricsCounter } from '../../../src/conversation/turn-taking/metrics.ts';
import { checkEdit, editedBy, hiddenLabels } from '../../../src/worker/results/edits/edited.ts';
import { EditedResult } from '../../../src/worker/results/edits/edited-result.ts';
import { spansOfProse } from '../../../src/worker/results/prose-spans.ts';
import { dialogues, documentsOf, resultOf, type SpokenDialogue, timelineOf } from '../../../support/results.ts';
import { affectInAnswer, affectInEvents, withheld } from '../../../support/withheld.ts';
import { appliedTo } from './applied-to.ts';
import { exportedOf, written } from './exported-of.ts';

const NAMES = ['Anneliese', 'Thaddeus', 'Ignatius', 'Quentin', 'Zebedee', 'Xanthippe', 'Ottokar', 'Wilhelmina'];
const nameOf = (label: string): string => NAMES[Number(label.at(-1))]!;
const spokenBy = (timeline: TimelineEntry[], who: (entry: TimelineEntry) => string): TimelineEntry[] =>
  timeline.map((entry) => ({
    ...entry,
    speaker: who(entry),
    emotion: entry.emotion && { ...entry.emotion, speaker_id: who(entry) },
  }));
const withoutLabel = ({ speaker_label: _, ...entry }: TimelineEntry) => entry;
const labelsOf = (timeline: readonly { speaker: string }[]): string[] => [...new Set(timeline.map((u) => u.speaker))];
const json = (value: unknown): string => JSON.stringify(value);

const some = dialogues().filter((_, i) => i % 40 === 0);

function measured(dialogue: SpokenDialogue): { timeline: TimelineEntry[]; result: AnalysisResponse } {
  const timeline = timelineOf(dialogue.id, dialogue);
  return { timeline, result: resultOf(dialogue.id, timeline) };
}

/** A dialogue of three speakers with a moment that needs several of them. */
const withThree = dialogues().find(
  (dialogue) =>
    labelsOf(dialogue.turns).length === 3 &&
    dialogue.turns.length > 20 &&
    measured(dialogue).result.moments.some(({ category }) => category !== 'topic_shift'),
)!;

describe('names', () => {
  it.each(some)('of $id are used everywhere, as if the speakers had had them from the start', (dialogue) => {
    const { timeline, result } = measured(dialogue);
    const speakers = Object.fromEntries(labelsOf(timeline).map((label) => [label, nameOf(label)]));
    const direct = resultOf(
      dialogue.id,
      spokenBy(timeline, ({ speaker }) => nameOf(speaker)),
    );
    const named = appliedTo(result, { speakers });
    expect(json({ ...named, timeline: named.timeline.map(withoutLabel) })).toBe(json(direct));
    expect(named.timeline.map((entry) => entry.speaker_label)).toEqual(timeline.map(({ speaker }) => speaker));
  });

  it('leave the labels, which follow merges and moves', () => {
    const { result } = measured(withThree);
    const labelled = { ...result, timeline: result.timeline.map((u) => ({ ...u, speaker_label: u.speaker })) };
    const edited = appliedTo(labelled, { speakers: { Speaker_0: 'Ann' }, merge: [['Speaker_1', 'Speaker_0']] });
    for (const [i, { speaker, speaker_label }] of edited.timeline.entries()) {
      const label = result.timeline[i]!.speaker === 'Speaker_2' ? 'Speaker_2' : 'Speaker_0';
      expect({ speaker, speaker_label }).toEqual({
        speaker: label === 'Speaker_0' ? 'Ann' : label,
        speaker_label: label,
      });
    }
  });

  it('leave quoted words unchanged', () => {
    const turns = [
      {
        speaker: 'Speaker_0',
        text: 'Shall we take the offer that Speaker_1 sent us on Monday? I can give you a discount.',
      },
      { speaker: 'Speaker_1', text: 'No, Speaker_0, the price is too high for us, “Speaker_0” or not.' },
      { speaker: 'Speaker_0', text: 'I will send "Speaker_1" to you by Friday.' },
    ];
    const { result } = measured({ id: 'said', turns });
    const named = appliedTo(result, { speakers: { Speaker_0: 'Ann', Speaker_1: 'Bob' } });
    expect(named.timeline.map(({ text }) => text)).toEqual(turns.map(({ text }) => text));
    expect(named.timeline.map(({ words }) => words)).toEqual(result.timeline.map(({ words }) => words));
    for (const [i, moment] of named.moments.entries()) {
      expect(moment.evidence).toEqual(result.moments[i]!.evidence);
      expect(moment.summary).not.toMatch(/^Speaker/);
      for (const { quote } of moment.evidence.slice(0, 1))
        if (quote.length < 100) expect(moment.summary).toContain(quote);
    }
  });

  it('replace the same labels where a result was stored without spans', () => {
    for (const dialogue of some.slice(0, 10)) {
      const { timeline, result } = measured(dialogue);
      const { sentences, ...before } = result;
      const speakers = Object.fromEntries(labelsOf(timeline).map((label) => [label, nameOf(label)]));
      const { sentences: _, ...named } = appliedTo(result, { speakers });
      expect(sentences!.length).toBeGreaterThan(0);
      expect(json(appliedTo(before, { speakers }))).toBe(json(named));
    }
    const nameOfProse = (text: string): string => textOf(renamed(spansOfProse(text), () => 'Ann'));
    expect(nameOfProse('Speaker_0 asks: “is Speaker_0 in?”. Speaker_10 and Speaker_0s.')).toBe(
      'Ann asks: “is Speaker_0 in?”. Ann and Speaker_0s.',
    );
    expect(nameOfProse('Speaker_0 accepts: "Speaker_0 agreed"')).toBe('Ann accepts: "Speaker_0 agreed"');
  });

  it('may be any word, also one with a meaning to objects or patterns', () => {
    const { result } = measured(withThree);
    const speakers = { Speaker_0: '__proto__', Speaker_1: '$& $1', Speaker_2: 'constructor' };
    const named = appliedTo(result, { speakers });
    expect(Object.keys(JSON.parse(json(named.insights.metrics.speakers)))).toEqual(
      Object.keys(result.insights.metrics.speakers).map((label) => speakers[label as keyof typeof speakers]),
    );
    expect(json({ ...named, timeline: named.timeline.map(withoutLabel) })).not.toMatch(/Speaker_\d/);
  });

  it('reach every export', () => {
    const { result } = measured(withThree);
    const speakers = Object.fromEntries(labelsOf(result.timeline).map((label) => [label, nameOf(label)]));
    const named = exportedOf(appliedTo(result, { speakers }));
    for (const format of ['txt', 'md', 'srt', 'vtt', 'csv', 'html'] as const) {
      expect(written(format, named)).not.toMatch(/Speaker(\\)?_\d/);
      for (const name of Object.values(speakers)) expect(written(format, named)).toContain(name);
    }
  });
});

describe('the quality', () => {
  it.each(['txt', 'md', 'html'] as const)('is in %s only with its reasons', (format) => {
    const { result } = measured(withThree);
    const rated = (conversation_quality: 'fair' | 'good', quality_reasons: string[]) =>
      written(format, exportedOf({ ...result, summary: { ...result.summary, conversation_quality, quality_reasons } }));
    expect(rated('good', ['1 proposal accepted'])).toMatch(/good; 1 proposal accepted/);
    expect(rated('fair', [])).not.toMatch(/Quality/);
  });
});

describe('roles', () => {
  it('are in the table and beside the names of readable exports, by label', () => {
    const { result } = measured(withThree);
    const named = appliedTo(result, { speakers: { Speaker_0: 'Ann' } });
    const exported = exportedOf(named, { roles: { Speaker_0: '=agent', Speaker_1: 'customer' } });
    const [head, ...rows] = written('csv', exported).trim().split('\r\n');
    expect(head).toMatch(/,phase,role$/);
    const roles = exported.timeline.map(({ speaker, speaker_label = speaker }) =>
      speaker_label === 'Speaker_0' ? `"'=agent"` : speaker_label === 'Speaker_1' ? '"customer"' : '',
    );
    expect(rows.map((row) => row.slice(row.lastIndexOf(',') + 1))).toEqual(roles);
    for (const format of ['txt', 'html'] as const) expect(written(format, exported)).toContain('Ann (=agent), ');
    expect(written('txt', exportedOf(named))).not.toContain('Ann (');
  });
});

describe('hidden affect', () => {
  const severalSpeak = some.filter(({ turns }) => labelsOf(turns).length > 1);

  it.each(severalSpeak.slice(0, 20))('of one speaker of $id leaves what an analysis without it gives', (dialogue) => {
    const { timeline, result } = measured(dialogue);
    const hidden = appliedTo(result, { hide_affect: { Speaker_0: true } });
    const direct = resultOf(
      dialogue.id,
      timeline.map((u) => (u.speaker === 'Speaker_0' ? withheld(u) : u)),
    );
    expect(hidden).toEqual(JSON.parse(json(direct)));
    expect(affectInAnswer(hidden, 'Speaker_0')).toEqual([]);
    expect(affectInAnswer(result, 'Speaker_0').length).toBeGreaterThan(timeline.length / 2);
    for (const format of ['txt', 'md', 'srt', 'vtt', 'csv', 'html'] as const)
      expect(written(format, exportedOf(hidden))).toBe(written(format, exportedOf(direct)));
  });

  it('stays hidden when the speaker is named or merged, and is shown again on request', () => {
    const { result } = measured(withThree);
    const hide: Edit = { hide_affect: { Speaker_1: true } };
    expect(affectInAnswer(appliedTo(result, hide, { speakers: { Speaker_1: 'Ann' } }), 'Ann')).toEqual([]);
    const merged = appliedTo(result, hide, { merge: [['Speaker_1', 'Speaker_0']] });
    expect(affectInAnswer(merged, 'Speaker_0')).toEqual([]);
    expect([...hiddenLabels(editedBy([hide, { merge: [['Speaker_1', 'Speaker_0']] }]))].sort()).toEqual([
      'Speaker_0',
      'Speaker_1',
    ]);
    expect(appliedTo(result, hide, { hide_affect: { Speaker_1: false } })).toEqual(appliedTo(result));
    const known = { utteranceIds: new Set<string>(), speakers: new Set(['Speaker_0']) };
    expect(() => checkEdit(hide, [], known)).toThrow('hide_affect.Speaker_1');
  });

  it('is in no event, and while labels were provisional nobody’s is', () => {
    const { result } = measured(withThree);
    const edited = editedBy([{ hide_affect: { Speaker_1: true } }]);
    const steps = EditedResult.inSteps(edited, result, conversationWeights());
    let step = steps.next();
    while (!step.done) step = steps.next();
    const events: ServiceEvent[] = [
      ...result.timeline.flatMap(({ utterance_id, speaker, t_start, t_end, text, emotion }): ServiceEvent[] => [
        { event: 'final_transcript', data: { utterance_id, speaker, t_start, t_end, text } },
        ...(emotion ? [{ event: 'emotion' as const, data: emotion }] : []),
      ]),
      ...result.transitions.map((data): ServiceEvent => ({ event: 'transition', data })),
    ];
    const told = (isFinal: boolean) => events.flatMap((event) => step.value!.event(event, isFinal) ?? []);
    expect(affectInEvents(events, 'Speaker_1')).not.toEqual([]);
    expect(affectInEvents(told(true), 'Speaker_1')).toEqual([]);
    expect(affectInEvents(told(true), 'Speaker_0')).not.toEqual([]);
    expect(told(false).map(({ event }) => event)).not.toContain('emotion');
  });
});

describe('a merge', () => {
  it.each(some.slice(0, 20))('of two speakers of $id is concluded as one speaker', (dialogue) => {
    const { timeline, result } = measured(dialogue);
    const merged = appliedTo(result, { merge: [['Speaker_1', 'Speaker_0']] });
    const one = spokenBy(timeline, ({ speaker }) => (speaker === 'Speaker_1' ? 'Speaker_0' : speaker));
    expect(json(merged)).not.toContain('Speaker_1');
    expect(merged.timeline).toEqual(JSON.parse(json(one)));
    const counter = new MetricsCounter(languageOf('en'));
    for (const entry of one) counter.add(entry);
    expect(merged.insights.metrics).toEqual(allRounded(counter.metrics));
    expect(merged.speakers).toMatchObject({ count: labelsOf(one).length, source: 'given', confidence: 1 });
    expect(merged.segmentation.phases[0]!.start_utterance_id).toBe(timeline[0]!.utterance_id);
    for (const { answers, speaker_id } of merged.moments)
      if (answers !== undefined)
        expect(merged.moments.find((m) => m.moment_id === answers)?.speaker_id).not.toBe(speaker_id);
  });

  it('leaves withheld affect of one of them withheld', () => {
    const timeline = timelineOf('c', withThree).map((u) => (u.speaker === 'Speaker_1' ? withheld(u) : u));
    const result = resultOf('c', timeline);
    const merged = appliedTo(result, { speakers: { Speaker_0: 'Ann' }, merge: [['Speaker_1', 'Speaker_0']] });
    const own = (all: AnalysisResponse) => all.timeline.filter((_, i) => timeline[i]!.speaker === 'Speaker_1');
    const renamedEntry = { speaker: 'Ann', speaker_label: 'Speaker_0' };
    expect(own(merged)).toEqual(own(result).map((entry) => ({ ...entry, ...renamedEntry })));
    expect(own(merged).every(({ emotion }) => emotion === null)).toBe(true);
    for (const one of merged.agent_results)
      expect(one.emotion === null).toBe(
        result.agent_results.find((r) => r.utterance_id === one.utterance_id)!.emotion === null,
      );
  });

  it('keeps the name that one of the two has', () => {
    const { result } = measured(withThree);
    const merged = appliedTo(result, { speakers: { Speaker_1: 'Ann' } }, { merge: [['Speaker_1', 'Speaker_0']] });
    expect(labelsOf(merged.timeline)).toEqual(['Ann', 'Speaker_2']);
  });

  it('of all into one leaves a monologue: nobody objects, answers or interrupts', () => {
    const { result } = measured(withThree);
    const merge: Edit = {
      merge: [
        ['Speaker_1', 'Speaker_0'],
        ['Speaker_2', 'Speaker_0'],
      ],
    };
    const alone = appliedTo(result, merge);
    expect(alone.moments.filter(({ category }) => category === 'objection' || category === 'cta_accepted')).toEqual([]);
    expect(alone.insights.metrics.speaker_switches).toBe(0);
    expect(alone.summary.speaker_dynamics).toMatchObject({ balance: 'monologue' });
  });
});

describe('a move', () => {
  it('gives an utterance, its moments and its measures to another speaker', () => {
    const { result } = measured(withThree);
    const moment = result.moments[0]!;
    const to = moment.speaker_id === 'Speaker_2' ? 'Speaker_0' : 'Speaker_2';
    const [utterance_id = ''] = moment.utterance_ids;
    const moved = appliedTo(result, { move: [{ utterance_id, speaker: to }] }, { speakers: { [to]: 'Ann' } });
    expect(moved.timeline.find((u) => u.utterance_id === utterance_id)).toMatchObject({
      speaker: 'Ann',
      emotion: { speaker_id: 'Ann' },
    });
    expect(moved.agent_results.find((one) => one.utterance_id === utterance_id)!.emotion?.speaker_id).toBe('Ann');
    const now = moved.moments.find((m) => m.moment_id === moment.moment_id);
    expect(now).toMatchObject({ speaker_id: 'Ann', evidence: moment.evidence });
    expect(now!.summary).toBe(moment.summary.replace(moment.speaker_id, 'Ann'));
    const words = (r: AnalysisResponse, who: string) => r.insights.metrics.speakers[who]!.words;
    const said = result.timeline.find((u) => u.utterance_id === utterance_id)!.text.split(/\s+/).length;
    expect(words(moved, 'Ann')).toBeGreaterThan(words(result, to));
    expect(words(moved, 'Ann') - words(result, to)).toBeLessThanOrEqual(said);
  });

  it('may go to a speaker that diarisation did not find', () => {
    const { result } = measured(withThree);
    const { utterance_id } = result.timeline[3]!;
    const moved = appliedTo(result, { move: [{ utterance_id, speaker: 'Speaker_3' }] });
    expect(moved.speakers).toMatchObject({ count: 4, source: 'given' });
    expect(moved.insights.speaker_profiles.Speaker_3).toMatchObject({ utterance_count: 1 });
  });

  it('that changes nothing gives the same result', () => {
    for (const dialogue of some.slice(0, 10)) {
      const { result } = measured(dialogue);
      const [{ utterance_id, speaker }] = result.timeline as [TimelineEntry];
      expect(json(appliedTo(result, { move: [{ utterance_id, speaker }] }))).toBe(json(result));
    }
  });

  it('drops a change of state whose evidence belongs to two speakers', () => {
    const { result } = measured(withThree);
    const ids = result.timeline.slice(0, 2).map((u) => u.utterance_id);
    const transition = {
      transition_id: 'x_trn_0',
      at_ms: 0,
      from_state: 'calm',
      to_state: 'tense',
      evidence_utterance_ids: ids,
      drivers: {},
      confidence: 0.6,
      stability: 'final',
      speaker_id: 'Speaker_0',
    } as const;
    const changed = { ...result, transitions: [{ ...transition, evidence_utterance_ids: [...ids] }] };
    const move = (n: number, speaker: string) => ({ utterance_id: ids[n]!, speaker });
    expect(appliedTo(changed, { move: [move(0, 'Speaker_1'), move(1, 'Speaker_1')] }).transitions).toMatchObject([
      { speaker_id: 'Speaker_1' },
    ]);
    expect(appliedTo(changed, { move: [move(0, 'Speaker_1'), move(1, 'Speaker_2')] }).transitions).toEqual([]);
  });
});

describe('undone edits', () => {
  it('give the earlier bytes, one after the other', () => {
    const { result } = measured(withThree);
    const { utterance_id } = result.timeline.findLast(({ speaker }) => speaker !== 'Speaker_2')!;
    const edits: Edit[] = [
      { speakers: { Speaker_0: 'Ann', Speaker_1: 'Bob' } },
      { move: [{ utterance_id, speaker: 'Speaker_2' }] },
      { merge: [['Speaker_2', 'Speaker_1']] },
      { speakers: { Speaker_1: null } },
      { title: 'A title', labels: ['a'] },
    ];
    const states = edits.map((_, n) => json(appliedTo(result, ...edits.slice(0, n))));
    states.push(json(appliedTo(result, ...edits)));
    expect(states[0]).toBe(json(result));
    expect(new Set(states).size).toBe(5);
    expect(states[5]).toBe(states[4]);
    for (let n = edits.length; n >= 0; n--) expect(json(appliedTo(result, ...edits.slice(0, n)))).toBe(states[n]);
  });

  it('title and labels are the last given', () => {
    expect(editedBy([])).toMatchObject({ title: null, labels: [] });
    const edits: Edit[] = [
      { title: 'One', labels: ['a', 'b', 'a'] },
      { title: 'Two' },
      { labels: [] },
      { title: null },
    ];
    expect(editedBy(edits.slice(0, 2))).toMatchObject({ title: 'Two', labels: ['a', 'b'] });
    expect(editedBy(edits)).toMatchObject({ title: null, labels: [] });
  });
});

describe('events', () => {
  function eventsOf(
    dialogue: SpokenDialogue,
    edit: Edit,
    isFinal: boolean,
  ): { told: ServiceEvent[]; now: ServiceEvent[] } {
    const { timeline, result } = measured(dialogue);
    const lines = documentsOf(dialogue.id, timeline).get('events.ndjson')!.trim().split('\n');
    const told = lines.map((line) => JSON.parse(line) as ServiceEvent);
    const steps = EditedResult.inSteps(editedBy([edit]), result, conversationWeights());
    let step = steps.next();
    while (!step.done) step = steps.next();
    const editedResult = step.value;
    return { told, now: told.flatMap((event) => editedResult.event(event, isFinal) ?? []) };
  }

  it('follow names', () => {
    const speakers = { Speaker_0: 'Ann', Speaker_1: 'Bob', Speaker_2: 'Cid' };
    const { told, now } = eventsOf(withThree, { speakers }, true);
    expect(now.map(({ event }) => event)).toEqual(told.map(({ event }) => event));
    expect(json(now)).not.toMatch(/Speaker_\d/);
  });

  it('follow moves and merges; dropped ones are left out', () => {
    const { result } = measured(withThree);
    const merged = eventsOf(
      withThree,
      {
        merge: [
          ['Speaker_1', 'Speaker_0'],
          ['Speaker_2', 'Speaker_0'],
        ],
      },
      true,
    );
    const moments = merged.now.filter(({ event }) => event === 'moment');
    expect(moments.length).toBeLessThan(merged.told.filter(({ event }) => event === 'moment').length);
    expect(json(merged.now)).not.toMatch(/Speaker_[12]/);
    const { utterance_id } = result.timeline[1]!;
    const moved = (isFinal: boolean) =>
      eventsOf(withThree, { move: [{ utterance_id, speaker: 'Speaker_2' }] }, isFinal).now.find(
        (e) => e.event === 'final_transcript' && e.data.utterance_id === utterance_id,
      );
    expect(moved(true)?.data).toMatchObject({ speaker: 'Speaker_2' });
    // During the live session that id belonged to another segment.
    expect(moved(false)?.data).toMatchObject({ speaker: result.timeline[1]!.speaker });
  });
});

describe('an edit is refused', () => {
  const { result } = measured(withThree);
  const of = {
    utteranceIds: new Set(result.timeline.map((u) => u.utterance_id)),
    speakers: new Set(labelsOf(result.timeline)),
  };
  const move = (speaker: string, utterance_id = result.timeline[0]!.utterance_id): Edit => ({
    move: [{ utterance_id, speaker }],
  });
  const merge = (...pairs: [string, string][]): Edit => ({ merge: pairs });

  it.each<[string, Edit, Edit[], string]>([
    ['of a speaker who is not there', { speakers: { Speaker_7: 'Ann' } }, [], 'speakers.Speaker_7'],
    ['with one name for two', { speakers: { Speaker_0: 'Ann', Speaker_1: 'Ann' } }, [], 'speakers.Speaker_1'],
    [
      'with a name in use',
      { speakers: { Speaker_1: 'Ann' } },
      [{ speakers: { Speaker_0: 'Ann' } }],
      'speakers.Speaker_1',
    ],
    [
      'of a speaker who was merged',
      { speakers: { Speaker_1: 'Ann' } },
      [merge(['Speaker_1', 'Speaker_0'])],
      'merged into',
    ],
    ['that merges one with itself', merge(['Speaker_1', 'Speaker_1']), [], 'merge.0'],
    ['that merges in a circle', merge(['Speaker_1', 'Speaker_0'], ['Speaker_0', 'Speaker_1']), [], 'merge.1.1'],
    ['that moves what was not said', move('Speaker_0', 'nothing'), [], 'move.0.utterance_id'],
    ['that moves to nobody', move('Speaker_5'), [], 'move.0.speaker'],
    ['that moves to who was merged', move('Speaker_1'), [merge(['Speaker_1', 'Speaker_0'])], 'move.0.speaker'],
  ])('%s', (_, edit, before, place) => {
    expect(() => checkEdit(edit, before, of)).toThrow(place);
  });

  it('unless it fits', () => {
    const before: Edit[] = [{ speakers: { Speaker_0: 'Ann' } }, move('Speaker_3')];
    for (const edit of [
      { speakers: { Speaker_0: null, Speaker_1: 'Ann' } },
      { speakers: { Speaker_3: 'Dan' } },
      move('Speaker_4'),
      merge(['Speaker_3', 'Speaker_0'], ['Speaker_0', 'Speaker_1']),
    ] satisfies Edit[])
      expect(() => checkEdit(edit, before, of)).not.toThrow();
  });

  it.each([
    ['that says nothing', {}, 'must change something'],
    ['with an empty title', { title: '' }, 'empty'],
    ['with a title of two lines', { title: 'a\nb' }, 'one line'],
    ['with a title that is too long', { title: 'x'.repeat(201) }, 'longer than'],
    ['with too many labels', { labels: Array.from({ length: 21 }, (_, i) => `l${i}`) }, 'more than'],
    ['with a name like a label', { speakers: { Speaker_0: 'Speaker_1' } }, 'must not look like a speaker label'],
    ['of what is no label', { speakers: { Bob: 'Ann' } }, ''],
    ['with a name of two lines', { speakers: { Speaker_0: 'a\u2028b' } }, 'one line'],
    ['that merges one', { merge: [['Speaker_0']] }, ''],
    ['that misspells', { titel: 'x' }, 'nrecognized'],
  ])('%s', (_, body, message) => {
    const read = ConversationPatchSchema.safeParse(body);
    expect(read.success).toBe(false);
    expect(JSON.stringify(read.error?.issues)).toContain(message);
  });
});
