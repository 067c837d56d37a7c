import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf, timeOf } from '../../../src/mcp/links.ts';
import { type AnalysisResponse, Undertone } from '../../../src/sdk/index.ts';
import { SPOKEN } from '../../../support/fake-pipeline.ts';
import { startServer } from '../../../support/local-server.ts';
import { KEY, OTHER_KEY, startService, type TestService } from '../../../support/service-under-test.ts';

// Both servers, called by the client of the protocol's own package.

const CLI = join(import.meta.dirname, '../../../src/cli/undertone.ts');

let service: TestService;
/** Knows no name. */
let resolver: Awaited<ReturnType<typeof startServer>>;
let analysis: AnalysisResponse;
let folder: string;
beforeAll(async () => {
  resolver = await startServer((_, response) => void response.end('{"Status": 3}'));
  service = await startService({ DNS_RESOLVER_URL: resolver.url });
  const undertone = new Undertone({ url: service.url, key: KEY });
  analysis = await undertone.analyze(new File(['a recording'], 'prices.wav'));
  folder = mkdtempSync(join(tmpdir(), 'undertone-mcp-'));
});
afterAll(async () => {
  await service.stop();
  await resolver.close();
  rmSync(folder, { recursive: true, force: true });
});

type Mode = 'legacy' | 'auto';

const clientOf = (mode: Mode) => new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });

async function overHttp(mode: Mode, key: string): Promise<Client> {
  const client = clientOf(mode);
  const requestInit = { headers: { 'X-API-Key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }));
  return client;
}

async function overStdio(mode: Mode, key: string): Promise<Client> {
  const client = clientOf(mode);
  const env = {
    PATH: process.env.PATH ?? '',
    UNDERTONE_URL: service.url.href,
    UNDERTONE_API_KEY: key,
    XDG_CONFIG_HOME: folder,
  };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env }));
  return client;
}

/** The text of a tool's result. */
async function said(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const content = result.content as { type: string; text?: string }[];
  return { ...result, text: content.map(({ text }) => text ?? '').join('\n') };
}

const addressesIn = (text: string): string[] => text.match(/https?:\/\/[^\s)]+/g) ?? [];

describe.each([
  ['the Worker', overHttp],
  ['the command line', overStdio],
] as const)('tools of %s', (_, connect) => {
  it.each(['legacy', 'auto'] as const)('are listed for old and new clients (%s)', async (mode) => {
    const client = await connect(mode, KEY);
    expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['analyse', 'list_conversations', 'search_conversations', 'get_summary', 'get_moments', 'get_transcript'],
      ...['get_insights', 'get_course', 'name_speakers', 'export_conversation', 'list_rules', 'find_by_rule'],
      ...['list_people', 'propose_speakers', 'commitments', 'find_moments', 'trends'],
      ...['list_views', 'run_view'],
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\.$/);
      expect(inputSchema.type).toBe('object');
    }
    expect((await said(client, 'get_moments', { conversation_id: analysis.conversation_id })).isError).not.toBe(true);
    await client.close();
  });

  it('find a conversation and read it, with its address once and its times', async () => {
    const client = await connect('auto', KEY);
    const conversation_id = analysis.conversation_id;
    const listed = await said(client, 'list_conversations', { limit: 50 });
    expect(listed.structuredContent).toMatchObject({
      conversations: expect.arrayContaining([
        expect.objectContaining({ conversation_id, url: pageOf(service.url, conversation_id) }),
      ]),
    });
    // It was sent without the time of its recording.
    const arrival = /\d{4}-\d\d-\d\d \d\d:\d\d \(uploaded\), completed/;
    expect(listed.text).toMatch(arrival);
    const found = await said(client, 'search_conversations', { query: 'price' });
    expect(found.text).toContain(conversation_id);
    const price = analysis.timeline.find(({ text }) => text.includes('price'));
    expect(found.text).toContain(`- ${timeOf(price!.t_start)} ${price!.text}`);
    expect((await said(client, 'search_conversations', { query: 'zeppelin' })).text).not.toContain(conversation_id);

    const { text: summary } = await said(client, 'get_summary', { conversation_id });
    expect(summary).toContain(analysis.summary.overview);
    const address = pageOf(service.url, conversation_id);
    expect(addressesIn(summary)).toEqual([address]);
    // A quality without reasons is not worth a word.
    expect(analysis.summary.quality_reasons).toEqual([]);
    expect(summary).not.toMatch(/quality/i);
    expect(summary).toMatch(/^- \[0:00\] No clear topic: Speaker_\d says: /m);
    const { text: moments } = await said(client, 'get_moments', { conversation_id });
    for (const moment of analysis.moments) expect(moments).toContain(moment.summary);
    expect((await said(client, 'get_moments', { conversation_id, category: 'cta_rejected' })).text).toBe(
      'No moments found.',
    );
    const whole = await said(client, 'get_transcript', { conversation_id });
    for (const sentence of SPOKEN) expect(whole.text).toContain(sentence);
    expect(addressesIn(whole.text)).toEqual([address]);
    expect(whole.text.split('\n')[1]).toBe(`[0:00] ${analysis.timeline[0]!.speaker}: ${SPOKEN[0]}`);
    const from_s = analysis.timeline[1]?.t_start;
    const to_s = analysis.timeline[1]?.t_end;
    expect((await said(client, 'get_transcript', { conversation_id, from_s, to_s })).text.split('\n')).toHaveLength(2);
    await client.close();
  });

  it('answer who spoke how much, and when whose state changed', async () => {
    const client = await connect('auto', KEY);
    const { conversation_id, insights, transitions } = analysis;
    const { text } = await said(client, 'get_insights', { conversation_id });
    expect(addressesIn(text)).toEqual([pageOf(service.url, conversation_id)]);
    for (const [speaker, { talk_ratio, questions }] of Object.entries(insights.metrics.speakers)) {
      const line = text.split('\n').find((one) => one.startsWith(`- ${speaker}: `));
      expect(line).toContain(`talk share ${Math.round(talk_ratio! * 100)} % (`);
      expect(line).toContain(`; ${questions} questions;`);
      expect(line).toContain('utterances by emotion: ');
    }
    expect(text).toContain(`silence ${Math.round(insights.metrics.silence_share * 100)} %`);
    if (transitions.length === 0) expect(text).toContain('Changes of emotional state: none');
    for (const { at_ms, speaker_id, from_state, to_state } of transitions)
      expect(text).toContain(`- ${timeOf(at_ms / 1000)} ${speaker_id}: ${from_state} to ${to_state}`);
    await client.close();
  });

  it('answer how affect, pitch and level went, between two times', async () => {
    const client = await connect('auto', KEY);
    const { conversation_id, timeline } = analysis;
    const { text } = await said(client, 'get_course', { conversation_id, window_s: 2 });
    expect(addressesIn(text)).toEqual([pageOf(service.url, conversation_id)]);
    const lines = text.split('\n').filter((line) => line.startsWith('['));
    expect(lines).toHaveLength(timeline.length);
    const { valence, arousal } = timeline[0]!.pad_scores!;
    expect(lines[0]).toMatch(`[0:00] ${timeline[0]!.speaker}: valence ${valence}, arousal ${arousal}`);
    const part = await said(client, 'get_course', { conversation_id, window_s: 2, from_s: 2, to_s: 4 });
    expect(part.text.split('\n').filter((line) => line.startsWith('['))).toEqual([lines[1]]);
    expect((await said(client, 'get_course', { conversation_id, from_s: 3600 })).text).toBe(
      'Nobody speaks in this part.',
    );
    await client.close();
  });

  it('find by a rule, or by a condition that is not stored, with quotes and times', async () => {
    const client = await connect('auto', KEY);
    const { conversation_id, timeline } = analysis;
    const price = timeline.find(({ text }) => text.includes('price'))!;
    const { text } = await said(client, 'find_by_rule', { when: { said: { phrases: ['pricing'] } }, limit: 50 });
    expect(text).toContain(`${pageOf(service.url, conversation_id)} (${conversation_id}), `);
    expect(text).toMatch(/, \d{4}-\d\d-\d\d \d\d:\d\d \(uploaded\)\n- /);
    expect(text).toContain(`\n- ${timeOf(price.t_start)}`);
    expect(text).toContain(price.text);
    const answer = await service.post(
      '/rules',
      JSON.stringify({ name: 'Price', when: { said: { phrases: ['price'] } } }),
      {
        'Content-Type': 'application/json',
      },
    );
    const { id } = (await answer.json()) as { id: string };
    expect((await said(client, 'list_rules', {})).text).toContain(`- Price (${id}, disabled): {"said":`);
    expect((await said(client, 'find_by_rule', { rule_id: id, limit: 50 })).text).toContain(price.text);
    const wrong = await said(client, 'find_by_rule', { when: { said: { phrase: 'x' } } });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('did you mean "phrases"') });
    const direct = new Undertone({ url: service.url, key: KEY });
    const person = await direct.people.create({ name: 'Bo Lund', role: 'agent' });
    expect((await said(client, 'list_people', {})).text).toContain(`- Bo Lund (${person.id}, agent, 0 conversations)`);
    await direct.people.delete(person.id);
    expect((await said(client, 'find_by_rule', {})).text).toBe('Give either rule_id or when');
    await client.close();
  });

  it('find moments and measure trends in all conversations', async () => {
    const client = await connect('auto', KEY);
    const { text } = await said(client, 'find_moments', { from: '2026-01-01', limit: 100 });
    const { moments } = analysis;
    expect(text).toMatch(/^Moments: \d+ \(\d+ unsure\), conversations: \d+ of \d+\.$/m);
    for (const { category, evidence, start_ms } of moments) {
      const line = text.split('\n').find((one) => one.includes(`"${evidence[0]?.quote}"`));
      expect(line).toContain(` (uploaded) ${category} (`);
      expect(line).toContain(pageOf(service.url, analysis.conversation_id, start_ms / 1000));
    }
    const { text: trends } = await said(client, 'trends', { measure: 'duration', by: 'language', from: '2026-01-01' });
    expect(trends).toMatch(/^duration \(s\), conversations: \d+$/m);
    expect(trends).toMatch(/^- (en|unknown): n \d+; .*single values /m);
    const wrong = await said(client, 'trends', { measure: 'mood' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('measure') });
    await client.close();
  });

  it('list saved views and return what they show', async () => {
    const client = await connect('auto', KEY);
    expect((await said(client, 'list_views', {})).text).toBe('There are no views.');
    const direct = new Undertone({ url: service.url, key: KEY });
    const pages = [
      ['patterns', 'category=cta_offered,objection', 'Moments: '],
      ['conversations', 'q=price', analysis.conversation_id],
      ['commitments', 'due=week', ''],
    ] as const;
    for (const [page, query, shown] of pages) {
      const { id } = await direct.views.create({ name: 'Price', page, query });
      expect((await said(client, 'list_views', {})).text).toBe(`- Price (${id}, ${page}): ${query}`);
      const run = await said(client, 'run_view', { view_id: id, limit: 50 });
      expect(run.isError).not.toBe(true);
      expect(run.text).toContain(shown);
      await direct.views.delete(id);
      expect((await said(client, 'run_view', { view_id: id })).isError).toBe(true);
    }
    await client.close();
  });

  it('name speakers and export the conversation with the names', async () => {
    const client = await connect('auto', KEY);
    const { conversation_id } = analysis;
    const named = await said(client, 'name_speakers', { conversation_id, names: { Speaker_0: 'Michelle' } });
    expect(named).toMatchObject({ text: 'Speaker_0: Michelle' });
    expect((await said(client, 'get_insights', { conversation_id })).text).toContain(
      '- Michelle (Speaker_0): talk share',
    );
    const exported = await said(client, 'export_conversation', { conversation_id, format: 'txt' });
    expect(exported.text).toContain('Michelle');
    for (const sentence of SPOKEN) expect(exported.text).toContain(sentence);
    const unnamed = await said(client, 'name_speakers', { conversation_id, names: { Speaker_0: null } });
    expect(unnamed.text).toBe('No speaker has a name now.');
    await client.close();
  });

  it('report errors to the model, and nothing about other tenants', async () => {
    const client = await connect('auto', OTHER_KEY);
    const { conversation_id } = analysis;
    const stolen = await said(client, 'get_summary', { conversation_id });
    expect(stolen).toMatchObject({ isError: true, text: expect.stringContaining('NOT_FOUND') });
    const local = await said(client, 'analyse', { recording: 'http://127.0.0.1:9/call.wav' });
    expect(local).toMatchObject({ isError: true, text: expect.stringContaining('INVALID_REQUEST') });
    const misspelt = await said(client, 'analyse', { recording: 'https://nobody.example.com/call.wav' });
    expect(misspelt).toMatchObject({ isError: true, text: 'SOURCE_FAILED: nobody.example.com does not resolve' });
    await client.close();
  });
});

it('a conversation without a title is called untitled', async () => {
  const client = await overHttp('auto', KEY);
  const undertone = new Undertone({ url: service.url, key: KEY });
  const live = await undertone.live.start({ suffix: '.wav' });
  const id = live.position.session.conversation_id;
  expect((await said(client, 'list_conversations', {})).text).toContain(`[untitled](${pageOf(service.url, id)})`);
  await live.cancel();
  await client.close();
});

it('an analysis with a goal shows the answer or a possible one, with its score and time', async () => {
  const undertone = new Undertone({ url: service.url, key: KEY });
  const { conversation_id } = await undertone.analyze(new File(['x'], 'call.wav'), { goal: 'Do we meet on Tuesday?' });
  const client = await overHttp('auto', KEY);
  const { text } = await said(client, 'get_summary', { conversation_id });
  expect(text).toMatch(/^(Answer|Possible answer, unsure) \(score 0\.\d\d\):\n- \[0:\d\d\] \w+: .*Tuesday/m);
  await client.close();
});

it('the command line analyses a local file', async () => {
  const path = join(folder, 'call.wav');
  writeFileSync(path, 'a recording');
  const client = await overStdio('auto', KEY);
  const { text } = await said(client, 'analyse', { recording: path, goal: 'What is agreed?' });
  for (const { text: line } of analysis.summary.evidence.slice(0, 2)) expect(text).toContain(line);
  expect(text).toContain('Nothing here answers “What is agreed?”.');
  expect((await said(client, 'analyse', { recording: join(folder, 'none.wav') })).isError).toBe(true);
  await client.close();
});

it('the Worker opens no files', async () => {
  const client = await overHttp('auto', KEY);
  const answer = await said(client, 'analyse', { recording: '/etc/passwd' }).catch((error: unknown) => ({
    isError: true,
    text: String(error),
  }));
  expect(answer.isError).toBe(true);
  await client.close();
});

it('refuses a caller without a key', async () => {
  const refused = await fetch(new URL('/mcp', service.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ code: 'INVALID_KEY' });
});
