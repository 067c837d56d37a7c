import { expect, test } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { MomentDetector } from '../../../src/conversation/moments/moment-detector.ts';
import type { FoundMoment } from '../../../src/conversation/moments/open-offer.ts';
import { TurnReader } from '../../../src/conversation/moments/turn-reader.ts';
import { talk } from '../lines.ts';

function momentsOf(lines: string): FoundMoment[] {
  const detector = new MomentDetector('c', conversationWeights().moments);
  return [...talk(lines).flatMap((u) => detector.add(u)), ...detector.end()];
}
const categories = (moments: FoundMoment[]): string[] => moments.map((m) => `${m.speaker_id} ${m.category}`);

test('an offer is linked to the yes that settles it', () => {
  const detector = new MomentDetector('c', conversationWeights().moments);
  const lines = talk(`
    A: Would you like me to book you in for Thursday morning?
    B: Yes please, that would be great.`);
  const [offer, answer] = lines.flatMap((u) => detector.add(u));
  expect(offer).toMatchObject({ category: 'cta_offered', speaker_id: 'A' });
  expect(answer).toMatchObject({ category: 'cta_accepted', speaker_id: 'B', answers: offer?.moment_id });
  expect(answer?.evidence.map((e) => e.utterance_id)).toEqual(['c_utt_1', 'c_utt_0']);
});

test('a refusal names the offer it declines', () => {
  const [offer, answer] = momentsOf(`
    A: Why don't we meet on Friday and go through the plan?
    B: No thanks, I can't do Friday.`);
  expect(offer).toMatchObject({ category: 'cta_offered', utterance_ids: ['c_utt_0'] });
  expect(answer).toMatchObject({ category: 'cta_rejected', utterance_ids: ['c_utt_1'], answers: offer!.moment_id });
});

test('a deferral settles nothing and a late answer finds the offer again', () => {
  const moments = momentsOf(`
    A: Shall I send you the contract today?
    B: Let me think about it.
    A: Of course.
    B: Okay, yes please, send it over.`);
  expect(categories(moments.filter((m) => m.speaker_id === 'B'))).toEqual(['B cta_accepted']);
  expect(moments.at(-1)?.utterance_ids).toEqual(['c_utt_3']);
});

test.each([
  ['Could I check with you which model it is?', 'Sure, it is the small one.'],
  ['May I just ask what your reference is?', 'Yes, it is four two seven.'],
  ['Can I take your surname?', 'Of course, it is Field.'],
])('a question for a fact, however polite, offers nothing: %s', (question, answer) => {
  const moments = momentsOf(`
    A: Good morning, how can I help?
    B: My router is broken, so I am calling about that.
    A: ${question}
    B: ${answer}`);
  expect(moments).toEqual([]);
});

test('nobody answers an offer of their own', () => {
  const moments = momentsOf(`
    A: Would you like to try it for a week?
    A: Yes, that would be great.`);
  expect(moments.filter((m) => m.answers !== undefined)).toEqual([]);
});

test('an objection says what it is about', () => {
  const moments = momentsOf(`
    A: It comes to four hundred pounds a month.
    B: That's too expensive, it's way over our budget.`);
  expect(moments.find((m) => m.category === 'objection')).toMatchObject({ speaker_id: 'B' });
  expect(moments.find((m) => m.category === 'objection')?.labels).toContain('price');
});

test('an announced new subject is a topic shift', () => {
  const moments = momentsOf(`
    A: Would you like me to book you in for Thursday morning?
    B: Yes please, that would be great.
    A: And shall I send you the contract today?
    B: Yes please, do that.
    A: The printer on the second floor jams every morning.
    B: It needs a new roller, I think.
    A: The roller was changed in spring.
    B: Then it's the paper tray.
    A: Could be the tray, yes.
    B: Right. On a different note, how was your holiday in Norway?`);
  const shifts = moments.filter((m) => m.category === 'topic_shift').map((m) => [...m.utterance_ids, ...m.labels]);
  expect(shifts).toEqual([['c_utt_4'], ['c_utt_9', 'announced']]);
});

test('small talk holds no moment', () => {
  const moments = momentsOf(`
    A: It was raining all night here.
    B: Here as well. The dog wouldn't go out.
    A: Ours slept on the stairs.
    B: He's fourteen now, isn't he.`);
  expect(moments).toEqual([]);
});

test('a recogniser that is unsure makes a moment less certain', () => {
  const line = 'Would you like me to book you in for Thursday morning?';
  const u = { utterance_id: 'u', speaker: 'A', t_start: 0, t_end: 3, text: line };
  const [sure] = new MomentDetector('c', conversationWeights().moments).add({ ...u, asr_confidence: 1 });
  const [unsure] = new MomentDetector('c', conversationWeights().moments).add({ ...u, asr_confidence: 0.5 });
  expect(unsure?.confidence).toBeCloseTo((sure?.confidence ?? 0) / 2, 3);
});

test('what is told is as sure as its own words are, and not told where they were hardly heard', () => {
  const line = 'Right, okay. Would you like me to book you in for Thursday morning?';
  const heard = (confidence: number) => {
    const words = line
      .split(' ')
      .map((word, i) => ({ word, t_start: i, t_end: i + 1, confidence: i < 2 ? 0.1 : confidence }));
    const u = { utterance_id: 'u', speaker: 'A', t_start: 0, t_end: 13, text: line, asr_confidence: 0.3, words };
    const detector = new MomentDetector('c', conversationWeights().moments);
    return [...detector.add(u), ...detector.end()];
  };
  const [sure] = heard(1);
  expect(sure).toMatchObject({ category: 'cta_offered', evidence: [{ quote: line.slice(13), t_start: 2, t_end: 13 }] });
  expect(heard(0.8)[0]?.confidence).toBeCloseTo((sure?.confidence ?? 0) * 0.8, 3);
  expect(heard(0.2)).toEqual([]);
});

test('nobody objects to a talk of their own', () => {
  const objecting = () =>
    new TurnReader({
      turn: ([turn]) => (turn!.utterance.text.startsWith('That') ? [9, -5, -5, -5, -5] : [-5, -5, -5, -5, -5]),
      pair: () => [-5, -5],
    });
  const found = (lines: string) => {
    const detector = new MomentDetector('c', conversationWeights().moments, objecting());
    const told = talk(lines).flatMap((u) => detector.add(u, new Float32Array(0)));
    return categories([...told, ...detector.end()]);
  };
  const line = "That's too expensive, it's way over our budget.";
  expect(found(`A: It costs two thousand a month.\nA: ${line}`)).not.toContain('A objection');
  expect(found(`B: It costs two thousand a month.\nA: ${line}`)).toContain('A objection');
});

test('an objection hardly heard does not silence the same one said again clearly', () => {
  const reader = new TurnReader({ turn: () => [9, -5, -5, -5, -5], pair: () => [-5, -5] });
  const detector = new MomentDetector('c', conversationWeights().moments, reader);
  const line = "That's too expensive, it's way over our budget.";
  const heard = talk(`B: It costs two thousand a month.\nA: ${line}\nA: ${line}`);
  const told = heard.flatMap((u, i) => detector.add(i < 2 ? { ...u, asr_confidence: 0.1 } : u, new Float32Array(0)));
  told.push(...detector.end());
  expect(told.map((m) => m.utterance_ids[0])).toEqual(['c_utt_2']);
});

test('an offer told in two breaths is one, its second half answers nothing, and the yes goes to it', () => {
  const moments = momentsOf(`
    A: How soon can you take it in?
    B: We could take it in on Thursday, or if you want to wait we could also have
    B: A rental car ready for you at no charge.
    A: That sounds great, thank you.`);
  const offers = moments.filter((m) => m.category === 'cta_offered' && m.speaker_id === 'B');
  expect(offers.map((m) => m.utterance_ids)).toEqual([['c_utt_1']]);
  const answers = moments.filter((m) => m.category === 'cta_accepted' || m.category === 'cta_rejected');
  expect(answers.map((m) => [m.speaker_id, m.answers])).toEqual([['A', offers[0]?.moment_id]]);
});

test('what is not plain at once is told with the next utterance, of the last one at the end, and only once', () => {
  const plainly = [5, -5, -5, -5, -5];
  const hardly = [-5, -5, -5, -5, -5];
  // Heard again, the second and the third utterance object; the third does so at once.
  const reader = new TurnReader({
    turn: ([turn], after) => (turn!.index === 2 || (turn!.index === 1 && after) ? plainly : hardly),
    pair: () => [-5, -5],
  });
  const detector = new MomentDetector('c', conversationWeights().moments, reader);
  const told = talk(`
    A: It comes to four hundred pounds a month.
    B: Our old one still does what it should.
    A: That way it would not pay for itself.
    B: The dog slept on the stairs.`).map((u) => detector.add(u, new Float32Array(0)).map((m) => m.utterance_ids[0]));
  expect(told).toEqual([[], [], ['c_utt_1', 'c_utt_2'], []]);
  expect(detector.end()).toEqual([]);
});

test('a lone moment that is not nearly certain is held until more happens, and then told before it', () => {
  const readers = (objecting: number[]) =>
    new TurnReader({
      turn: ([turn]) => (objecting.includes(turn!.index) ? [3, -5, -5, -5, -5] : [-5, -5, -5, -5, -5]),
      pair: () => [-5, -5],
    });
  const told = (objecting: number[], length = 60) => {
    const detector = new MomentDetector('c', conversationWeights().moments, readers(objecting));
    const lines = Array.from({ length }, (_, i) => `${i % 2 ? 'B' : 'A'}: The dog slept on stair ${i}.`);
    const steps = talk(lines.join('\n')).map((u) => detector.add(u, new Float32Array(0)));
    return [...steps, detector.end()].flatMap((step, i) => step.map((m) => [i, m.moment_id, m.utterance_ids[0]]));
  };
  const many = told([4, 9, 14, 19, 24, 29, 34, 39]);
  expect(told([4])).toEqual([]);
  // A conversation of six utterances had no time to be quiet.
  expect(told([1, 4], 6)).toEqual([
    [6, 'c_mom_0', 'c_utt_1'],
    [6, 'c_mom_1', 'c_utt_4'],
  ]);
  expect(told([1, 4], 20)).toEqual([]);
  expect(many.length).toBeGreaterThan(2);
  // The first ones leave together, in the order found; ids are numbered as told.
  expect(many.slice(0, 2).map(([at]) => at)).toEqual([many[1]![0], many[1]![0]]);
  expect(many.map(([, id]) => id)).toEqual(many.map((_, i) => `c_mom_${i}`));
  expect(many.slice(0, 2).map(([, , of]) => of)).toEqual(['c_utt_4', 'c_utt_9']);
});

/** Hears four offers, then an answer whose log-odds of accepting or rejecting the last two are given. */
function settledBy(answers: [yes: number, no: number][], inHindsight = answers) {
  const [yes, no] = [0, 1].map((way) => Math.max(...answers.map((logits) => logits[way]!))) as [number, number];
  const reader = new TurnReader({
    turn: ([turn]) =>
      turn!.index < 4 ? [-5, 5, -5, -5, -5] : turn!.index === 4 ? [-5, -5, yes, no, -5] : [-5, -5, -5, -5, -5],
    pair: ([turn], back, after) =>
      (turn!.index === 4 && (after ? inHindsight : answers)[2 - back]) || ([-5, -5] as const),
  });
  const detector = new MomentDetector('c', conversationWeights().moments, reader);
  const told = talk(`
    A: Shall I send you the plan?
    A: And shall I call you tomorrow?
    A: Shall I book you in for Monday?
    A: And shall I bring the samples along?
    B: Monday is good, and leave the samples.
    A: The dog slept on the stairs.`).flatMap((u) => detector.add(u, new Float32Array(0)));
  return [...told, ...detector.end()].flatMap((m) => (m.answers ? [`${m.category} ${m.answers}`] : []));
}

test('one utterance can settle two offers, each in its way', () => {
  expect(
    settledBy([
      [5, -5],
      [-5, 5],
    ]).toSorted(),
  ).toEqual(['cta_accepted c_mom_2', 'cta_rejected c_mom_3']);
  expect(
    settledBy([
      [-5, -5],
      [5, -5],
    ]),
  ).toEqual(['cta_accepted c_mom_3']);
});

test('a further offer is settled in hindsight, and none a second time', () => {
  const told = settledBy(
    [
      [5, -5],
      [-5, -5],
    ],
    [
      [5, -5],
      [5, -5],
    ],
  );
  expect(told).toEqual(['cta_accepted c_mom_2', 'cta_accepted c_mom_3']);
});
