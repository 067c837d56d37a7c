import { expect, it } from 'vitest';
import { type Indexable, indexOf } from '../../../src/worker/results/card.ts';
import { editedBy } from '../../../src/worker/results/edits/edited.ts';

it('the role of a channel is what rules read, else that of the person', () => {
  const said = (n: number, speaker: string) => ({
    ...{ utterance_id: `c_utt_${n}`, speaker, speaker_label: `Speaker_${n}`, t_start: n, t_end: n + 1, text: 'Yes.' },
    ...{ sentiment: null, lexical_markers: { is_question: false } as Indexable['timeline'][number]['lexical_markers'] },
  });
  const result: Indexable = {
    timeline: [said(0, 'Ann'), said(1, 'Bo'), said(2, 'Speaker_2')],
    summary: { overview: '', conversation_quality: 'routine' as Indexable['summary']['conversation_quality'] },
    insights: { overall_sentiment: null, metrics: { speakers: {}, silence_share: 0 } },
    moments: [],
    transitions: [],
    media: { duration_s: 4 },
    warnings: [],
    roles: { Speaker_0: 'agent' },
  };
  const people = { a: { name: 'Ann', role: 'manager' }, b: { name: 'Bo', role: 'customer' } };
  const edited = editedBy([{ people: { Speaker_0: 'a', Speaker_1: 'b' } }], people);
  expect(indexOf(result, edited).facts.speakers).toEqual([
    { label: 'Speaker_0', name: 'Ann', person: 'a', role: 'agent' },
    { label: 'Speaker_1', name: 'Bo', person: 'b', role: 'customer' },
    { label: 'Speaker_2', name: 'Speaker_2' },
  ]);
});
