import { HealthSchema, MetricsSchema, ReadySchema } from '../../contract/analysis.ts';
import { BackupAnswerSchema } from '../../contract/backup.ts';
import { WelcomeSchema } from '../../contract/keys.ts';
import { OperationsSchema } from '../../contract/operations.ts';
import { AnnouncementAnswerSchema, AnnouncementSchema } from '../../contract/pool.ts';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { type Content, type Descriptions, type JsonSchema, json, type ResponseDescription } from '../operation.ts';

const text: JsonSchema = { type: 'string' };
const object: JsonSchema = { type: 'object' };
/** The response of a page or document from the build. */
const built = (description: string, content: Content): Readonly<Record<number, ResponseDescription>> => ({
  200: { description, content, headers: ['ETag'] },
  304: { description: 'The version that `If-None-Match` names is still current.', headers: ['ETag'] },
});
const dashboard = built('The HTML document of the dashboard, the same for every page.', {
  'text/html': { schema: text },
});
const headers = ['If-None-Match'];
const BACKED_UP = { tenants: 0, objects: 100, bytes: 73_400_320, removed: 0, next_cursor: 'objects:acme:acme/k3' };

export const pagesAndStatus: Descriptions = {
  'GET /health': {
    id: 'health',
    tag: 'service',
    summary: 'Check that the service is up',
    answers: { 200: { description: 'The service is up.', content: json(HealthSchema, { status: 'ok' }) } },
  },
  'GET /ready': {
    id: 'ready',
    tag: 'service',
    summary: 'Check that a pipeline responds',
    description:
      'The state of the last ten seconds. The request starts no pipeline: a sleeping one starts with the next analysis.',
    answers: {
      200: {
        description: 'A pipeline responds.',
        content: json(ReadySchema, {
          status: 'ready',
          recognisers: [
            { id: 'moonshine-tiny', name: 'Moonshine tiny (Useful Sensors)', kind: 'built_in', languages: ['en'] },
          ],
        }),
      },
    },
    errors: ['OVERLOADED'],
  },
  'GET /metrics': {
    id: 'metrics',
    tag: 'service',
    summary: 'Read event counts and latencies',
    headers: ['Accept'],
    answers: {
      200: {
        description:
          'Counters since the service was first deployed. The text also has histograms of requests, waits, analyses and live transcripts.',
        content: {
          ...json(MetricsSchema, {
            version: SERVICE_VERSION,
            events: { final_transcript: 412, done: 30 },
            agent_latency_ms: { utterance: 84.2 },
          }),
          'text/plain': { schema: text },
        },
      },
    },
  },
  'GET /': {
    id: 'root',
    tag: 'service',
    summary: 'Go to the dashboard',
    answers: { 302: { description: 'Redirects to `/app`.', headers: ['Location'] } },
  },
  'GET /app': {
    id: 'dashboard',
    tag: 'service',
    summary: 'Open the dashboard',
    headers,
    answers: dashboard,
    errors: ['NOT_FOUND'],
  },
  'GET /app/:page': {
    id: 'dashboardPage',
    tag: 'service',
    summary: 'Open a page of the dashboard',
    headers,
    answers: dashboard,
    errors: ['NOT_FOUND'],
  },
  'GET /app/:page/:id': {
    id: 'dashboardView',
    tag: 'service',
    summary: 'Open a page of the dashboard about one object',
    headers,
    answers: dashboard,
    errors: ['NOT_FOUND'],
  },
  'GET /welcome': {
    id: 'welcome',
    tag: 'service',
    summary: 'Read the facts that a page needs before anyone signs in',
    answers: {
      200: {
        description: 'The demo key, if there is one, and who is signed in.',
        content: json(WelcomeSchema, { demo_key: 'a-public-key', operator: null, has_sign_in: true, person: null }),
      },
    },
    errors: ['RATE_LIMITED'],
  },
  'GET /docs': {
    id: 'docs',
    tag: 'service',
    summary: 'Read the documentation',
    headers,
    answers: built('A page as HTML.', { 'text/html': { schema: text } }),
    errors: ['NOT_FOUND'],
  },
  'GET /docs/:page': {
    id: 'docsPage',
    tag: 'service',
    summary: 'Read a page of the documentation',
    description: 'Append `.md` to the name to get Markdown.',
    headers,
    answers: built('The page.', {
      'text/html': { schema: text },
      'text/markdown': { schema: text },
      'text/css': { schema: text },
      'text/javascript': { schema: text },
    }),
    errors: ['NOT_FOUND'],
  },
  'GET /openapi.json': {
    id: 'openapi',
    tag: 'service',
    summary: 'Read this OpenAPI description',
    headers,
    answers: built('OpenAPI 3.1.', { 'application/json': { schema: object } }),
    errors: ['NOT_FOUND'],
  },
  'GET /schemas/:name': {
    id: 'schemas',
    tag: 'service',
    summary: 'Read the schemas of events and webhooks',
    description:
      '`events.json`: the events of a stream. `webhooks.json`: the messages to webhooks. JSON Schema, draft 2020-12.',
    headers,
    answers: built('A JSON Schema.', { 'application/schema+json': { schema: object } }),
    errors: ['NOT_FOUND'],
  },
  'GET /llms.txt': {
    id: 'llms',
    tag: 'service',
    summary: 'Read the list of documentation pages, for language models',
    headers,
    answers: built('A list of pages.', { 'text/plain': { schema: text } }),
    errors: ['NOT_FOUND'],
  },
  'GET /operations': {
    id: 'operations',
    tag: 'service',
    summary: "Read the service's activity",
    description:
      'Analyses by hour, the queue and the pipelines, failures by code with their requests, tenants and event counts.',
    answers: {
      200: {
        description: 'The activity in the requested hours.',
        content: json(OperationsSchema, {
          version: SERVICE_VERSION,
          since: '2026-11-21T10:00:00.000Z',
          checked_at: '2026-11-22T09:41:00.000Z',
          hours: [{ at: '2026-11-22T09:00:00.000Z', completed: 12, failed: 0, cancelled: 1 }],
          duration_ms: { median: 6_200, p95: 14_800 },
          queue: { slots: 6, running: 4, waiting: 7 },
          pipelines: { total: 3, ready: 2 },
          pool: {
            instances: [
              {
                name: 'a-0',
                state: 'ready',
                live: { slots: 12, used: 9 },
                files: { slots: 4, used: 2 },
                busy: 0.71,
                lag_ms: 240,
                memory_bytes: 1_310_000_000,
                reported_at: '2026-11-22T09:40:58.000Z',
              },
            ],
            waiting_live: 0,
          },
          idle_application: { ready: 0, work: 0 },
          live_final_ms: { median: 1_200, p95: 2_400 },
          failures: [],
          tenants: [],
          is_whole: true,
          events: { final_transcript: 412, done: 12 },
          has_language_model: false,
          has_live: true,
        }),
      },
    },
    errors: ['INVALID_REQUEST'],
  },
  'POST /backup': {
    id: 'backUp',
    tag: 'service',
    summary: 'Copy everything that has changed into the bucket of the backup',
    description:
      'Works on one step at a time: repeat the request with the cursor until it is null. 404 if the deployment has no such bucket.',
    answers: { 200: { description: 'What this step copied.', content: json(BackupAnswerSchema, BACKED_UP) } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'OVERLOADED'],
  },
  'POST /restore': {
    id: 'restore',
    tag: 'service',
    summary: 'Bring back what is missing from the backup',
    description:
      'Works on one step at a time: repeat the request with the cursor until it is null. It replaces nothing, and brings back nothing that was erased.',
    answers: { 200: { description: 'What this step brought back.', content: json(BackupAnswerSchema, BACKED_UP) } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'OVERLOADED'],
  },
  'POST /pool': {
    id: 'announcePipeline',
    tag: 'service',
    summary: 'Join the pool of pipelines, stay in it or leave it',
    description:
      'A pipeline that runs outside Cloudflare sends this when it starts, then as often as the answer says, and when it drains or ends. One that stops is forgotten after 35 s. The pool asks it for reports like every member.',
    body: { content: json(AnnouncementSchema, { url: 'https://pipeline-0.example.com', status: 'ok' }) },
    answers: {
      200: {
        description: 'The pipeline is a member, or has left.',
        content: json(AnnouncementAnswerSchema, { again_in_s: 10 }),
      },
    },
    errors: ['INVALID_REQUEST', 'OVERLOADED'],
  },
  'POST /mcp': {
    id: 'mcp',
    tag: 'service',
    summary: 'Call the tools for language models',
    description:
      'Model Context Protocol over streamable HTTP without sessions. JSON-RPC errors have the status 200 or 400. ' +
      'Each tool needs the scopes of the routes it calls.',
    body: {
      content: json(object, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    },
    answers: Object.fromEntries(
      [
        [200, 'The response to a JSON-RPC request.'],
        [202, 'The notification was accepted.'],
        [400, 'The body is not a message of the protocol.'],
        [406, 'The client must accept JSON and events.'],
        [413, 'The message is too large.'],
        [415, 'The message is not JSON.'],
      ].map(([status, description]) => [
        status,
        {
          description,
          content: {
            ...json(object, status === 200 ? { jsonrpc: '2.0', id: 1, result: { tools: [] } } : undefined),
            'text/event-stream': { schema: text },
          },
        },
      ]),
    ),
  },
};
