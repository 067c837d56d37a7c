import { expect, test } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { encodeText } from '../../../containers/pipeline/stages/encoding.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { MomentDetector, type MomentReader } from '../../../src/conversation/moments/moment-detector.ts';
import { type NetworkOutput, OUTPUTS } from '../../../src/conversation/moments/moment-network.ts';
import type { FoundMoment } from '../../../src/conversation/moments/offers.ts';
import type { TurnWindow } from '../../../src/conversation/moments/turn-features.ts';
import { wordRuns } from '../../../src/conversation/moments/word-runs.ts';
import { talk } from '../lines.ts';

const ENGLISH = languageOf('en');

/** Reads them as the service does, with the encoder's vector of each line. */
async function momentsOf(lines: string): Promise<FoundMoment[]> {
  const detector = new MomentDetector('c', conversationWeights().moments, ENGLISH);
  const found: FoundMoment[] = [];
  for (const u of talk(lines)) found.push(...detector.add(u, (await encodeText(u.text))?.moments));
  return [...found, ...detector.end()];
}

const QUIET = -9;
const nothing = Object.fromEntries(OUTPUTS.map((name) => [name, QUIET])) as NetworkOutput;

/** Returns the given outputs for each line, by its index, and none for the others. */
const reading = (
  lines: Record<number, Partial<NetworkOutput>>,
  part = (_: TurnWindow, __: readonly number[]) => 0,
): MomentReader => ({
  read: ({ turn }) => ({ ...nothing, ...lines[turn.index] }),
  readPart: (window, runs) => ({ ...nothing, cta_offered: part(window, runs), objection: part(window, runs) }),
});
const detecting = (reader: MomentReader): MomentDetector =>
  new MomentDetector('c', conversationWeights().moments, ENGLISH, { reader });

/** The moments of lines, and the line after which each is reported. The number of lines stands for the end. */
function momentsAfter(lines: string, reader: MomentReader): { after: number; moment: FoundMoment }[] {
  const detector = detecting(reader);
  const steps = [...talk(lines).map((u) => detector.add(u)), detector.end()];
  return steps.flatMap((moments, after) => moments.map((moment) => ({ after, moment })));
}

test('an offer is linked to the yes that settles it', async () => {
  const [offer, answer] = await momentsOf(`
    A: Would you like me to book you in for Thursday morning?
    B: Yes please, that would be great.`);
  expect(offer).toMatchObject({ category: 'cta_offered', speaker_id: 'A' });
  expect(answer).toMatchObject({ category: 'cta_accepted', speaker_id: 'B', answers: offer?.moment_id });
  expect(answer?.evidence.map((e) => e.utterance_id)).toEqual(['c_utt_1', 'c_utt_0']);
});

test('a refusal names the offer it declines', async () => {
  const [offer, answer] = await momentsOf(`
    A: Why don't we meet on Friday and go through the plan?
    B: No thanks, I can't do Friday.`);
  expect(offer).toMatchObject({ category: 'cta_offered', utterance_ids: ['c_utt_0'] });
  expect(answer).toMatchObject({ category: 'cta_rejected', utterance_ids: ['c_utt_1'], answers: offer!.moment_id });
});

test('an objection has its ground as a label', async () => {
  const moments = await momentsOf(`
    A: We would set it all up for you, and it comes to four hundred pounds a month.
    B: That's too expensive, it's way over our budget.
    A: I see.`);
  const objection = moments.find((m) => m.category === 'objection');
  expect(objection).toMatchObject({ speaker_id: 'B' });
  expect(objection?.labels).toContain('price');
});

const logOdds = (p: number): number => Math.log(p / (1 - p));

/** The categories of the moments of two lines, if the conversation is or is not small talk. */
function toldOf(lines: Record<number, Partial<NetworkOutput>>, isSmallTalk: boolean): string[] {
  const smallTalk = { add: () => {}, isSmallTalk };
  const parts = { reader: reading(lines), smallTalk };
  const detector = new MomentDetector('c', conversationWeights().moments, ENGLISH, parts);
  const said = talk('A: We could go on Friday.\nB: Yes, I would like that.');
  return [...said.flatMap((u) => detector.add(u)), ...detector.end()].map(({ category }) => category);
}

test('small talk has only the moments that are at least .75 certain', () => {
  const offer = (chance: number) => ({ 0: { cta_offered: logOdds(chance) } });
  expect(toldOf(offer(0.7), false)).toEqual(['cta_offered']);
  expect(toldOf(offer(0.7), true)).toEqual([]);
  expect(toldOf(offer(0.8), true)).toEqual(['cta_offered']);
});

test('in small talk a certain answer does not make an uncertain offer certain', () => {
  const lines = { 0: { cta_offered: logOdds(0.5) }, 1: { cta_accepted: logOdds(0.9) } };
  expect(toldOf(lines, false)).toEqual(['cta_offered', 'cta_accepted']);
  expect(toldOf(lines, true)).toEqual([]);
});

test('an offer that is not a question needs more confidence', () => {
  const found = (offer: string) =>
    momentsAfter(`A: ${offer}\nB: It rained.`, reading({ 0: { cta_offered: logOdds(0.6) } })).length;
  expect(found('Shall we go on Friday?')).toBe(1);
  expect(found('We could go on Friday.')).toBe(0);
});

test('an objection needs more confidence while no reported offer of another speaker is open', () => {
  const objection = { objection: logOdds(0.55) };
  const categories = (offerBy: 'A' | 'B', offered: number) =>
    momentsAfter(
      `A: Hello.\n${offerBy}: Shall we go on Friday?\nB: It rained all Friday.\nA: I see.`,
      reading({ 1: { cta_offered: logOdds(offered) }, 2: objection }),
    ).map(({ moment }) => moment.category);
  expect(categories('A', 0.9)).toEqual(['cta_offered', 'objection']);
  expect(categories('A', 0.3)).toEqual([]);
  expect(categories('B', 0.9)).toEqual(['cta_offered']);
});

test('small talk has no moments', async () => {
  const moments = await momentsOf(`
    A: It was raining all night here.
    B: Here as well. The dog wouldn't go out.
    A: Ours slept on the stairs.
    B: He's fourteen now, isn't he.`);
  expect(moments).toEqual([]);
});

test('reports a lone offer in a quiet call', () => {
  const lines = Array.from({ length: 60 }, (_, i) => `${i % 2 ? 'B' : 'A'}: The dog slept on stair ${i}.`).join('\n');
  expect(momentsAfter(lines, reading({ 30: { cta_offered: 2 } })).map(({ moment }) => moment.utterance_ids)).toEqual([
    ['c_utt_30'],
  ]);
});

test('a turn is read once, when the next one is known or at the end', () => {
  const lines = 'A: We could meet.\nB: It rained.\nA: I would rather not.';
  const seen: (string | undefined)[] = [];
  const reader = reading({ 0: { cta_offered: 5 }, 2: { objection: 5 } });
  const read = (window: TurnWindow) => {
    seen.push(window.next?.utterance.text);
    return reader.read(window);
  };
  const moments = momentsAfter(lines, { ...reader, read });
  expect(moments.map(({ after, moment }) => [after, moment.category])).toEqual([
    [1, 'cta_offered'],
    [3, 'objection'],
  ]);
  expect(seen).toEqual(['It rained.', 'I would rather not.', undefined]);
  const detector = detecting(reader);
  detector.end();
  expect(detector.end()).toEqual([]);
});

test('a speaker does not answer their own offer', () => {
  const lines = 'B: Hello.\nA: Would you like to try it?\nA: Yes, that would be great.';
  expect(
    momentsAfter(lines, reading({ 1: { cta_offered: 5 }, 2: { cta_accepted: 5 } })).map(
      ({ moment }) => moment.category,
    ),
  ).toEqual(['cta_offered']);
});

test('a speaker alone raises no objection', () => {
  const alone = 'A: It costs two thousand a month.\nA: That is too much.';
  const reader = reading({ 1: { objection: 5 } });
  expect(momentsAfter(alone, reader)).toEqual([]);
  expect(momentsAfter(alone.replace('A:', 'B:'), reader)).toHaveLength(1);
});

test('an answer goes to the likeliest offer of another speaker, later ones preferred', () => {
  const lines = 'A: Shall I send it?\nB: The dog slept.\nA: Shall I call, too?\nA: It rained.\nB: Do call.';
  const answered = (offers: Record<number, number>) => {
    const rows = Object.fromEntries(Object.entries(offers).map(([at, cta_offered]) => [at, { cta_offered }]));
    const moments = momentsAfter(lines, reading({ ...rows, 4: { cta_accepted: 5 } })).map(({ moment }) => moment);
    const answer = moments.find(({ category }) => category === 'cta_accepted');
    return moments.find(({ moment_id }) => moment_id === answer?.answers)?.utterance_ids[0];
  };
  expect(answered({ 0: 5, 2: 5 })).toBe('c_utt_2');
  expect(answered({ 0: 5, 2: -2 })).toBe('c_utt_0');
  expect(answered({ 0: 5, 2: 5, 3: -1 })).toBe('c_utt_2');
});

test('an answer reveals a possible offer, which is reported before it; without one there is no answer', () => {
  const lines = 'A: Thursday morning would be free.\nB: Thursday it is.';
  const after = (offered: number) =>
    momentsAfter(lines, reading({ 0: { cta_offered: offered }, 1: { cta_accepted: 5 } })).map(({ moment }) => moment);
  const faint = after(logOdds(0.45));
  expect(faint.map(({ category }) => category)).toEqual(['cta_offered', 'cta_accepted']);
  expect(faint[1]!.answers).toBe(faint[0]!.moment_id);
  expect(after(logOdds(0.35))).toEqual([]);
  expect(momentsAfter(lines, reading({ 1: { cta_accepted: 5 } }))).toEqual([]);
});

test('an offer is forgotten after ten turns of others, and an answer after more than three is late', () => {
  const lines = (between: number) =>
    [
      'A: Shall I send it?',
      ...Array.from({ length: between }, (_, i) => `${i % 2 ? 'A' : 'B'}: Line ${i}.`),
      'B: Send it.',
    ].join('\n');
  const answer = (between: number) =>
    momentsAfter(lines(between), reading({ 0: { cta_offered: 5 }, [between + 1]: { cta_accepted: 5 } })).find(
      ({ moment }) => moment.category === 'cta_accepted',
    )?.moment;
  expect(answer(0)?.labels).toEqual([]);
  expect(answer(8)?.labels).toEqual(['late']);
  expect(answer(30)).toBeUndefined();
});

test('an offer split by a pause is reported once, and the yes answers it', () => {
  const lines = `
    A: How soon can you take it in?
    B: We could take it in on Thursday, or if you want to wait we could also have
    B: A rental car ready for you at no charge.
    A: That sounds great, thank you.`;
  const moments = momentsAfter(
    lines,
    reading({ 1: { cta_offered: 5 }, 2: { cta_offered: 5 }, 3: { cta_accepted: 5 } }),
  );
  expect(moments.map(({ moment }) => [moment.category, moment.utterance_ids[0]])).toEqual([
    ['cta_offered', 'c_utt_1'],
    ['cta_accepted', 'c_utt_3'],
  ]);
  expect(moments[1]!.moment.answers).toBe(moments[0]!.moment.moment_id);
});

test('a sentence that a pause cuts is read whole, and quoted from both utterances', () => {
  const read: string[] = [];
  const reader = reading({ 1: { objection: 5 } });
  const moments = momentsAfter("A: We could move it.\nB: That is something we just don't\nB: do here.\nA: I see.", {
    ...reader,
    read: (window) => {
      read.push(window.turn.utterance.text);
      return reader.read(window);
    },
  });
  expect(read).toEqual(['We could move it.', "That is something we just don't do here.", 'I see.']);
  expect(moments.map(({ moment }) => moment.utterance_ids)).toEqual([['c_utt_1', 'c_utt_2']]);
  expect(moments[0]!.moment.evidence.map(({ quote }) => quote)).toEqual([
    "That is something we just don't",
    'do here.',
  ]);
});

test('the quote is the sentence that contributes most', () => {
  const runs = wordRuns('Shall I book you in?').length;
  const [found] = momentsAfter(
    'B: Hello.\nA: Right, okay. Shall I book you in? It rained.',
    reading({ 1: { cta_offered: 5 } }, (_, part) => (part.length === runs ? 1 : 0)),
  );
  expect(found?.moment.evidence.map(({ quote }) => quote)).toEqual(['Shall I book you in?']);
});

test('recognition confidence scales a moment, and a very low one suppresses it', () => {
  const heard = (asr_confidence: number): FoundMoment | undefined => {
    const lines = talk('B: Hello.\nA: Would you like me to book you in for Thursday?');
    const detector = detecting(reading({ 1: { cta_offered: 3 } }));
    return [...lines.flatMap((line) => detector.add({ ...line, asr_confidence })), ...detector.end()][0];
  };
  const sure = heard(1)?.confidence ?? 0;
  expect(sure).toBeCloseTo(1 / (1 + Math.exp(-3)), 3);
  expect(heard(0.9)?.confidence).toBeCloseTo(sure * 0.9, 3);
  expect(heard(0.1)).toBeUndefined();
});

test('a turn accepts or rejects, whichever is more likely', () => {
  const lines = 'A: Shall we meet?\nB: Hardly.';
  const offered = { 0: { cta_offered: 5 } };
  const answer = (row: Partial<NetworkOutput>) =>
    momentsAfter(lines, reading({ ...offered, 1: row })).at(-1)?.moment.category;
  expect(answer({ cta_accepted: 2, cta_rejected: 5 })).toBe('cta_rejected');
  expect(answer({ cta_accepted: 5, cta_rejected: 2 })).toBe('cta_accepted');
});

test('an objection has its likeliest ground as a label, and any other likely one', () => {
  const objecting = { objection: 5, price: -1, timing: -2 };
  const labels = (row: Partial<NetworkOutput>) =>
    momentsAfter('A: It costs.\nB: No.', reading({ 1: row }))[0]?.moment.labels;
  expect(labels(objecting)).toEqual(['price']);
  expect(labels({ ...objecting, need: 1, timing: 2 })).toEqual(['timing', 'need']);
  // The words mention the price, so the network's preference does not matter.
  const named = reading({ 1: { objection: 1, need: 1, price: -1 } });
  expect(momentsAfter('A: It costs.\nB: That is far too expensive for us.', named)[0]?.moment.labels[0]).toBe('price');
});

test('nobody offers, accepts or objects before a second person has spoken, and no recorded voice does', () => {
  const all = { cta_offered: 5, cta_accepted: 5, objection: 5, topic_shift: 5 };
  const categories = (lines: string): string[] =>
    momentsAfter(lines, reading({ 0: all, 1: all, 2: all })).map(({ moment }) => moment.category);
  expect(categories('A: We can offer you a discount.\nA: It costs far too much.\nA: Yes, we will take it.')).toEqual([
    'topic_shift',
    'topic_shift',
    'topic_shift',
  ]);
  const machine = 'A: We can offer you a call back. Please leave a message after the tone.';
  expect(categories(`${machine}\nB: Yes, that would be great. I am worried about the price.`)).toEqual([
    'topic_shift',
    'topic_shift',
  ]);
  const between = momentsAfter(`B: Hello.\n${machine}\nC: Hello.`, reading({ 1: all }));
  expect(between.map(({ moment }) => moment.category)).toEqual(['topic_shift']);
});
