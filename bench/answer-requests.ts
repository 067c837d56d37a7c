import { normalised } from './answer-differences.ts';
import type { CheckoutService } from './checkout-service.ts';
import type { Dictation } from './dictation.ts';

// The requests that `same-answers.ts` sends to a service over HTTP.

/** Changes when the requests below change, so that the answer to another request is never taken from the cache. */
export const REQUESTS = 1;
const GOAL = 'Find out what they object to and what they agree on';
const CHUNK_BYTES = 65_536;
/** Concurrent segmentation requests. */
const AT_ONCE = 4;
const WORDS_PER_SECOND = 2.7;
/** Events that depend on the clock. */
const PASSING = new Set(['partial_transcript', 'status']);

/** The service's answers by name, as normalised JSON. */
export type Outputs = [name: string, text: string][];

const formOf = (file: File, fields: Record<string, string> = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file);
  return form;
};

/** The body of an answer as JSON. A text that is not JSON is listed line by line, and an error includes its status. */
async function bodyOf(answer: Response): Promise<string> {
  const text = await answer.text();
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json');
  const body = isJson ? text : JSON.stringify(text.split('\n'));
  return answer.ok ? body : `{"status":${answer.status},"body":${body}}`;
}

/** The permanent events of a stream without their numbers, which also count the others. */
function lastingEvents(stream: string): string {
  const events = stream.split('\n\n').flatMap((frame): string[] => {
    const fields = new Map(frame.split('\n').map((line) => line.split(/: ?(.*)/s) as [string, string]));
    const event = fields.get('event');
    if (event === undefined || PASSING.has(event)) return [];
    // Whether an utterance had interim text depends on the load.
    const data = fields.get('data')?.replace(/,"partial_id":"[^"]*"/, '');
    return [`{"event":"${event}","data":${data}}`];
  });
  return `[${events.join(',')}]`;
}

export async function batch(service: CheckoutService, file: File): Promise<Outputs> {
  const answer = await service.send('/analyze', { method: 'POST', body: formOf(file, { goal: GOAL }) });
  const isAnalysed = answer.ok;
  const body = await bodyOf(answer);
  const outputs: Outputs = [['analysis', normalised(body)]];
  if (!isAnalysed) return outputs;
  const { conversation_id: id, timeline } = JSON.parse(body) as {
    conversation_id: string;
    timeline: { utterance_id: string }[];
  };
  const segmented = await service.send('/segment/conversation', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  outputs.push(['segmented again', normalised(await bodyOf(segmented))]);
  const take = async (name: string, path = ''): Promise<void> => {
    outputs.push([name, normalised(await bodyOf(await service.send(`/conversations/${id}${path}`)))]);
  };
  const edit = async (patch: object): Promise<void> => {
    await (await service.postJson(`/conversations/${id}`, patch, 'PATCH')).body?.cancel();
  };
  await edit({ speakers: { Speaker_0: 'Michelle' } });
  await take('with a name');
  for (const format of ['md', 'html', 'srt']) await take(`with a name, as ${format}`, `/export?format=${format}`);
  await edit({ move: [{ utterance_id: timeline[0]!.utterance_id, speaker: 'Speaker_1' }] });
  await take('with an utterance moved');
  return outputs;
}

export async function replay(service: CheckoutService, file: File): Promise<Outputs> {
  const answer = await service.send('/analyze/stream', { method: 'POST', body: formOf(file) });
  if (!answer.ok) return [['refusal', normalised(await bodyOf(answer))]];
  return [['events', normalised(lastingEvents(await answer.text()))]];
}

export async function live(service: CheckoutService, file: File): Promise<Outputs> {
  const start = await service.postJson('/analyze/live/start', { suffix: '.wav', ttl_seconds: 3600 });
  const session = (await start.json()) as { session_id: string; conversation_id: string };
  const path = `/analyze/live/${session.session_id}`;
  const stream = service.send(`${path}/events`).then((answer) => answer.text());
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const body = new FormData();
    body.set('chunk_seq', String(at / CHUNK_BYTES));
    body.set('chunk', new File([bytes.subarray(at, at + CHUNK_BYTES)], 'chunk'));
    const answer = await service.send(`${path}/chunk`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`${file.name}: a chunk was answered ${answer.status} ${await answer.text()}`);
    await answer.body?.cancel();
  }
  await (await service.postJson(`${path}/control`, { action: 'finalize' })).body?.cancel();
  const events = lastingEvents(await stream);
  const result = await service.send(`/conversations/${session.conversation_id}`);
  return [
    ['events', normalised(events)],
    ['result', normalised(await bodyOf(result))],
  ];
}

export const media = async (service: CheckoutService, file: File): Promise<Outputs> => [
  ['analysis', normalised(await bodyOf(await service.send('/analyze', { method: 'POST', body: formOf(file) })))],
];

/** A line of a file of dialogues. */
interface Dialogue {
  id: string;
  turns: { speaker: string; text: string }[];
}

/** The turns one after the other, each as long as its words take. */
function timelineOf({ turns }: Dialogue): object[] {
  let at = 0;
  return turns.map(({ speaker, text }, i) => {
    const from = at;
    at = Math.round(1000 * (from + text.split(/\s+/).length / WORDS_PER_SECOND)) / 1000;
    return { utterance_id: `utt_${i}`, speaker, t_start: from, t_end: at, text };
  });
}

export async function segment(service: CheckoutService, lines: string[]): Promise<Outputs> {
  const outputs: Outputs = [];
  const rest = [...lines.entries()].values();
  const worker = async (): Promise<void> => {
    for (const [i, line] of rest) {
      const dialogue = JSON.parse(line) as Dialogue;
      const context = i % 2 === 0 ? '' : GOAL;
      const answer = await service.postJson('/segment/conversation', { timeline: timelineOf(dialogue), context });
      outputs[i] = [dialogue.id, normalised(await bodyOf(answer))];
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outputs;
}

export async function dictated(service: CheckoutService, lines: string[], dictation: Dictation): Promise<Outputs> {
  const outputs: Outputs = [];
  for (const [i, line] of lines.entries()) {
    const { id, turns } = JSON.parse(line) as Dialogue;
    const texts = turns.map(({ text }) => text.trim()).filter(Boolean);
    const answer = await dictation.analysis(service, texts, i % 2 === 0 ? '' : GOAL, i % 4 > 1);
    outputs.push([id, normalised(await bodyOf(answer))]);
  }
  return outputs;
}
