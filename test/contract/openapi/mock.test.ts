import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as z from 'zod';
import { AnalysisResponseSchema, HealthSchema, MetricsSchema, ReadySchema } from '../../../src/contract/analysis.ts';
import { AuditListSchema } from '../../../src/contract/audit.ts';
import { CommitmentEntrySchema, CommitmentListSchema } from '../../../src/contract/commitments.ts';
import {
  CommentSchema,
  ConversationListSchema,
  ConversationRecordSchema,
  DeletionReceiptSchema,
} from '../../../src/contract/conversations.ts';
import { JobSchema } from '../../../src/contract/jobs.ts';
import {
  IssuedKeySchema,
  KeyListSchema,
  KeySchema,
  KeyUsageSchema,
  RotatedKeySchema,
} from '../../../src/contract/keys.ts';
import { LevelsSchema } from '../../../src/contract/media.ts';
import { LineListSchema, MomentListSchema } from '../../../src/contract/patterns.ts';
import { PersonRemovalSchema, PersonSchema, ProposalsSchema } from '../../../src/contract/people.ts';
import {
  PlaylistDetailSchema,
  PlaylistItemSchema,
  PlaylistSchema,
  SharedPlaylistSchema,
} from '../../../src/contract/playlists.ts';
import { SegmentResponseSchema } from '../../../src/contract/segmentation.ts';
import { MadeShareSchema, ShareListSchema, ShareOpensSchema, ShareSchema } from '../../../src/contract/shares.ts';
import { TenantListSchema, TenantSchema } from '../../../src/contract/tenants.ts';
import { TokenSchema } from '../../../src/contract/tokens.ts';
import { TrendListSchema } from '../../../src/contract/trends.ts';
import { UploadSchema } from '../../../src/contract/uploads.ts';
import { ViewSchema } from '../../../src/contract/views.ts';
import { openApiDocument } from '../../../src/openapi/document.ts';
import { Undertone } from '../../../src/sdk/index.ts';
import type { Json } from '../../../support/openapi/reader.ts';

// A mock server that a third-party library generates from the document: it validates requests and responds with the examples.
// The client's requests match the document, and the responses match the contract.

const outsider = createRequire(join(import.meta.dirname, 'outsider/package.json'));
let server: Server;
let undertone: Undertone;
const refused: string[] = [];

beforeAll(async () => {
  const document: Json = JSON.parse(JSON.stringify(openApiDocument()));
  const { OpenAPIBackend } = outsider('openapi-backend');
  const api = new OpenAPIBackend({
    definition: document,
    quick: true,
    ajvOpts: { strict: false, formats: { 'date-time': true, uuid: true, uri: true, base64: true, binary: true } },
    handlers: {
      validationFail: (context: Json) => {
        refused.push(`${context.operation.operationId}: ${JSON.stringify(context.validation.errors)}`);
        return { status: 400, mock: { detail: 'refused', code: 'INVALID_REQUEST', request_id: '' } };
      },
      notFound: (context: Json) => {
        refused.push(`${context.request.method} ${context.request.path} is not in the document`);
        return { status: 404, mock: { detail: 'none', code: 'NOT_FOUND', request_id: '' } };
      },
      notImplemented: (context: Json) => api.mockResponseForOperation(context.operation.operationId),
    },
  });
  // Access is not tested here.
  for (const scheme of Object.keys(document.components.securitySchemes))
    api.registerSecurityHandler(scheme, () => true);
  await api.init();
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const isJson = request.headers['content-type']?.startsWith('application/json');
    const { pathname, search } = new URL(request.url ?? '/', 'http://mock');
    const { method = 'GET', headers } = request;
    // The mock treats a form as bytes.
    const body = isJson ? JSON.parse(text) : text === '' ? undefined : { file: 'bytes' };
    const asked = { method, path: pathname, query: search, headers, body };
    const { status, mock } = await api.handleRequest(asked);
    if (status === 204) return void response.writeHead(status).end();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(mock));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undertone = new Undertone({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'mocked' });
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

const timeline = [{ utterance_id: 'u', speaker: 'A', t_start: 0, t_end: 1, text: 'Hello.' }];

/** A call of the client, and the contract's schema of its response. */
const CALLS: Record<string, [() => Promise<unknown>, z.ZodType]> = {
  health: [() => undertone.health(), HealthSchema],
  ready: [() => undertone.ready(), ReadySchema],
  metrics: [() => undertone.metrics(), MetricsSchema],
  analyze: [
    () => undertone.analyze({ url: 'https://example.com/call.wav' }, { goal: 'What was agreed?' }),
    AnalysisResponseSchema,
  ],
  segment: [() => undertone.segment({ timeline }), SegmentResponseSchema],
  list: [() => undertone.conversations.list({ q: 'price', limit: 5, moment: 'objection' }), ConversationListSchema],
  get: [() => undertone.conversations.get('c'), AnalysisResponseSchema],
  record: [() => undertone.conversations.record('c'), ConversationRecordSchema],
  edit: [() => undertone.conversations.edit('c', { speakers: { Speaker_0: 'Anna' } }), ConversationRecordSchema],
  undo: [() => undertone.conversations.undo('c'), ConversationRecordSchema],
  feedback: [() => undertone.conversations.feedback('c', { moment_id: 'm', thumb: 'up' }), ConversationRecordSchema],
  commitments: [() => undertone.commitments.list({ status: 'open' }), CommitmentListSchema],
  'a changed commitment': [() => undertone.commitments.setStatus('c', 'done'), CommitmentEntrySchema],
  moments: [() => undertone.patterns.moments({ category: 'objection' }), MomentListSchema],
  trends: [() => undertone.patterns.trends({ measure: 'pace', by: 'week' }), TrendListSchema],
  lines: [() => undertone.patterns.lines({ q: 'price' }), LineListSchema],
  playlist: [() => undertone.playlists.create('Best'), PlaylistSchema],
  'a playlist with its items': [() => undertone.playlists.get('p'), PlaylistDetailSchema],
  'a renamed playlist': [() => undertone.playlists.rename('p', 'Best'), PlaylistSchema],
  'a new item': [() => undertone.playlists.add('p', { conversation_id: 'c', from: 1, to: 2 }), PlaylistItemSchema],
  'a changed item': [() => undertone.playlists.edit('p', 'i', { position: 0 }), PlaylistItemSchema],
  view: [() => undertone.views.create({ name: 'Price', page: 'patterns', query: 'q=price' }), ViewSchema],
  'a changed view': [() => undertone.views.edit('v', { query: '' }), ViewSchema],
  'a shared playlist': [() => undertone.playlists.share('p', {}), MadeShareSchema],
  pieces: [() => undertone.playlists.pieces('p'), SharedPlaylistSchema],
  share: [() => undertone.shares.create({ conversation_id: 'c' }), MadeShareSchema],
  shares: [() => undertone.shares.list(), ShareListSchema],
  'a revoked share': [() => undertone.shares.revoke('s'), ShareSchema],
  'opens of a share': [() => undertone.shares.opens('s'), ShareOpensSchema],
  person: [() => undertone.people.create({ name: 'Bo' }), PersonSchema],
  'a changed person': [() => undertone.people.edit('p', { role: 'agent' }), PersonSchema],
  'a removed person': [() => undertone.people.delete('p'), PersonRemovalSchema],
  proposals: [() => undertone.conversations.proposals('c'), ProposalsSchema],
  comment: [() => undertone.conversations.addComment('c', { at: 1, text: 'Here.' }), CommentSchema],
  'a changed comment': [() => undertone.conversations.changeComment('c', 'm', 'There.'), CommentSchema],
  cancel: [() => undertone.conversations.cancel('c'), JobSchema],
  levels: [() => undertone.conversations.levels('c'), LevelsSchema],
  delete: [() => undertone.conversations.delete('c'), DeletionReceiptSchema],
  upload: [() => undertone.uploads.open({ filename: 'a.wav', bytes: 5 }), UploadSchema],
  'upload again': [() => undertone.uploads.get('u'), UploadSchema],
  'a token': [() => undertone.tokens.mint({ for: { session: 'new' } }), TokenSchema],
  'a key': [() => undertone.keys.issue({ label: 'more' }), IssuedKeySchema],
  keys: [() => undertone.keys.list(), KeyListSchema],
  'a changed key': [() => undertone.keys.change('k', { label: 'other' }), KeySchema],
  'a rotated key': [() => undertone.keys.rotate('k', { overlap_seconds: 60 }), RotatedKeySchema],
  'a revoked key': [() => undertone.keys.revoke('k'), KeySchema],
  usage: [() => undertone.keys.usage('k', { days: 7 }), KeyUsageSchema],
  'a tenant': [() => undertone.tenants.create({ name: 'Acme' }), TenantSchema],
  tenants: [() => undertone.tenants.list({ limit: 10 }), TenantListSchema],
  audit: [() => undertone.tenants.audit(), AuditListSchema],
};

it.each(Object.entries(CALLS))(
  '%s: asked as the document says, and answered as the contract says',
  async (_, [call, schema]) => {
    refused.length = 0;
    const answer = await call().catch((fault: unknown) => fault);
    expect(refused).toEqual([]);
    expect(schema.safeParse(answer).error?.issues).toBeUndefined();
  },
);

it('the mock refuses what the document does not allow', async () => {
  refused.length = 0;
  await expect(undertone.conversations.list({ limit: 5000 })).rejects.toThrow('refused');
  expect(refused[0]).toContain('limit');
});
