// A program written against hey-api's client of the document: uploads, streams, reads and lists.
import { client } from './client/client.gen.ts';
import { analyze, getConversation, getRecord, listConversations, replay, startLive } from './client/index.ts';

interface Given {
  baseUrl: string;
  key: string;
  recording: string;
}

/** Runs against the service and returns its findings. */
export async function run({ baseUrl, key, recording }: Given): Promise<object> {
  client.setConfig({ baseUrl, headers: { 'X-API-Key': key } });
  const file = new File([Uint8Array.from(atob(recording), (letter) => letter.charCodeAt(0))], 'call.wav');

  const analysed = await analyze({ body: { file, goal: 'Book a table' } });
  if (analysed.data === undefined || !('timeline' in analysed.data)) throw new Error(JSON.stringify(analysed.error));
  const { conversation_id, timeline, summary } = analysed.data;

  const names: string[] = [];
  const { stream } = await replay({
    body: { file },
    sseMaxRetryAttempts: 1,
    onSseEvent: ({ event }) => names.push(event ?? ''),
  });
  for await (const _ of stream);

  const read = await getConversation({ path: { conversation_id } });
  if (read.data?.status !== 'completed') throw new Error('no result');
  const overview: string = read.data.summary.overview;

  const listed = await listConversations({ query: { limit: 10, status: 'completed' } });
  const ids = (listed.data?.conversations ?? []).map((one): string => one.conversation_id);

  const live = await startLive({ body: { suffix: '.wav' } });
  const unknown = await getRecord({ path: { conversation_id: 'nothing' } });
  return {
    utterances: timeline.map(({ speaker, text }): string => `${speaker}: ${text}`),
    overview: overview === summary.overview ? overview : '',
    isListed: ids.includes(conversation_id),
    lastEvent: names.at(-1),
    events: names.length,
    status: live.data?.status,
    refusal: [unknown.response?.status, unknown.error?.code],
  };
}
