import * as z from 'zod';
import { ACCESS, type Access } from '../contract/access.ts';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { checksQuery, QUERIES } from '../contract/queries.ts';
import { SERVICE_VERSION } from '../contract/version.ts';
import { TEST_EVENT, WEBHOOK_EVENTS, WebhookMessageSchema } from '../contract/webhooks.ts';
import { ID, MESSAGE, SESSION } from './examples.ts';
import { ANSWER_HEADERS, REQUEST_HEADERS } from './headers.ts';
import {
  type Content,
  type Descriptions,
  type JsonSchema,
  type ResponseDescription,
  type RouteDescription,
  type Schema,
  TAGS,
} from './operation.ts';
import { accounts } from './routes/accounts.ts';
import { analyses } from './routes/analyses.ts';
import { commitments } from './routes/commitments.ts';
import { conversations } from './routes/conversations.ts';
import { uploads, webhooks } from './routes/deliveries.ts';
import { holds } from './routes/holds.ts';
import { live } from './routes/live.ts';
import { members } from './routes/members.ts';
import { pagesAndStatus } from './routes/pages-and-status.ts';
import { patterns } from './routes/patterns.ts';
import { people } from './routes/people.ts';
import { playlists } from './routes/playlists.ts';
import { receipts } from './routes/receipts.ts';
import { rules } from './routes/rules.ts';
import { shares } from './routes/shares.ts';
import { views } from './routes/views.ts';
import { jsonSchemaOf, namedSchemas } from './schemas.ts';

/** The descriptions of all routes. */
export const DESCRIPTIONS: Descriptions = {
  ...analyses,
  ...live,
  ...conversations,
  ...uploads,
  ...webhooks,
  ...rules,
  ...people,
  ...commitments,
  ...patterns,
  ...playlists,
  ...views,
  ...shares,
  ...holds,
  ...receipts,
  ...members,
  ...accounts,
  ...pagesAndStatus,
};

const SCHEMAS = '#/components/schemas/';
const ref = (kind: 'parameters' | 'headers', name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });

/** Parameters in paths. */
const PATH_PARAMETERS: Readonly<Record<string, { description: string; schema: JsonSchema; example: string | number }>> =
  {
    conversation_id: { description: 'The id of a conversation.', schema: { type: 'string' }, example: ID },
    session_id: { description: 'The id of a live session.', schema: { type: 'string' }, example: SESSION },
    upload_id: { description: 'The id of an upload.', schema: { type: 'string' }, example: ID },
    number: {
      description: 'The number of a part, counted from 1.',
      schema: { type: 'integer', minimum: 1 },
      example: 1,
    },
    webhook_id: { description: 'The id of a webhook.', schema: { type: 'string' }, example: 'wh_4f1c9a' },
    comment_id: {
      description: 'The id of a comment.',
      schema: { type: 'string' },
      example: '5e0c9b1a-7f8e-4c6e-9d3f-0a1b2c3d4e5f',
    },
    rule_id: { description: 'The id of a rule.', schema: { type: 'string' }, example: 'rule_7d20c5' },
    commitment_id: {
      description: 'The id of a commitment.',
      schema: { type: 'string' },
      example: 'b1f9c1de-2f0e-4a52-9a55-3a4a5a0f0f5e_utt_4_commitment_0',
    },
    person_id: { description: 'The id of a person.', schema: { type: 'string' }, example: 'person_5b1f20c94e7a8d36' },
    playlist_id: {
      description: 'The id of a playlist.',
      schema: { type: 'string' },
      example: 'playlist_5b1f20c94e7a8d36',
    },
    view_id: { description: 'The id of a view.', schema: { type: 'string' }, example: 'view_5b1f20c94e7a8d36' },
    item_id: {
      description: 'The id of an item of a playlist.',
      schema: { type: 'string' },
      example: 'item_0a1b2c3d4e5f6071',
    },
    share_id: { description: 'The id of a share.', schema: { type: 'string' }, example: 'share_8fk2m1q0AbCd' },
    redaction_id: {
      description: 'The id of a redaction over a filter.',
      schema: { type: 'string' },
      example: 'redaction_0a1b2c3d4e5f6071',
    },
    hold_id: { description: 'The id of a hold.', schema: { type: 'string' }, example: 'hold_5b1f20c94e7a8d36' },
    delivery_id: { description: 'The id of a delivery.', schema: { type: 'string' }, example: 'msg_2b7e15' },
    key_id: { description: 'The id of a key: `<tenant>_<id>`.', schema: { type: 'string' }, example: 'acme_8fk2m1q0' },
    email: {
      description: 'The e-mail address of a person.',
      schema: { type: 'string', format: 'email' },
      example: 'anna@example.com',
    },
    tenant_id: { description: 'The id of a tenant.', schema: { type: 'string' }, example: 'acme' },
    id: { description: 'The id of the object that the page shows.', schema: { type: 'string' }, example: ID },
    page: { description: 'The name of a page.', schema: { type: 'string' }, example: 'first-analysis' },
    name: {
      description: 'The name of a document.',
      schema: { enum: ['events.json', 'webhooks.json'] },
      example: 'events.json',
    },
  };

const SECURITY_SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key.' },
  keyInAddress: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'A key, for clients that cannot set headers. URLs may appear in logs: prefer the header.',
  },
  token: { type: 'http', scheme: 'bearer', description: 'A token from POST /tokens.' },
  tokenInAddress: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'A token, for clients that cannot set headers.',
  },
  operator: { type: 'http', scheme: 'bearer', description: 'The admin token of the deployment.' },
  pipeline: { type: 'http', scheme: 'bearer', description: 'The `PIPELINE_TOKEN` of the deployment.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-undertone-operator',
    description: "A session from POST /session, for the service's own pages only.",
  },
};

const KEY = [{ key: [] }, { keyInAddress: [] }];
const TOKEN = [{ token: [] }, { tokenInAddress: [] }];
const OPERATOR = [{ operator: [] }, { session: [] }];

/** The access to a route, as a security requirement and as a sentence. */
function accessOf(access: Access): { security: JsonSchema[]; who: string } {
  if (access === 'open') return { security: [], who: 'No authentication is needed.' };
  if (access === 'pipeline') return { security: [{ pipeline: [] }], who: 'Only a pipeline may call this.' };
  if (access === 'operator') return { security: OPERATOR, who: 'Only the operator may call this.' };
  if (access === 'admin')
    return {
      security: [...OPERATOR, ...KEY],
      who: 'Needs the operator, or a key with the scope `admin` for its own tenant.',
    };
  if (access === 'key') return { security: KEY, who: 'Needs a key.' };
  const { scope, token, ofMaker } = access;
  const tokens = token
    ? `, or a token for the ${token}${ofMaker ? ' or for the session or upload it was made from' : ''}`
    : '';
  const who = `Needs a key with the scope \`${scope}\`${tokens}.`;
  return { security: token ? [...KEY, ...TOKEN] : KEY, who };
}

/** Errors of every route, for a misconfigured deployment, full storage, or a bug in the service. */
const EVERYWHERE: readonly ErrorCode[] = ['MISCONFIGURED', 'ANALYSIS_FAILURE', 'STORAGE_FULL'];
const GUARDED: readonly ErrorCode[] = ['INVALID_KEY', 'FORBIDDEN', 'RATE_LIMITED'];

const WAITS: readonly number[] = [429, 503];

/** The error codes of a route, by HTTP status. */
export function errorsOf(route: string, { errors = [] }: RouteDescription): Map<number, ErrorCode[]> {
  const guarded = ACCESS[route] === 'open' ? [] : GUARDED;
  const checked: ErrorCode[] = checksQuery(route) ? ['INVALID_REQUEST'] : [];
  const codes = new Set([...errors, ...guarded, ...checked, ...EVERYWHERE]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    if (!codes.has(code)) continue;
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function operation(route: string, description: RouteDescription): JsonSchema {
  const [, path = ''] = route.split(' ');
  const access = ACCESS[route];
  if (access === undefined) throw new Error(`${route} has a description but is not in contract/access.ts`);
  const { security, who } = accessOf(access);
  const { id, tag, summary, description: more, headers = [], body, answers } = description;
  const isCounted = access !== 'open' && access !== 'pipeline';
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ref('parameters', name));
  const parameters = [...named, ...queryParameters(QUERIES[route]), ...headers.map((name) => ref('parameters', name))];
  const good = Object.entries(answers).map(([status, answer]) => [status, responseOf(answer, isCounted)]);
  const bad = [...errorsOf(route, description)].map(([status, codes]) => [status, errorResponse(status, codes)]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: more ? `${more}\n\n${who}` : who,
    security,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !body.isOptional, content: contentOf(body.content, 'input') } }),
    // MCP describes its own 400.
    responses: Object.fromEntries([...bad, ...good]),
  };
}

/** Converts a schema to JSON Schema, including the zod schemas inside it. */
function schemaOf(schema: Schema, io: 'input' | 'output'): JsonSchema {
  const inner = (one: unknown): unknown => {
    if (one instanceof z.ZodType) return jsonSchemaOf(one, io, SCHEMAS);
    if (Array.isArray(one)) return one.map(inner);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, inner(member)]));
  };
  return inner(schema) as JsonSchema;
}

const contentOf = (content: Content, io: 'input' | 'output'): JsonSchema =>
  Object.fromEntries(
    Object.entries(content).map(([type, { schema, example }]) => [
      type,
      { schema: schemaOf(schema, io), ...(example !== undefined && { example }) },
    ]),
  );

function queryParameters(query: z.ZodObject | undefined): JsonSchema[] {
  if (!query) return [];
  const { properties = {}, required = [] } = z.globalRegistry.get(query)?.id
    ? namedSchemas(SCHEMAS)[z.globalRegistry.get(query)!.id!]!
    : jsonSchemaOf(query, 'input', SCHEMAS);
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

const headersOf = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

/** @param isCounted whether limits apply to the caller, in which case the headers state them */
function responseOf({ description, content, headers = [] }: ResponseDescription, isCounted: boolean): JsonSchema {
  const limits = isCounted ? ['RateLimit-Policy', 'RateLimit'] : [];
  return {
    description,
    headers: headersOf(['X-Request-Id', ...headers, ...limits]),
    ...(content && { content: contentOf(content, 'output') }),
  };
}

function errorResponse(status: number, codes: readonly ErrorCode[]): JsonSchema {
  const example = (code: ErrorCode) => ({
    value: { detail: ERRORS[code].detail, code, request_id: ANSWER_HEADERS['X-Request-Id']?.example },
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].detail}.`).join(' '),
    headers: headersOf([
      'X-Request-Id',
      ...(WAITS.includes(status) ? ['Retry-After'] : []),
      ...(status === 401 ? ['WWW-Authenticate'] : []),
    ]),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: `${SCHEMAS}ErrorBody` }, { type: 'object', properties: { code: { enum: codes } } }],
        },
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  };
}

const ABOUT = `Who spoke, what they said, how they said it, what happened and what it means.

Every response has the header \`X-Request-Id\`. Every error is \`{detail, code, request_id}\`. An unknown path is a 404 \`NOT_FOUND\`; an unsupported method is a
405 \`METHOD_NOT_ALLOWED\` with \`Allow\`. Any response may gain new members. \`HEAD\` works wherever \`GET\` does, \`OPTIONS\` everywhere (CORS, every origin).
A stream (\`text/event-stream\`) is a sequence of events with the schema \`ServiceEvent\`: \`event\` is the event's name, \`data\` one line of JSON, \`id\` its number.`;

/** The description of the service: OpenAPI 3.1, generated from the schemas that validate requests and responses. */
export function openApiDocument(): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const [route, description] of Object.entries(DESCRIPTIONS)) {
    const [method = '', path = ''] = route.split(' ');
    const template = path.replace(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation(route, description) };
  }
  const message = jsonSchemaOf(WebhookMessageSchema, 'output', SCHEMAS);
  const delivery = {
    operationId: 'webhookMessage',
    tags: ['webhooks'],
    summary: 'An analysis ended, a rule or a view matched, or commitments were made',
    description: `One of ${WEBHOOK_EVENTS.map((name) => `\`${name}\``).join(', ')}, or \`${TEST_EVENT}\`, signed as in Standard Webhooks.`,
    security: [],
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: message, example: MESSAGE } } },
    responses: {
      '2XX': { description: 'The message was accepted. After any other status it is sent again.' },
      410: { description: 'The webhook is disabled and receives no more messages.' },
    },
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Undertone',
      version: SERVICE_VERSION,
      summary: 'Conversation intelligence over HTTP.',
      description: ABOUT,
      license: { name: 'Proprietary' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/', description: 'The server that serves this document.' }],
    externalDocs: { url: '/docs', description: 'Guides.' },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: { analysisEnded: { post: delivery } },
    components: {
      schemas: namedSchemas(SCHEMAS),
      parameters: {
        ...Object.fromEntries(
          Object.entries(PATH_PARAMETERS).map(([name, parameter]) => [
            name,
            { name, in: 'path', required: true, ...parameter },
          ]),
        ),
        ...Object.fromEntries(
          Object.entries(REQUEST_HEADERS).map(([name, header]) => [
            name,
            { name, in: 'header', required: false, ...header },
          ]),
        ),
      },
      headers: ANSWER_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
