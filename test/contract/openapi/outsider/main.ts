// A program written against the document only: lists, analyses, streams. Its input is an address, a key and a recording, as JSON.
import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';

interface Given {
  baseUrl: string;
  key: string;
  recording: string;
}

/** Runs against the service and returns its findings. */
export async function run({ baseUrl, key, recording }: Given): Promise<object> {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });
  const bytes = Uint8Array.from(atob(recording), (letter) => letter.charCodeAt(0));
  const form = (): FormData => {
    const fields = new FormData();
    fields.set('file', new Blob([bytes]), 'call.wav');
    fields.set('goal', 'Book a table');
    return fields;
  };

  const body = { file: 'call.wav' };
  const analysed = await client.POST('/analyze', { body, bodySerializer: form });
  if (analysed.error !== undefined) throw new Error(analysed.error.detail);
  if (typeof analysed.data === 'string' || !('timeline' in analysed.data)) throw new Error('no analysis');
  const { conversation_id, timeline, summary } = analysed.data;

  const streamed = await client.POST('/analyze/stream', { body, bodySerializer: form, parseAs: 'stream' });
  if (streamed.error !== undefined) throw new Error(streamed.error.detail);
  const text = await new Response(streamed.data).text();
  const events = [...text.matchAll(/^event: (\w+)$/gm)].map(([, event]) => event);

  const read = await client.GET('/conversations/{conversation_id}', { params: { path: { conversation_id } } });
  if (read.data?.status !== 'completed') throw new Error('no result');
  const overview: string = read.data.summary.overview;

  // Members with a default may be left out.
  const live = await client.POST('/analyze/live/start', { body: { suffix: '.wav' } });

  const query = { limit: 10, status: 'completed' as const };
  const listed = await client.GET('/conversations', { params: { query } });
  if (listed.error !== undefined) throw new Error(listed.error.detail);
  const ids: string[] = listed.data.conversations.map((one) => one.conversation_id);

  const unknown = await client.GET('/conversations/{conversation_id}/record', {
    params: { path: { conversation_id: 'nothing' } },
  });
  const code: string | undefined = unknown.error?.code;
  return {
    utterances: timeline.map(({ speaker, text: said }): string => `${speaker}: ${said}`),
    overview: overview === summary.overview ? overview : '',
    status: live.data?.status,
    isListed: ids.includes(conversation_id),
    lastEvent: events.at(-1),
    events: events.length,
    refusal: [unknown.response.status, code],
  };
}
