import { expect, it } from 'vitest';
import { type FoundParts, withLiveIds } from '../../containers/pipeline/live-ids.ts';
import type { MomentEvent, TransitionEvent } from '../../src/contract/findings.ts';
import type { TimelineEntry } from '../../src/contract/timeline-entry.ts';
import { timelineEntry } from '../../support/timeline-entry.ts';

/** An utterance with a word a second from its start. */
function said(prefix: string, n: number, start: number, text: string): TimelineEntry {
  const words = text.split(' ').map((word, i) => {
    const t_start = start + i;
    return { word, t_start, t_end: t_start + 0.8, confidence: 0.9 };
  });
  return { ...timelineEntry(prefix, n, text), words, t_start: start, t_end: start + words.length };
}

const only = (timeline: TimelineEntry[], more: Partial<FoundParts> = {}): FoundParts => ({
  timeline,
  transitions: [],
  moments: [],
  ...more,
});
const heardAs = (final: TimelineEntry[], live: TimelineEntry[]) =>
  withLiveIds(only(final), only(live)).timeline.map(({ heard_as }) => heard_as);

it('an utterance was heard as those that share its words, however the speech was divided', () => {
  const live = [
    said('c_live', 0, 0, 'We can send'),
    said('c_live', 1, 3.1, 'the offer today.'),
    said('c_live', 2, 9, 'Fine'),
  ];
  expect(heardAs([said('c', 0, 0, 'we can send the offer today')], live)).toEqual([['c_live_utt_0', 'c_live_utt_1']]);
  const whole = [said('c_live', 0, 0, 'We can send the offer today.')];
  expect(heardAs([said('c', 0, 0, 'We can send'), said('c', 1, 3, 'the offer today')], whole)).toEqual([
    ['c_live_utt_0'],
    ['c_live_utt_0'],
  ]);
});

it('an utterance was not heard as what somebody else said at the same time', () => {
  const live = [said('c_live', 0, 0, 'We can send the offer'), said('c_live', 1, 2.5, 'yes')];
  expect(heardAs([said('c', 0, 0, 'We can send the offer'), said('c', 1, 2.5, 'Yes.')], live)).toEqual([
    ['c_live_utt_0'],
    ['c_live_utt_1'],
  ]);
});

it('an utterance whose words were understood differently was heard as those at its time', () => {
  const live = [said('c_live', 0, 0, 'recognise speech'), said('c_live', 1, 10, 'later')];
  expect(heardAs([said('c', 0, 0.2, 'wreck a nice beach')], live)).toEqual([['c_live_utt_0']]);
  expect(heardAs([said('c', 0, 30, 'never heard')], live)).toEqual([[]]);
});

it('moments and transitions were heard as those of their kind in the same utterances', () => {
  const moment = (id: string, category: string, utterance: string) =>
    ({ moment_id: id, category, utterance_ids: [utterance] }) as MomentEvent;
  const transition = (id: string, to_state: string, utterance: string) =>
    ({ transition_id: id, to_state, evidence_utterance_ids: [utterance] }) as TransitionEvent;
  const final = only([said('c', 0, 0, 'too expensive'), said('c', 1, 5, 'agreed')], {
    moments: [moment('c_mom_0', 'objection', 'c_utt_0'), moment('c_mom_1', 'cta_accepted', 'c_utt_1')],
    transitions: [transition('c_trn_0', 'tense', 'c_utt_0')],
  });
  const live = only([said('c_live', 0, 0, 'too expensive'), said('c_live', 1, 5, 'agreed')], {
    moments: [moment('c_live_mom_0', 'objection', 'c_live_utt_0'), moment('c_live_mom_1', 'objection', 'c_live_utt_1')],
    transitions: [
      transition('c_live_trn_0', 'tense', 'c_live_utt_0'),
      transition('c_live_trn_1', 'calm', 'c_live_utt_0'),
    ],
  });
  const { moments, transitions } = withLiveIds(final, live);
  expect(moments.map(({ heard_as }) => heard_as)).toEqual([['c_live_mom_0'], []]);
  expect(transitions.map(({ heard_as }) => heard_as)).toEqual([['c_live_trn_0']]);
});
