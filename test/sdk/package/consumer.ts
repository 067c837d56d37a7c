import { type AnalysisResponse, type ErrorCode, type StreamEvent, Undertone, UndertoneError } from '@undertone/sdk';
import { Microphone } from '@undertone/sdk/microphone';
import * as webhooks from '@undertone/sdk/webhooks';

// Compiled and run with a user's settings: without Node's types or anything of this repository.
declare const process: { env: Record<string, string> };

const { UNDERTONE_URL: url, UNDERTONE_KEY: key } = process.env;
const undertone = new Undertone({ url: url ?? '', ...(key !== undefined && { key }) });
const recording = new Blob(['a recording']);
const options = { filename: 'call.wav', speakers: 2, goal: 'prices' };

const analysis: AnalysisResponse = await undertone.analyze(recording, options);
const dominant: 'joy' | 'sadness' | 'anger' | 'fear' | 'surprise' | 'disgust' | 'neutral' | null | undefined =
  analysis.timeline[0]?.dominant_emotion;

let last: StreamEvent | undefined;
for await (const event of undertone.replay(recording, { ...options, signal: AbortSignal.timeout(60_000) })) {
  if (event.event === 'final_transcript') event.data.text.toUpperCase();
  else if (event.event === 'summary_update') event.data.key_insights.join();
  last = event;
}

const { segmentation } = await undertone.segment({ ...analysis, context: 'prices' });

/** This is never called: only its types are checked. */
export async function speak(): Promise<void> {
  const microphone = await Microphone.open({ format: 'webm' });
  const live = await undertone.live.start({ suffix: microphone.suffix, ttl_seconds: 900 });
  void microphone.pipeTo(live);
  for await (const { event, data } of live) if (event === 'moment') data.category satisfies string;
  const resumed = undertone.live.resume(live.position);
  await resumed.cancel('enough');
}

/** This is never called either. */
export async function manage(request: Request): Promise<string[]> {
  const { type, data } = await webhooks.verify(request, 'whsec_');
  if (type === 'webhook.test') return [data.webhook_id];
  if (type === 'analysis.failed') return [data.error?.code ?? '', data.conversation_id];
  const { conversation_id } = await undertone.start({ url: 'https://example.com/call.wav' }, { affect: 'words' });
  await undertone.wait(conversation_id, { onProgress: ({ phase, progress }) => console.log(phase, progress) });
  await undertone.analyze({ conversation_id }, { signal: AbortSignal.timeout(1) });
  await undertone.uploads.send(recording, { filename: 'call.wav', parallel: 2, onUpload: ({ id }) => console.log(id) });
  const key = await undertone.keys.issue({ label: 'a', scopes: ['read'] });
  const { token } = await undertone.tokens.mint({ for: { session: 'new' } });
  const { id } = await undertone.webhooks.create({ url: 'https://example.com/hook', events: ['analysis.completed'] });
  await undertone.webhooks.update(id, { events: ['analysis.failed'] });
  (await undertone.webhooks.test(id)).conversation_id satisfies string | null;
  await undertone.conversations.edit(conversation_id, { speakers: { Speaker_0: 'Ann' }, title: null });
  const found: string[] = [key.key, token];
  for await (const one of undertone.conversations.all({ q: 'price', moment: 'objection' })) found.push(one.title);
  return found;
}

let code: ErrorCode | string = '';
try {
  await new Undertone({ url: url ?? '', key: 'wrong' }).metrics();
} catch (error) {
  if (error instanceof UndertoneError) code = error.code;
}
console.log(
  JSON.stringify({
    utterances: dominant === undefined ? 0 : analysis.utterances,
    last: last?.event,
    phases: segmentation.total_phases,
    code,
    live: typeof undertone.live,
  }),
);
