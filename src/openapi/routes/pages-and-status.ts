import { HealthSchema, MetricsSchema } from '../../contract/analysis.ts';
import { WelcomeSchema } from '../../contract/keys.ts';
import { OperationsSchema } from '../../contract/operations.ts';
import { OperationsQuerySchema } from '../../contract/queries.ts';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { OBJECT_REQUEST } from '../headers.ts';
import { type Content, type Descriptions, type JsonSchema, json, type ResponseDescription } from '../operation.ts';

const text: JsonSchema = { type: 'string' };
const object: JsonSchema = { type: 'object' };
/** A page or a document that was made when the service was built. */
const built = (description: string, content: Content): Readonly<Record<number, ResponseDescription>> => ({
  200: { description, content, headers: ['ETag'] },
  304: { description: 'It is still the version that `If-None-Match` names.', headers: ['ETag'] },
});
const dashboard = built('The document of every page of the dashboard.', { 'text/html': { schema: text } });
const headers = OBJECT_REQUEST.filter((name) => name === 'If-None-Match');

export const pagesAndStatus: Descriptions = {
  'GET /health': {
    id: 'health',
    tag: 'service',
    summary: 'See that it lives',
    description: 'With who hears the words, where a pipeline is awake.',
    answers: {
      200: {
        description: 'It lives.',
        content: json(HealthSchema, {
          status: 'ok',
          recognisers: [
            { id: 'moonshine-tiny', name: 'Moonshine tiny (Useful Sensors)', kind: 'built_in', languages: ['en'] },
          ],
        }),
      },
    },
  },
  'GET /metrics': {
    id: 'metrics',
    tag: 'service',
    summary: 'Read how much was told, and how long it took',
    headers: ['Accept'],
    answers: {
      200: {
        description: 'Counters since the service was first deployed.',
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
    answers: { 302: { description: 'To `/app`.', headers: ['Location'] } },
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
    summary: 'Open a page of the dashboard about one thing',
    headers,
    answers: dashboard,
    errors: ['NOT_FOUND'],
  },
  'GET /welcome': {
    id: 'welcome',
    tag: 'service',
    summary: 'Learn what a page has to know before anybody signs in',
    answers: {
      200: {
        description: 'The demo key, where there is one, and who is signed in.',
        content: json(WelcomeSchema, { demo_key: 'undertone-demo', operator: null }),
      },
    },
    errors: ['RATE_LIMITED'],
  },
  'GET /docs': {
    id: 'docs',
    tag: 'service',
    summary: 'Read the documentation',
    headers,
    answers: built('A page for people.', { 'text/html': { schema: text } }),
    errors: ['NOT_FOUND'],
  },
  'GET /docs/:page': {
    id: 'docsPage',
    tag: 'service',
    summary: 'Read a page of the documentation',
    description: 'With `.md` at its end: the same as Markdown.',
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
    summary: 'Read this description',
    headers,
    answers: built('OpenAPI 3.1.', { 'application/json': { schema: object } }),
    errors: ['NOT_FOUND'],
  },
  'GET /schemas/:name': {
    id: 'schemas',
    tag: 'service',
    summary: 'Read the schemas of events and webhooks',
    description:
      '`events.json`: each event of a stream. `webhooks.json`: what a webhook is sent. JSON Schema, draft 2020-12.',
    headers,
    answers: built('A JSON Schema.', { 'application/schema+json': { schema: object } }),
    errors: ['NOT_FOUND'],
  },
  'GET /llms.txt': {
    id: 'llms',
    tag: 'service',
    summary: 'Read what there is to read, for language models',
    headers,
    answers: built('A list of pages.', { 'text/plain': { schema: text } }),
    errors: ['NOT_FOUND'],
  },
  'GET /operations': {
    id: 'operations',
    tag: 'service',
    summary: 'See what the service did and does',
    description: 'For the operator: analyses by hour, failures by code with their requests, tenants, events.',
    query: OperationsQuerySchema,
    answers: {
      200: {
        description: 'Of the hours that were asked for.',
        content: json(OperationsSchema, {
          version: SERVICE_VERSION,
          since: '2026-11-21T10:00:00.000Z',
          checked_at: '2026-11-22T09:41:00.000Z',
          hours: [{ at: '2026-11-22T09:00:00.000Z', completed: 12, failed: 0, cancelled: 1 }],
          duration_ms: { median: 6_200, p95: 14_800 },
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
  'POST /mcp': {
    id: 'mcp',
    tag: 'service',
    summary: 'Call the tools for language models',
    description:
      'Model Context Protocol, streamable HTTP without sessions: JSON-RPC in, JSON-RPC out, whose own errors come with status 200 or 400. ' +
      'Each tool asks for what its own routes ask for.',
    body: {
      content: json(object, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    },
    answers: Object.fromEntries(
      [
        [200, 'The answer to a request.'],
        [202, 'A notification was taken.'],
        [400, 'What was sent is no message of the protocol.'],
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
