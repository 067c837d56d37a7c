import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf } from '../../../src/mcp/links.ts';
import { type AnalysisResponse, Undertone } from '../../../src/sdk/index.ts';
import { SPOKEN } from '../../../support/fake-pipeline.ts';
import { KEY, OTHER_KEY, startService, type TestService } from '../../../support/service-under-test.ts';

// Both servers, called by the client of the protocol's own package.

const CLI = join(import.meta.dirname, '../../../src/cli/undertone.ts');

let service: TestService;
let analysis: AnalysisResponse;
let folder: string;
beforeAll(async () => {
  service = await startService();
  const undertone = new Undertone({ url: service.url, key: KEY });
  analysis = await undertone.analyze(new File(['a recording'], 'prices.wav'));
  folder = mkdtempSync(join(tmpdir(), 'undertone-mcp-'));
});
afterAll(async () => {
  await service.stop();
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
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\.$/);
      expect(inputSchema.type).toBe('object');
    }
    expect((await said(client, 'get_moments', { conversation_id: analysis.conversation_id })).isError).not.toBe(true);
    await client.close();
  });

  it('find a conversation and read it, with links to its seconds', async () => {
    const client = await connect('auto', KEY);
    const conversation_id = analysis.conversation_id;
    const listed = await said(client, 'list_conversations', { limit: 50 });
    expect(listed.structuredContent).toMatchObject({
      conversations: expect.arrayContaining([
        expect.objectContaining({ conversation_id, url: pageOf(service.url, conversation_id) }),
      ]),
    });
    const found = await said(client, 'search_conversations', { query: 'price' });
    expect(found.text).toContain(conversation_id);
    const price = analysis.timeline.find(({ text }) => text.includes('price'));
    expect(found.text).toContain(pageOf(service.url, conversation_id, price?.t_start));
    expect((await said(client, 'search_conversations', { query: 'zeppelin' })).text).not.toContain(conversation_id);

    const { text: summary } = await said(client, 'get_summary', { conversation_id });
    expect(summary).toContain(analysis.summary.overview);
    expect(summary).toContain(pageOf(service.url, conversation_id, 0));
    const { text: moments } = await said(client, 'get_moments', { conversation_id });
    for (const moment of analysis.moments) expect(moments).toContain(moment.summary);
    expect((await said(client, 'get_moments', { conversation_id, category: 'cta_rejected' })).text).toBe(
      'There are no such moments.',
    );
    const whole = await said(client, 'get_transcript', { conversation_id });
    for (const sentence of SPOKEN) expect(whole.text).toContain(sentence);
    const from_s = analysis.timeline[1]?.t_start;
    const to_s = analysis.timeline[1]?.t_end;
    expect((await said(client, 'get_transcript', { conversation_id, from_s, to_s })).text.split('\n')).toHaveLength(1);
    await client.close();
  });

  it('report errors to the model, and nothing about other tenants', async () => {
    const client = await connect('auto', OTHER_KEY);
    const { conversation_id } = analysis;
    const stolen = await said(client, 'get_summary', { conversation_id });
    expect(stolen).toMatchObject({ isError: true, text: expect.stringContaining('NOT_FOUND') });
    const local = await said(client, 'analyse', { recording: 'http://127.0.0.1:9/call.wav' });
    expect(local).toMatchObject({ isError: true, text: expect.stringContaining('INVALID_REQUEST') });
    await client.close();
  });
});

it('the command line analyses a local file', async () => {
  const path = join(folder, 'call.wav');
  writeFileSync(path, 'a recording');
  const client = await overStdio('auto', KEY);
  const { text } = await said(client, 'analyse', { recording: path, goal: 'What is agreed?' });
  expect(text).toContain(analysis.summary.overview);
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
