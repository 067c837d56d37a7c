import { describe, expect, it } from 'vitest';
import { AnalysisOutput, type AnalysisOutputOptions } from '../../containers/pipeline/analysis-output.ts';
import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import type { MeasuredUtteranceLine, StageLine } from '../../containers/pipeline/stage-lines.ts';
import { type AnalysisResponse, AnalysisResponseSchema } from '../../src/contract/analysis.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { EVENT_SCHEMAS } from '../../src/contract/events.ts';
import type { MomentEvent } from '../../src/contract/findings.ts';
import { type EventLine, type PipelineLine, PipelineLineSchema } from '../../src/contract/pipeline.ts';
import { Conversation } from '../../src/conversation/conversation.ts';
import { ENCODING_DIMENSIONS } from '../../src/conversation/encoding.ts';
import { linesOf } from '../../support/fake-pipeline.ts';
import { OPTIONS } from '../../support/pipeline-server.ts';
import { timelineEntry } from '../../support/timeline-entry.ts';

const telling = (options: Partial<AnalysisOutputOptions> = {}): AnalysisOutput =>
  new AnalysisOutput({ ...OPTIONS, live: false, ...options });
const tell = (lines: readonly StageLine[], options: Partial<AnalysisOutputOptions> = {}): PipelineLine[] => {
  const one = telling(options);
  return [...one.open(), ...lines.flatMap((line) => one.take(line))];
};
const eventsOf = (lines: readonly PipelineLine[]): EventLine[] => lines.filter((line) => line.type === 'event');
const names = (lines: readonly PipelineLine[]) => eventsOf(lines).map(({ event }) => event);
const utterance = (n: number, text = `Sentence ${n}.`, speaker = 'Speaker_0'): MeasuredUtteranceLine => ({
  type: 'utterance',
  entry: timelineEntry('c', n, text, speaker),
  latency_ms: 1,
});
const end = linesOf('c').at(-1)!;
const text = (documents: AnalysisOutput['documents'], name: string): string =>
  Buffer.concat(documents!.find((document) => document.name === name)!.parts.map(({ bytes }) => bytes)).toString();

it('sends events in the order of the specification', () => {
  const lines = tell(linesOf('c'));
  const order = names(lines).filter((name) => name !== 'transition' && name !== 'moment');
  const perUtterance = ['final_transcript', 'emotion', 'cognitive', 'status'];
  expect(order).toEqual([
    ...['status', 'status', 'status'],
    ...perUtterance,
    ...perUtterance,
    ...perUtterance,
    'summary_update',
  ]);
  expect(eventsOf(lines)[0]).toMatchObject({ event: 'status', data: { phase: 'starting', progress: 0 } });
  expect(lines.at(-1)).toMatchObject({ type: 'result' });
});

it('sends lines of the contract, and events that match their schemas', () => {
  for (const line of tell(linesOf('c'), { material: true }))
    expect(PipelineLineSchema.safeParse(line).error).toBeUndefined();
  for (const { event, data } of eventsOf(tell(linesOf('c'))))
    expect(() => EVENT_SCHEMAS[event].parse(data)).not.toThrow();
});

it('numbers events that are kept, and not those that depend on the load', () => {
  const partial: StageLine = { type: 'partial', partial_id: 'p', text: 'a', stable_text: '' };
  const lines = eventsOf(tell([partial, ...linesOf('c')]));
  const passing = lines.filter(({ event }) => event === 'status' || event === 'partial_transcript');
  expect(passing.every(({ n }) => n === undefined)).toBe(true);
  const numbers = lines.filter((line) => !passing.includes(line)).map(({ n }) => n);
  expect(numbers).toEqual(numbers.map((_, n) => n));
});

it('reports progress below the 1 of a completed analysis, and skips tiny steps', () => {
  const one = telling();
  const take = (progress: number) => one.take({ type: 'progress', stage: 'decoding', progress });
  expect(take(0.5)).toMatchObject([{ event: 'status', data: { progress: 0.5 } }]);
  expect(take(0.501)).toEqual([]);
  expect(take(0.2)).toEqual([]);
  expect(take(1)).toMatchObject([{ data: { progress: 0.99 } }]);
});

it('finishes the response as one object, cut where a language model may improve it', () => {
  const one = telling({ goal: 'price' });
  for (const line of linesOf('c')) one.take(line);
  const result = AnalysisResponseSchema.parse(JSON.parse(text(one.documents, 'result.json')));
  expect(result).toMatchObject({ conversation_id: 'c', utterances: 3, goal: 'price', artifact_dir: 't/c/' });
  const written = text(one.documents, 'result.json');
  expect(written === JSON.stringify(JSON.parse(written))).toBe(true);
  expect(JSON.parse(text(one.documents, 'agent_outputs.json'))).toEqual(result.agent_results);
  const slots = one
    .documents!.at(-1)!
    .parts.flatMap(({ slot, bytes }) => (slot ? [[slot, JSON.parse(String(bytes))]] : []));
  expect(Object.fromEntries(slots)).toEqual({
    summary: result.summary,
    segmentation: result.segmentation,
    moments: result.moments,
    key_moments: result.insights.key_moments,
    sentences: result.sentences,
  });
  expect(slots).toHaveLength(5);
});

it('keeps the events of a file in order, and leaves those of a session to its Worker', () => {
  const one = telling();
  const lines = [...one.open(), ...linesOf('c').flatMap((line) => one.take(line))];
  const kept = text(one.documents, 'events.ndjson')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(kept.map(({ event, data }) => ({ event, data }))).toEqual([
    ...eventsOf(lines).map(({ event, data }) => ({ event, data })),
    { event: 'status', data: { phase: 'completed', progress: 1 } },
    { event: 'done', data: { conversation_id: 'c' } },
  ]);
  expect(kept.map(({ id }) => id)).toEqual(kept.map((_, n) => n));
  const live = telling({ live: true });
  expect(live.open()).toEqual([]);
  for (const line of linesOf('c')) live.take(line);
  expect(live.documents!.map(({ name }) => name)).toEqual(['agent_outputs.json', 'levels.json', 'result.json']);
});

it('gives a language model bounded material, only when requested', () => {
  const many = Array.from({ length: 6000 }, (_, n) =>
    utterance(n, `This is sentence number ${n} of a very long talk.`),
  );
  const [material] = tell([...many, end], { material: true }).filter((line) => line.type === 'material');
  const size = material!.transcript.reduce(
    (sum, l) => sum + l.utterance_id.length + l.speaker.length + l.text.length,
    0,
  );
  expect(size).toBeGreaterThan(200_000);
  expect(size).toBeLessThanOrEqual(240_000);
  expect(material!.transcript.at(-1)!.text).toMatch(/number 59\d\d /);
  expect(tell(linesOf('c')).some(({ type }) => type === 'material')).toBe(false);
});

it('gives the encoding of an utterance to the conversation alone', () => {
  const heard: (Float32Array | undefined)[] = [];
  class Listening extends Conversation {
    override add(...[said, encoding]: Parameters<Conversation['add']>) {
      heard.push(encoding);
      return super.add(said, encoding);
    }
  }
  const one = telling({ createModel: () => new Listening({ conversationId: 'c', goal: '' }, conversationWeights()) });
  const encoding = new Float32Array(ENCODING_DIMENSIONS).fill(1);
  const told = [{ ...utterance(0), encoding }, utterance(1), end].flatMap((line) => one.take(line));
  expect(heard).toEqual([encoding, undefined]);
  expect(JSON.stringify(told) + text(one.documents, 'result.json')).not.toContain('encoding');
});

it('fails with NO_UTTERANCES when nobody speaks, and with the code of an error line', () => {
  expect(() => tell([end])).toThrow(expect.objectContaining({ code: 'NO_UTTERANCES', status: 400 }));
  const error: StageLine = { type: 'error', code: 'INVALID_MEDIA', message: 'not audio' };
  expect(() => tell([error])).toThrow(new ServiceError('INVALID_MEDIA', 'not audio'));
});

it('names the partial that a final replaces, and marks interim text as such', () => {
  const [final] = eventsOf(telling().take({ ...utterance(0), partial_id: 'p1' }));
  expect(final).toMatchObject({ n: 0, event: 'final_transcript', data: { partial_id: 'p1' }, latency_ms: 1 });
  expect(telling().take({ type: 'partial', partial_id: 'p1', text: 'hello wo', stable_text: 'hello' })).toEqual([
    {
      type: 'event',
      event: 'partial_transcript',
      data: { partial_id: 'p1', text: 'hello wo', is_final: false, stable_text: 'hello' },
    },
  ]);
});

it('concludes over the utterances after a conclude line and sends none of them again', () => {
  const one = telling({ live: true });
  const told = [utterance(0, 'Told at once.'), { type: 'conclude' } as const].flatMap((line) => one.take(line));
  expect(names(told)).toContain('final_transcript');
  const last = [utterance(0, 'Heard better.'), utterance(1), end].flatMap((line) => one.take(line));
  expect(names(last)).toEqual(['summary_update']);
  expect(JSON.parse(text(one.documents, 'result.json')).timeline).toHaveLength(2);
});

it('says once how long the conclusion is expected to take, if the length is known', () => {
  const last = telling({ live: true }).take({ type: 'conclude', seconds: 60 });
  expect(last).toEqual([
    { type: 'event', event: 'status', data: { phase: 'processing', progress: 0, expected_s: 3.8 } },
  ]);
  expect(telling({ live: true }).take({ type: 'conclude' })).toEqual([]);
});

it('sends the conclusion of media that could not be decoded before its end', () => {
  const told = tell([{ type: 'conclude' }, utterance(0), utterance(1), end], { live: true });
  expect(names(told).filter((name) => name === 'final_transcript')).toHaveLength(2);
});

it('sends findings that only the end shows, for a session and for a file', () => {
  const moment = { moment_id: 'c_mom_0', category: 'objection' } as MomentEvent;
  class Late extends Conversation {
    override end() {
      return { transitions: [], moments: [moment] };
    }
  }
  const createModel = () => new Late({ conversationId: 'c', goal: '' }, conversationWeights());
  const momentsOf = (lines: StageLine[], live: boolean) =>
    names(tell(lines, { live, createModel })).filter((name) => name === 'moment');
  expect(momentsOf([utterance(0), end], false)).toHaveLength(1);
  expect(momentsOf([utterance(0), { type: 'conclude' }], true)).toHaveLength(1);
  expect(momentsOf([utterance(0), { type: 'conclude' }, utterance(0), end], true)).toHaveLength(1);
});

it('stores the events of the final analysis of a session that is redacted, and not those it sent', () => {
  const one = telling({ live: true, redact: ['card'] });
  const sent = [utterance(0, 'My card is [digits].'), { type: 'conclude' } as const].flatMap((line) => one.take(line));
  expect(names(sent)).toContain('final_transcript');
  for (const line of [utterance(0, 'My card is [card].'), end]) one.take(line);
  const stored = text(one.documents, 'events.ndjson');
  expect(stored).toContain('My card is [card].');
  expect(stored).not.toContain('[digits]');
  expect(
    stored
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id),
  ).toEqual(
    stored
      .trim()
      .split('\n')
      .map((_, i) => i),
  );
  expect(stored).toMatch(/"done"/);
});

describe('the report of a redaction', () => {
  const report = { kinds: ['card' as const], counts: {}, spans: [], muted: [], verified: true, notes: [] };
  const told = (lines: StageLine[], said: string, live = false) => {
    const one = telling({ live, redact: ['card'] });
    const redaction = { report, isSaidIn: (words: readonly string[]) => words.includes(said) };
    for (const line of [...lines, { ...end, redaction } as StageLine]) one.take(line);
    return (JSON.parse(text(one.documents, 'result.json')) as AnalysisResponse).redaction!;
  };

  it('is verified if nothing of the result contains a value', () => {
    expect(told([utterance(0)], '4929')).toEqual(report);
  });

  it('is not verified if the result contains one', () => {
    const { verified, notes } = told([utterance(0, 'So 4929 it is.')], '4929');
    expect({ verified, notes: notes.length }).toEqual({ verified: false, notes: 1 });
  });

  it('is not verified if the session sent one while it was running', () => {
    const lines: StageLine[] = [utterance(0, 'So 4929 it is.'), { type: 'conclude' }, utterance(0, 'So [card] it is.')];
    expect(told(lines, '4929', true)).toMatchObject({ verified: false });
  });
});
